// What can be laid over the board of a record: what has a name on it, and in Go hints of shapes, life and death. Each
// comes when it is wanted.
import '../common';
import type {Game} from '../api';
import type {Context} from '../app';
import {type BoardState, both, pointName} from '../core';
import {fill, h} from '../dom';
import type {Overlay as Life} from '../judge/overlay';
import type {Overlay as Names} from '../names/overlay';
import {rowsText} from '../search/model';
import type {Overlay as Hints} from '../shapes/overlay';
import {lineTo} from './lineto';
import type {Line} from './model';

export interface Layers {
  readonly node: HTMLElement;
  show(q: URLSearchParams, id: number, line: Line, current: number): Promise<void>;
  laid(): Partial<BoardState>;
}

export function layers(
  ctx: Context,
  game: Game,
  draw: () => void,
  change: (c: Record<string, string | null>) => void,
): Layers {
  let hints: Hints | null = null,
    life: Life | null = null,
    names: Names | null = null,
    q = new URLSearchParams();
  const pane = () => h('div', {hidden: true}),
    hintPane = pane(),
    lifePane = pane(),
    namePane = pane(),
    needs: Record<string, string> = {hints: 'shapes', life: 'judge'},
    wants = (name: string) => q.get(name) === '1' && (!needs[name] || game.tools.includes(needs[name]));
  return {
    node: h('div.stack', namePane, lifePane, hintPane),
    laid() {
      const a = wants('life') ? life?.laid() : undefined,
        b = wants('hints') ? hints?.laid() : undefined,
        c = wants('names') ? names?.laid() : undefined;
      return {under: both(a?.under, b?.under), over: both(a?.over, b?.over, c?.over), ...(b?.heat && {heat: b.heat})};
    },
    async show(to, id, line, current) {
      q = to;
      namePane.hidden = !wants('names');
      lifePane.hidden = !wants('life');
      hintPane.hidden = !wants('hints');
      if (wants('names')) {
        const {overlay} = await import('../names/overlay');
        if (!names) fill(namePane, (names = overlay(ctx, draw)).node);
        if (q === to) names.show(game, lineTo(game, line, current));
      }
      if (q === to && wants('life')) {
        const {overlay, wishOf} = await import('../judge/overlay');
        if (!life) fill(lifePane, (life = overlay(ctx, game, draw, change)).node);
        if (q === to) life.show({...wishOf(to), id, node: current});
      }
      if (q !== to || !wants('hints')) return;
      const {overlay, wishOf} = await import('../shapes/overlay');
      if (!hints) fill(hintPane, (hints = overlay(ctx, game, draw, change)).node);
      if (q !== to) return;
      const n = line.node(current),
        played = current > 0 && n.move !== '' && n.to >= 0,
        from = played ? line.parent(current) : current; // the last move matters to what is likely
      hints.show({
        ...wishOf(to),
        line: [
          rowsText(game.geometry, line.pieces(from)),
          game.sides[played ? n.side : n.turn]!.name,
          ...(played ? ['moves', pointName(game.geometry, n.to)] : []),
        ].join(' '),
      });
    },
  };
}
