// What stands beside the board of the viewer: the words of the record at a move, where it forks, and the guesses of
// somebody who is asked for the moves.
import type {Context} from '../app';
import {type Child, h} from '../dom';
import {icon} from '../icons';
import {button, iconButton} from '../ui';
import type {Guess, Line} from './model';

// words are the fault and the comment of a move, and the ways on where there are several and nobody guesses. It is null
// where there is nothing to say.
export function words({t}: Context, line: Line, current: number, guessing: boolean, go: (i: number) => void): Child {
  const n = line.nodes[current],
    kids = line.kids[current] ?? [],
    forks = kids.length > 1 && !guessing;
  if (!n?.comment && !n?.fault && !forks) return null;
  return [
    n?.fault && h('p.fault', icon('warn'), ' ', n.fault),
    n?.comment && h('p.pre', n.comment),
    forks &&
      h(
        'div.row',
        {role: 'group', 'aria-label': t('record.forks', {n: kids.length})},
        kids.map(k =>
          button(line.node(k).move || '·', () => go(k), {props: {'aria-pressed': k === line.next(current)}}),
        ),
      ),
  ];
}

// guesses asks for the next move, and tells how well it went so far.
export function guesses(
  {t}: Context,
  g: Guess,
  side: string,
  over: boolean,
  show: () => void, // the move
  stop: () => void,
): Child {
  return [
    h('span', t(over ? 'record.guess.over' : g.tried.length ? 'record.guess.again' : 'record.guess.ask', {side})),
    h('span.tag', t('record.guess.score', {right: g.right, n: g.all})),
    g.tried.length > 0 && !over && button(t('record.guess.show'), show, {kind: 'quiet'}),
    iconButton(t('record.guess.stop'), 'close', stop),
  ];
}
