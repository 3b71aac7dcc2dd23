// Boards of few men have what tables of endings know of them beside them: what asks and shows it comes with the first.
import type {Game} from './api';
import type {Context} from './app';
import {h} from './dom';
import type {EndingActs, ending} from './ending';
import type {Place} from './live';

const mostMen = 10; // of any table

// tabled tells whether a game has tables of endings: one whose pieces move.
export const tabled = (game: Game): boolean => game.tools.includes('endings');

export function endings(ctx: Context, acts: EndingActs): {node: HTMLElement; show(at: Place): void} {
  const node = h('div.contents');
  let part: Promise<ReturnType<typeof ending>> | null = null;
  return {
    node,
    show(p) {
      const few = tabled(p.game) && Array.from(p.pieces).filter(Boolean).length <= mostMen;
      if (!part && !few) return;
      part ??= import('./ending').then(m => {
        const made = m.ending(ctx, acts);
        node.replaceChildren(made.node);
        return made;
      });
      part.then(
        made => made.show(p, few),
        () => (part = null), // the board is shown without it, too
      );
    },
  };
}
