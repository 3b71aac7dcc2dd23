// What moves are worth, in figures and on the board.
import type {BookEntry, BookMove, BookValues, Game, Move, Values} from './api';
import type {Context} from './app';
import {type Heat, piled} from './core';
import {fmt} from './dom';
import {few} from './ui';

export type Unit = Values['unit'];

// worth writes a value, a lead with its sign and to a tenth: the noise of every value is greater than that. Losses are
// given below 0.
export function worth(lang: string, unit: Unit, v: number | undefined): string {
  if (v === undefined) return '–';
  const share = unit === 'share',
    n = share ? Math.round(v * 100) : Math.round(v * 10) / 10;
  return (n < 0 ? '−' : n > 0 && !share ? '+' : '') + fmt(lang).number(Math.abs(n)) + (share ? '%' : '');
}

// cost writes a loss as what it costs.
export const cost = (lang: string, unit: Unit, loss: number): string => worth(lang, unit, loss).replace('+', '');

// unitOf asks what values of a game are counted in, which is the same everywhere in it, where an answer does not say so
// itself.
export const unitOf = async (ctx: Context, game: string): Promise<Unit> =>
  (await ctx.call('GET /book', {query: {game}})).unit;

// decides is the value that a book plays by: what a person set, else the exact one, else an engine's, else that of
// results.
export const decides = (v: BookValues): number | undefined => v.human ?? v.x ?? v.e ?? v.r;

// scale is the loss at which a move is as pale as can be.
const scale = (unit: Unit) => (unit === 'share' ? 0.4 : 10);

interface Entry {
  move: Move;
  value: number | undefined;
  text: string;
  title: string;
}

// laid puts values on the board: the nearer to the best, the darker.
function laid(game: Game, pieces: ArrayLike<number>, unit: Unit, list: readonly Entry[]): Map<number, Heat> {
  const best = Math.max(...list.map(x => x.value ?? -Infinity));
  const told = list.flatMap(({move, value, text, title}) =>
    move.to < 0 || value === undefined
      ? []
      : [{...move, value: 1 - Math.min(1, (best - value) / scale(unit)), text, title}],
  );
  return piled(game.geometry, pieces, told, Math.max);
}

// valueHeat shows what an engine thinks of every move.
export function valueHeat(
  {t, lang}: Context,
  game: Game,
  pieces: ArrayLike<number>,
  v: Values,
): ReadonlyMap<number, Heat> {
  return laid(
    game,
    pieces,
    v.unit,
    v.moves.map(({move, value, exact}) => {
      const text = worth(lang, v.unit, value);
      return {move, value, text, title: t(exact ? 'value.exact' : 'value.read', {value: text, depth: v.depth})};
    }),
  );
}

export const overlays = ['games', 'r', 'e', 'x'] as const;
export type Overlay = (typeof overlays)[number];

// bookHeat shows what a book knows of the moves: how often they were played, or one of its values.
export function bookHeat(
  {t, lang}: Context,
  game: Game,
  pieces: ArrayLike<number>,
  b: BookEntry,
  what: Overlay,
): ReadonlyMap<number, Heat> {
  const most = Math.max(1, ...b.moves.map(m => m.games)),
    f = fmt(lang);
  const value = (m: BookMove) =>
    what === 'r' ? m.values.r : what === 'x' ? m.values.x : (m.values.human ?? m.values.e);
  if (what !== 'games')
    return laid(
      game,
      pieces,
      b.unit,
      b.moves.map(m => ({
        move: m.move,
        value: value(m),
        text: worth(lang, b.unit, value(m)),
        title: t('explore.row.played', {move: m.move.text, n: m.games}),
      })),
    );
  const told = b.moves
    .filter(m => m.move.to >= 0 && m.games > 0)
    .map(m => ({
      ...m.move,
      value: Math.sqrt(m.games / most),
      text: m.games < few ? String(m.games) : f.compact(m.games),
      title: t('explore.row.played', {move: m.move.text, n: m.games}),
    }));
  return piled(game.geometry, pieces, told, Math.hypot);
}
