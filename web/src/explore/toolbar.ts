// The row under the board of the explorer: steps, links that lead from the position to other pages, and switches.
import type {Context} from '../app';
import {h} from '../dom';
import {icon} from '../icons';
import {labItem} from '../lab/link';
import {put} from '../record/share';
import {refill} from '../records/row';
import {button, iconButton, linkButton, menu} from '../ui';
import type {Acts} from './acting';
import type {Advice} from './advice';
import type {Walk} from './model';
import type {State} from './state';

export interface Toolbar {
  node: HTMLElement;
  show(): void;
}

export function toolbar(
  ctx: Context,
  walk: Walk,
  acts: Acts,
  advice: Advice,
  go: (change: Partial<State>) => void,
  toggleText: () => void,
): Toolbar {
  const {t} = ctx,
    node = h('div.row.between.explore-tools'),
    search = h('a.btn.quiet.explore-search', {href: '/search'}, icon('search'), h('span', t('explore.search')));
  const nav = (label: string, icon: 'first' | 'previous' | 'next' | 'last', run: () => void) =>
    button(label, run, {icon, bare: true});

  // A pass that must be played is a button; one that may be is in the menu.
  function show(): void {
    const s = walk.state,
      legal = walk.spot?.legal ?? [],
      pass = legal.some(m => m.to < 0);
    search.href = walk.searchLink;
    refill(
      node,
      h(
        'div.btns',
        nav(t('keys.do.start'), 'first', () => acts.walkTo(0)),
        nav(t('keys.do.back'), 'previous', () => acts.step(-1)),
        nav(t('keys.do.forward'), 'next', () => acts.step(1)),
        nav(t('keys.do.end'), 'last', () => acts.walkTo(Infinity)),
      ),
      search,
      h('span.wide-only', linkButton(t('explore.playHere'), walk.playLink, 'play', 'quiet')),
      h(
        'div.row',
        pass && legal.length === 1 && button(t('explore.pass'), () => acts.pass(), {kind: 'quiet'}),
        iconButton(t('explore.heat'), 'eye', () => go({heat: !s.heat}), {'aria-pressed': s.heat}),
        iconButton(t('keys.do.flip'), 'flip', () => go({flip: !s.flip}), {'aria-pressed': s.flip}),
        menu(
          t('explore.more'),
          () => [
            ...(pass ? [{label: t('explore.pass'), run: () => acts.pass()}] : []),
            {label: t('explore.playHere'), icon: 'play', run: () => ctx.go(walk.playLink)},
            {label: t('explore.search'), icon: 'search', run: () => ctx.go(walk.searchLink)},
            {label: t('explore.recordsHere'), icon: 'records', run: () => ctx.go(walk.recordsLink)},
            ...(s.game.tools.includes('judge')
              ? [{label: t('judge.here'), icon: 'judge' as const, href: walk.judgeLink}]
              : []),
            labItem(t, s.game, walk.labLink),
            ...(s.game.tools.includes('shapes')
              ? [{label: t('hints.title'), checked: advice.on, run: () => advice.toggle()}]
              : []),
            {label: t('keys.do.textBoard'), icon: 'text', run: toggleText},
            {label: t('explore.copyLink'), icon: 'link', run: () => void put(ctx, Promise.resolve(location.href))},
          ],
          'more',
        ),
      ),
    );
  }
  return {node, show};
}
