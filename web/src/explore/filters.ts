// Which games the explorer counts: the kind, a collection, a query, and how positions are compared.
// i18n: explore.option.*, book.of.*
import type {Explored, Game} from '../api';
import type {Context} from '../app';
import {fill, fmt, h, id, set} from '../dom';
import {kindName} from '../i18n';
import {icon} from '../icons';
import {queryBox} from '../records/querybox';
import {refill} from '../records/row';
import {button, chip, segmented, select} from '../ui';
import {collections} from './collections';
import {type Origin, type State, type Switch, filterOf, keep, origins, switches} from './state';

export interface Filters {
  node: HTMLElement;
  show(): void; // what depends on the state alone
  count(a: Explored): void; // games of either origin that come to the position
  load(): void; // the collections, for another game
  narrow(change: Partial<Pick<State, 'within' | Switch>>, how?: 'push' | 'replace'): void;
  unfold(open: boolean): void;
  mistake: ReturnType<typeof queryBox>['mistake'];
}

export function filters(
  ctx: Context,
  games: readonly Game[],
  state: () => State,
  go: (change: Partial<State>, how?: 'push' | 'replace') => void,
): Filters {
  const {t, lang} = ctx;
  const counts = origins.map(() => h('small'));
  const origin = segmented<Origin>(
    t('book.of'),
    origins.map(value => ({value, label: t(`book.of.${value}`)})),
    state().of,
    of => go({of}),
  );
  origin.node.querySelectorAll('label').forEach((x, i) => {
    x.title = t(`book.of.${origins[i]!}Text`);
    x.append(counts[i]!);
  });
  origin.node.hidden = state().of === 'records'; // until something is there to be told apart
  const setup = h('div.row.explore-head'),
    options = h('div.row');
  const tabs = collections(ctx, collection => {
    if (collection !== state().collection) go({collection, ...filterOf(collection)}, 'push');
  });
  const within = queryBox(ctx, t('explore.within'), t('explore.withinHint'), (query, goesOn) =>
    narrow({within: query}, goesOn ? 'replace' : 'push'),
  );
  const pane = h('div', {id: id('filter'), class: 'stack'}, within.node, options);
  const opener = button(t('explore.filter'), () => unfold(!!pane.hidden), {
    icon: 'filter',
    props: {'aria-controls': pane.id},
  });
  unfold(!!state().within || switches.some(x => state()[x]));

  function unfold(open: boolean): void {
    pane.hidden = !open;
    set(opener, 'aria-expanded', open);
  }
  function narrow(change: Partial<Pick<State, 'within' | Switch>>, how: 'push' | 'replace' = 'push'): void {
    keep({...state(), ...change});
    go(change, how);
  }
  return {
    node: h('div.explore-setup', setup, tabs.node, origin.node, pane),
    count(a) {
      origin.node.hidden = a.counted === 'records' && a.apart === 0;
      origins.forEach((o, i) => fill(counts[i]!, fmt(lang).compact(o === a.counted ? a.games : a.apart)));
    },
    narrow,
    unfold,
    mistake: problem => within.mistake(problem),
    load: () => void tabs.load(state().game, () => state().collection),
    show() {
      const s = state();
      refill(
        setup,
        select(
          t('explore.game'),
          games.map(g => ({value: g.spec, label: `${kindName(g, lang)} · ${fmt(lang).number(g.records)}`})),
          s.game.spec,
          spec => {
            const game = games.find(g => g.spec === spec)!;
            go({game, line: '', ply: null, collection: '', ...filterOf('')}, 'push');
          },
        ),
        opener,
      );
      tabs.mark(s.collection);
      origin.set(s.of);
      within.set(s.within);
      const option = (x: Switch, on: boolean) =>
        chip(t, t(`explore.option.${x}`), {pressed: on, run: () => narrow({[x]: !s[x]})});
      refill(
        options,
        s.game.turns.length > 1 && option('exact', !s.exact),
        switches.filter(x => x !== 'exact').map(x => option(x, s[x])),
      );
      const n = switches.filter(x => s[x]).length + (s.within ? 1 : 0);
      fill(opener, icon('filter'), h('span', t('explore.filter')), n > 0 && h('span.badge', n));
    },
  };
}
