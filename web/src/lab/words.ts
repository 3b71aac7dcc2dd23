// What is said of a position of a tree: its value, its window, and why it was left.
// i18n: lab.why.*, lab.reason.*
import type {Game} from '../api';
import type {Context} from '../app';
import {titled} from '../i18n';
import {type Tree, bestFirst, isCut, reasonAt, reasons} from './tree';

const unit = 100,
  win = 1 << 20,
  decided = win - (1 << 12),
  never = 1 << 30; // of proof numbers

// amount writes a value in units of the game.
export function amount({t, lang}: Context, v: number): string {
  const u = Math.round(v * unit);
  if (Math.abs(u) > win) return u < 0 ? '−∞' : '∞';
  if (Math.abs(u) >= decided) {
    const n = win - Math.abs(u);
    return u > 0 ? (n ? t('lab.win', {n}) : t('lab.won')) : n ? t('lab.loss', {n}) : t('lab.lost');
  }
  return new Intl.NumberFormat(lang, {signDisplay: 'exceptZero', maximumFractionDigits: 2}).format(v);
}

// brief is a value where there is little room.
export function brief(ctx: Context, v: number): string {
  const u = Math.round(v * unit);
  if (Math.abs(u) < decided) return amount(ctx, v);
  const n = win - Math.abs(u);
  return (u > 0 ? '+' : '−') + (n > 0 ? '#' + n : '∞');
}

// between is a value, or its bounds where they lie apart.
export const between = (ctx: Context, value: number, low: number, high: number): string =>
  low < high ? `${brief(ctx, low)} … ${brief(ctx, high)}` : brief(ctx, value);

// label is what stands beside a position in a picture.
export function label(ctx: Context, tree: Tree, i: number): string {
  if (tree.method === 'proof') return tree.value[i] ? brief(ctx, tree.value[i]) : '';
  return tree.method === 'bstar'
    ? between(ctx, tree.value[i]!, tree.alpha[i]!, tree.beta[i]!)
    : brief(ctx, tree.value[i]!);
}

// windowOf tells within which values a position was read.
export function windowOf(ctx: Context, tree: Tree, i: number): string {
  const {t} = ctx,
    a = tree.alpha[i]!,
    b = tree.beta[i]!;
  if (tree.method === 'proof') {
    const n = (v: number) => (Math.round(v * unit) >= never ? '∞' : String(Math.round(v * unit)));
    return t('lab.numbers', {proof: n(b), disproof: n(-a)});
  }
  return t(bestFirst(tree.method) ? 'lab.bounds' : 'lab.window', {low: amount(ctx, a), high: amount(ctx, b)});
}

// sentence says what became of a position by a time, and why.
export function sentence(ctx: Context, game: Game, tree: Tree, i: number, now: number): string {
  const {t, lang} = ctx,
    r = reasonAt(tree, i, now),
    side = titled(game.sides[tree.side[i]!]?.titles, lang),
    value = amount(ctx, tree.value[i]!),
    beta = amount(ctx, tree.beta[i]!);
  const what = reasons[r]!;
  if (isCut(r)) return t(`lab.why.${what as 'shallow'}`, {side, value, beta, move: tree.at[i]!});
  if (what === 'read' && tree.value[i]! <= tree.alpha[i]! && tree.parent[i]! >= 0)
    return t('lab.why.none', {side, value});
  if (what === 'proved' && tree.method === 'proof') return t('lab.why.pn', {side, value});
  return t(`lab.why.${what as 'read'}`, {side, value});
}
