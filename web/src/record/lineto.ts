// The way to a node of a record, as the server reads it.
import type {Game} from '../api';
import {pointName} from '../core';
import {rowsText} from '../search/model';
import type {Line} from './model';

// lineTo writes how a node was come to, as the server reads it: the moves from the start, or from the last node at
// which the record put pieces or had a fault, since what comes before cannot be played again.
export function lineTo(game: Game, line: Line, at: number): string {
  const g = game.geometry,
    path = line.path(at),
    from = Math.max(
      0,
      path.findLastIndex(k => {
        const n = line.node(k);
        return (n.move === '' && n.changes.length > 0) || !!n.fault;
      }),
    );
  const base = path[from]!,
    pieces = line.pieces(base),
    {turn} = line.node(base),
    usual = turn === 0 && pieces.every((p, i) => p === game.start[i]);
  const moves = path
    .slice(from + 1)
    .map(k => line.node(k))
    .filter(n => n.move !== '')
    .map(n => (n.to < 0 ? n.move : (n.from < 0 ? '' : pointName(g, n.from) + '-') + pointName(g, n.to)));
  return [
    ...(usual ? [] : [rowsText(g, pieces), game.sides[turn]!.name, ...(moves.length ? ['moves'] : [])]),
    ...moves,
  ].join(' ');
}
