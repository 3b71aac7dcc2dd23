// What the explorer shows, as its URL has it.
import type {Game} from '../api';
import {type Sort, gameOf, sorts} from '../records/row';
import {plainValue} from '../search/model';

export const tabNames = ['moves', 'position', 'games'] as const;
export type Tab = typeof tabNames[number];

// Filter is what is kept for each collection.
export interface Filter { within: string; exact: boolean; swap: boolean; anyTurn: boolean; variations: boolean }
export type Switch = 'exact' | 'swap' | 'anyTurn' | 'variations';
export const switches = ['exact', 'swap', 'anyTurn', 'variations'] as const satisfies readonly Switch[];

export interface State extends Filter {
  game: Game;
  line: string;        // moves, a position text, or both
  ply: number | null;  // how far into the line; null is its end
  collection: string;  // '' for all games
  sort: Sort;
  flip: boolean;
  heat: boolean;       // the figures stand on the board, too
  tab: Tab;            // on a phone
}

const plain: Filter = {within: '', exact: false, swap: false, anyTurn: false, variations: false};
const store = 'qipu.explore';

// What was last chosen in a collection is what it opens with again. A link that says anything beside the game wins.
function kept(): Record<string, Filter> {
  try { return JSON.parse(localStorage.getItem(store) ?? '{}') as Record<string, Filter>; } catch { return {}; }
}
export const filterOf = (collection: string): Filter => ({...plain, ...kept()[collection]});
export function keep(s: State): void {
  const {within, exact, swap, anyTurn, variations} = s;
  try { localStorage.setItem(store, JSON.stringify({...kept(), [s.collection]: {within, exact, swap, anyTurn, variations}})); } catch { /* it is only a convenience */ }
}

// bare tells whether an address says nothing but the game.
export const bare = (url: URL): boolean => ![...url.searchParams.keys()].some(k => k !== 'g');

export function read(url: URL, games: readonly Game[]): State {
  const q = url.searchParams, ply = q.get('ply');
  const on = (name: string) => q.get(name) === '1';
  return {
    game: gameOf(games, q.get('g') ?? ''), line: q.get('m') ?? '', ply: ply && /^\d+$/.test(ply) ? +ply : null, collection: q.get('in') ?? '',
    sort: sorts.find(s => s === q.get('sort')) ?? '', flip: on('flip'), heat: q.get('heat') !== '0', tab: tabNames.find(x => x === q.get('tab')) ?? 'moves',
    ...(bare(url) ? filterOf('') : {within: q.get('within') ?? '', exact: on('exact'), swap: on('swap'), anyTurn: on('anyTurn'), variations: on('variations')}),
  };
}

export function write(s: State): string {
  const q = new URLSearchParams({g: s.game.spec});
  const put = (name: string, v: string | boolean) => { if (v) q.set(name, v === true ? '1' : v); };
  put('m', s.line);
  if (s.ply !== null) q.set('ply', String(s.ply));
  put('in', s.collection);
  put('within', s.within);
  for (const name of switches) put(name, s[name]);
  put('sort', s.sort);
  put('flip', s.flip);
  if (!s.heat) q.set('heat', '0');
  if (s.tab !== 'moves') q.set('tab', s.tab);
  return '/explore?' + q.toString();
}

// narrowed is the query that the games must meet.
export function narrowed(s: State): string {
  if (!s.collection) return s.within;
  return `collection:${plainValue(s.collection)}` + (s.within && ` (${s.within})`);
}
