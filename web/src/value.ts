// What moves are worth, in figures and on the board.
import type {BookEntry, BookMove, BookValues, Move, Values} from './api';
import type {Context} from './app';
import type {Heat} from './core';
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

export const sameMove = (a: Move, b: Move): boolean => a.from === b.from && a.to === b.to;

// scale is the loss at which a move is as pale as can be.
const scale = (unit: Unit) => (unit === 'share' ? 0.4 : 10);

interface Entry {
  move: Move;
  value: number | undefined;
  text: string;
  title: string;
}

// laid puts values on the board: the nearer to the best, the darker.
function laid(unit: Unit, list: readonly Entry[]): Map<number, Heat> {
  const best = Math.max(...list.map(x => x.value ?? -Infinity)),
    out = new Map<number, Heat>();
  for (const {move, value, text, title} of list) {
    if (move.to < 0 || out.has(move.to) || value === undefined) continue;
    out.set(move.to, {value: 1 - Math.min(1, (best - value) / scale(unit)), text, title});
  }
  return out;
}

// valueHeat shows what an engine thinks of every move.
export function valueHeat({t, lang}: Context, v: Values): ReadonlyMap<number, Heat> {
  return laid(
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
export function bookHeat({t, lang}: Context, b: BookEntry, what: Overlay): ReadonlyMap<number, Heat> {
  const most = Math.max(1, ...b.moves.map(m => m.games)),
    f = fmt(lang);
  const value = (m: BookMove) =>
    what === 'r' ? m.values.r : what === 'x' ? m.values.x : (m.values.human ?? m.values.e);
  if (what !== 'games')
    return laid(
      b.unit,
      b.moves.map(m => ({
        move: m.move,
        value: value(m),
        text: worth(lang, b.unit, value(m)),
        title: t('explore.row.played', {move: m.move.text, n: m.games}),
      })),
    );
  return new Map(
    b.moves
      .filter(m => m.move.to >= 0 && m.games > 0)
      .map(m => [
        m.move.to,
        {
          value: Math.sqrt(m.games / most),
          text: m.games < few ? String(m.games) : f.compact(m.games),
          title: t('explore.row.played', {move: m.move.text, n: m.games}),
        },
      ]),
  );
}
