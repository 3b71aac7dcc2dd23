// What an engine thinks of a game: a curve of its value, the loss of both sides, and the mistakes, each of which leads
// to its move.
// i18n: review.mark.*, review.kind.*
import type {Game, Review, ReviewMove} from './api';
import type {Context} from './app';
import {type Child, fill, fmt, h, svg} from './dom';
import {titled} from './i18n';
import {opinion, type Told} from './opinion';
import {refill} from './records/row';
import {iconButton, segmented, toggle} from './ui';
import {type Unit, worth} from './value';

const width = 600,
  height = 200,
  rim = 6; // of the curve, in units of its own

export interface ReviewView {
  node: HTMLElement;
  // plies: how many moves the game has
  show(r: Told & Pick<Review, 'moves' | 'losses' | 'done'>, plies: number): void;
  at(ply: number): void; // where the board stands
}

// Own is what a review can do for somebody who played the game.
export interface Own {
  mine: number; // the reader's side; -1 where both are
  number(ply: number): number; // of a move, as players count
  retry(ply: number): void; // plays on from the position before a move
}

export function reviewView(ctx: Context, game: Game, go: (ply: number) => void, own?: Own): ReviewView {
  const {t, lang} = ctx,
    f = fmt(lang);
  let unit: Unit = 'share',
    moves: readonly ReviewMove[] = [],
    plies = 1,
    now = -1,
    kind: 'value' | 'loss' = 'value',
    only = !!own && own.mine >= 0; // the reader's moves alone
  const side = (i: number) => titled(game.sides[i]?.titles, lang);
  const picture = h('div.review-graph'),
    losses = h('p.review-losses'),
    list = h('ol.review-list'),
    state = h('p.muted.small', {role: 'status'}),
    whose = opinion(ctx, game, go);
  const head = segmented(
    t('review.graph'),
    (['value', 'loss'] as const).map(value => ({value, label: t(`review.kind.${value}`)})),
    kind,
    v => {
      kind = v;
      draw();
    },
  );
  const filter =
    only &&
    toggle(t('review.mine'), only, on => {
      only = on;
      draw();
      tell();
    });
  const marked = () => moves.filter(m => m.mark && (!only || m.move.side === own!.mine));
  const x = (ply: number) => rim + ((width - 2 * rim) * ply) / Math.max(1, plies);

  function draw(): void {
    const sums: [number, number][] = [[0, 0]];
    for (const m of moves)
      sums.push(sums.at(-1)!.map((n, i) => (i === m.move.side ? n + Math.max(0, m.loss) : n)) as [number, number]);
    const even = kind === 'value' && unit === 'share' ? 0.5 : 0; // neither side is ahead
    const most = Math.max(
      unit === 'share' ? 0.1 : 4,
      ...(kind === 'value' ? moves.map(m => Math.abs(m.value - even)) : sums.at(-1)!),
    );
    const zero = kind === 'value' ? height / 2 : height - rim,
      room = kind === 'value' ? height / 2 - rim : height - 2 * rim;
    const y = (v: number) => zero - (room * (v - even)) / most;
    const path = (points: readonly (readonly [number, number])[]) =>
      points.map(([a, b], i) => `${i ? 'L' : 'M'}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join('');
    const values = moves.map(m => [m.ply, m.value] as const),
      first = values[0],
      end = values.at(-1);
    const shapes =
      kind === 'value'
        ? [
            first &&
              end &&
              svg('path', {class: 'area', d: `${path(values)}L${x(end[0])} ${zero}L${x(first[0])} ${zero}z`}),
            svg('path', {class: 'curve', d: path(values)}),
            marked().map(m =>
              svg('circle', {
                class: m.mark,
                cx: x(m.ply),
                cy: y(m.value),
                r: m.mark === 'blunder' ? 6 : m.mark === 'mistake' ? 4.8 : 3.6,
              }),
            ),
          ]
        : [0, 1].map(i =>
            svg('path', {
              class: 'loss',
              'data-side': game.sides[i]?.name,
              d: path(sums.map((s, ply) => [ply, s[i]!] as const)),
            }),
          );
    // The first side is ahead above the line, the second below it; the curve begins on it, so that there is room at its
    // left.
    const mark = (i: number) =>
      svg('text', {x: rim, y: i ? height - rim : 20}, `${side(i)} ${worth(lang, unit, even + most)}`);
    const words = moves.length
      ? t('review.told', {value: worth(lang, unit, end![1]), side: side(0), n: moves.filter(m => m.mark).length})
      : t('review.graph');
    const box = svg(
      'svg',
      {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': words},
      svg('path', {class: 'zero', d: `M0 ${zero}H${width}`}),
      shapes,
      kind === 'value' ? [mark(0), mark(1)] : svg('text', {x: rim, y: 20}, worth(lang, unit, most).replace('+', '')),
      now >= 0 && svg('path', {class: 'now', d: `M${x(now).toFixed(1)} 0V${height}`}),
    );
    box.addEventListener('click', e => {
      const r = box.getBoundingClientRect();
      go(
        Math.max(
          0,
          Math.min(plies, Math.round(((((e.clientX - r.left) / r.width) * width - rim) / (width - 2 * rim)) * plies)),
        ),
      );
    });
    fill(picture, box);
    refill(
      list,
      marked().map(m =>
        h(
          'li',
          h(
            'button',
            {class: m.mark, 'aria-current': m.ply === now ? 'step' : null, onclick: () => go(m.ply)},
            h('span.muted.num', own ? own.number(m.ply) : m.ply),
            h('i.side-mark', {
              'data-side': game.sides[m.move.side]?.name,
              role: 'img',
              'aria-label': side(m.move.side),
            }),
            h('b', m.move.text),
            h(
              'span.cut',
              m.mark && t(`review.mark.${m.mark}`),
              m.best.length > 0 && [
                ' · ',
                t('review.better', {
                  line: m.best
                    .slice(0, 4)
                    .map(b => b.text)
                    .join(' '),
                }),
              ],
            ),
            h('span.num', worth(lang, unit, -m.loss), m.exact && '!'),
          ),
          own && iconButton(t('review.retry'), 'redo', () => own.retry(m.ply)),
        ),
      ),
    );
  }

  const values = h('div.review-values', h('div.row.between', head.node, losses), picture, filter, list);
  const plain = (v: number): Child => (unit === 'share' ? f.rate(v) : f.number(Math.round(v * 10) / 10));
  let done = false,
    read = 0, // moves that were looked at
    clean = ''; // what is said where no move has a mark
  const tell = () => {
    state.textContent = done ? (marked().length ? '' : clean) : t('review.going', {at: read, n: plies});
  };
  return {
    node: h('div.review', whose.node, values, state),
    show(r, n) {
      unit = r.unit;
      moves = r.moves.filter(m => m.known);
      plies = n;
      whose.show(r);
      const silent = r.by.engine !== '' && !r.by.counts && !moves.length; // nobody has anything to say
      values.hidden = silent;
      fill(
        losses,
        h('span.muted', t('review.losses')),
        r.losses.map((v, i) =>
          h(
            'span',
            h('i.side-mark', {'data-side': game.sides[i]?.name, role: 'img', 'aria-label': side(i)}),
            ' ',
            plain(v),
          ),
        ),
      );
      done = r.done;
      read = r.moves.length;
      clean = silent ? '' : t(r.by.counts ? 'review.clean' : 'review.proved');
      tell();
      draw();
    },
    at(ply) {
      if (ply === now) return;
      now = ply;
      if (moves.length) draw();
    },
  };
}
