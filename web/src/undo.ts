// The way back from a change: what undoes it, and the button that is offered right after it.
import type {Change} from './api';
import type {Context} from './app';
import {sentence} from './ui';

// undo undoes a change of the journal, says so, and offers the way back from that. What could not be undone is said,
// too.
export async function undo(ctx: Context, change: number, after: () => void): Promise<boolean> {
  const {t} = ctx;
  try {
    const done = await ctx.api.call('POST /journal/{id}/undo', {path: {id: change}});
    const left = (done.left ?? []).map(sentence).join(' ');
    ctx.toast([t(done.again ? 'log.done' : 'players.taken'), left].filter(Boolean).join(' '), 'success', {
      label: t(done.again ? 'players.undo' : 'log.redo'),
      run: () => void undo(ctx, done.id, after),
    });
    after();
    return true;
  } catch (err) {
    ctx.fail(err);
    return false;
  }
}

// changed says what was done and offers to undo it. Without a number nothing was changed that could be.
export const changed = (ctx: Context, text: string, change: number | undefined, after: () => void): void =>
  ctx.toast(
    text,
    'success',
    change ? {label: ctx.t('players.undo'), run: () => void undo(ctx, change, after)} : undefined,
  );

// latestOf returns the newest change of a kind about a name, which somebody has just made by an operation that does not
// tell its number.
export const latestOf = (ctx: Context, op: string, name: string): Promise<number | undefined> =>
  ctx.call('GET /journal', {query: {op, limit: 1}}).then(
    ({changes: [c]}: {changes: readonly Change[]}) => (c?.args['name'] === name && !c.undoneBy ? c.id : undefined),
    () => undefined,
  );
