// What the explorer shows, as its URL has it.
import type {Game} from '../api';
import {type Sort, gameOf, sorts} from '../kinds';
import {plainValue} from '../search/model';
import {recall, remember} from '../store';
import {type Overlay, overlays} from '../value';

export const tabNames = ['moves', 'book', 'position', 'games'] as const;
export type Tab = (typeof tabNames)[number];

// Filter is what is kept for each collection.
export interface Filter {
  within: string;
  exact: boolean;
  swap: boolean;
  anyTurn: boolean;
  variations: boolean;
}
// Which games are counted: records that were read, or games that were played in this program.
export const origins = ['records', 'here'] as const;
export type Origin = (typeof origins)[number];
export type Switch = 'exact' | 'swap' | 'anyTurn' | 'variations';
export const switches = ['exact', 'swap', 'anyTurn', 'variations'] as const satisfies readonly Switch[];

const hinted = ['hints', 'for', 'least', 'refused'] as const;

export interface State extends Filter {
  game: Game;
  line: string; // moves, a position text, or both
  ply: number | null; // how far into the line; null is its end
  collection: string; // '' for all games
  sort: Sort;
  flip: boolean;
  heat: boolean; // the figures stand on the board, too
  overlay: Overlay; // which figures
  of: Origin;
  threshold: number; // games that a move of the book needs for its results to count
  tab: Tab; // on a phone
  hints: Readonly<Record<string, string>>; // what shapes say, and how much of it: as the address has it
}

const plain: Filter = {within: '', exact: false, swap: false, anyTurn: false, variations: false};

// What was last chosen in a collection is what it opens with again. A link that says anything beside the game wins.
const kept = () => recall<Record<string, Filter>>('explore', {});
export const filterOf = (collection: string): Filter => ({...plain, ...kept()[collection]});
export function keep(s: State): void {
  const {within, exact, swap, anyTurn, variations} = s;
  remember('explore', {...kept(), [s.collection]: {within, exact, swap, anyTurn, variations}});
}

// bare tells whether an address says nothing but the game.
export const bare = (url: URL): boolean => ![...url.searchParams.keys()].some(k => k !== 'g');

export function read(url: URL, games: readonly Game[]): State {
  const q = url.searchParams,
    ply = q.get('ply'),
    least = Number(q.get('t'));
  const on = (name: string) => q.get(name) === '1';
  return {
    game: gameOf(games, q.get('g') ?? ''),
    line: q.get('m') ?? '',
    ply: ply && /^\d+$/.test(ply) ? +ply : null,
    collection: q.get('in') ?? '',
    sort: sorts.find(s => s === q.get('sort')) ?? '',
    flip: on('flip'),
    heat: q.get('heat') !== '0',
    overlay: overlays.find(x => x === q.get('on')) ?? 'games',
    of: origins.find(x => x === q.get('of')) ?? 'records',
    threshold: Number.isInteger(least) && least >= 1 && least <= 100 ? least : 20,
    tab: tabNames.find(x => x === q.get('tab')) ?? 'moves',
    hints: Object.fromEntries(hinted.flatMap(k => (q.get(k) ? [[k, q.get(k)!]] : []))),
    ...(bare(url)
      ? filterOf('')
      : {
          within: q.get('within') ?? '',
          exact: on('exact'),
          swap: on('swap'),
          anyTurn: on('anyTurn'),
          variations: on('variations'),
        }),
  };
}

export function write(s: State): string {
  const q = new URLSearchParams({g: s.game.spec});
  const put = (name: string, v: string | boolean) => {
    if (v) q.set(name, v === true ? '1' : v);
  };
  put('m', s.line);
  if (s.ply !== null) q.set('ply', String(s.ply));
  put('in', s.collection);
  put('within', s.within);
  for (const name of switches) put(name, s[name]);
  put('sort', s.sort);
  for (const k of hinted) put(k, s.hints[k] ?? '');
  put('flip', s.flip);
  if (!s.heat) q.set('heat', '0');
  if (s.overlay !== 'games') q.set('on', s.overlay);
  if (s.of !== 'records') q.set('of', s.of);
  if (s.threshold !== 20) q.set('t', String(s.threshold));
  if (s.tab !== 'moves') q.set('tab', s.tab);
  return '/explore?' + q.toString();
}

// narrowed is the query that the games must meet.
export function narrowed(s: State): string {
  if (!s.collection) return s.within;
  return `collection:${plainValue(s.collection)}` + (s.within && ` (${s.within})`);
}
