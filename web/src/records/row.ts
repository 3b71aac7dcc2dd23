// A game in a list, as the library and the explorer show it, and the bar of how games went.
import type {Game, Hit, Score, Side} from '../api';
import type {Context} from '../app';
import {type Child, dots, fill, fmt, h} from '../dom';
import type {BoardState} from '../core';
import {titled} from '../i18n';
import {mini} from '../minis';
import {resultBar} from '../ui';

// refill is fill for a node in which somebody may be: the focus comes back to the control with the same data-key, else
// to the one that now stands in the same place. While a finger or button is down in the node it waits: a control that
// is replaced between press and release gets no click.
export function refill(node: HTMLElement, ...children: Child[]): void {
  if (held && node.contains(held)) {
    waiting.set(node, children);
    return;
  }
  const all = () =>
    [...node.querySelectorAll<HTMLElement>('button, select, input, a[href]')].filter(x => !x.closest('[role=menu]'));
  const was = document.activeElement as HTMLElement | null,
    i = was && node.contains(was) ? all().indexOf(was) : -1;
  fill(node, ...children);
  if (i < 0) return;
  const now = all(),
    key = was?.dataset['key'];
  ((key && now.find(x => x.dataset['key'] === key)) || now[Math.min(i, now.length - 1)])?.focus({preventScroll: true});
}

let held: Node | null = null; // where a finger or button is down
const waiting = new Map<HTMLElement, Child[]>();
addEventListener('pointerdown', e => (held = e.target as Node), true);
// after the click
for (const type of ['pointerup', 'pointercancel']) addEventListener(type, () => setTimeout(release), true);

function release(): void {
  held = null;
  const list = [...waiting];
  waiting.clear();
  for (const [node, children] of list) refill(node, ...children);
}

// scoreBar shows a score with its interval; the parts have the names of the sides, or others.
export function scoreBar({t, lang}: Context, {sides}: Game, s: Score, titles?: readonly [string, string]): HTMLElement {
  const [a, b] = sides as [Side, Side];
  return resultBar(t, lang, s, [a.name, b.name], titles ?? [titled(a.titles, lang), titled(b.titles, lang)]);
}

// resultOf is how a game ended, as a list has room for it. That a side won, and no more, the mark of the winner says.
export const resultOf = ({t}: Context, r: Hit['record']): string =>
  r.winner === 2 ? t('records.result.draw') : r.result.replace(/^\w\+$/, '');

// boardOf is the small board of a hit, which may show more than its position.
export const boardOf = (ctx: Context, game: Game | undefined, x: Hit, more?: Partial<BoardState>): Child =>
  game &&
  x.pieces.length > 0 &&
  mini({
    geometry: game.geometry,
    glyphs: game.glyphs,
    pieces: x.pieces,
    texts: x.texts,
    set: ctx.prefs.get('pieces'),
    ...(x.last >= 0 && {last: {to: x.last}}),
    ...more,
  });

// playersOf names both players, with the winner marked.
export function playersOf({t, lang}: Context, game: Game | undefined, r: Hit['record']): HTMLElement {
  return h(
    'span.game-players',
    r.players.map((p, i) => {
      const strength = p.rank || p.rating || '',
        side = game?.sides[i];
      return h(
        'span',
        {class: 'who' + (r.winner === i ? ' won' : '')},
        h('i.side-mark', {'data-side': side?.name, role: 'img', 'aria-label': titled(side?.titles, lang)}),
        h('span.cut', p.name || t('records.unknownPlayer')),
        strength && h('small.muted', strength),
        r.winner === i && h('small.tag.won-tag', t('records.won')),
      );
    }),
  );
}

// exports offers what a question finds as files: games in the formats that hold them, and tables of the headers.
export const exports = ({t, api}: Context, formats: readonly string[], what: Record<string, unknown>) =>
  [...formats, 'csv', 'json'].map(format => ({
    label: t('records.exportAs', {format: format.toUpperCase()}),
    icon: 'download' as const,
    href: api.url('/records/export', {...what, format}),
    download: true,
  }));

// gameRow is a link to a game: its board, players with the winner marked, and what else is known. More stands at its
// end.
export function gameRow(
  ctx: Context,
  games: readonly Game[],
  x: Hit,
  href: string,
  ...more: Child[]
): HTMLAnchorElement {
  const {t, lang} = ctx,
    r = x.record,
    f = fmt(lang),
    game = games.find(g => g.spec === r.game);
  const board = boardOf(ctx, game, x);
  const facts = dots(r.date && f.date(r.date), r.event, r.round);
  const last = dots(r.opening || r.code, t('records.moves', {n: r.plies}));
  return h(
    'a.game-row',
    {href},
    board && h('span.game-mini', board),
    h(
      'span.game-text',
      playersOf(ctx, game, r),
      facts && h('span.muted.small.cut', facts),
      h('span.muted.small.cut', last),
    ),
    h(
      'span.game-end',
      h('b', resultOf(ctx, r) || (r.winner < 0 && '–')),
      r.marked && h('small.tag', t('records.marked')),
      more,
    ),
  );
}
