// The collections that have games of a kind, as tabs.
import type {Game} from '../api';
import type {Context} from '../app';
import {fill, h} from '../dom';

export interface Collections {
  readonly node: HTMLElement;
  load(game: Game, now: () => string): Promise<void>;
  mark(now: string): void; // which of them is chosen
}

export function collections(ctx: Context, choose: (name: string) => void): Collections {
  const {t} = ctx,
    node = h('div.explore-collections', {role: 'group'});
  let of: Game | null = null;
  return {
    node,
    // load lists them, the largest first. One that the address names is always there.
    async load(game, now) {
      of = game;
      try {
        const r = await ctx.call('GET /records/facets', {query: {game: game.spec, by: ['collection'], limit: 1000}});
        if (game !== of) return;
        const chosen = now(),
          names = r.facets[0]?.groups.map(g => g.key).filter(k => k) ?? [];
        if (chosen && !names.includes(chosen)) names.unshift(chosen);
        node.setAttribute('aria-label', t('explore.collections'));
        node.hidden = !names.length;
        fill(
          node,
          ['', ...names].map(value =>
            h(
              'button.tab',
              {value, 'aria-pressed': value === chosen, onclick: () => choose(value)},
              value || t('explore.allGames'),
            ),
          ),
        );
      } catch (err) {
        ctx.fail(err);
      }
    },
    mark(now) {
      for (const b of node.querySelectorAll('button')) b.setAttribute('aria-pressed', String(b.value === now));
    },
  };
}
