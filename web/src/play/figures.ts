// What a position's moves are worth, or how often they were played.
import type {Game, Move, Position} from '../api';
import type {Context} from '../app';
import type {Heat} from '../core';
import {titled} from '../i18n';
import {bookHeat, valueHeat} from '../value';

// Figures are told for one piece at a time where pieces move, since many moves end on the same point.
export interface Figures {
  line: string;
  of: string;
  heat(from?: number): ReadonlyMap<number, Heat>;
  best: readonly Move[];
  by: string; // whose word it is; empty for what the library knows
}

export async function figuresOf(
  ctx: Context,
  signal: AbortSignal,
  game: Game,
  {line, pieces}: Position,
  of: 'values' | 'book',
  engine: string, // another program that is asked for values; '' for our own
): Promise<Figures> {
  const query = {game: game.spec, line},
    one = <T extends {move: Move}>(list: readonly T[], from?: number) =>
      list.filter(m => from === undefined || m.move.from === from);
  if (of === 'values') {
    const v = await ctx.call('GET /values', {query: {...query, ...(engine && {engine})}}, signal),
      by = v.by && `${v.by.engine} ${v.by.version}`.trim();
    return {
      line,
      of,
      by: !by
        ? ''
        : v.by!.accuracy.length
          ? ctx.t('play.valuesBy', {engine: by})
          : ctx.t('live.unmeasured', {engine: by, game: titled(game.titles, ctx.lang)}),
      heat: from => valueHeat(ctx, game, pieces, {...v, moves: one(v.moves, from)}),
      best: v.moves.slice(0, 1).map(m => m.move),
    };
  }
  const b = await ctx.call('GET /book', {query: {...query, threshold: 1}}, signal);
  return {
    line,
    of,
    by: b.apart.games > 0 ? ctx.t('play.bookOf', {n: b.games, here: b.apart.games}) : '',
    heat: from => bookHeat(ctx, game, pieces, {...b, moves: one(b.moves, from)}, 'games'),
    best: b.moves
      .filter(m => m.games > 0)
      .slice(0, 3)
      .map(m => m.move),
  };
}
