// The tools under the board of the viewer: searches, layers, numbers, speed, copies, notations.
// i18n: record.numbers.*
import type {FullRecord, Game} from '../api';
import type {Context} from '../app';
import {h} from '../dom';
import {notationOf} from '../kinds';
import {labItem} from '../lab/link';
import {iconButton, menu} from '../ui';
import {type Numbering, numberings} from './model';
import {type Moment, copies} from './share';

export const speeds = [0.5, 1, 2, 4] as const; // seconds a move
export type Layer = 'hints' | 'life' | 'names';

// Hands are what the tools do, and what they must know for it.
export interface Hands {
  board: boolean; // the record has one
  region(): {search: string; name: string | null} | null; // links of the region that is marked
  leaveFor(to: 'search' | 'explore' | 'play'): void;
  lab(): string;
  judge(): string | null; // the link of the page of life and death
  review(): void;
  shown: readonly HTMLElement[]; // buttons that tell how the board is shown
  layers: readonly {name: string; on(): boolean; toggle(): void}[];
  numbering: {now(): Numbering; set(n: Numbering): void};
  speed: {now(): number; set(s: number): void};
  guess: {on(): boolean; toggle(): void};
  text(): void;
  moment(): Moment;
}

export function tools(ctx: Context, record: FullRecord, game: Game | undefined, hands: Hands): HTMLElement {
  const {t, prefs} = ctx;
  const searches = () => {
    const region = hands.region(),
      judge = hands.judge();
    return [
      ...(region ? [{label: t('record.searchRegion'), icon: 'region' as const, href: region.search}] : []),
      ...(region?.name ? [{label: t('shapes.namePattern'), icon: 'tag' as const, href: region.name}] : []),
      {label: t('record.searchPosition'), icon: 'search' as const, run: () => hands.leaveFor('search')},
      {label: t('record.explore'), icon: 'explore' as const, run: () => hands.leaveFor('explore')},
      {label: t('explore.playHere'), icon: 'play' as const, run: () => hands.leaveFor('play')},
      ...(judge ? [{label: t('judge.here'), icon: 'judge' as const, href: judge}] : []),
      ...(game ? [labItem(t, game, hands.lab())] : []),
    ];
  };
  const numbers = () =>
    numberings.map(n => ({
      label: t(`record.numbers.${n || 'none'}`),
      checked: n === hands.numbering.now(),
      run: () => hands.numbering.set(n),
    }));
  const more = () => [
    ...(hands.board
      ? [
          {label: t('keys.do.textBoard'), icon: 'text' as const, run: () => hands.text()},
          ...hands.layers.map(x => ({label: x.name, checked: x.on(), run: () => x.toggle()})),
          {
            label: t(hands.guess.on() ? 'record.guess.stop' : 'record.guess.start'),
            icon: 'eye' as const,
            run: () => hands.guess.toggle(),
          },
        ]
      : []),
    {label: t('record.print'), icon: 'records' as const, run: () => print()},
    ...(game && game.notations.length > 1
      ? game.notations.map(n => ({
          label: `${n.name}: ${n.summary.split(': ').at(-1)!.split(/[,;(]/)[0]!.trim()}`,
          checked: n.name === (notationOf(ctx, game) ?? game.notations[0]!.name),
          run: () => prefs.setNotation(game.spec, n.name),
        }))
      : []),
  ];
  const node = h(
    'div.rec-tools.full',
    {role: 'group', 'aria-label': t('record.tools')},
    hands.board && [
      menu(t('record.search'), searches, 'search'),
      iconButton(t('review.start'), 'chart', () => hands.review()),
      hands.shown,
      !game!.moving && h('span.numbers', menu(t('record.numbers'), numbers, 'table')),
    ],
    menu(
      t('record.speed'),
      () =>
        speeds.map(s => ({
          label: t('record.seconds', {n: s}),
          checked: s === hands.speed.now(),
          run: () => hands.speed.set(s),
        })),
      'clock',
    ),
    menu(t('record.copyAs'), () => copies(ctx, record, hands.moment()), 'share'),
    menu(t('record.more'), more, 'more'),
  );
  node.querySelector('.numbers .icon')?.replaceWith(h('b', {'aria-hidden': 'true'}, '12'));
  return node;
}
