// What was played in a position: the table of moves, and the same figures on the board.
import type {Explored, Game, NextMove} from '../api';
import type {Context} from '../app';
import {type Heat, type Told, piled} from '../core';
import {type Child, fill, fmt, h, on} from '../dom';
import {titled} from '../i18n';
import {refill, scoreBar} from '../records/row';
import {button, few, known} from '../ui';

interface Rate {
  rate: number;
  low: number;
  high: number;
}

// rateOf is the score of a side, with its interval.
export function rateOf({score: s}: {score: Explored['score']}, side: number): Rate | null {
  if (s.rate === undefined) return null;
  const {rate, low = rate, high = rate} = s;
  return side === 1 ? {rate: 1 - rate, low: 1 - high, high: 1 - low} : {rate, low, high};
}

// heat puts the moves on the board: the more games the darker, and in figures how the side that plays it fared. at is
// where a move goes from and to, -1 for nowhere; rare moves are left out where hides says so, which is told how many
// points have figures already.
export function heat(
  ctx: Context,
  game: Game,
  pieces: ArrayLike<number>,
  a: Pick<Explored, 'moves'>,
  at = ({move}: NextMove): {from: number; to: number} => move,
  hides?: (point: number, there: number) => boolean,
): ReadonlyMap<number, Heat> {
  const f = fmt(ctx.lang),
    most = Math.max(1, ...a.moves.map(m => m.games)),
    points = new Set<number>(),
    list: Told[] = [];
  for (const m of a.moves) {
    const {from, to} = at(m),
      r = rateOf(m, m.move.side);
    if (to < 0 || (!points.has(to) && m.games < few && hides?.(to, points.size))) continue;
    points.add(to);
    list.push({
      side: m.move.side,
      from,
      to,
      value: Math.sqrt(m.games / most),
      text: r && m.games >= few ? String(Math.round(r.rate * 100)) : undefined,
      title: ctx.t('explore.heatTitle', {n: m.games, rate: r ? f.rate(r.rate) : '–'}),
    });
  }
  return piled(game.geometry, pieces, list, Math.hypot); // of games, whose square roots these are
}

const first = 12;

export interface Table {
  node: HTMLElement;
  show(game: Game, a: Explored | null): void;
  wait(busy: boolean): void; // these are not the figures of the board: new ones are on their way, or cannot be had
  step(d: 1 | -1): void; // chooses another row
  readonly chosen: NextMove | null;
}

export function table(ctx: Context, hover: (m: NextMove | null) => void, play: (m: NextMove) => void): Table {
  const {t, lang} = ctx,
    f = fmt(lang),
    node = h('div.explore-moves');
  let game: Game,
    answer: Explored | null = null,
    all = false,
    at = -1,
    rows: HTMLElement[] = [];
  const detail = h('p.small.muted.explore-detail');

  const span = (m: {score: Explored['score']}) =>
    [...new Set([m.score.since, m.score.until].map(x => x.slice(0, 4)).filter(Boolean))].join('–');
  const percent = (r: Rate) => `${f.rate(r.rate)} (${Math.round(r.low * 100)}–${f.rate(r.high)})`;
  // words tells a row in full sentences: for those who hear it, and for phones, where some columns have no room.
  function words(m: NextMove): string {
    const r = rateOf(m, m.move.side),
      side = titled(game.sides[m.move.side]?.titles, lang),
      years = span(m);
    return [
      t('explore.row.played', {move: m.move.text, n: m.games}),
      m.reached > m.games && t('explore.row.reached', {n: m.reached}),
      r && t('explore.row.score', {side, rate: f.rate(r.rate), lo: f.rate(r.low), hi: f.rate(r.high)}),
      m.games < few && t('explore.row.few'),
      m.score.rating > 0 && t('explore.row.rating', {n: Math.round(m.score.rating)}),
      years && t('explore.row.years', {years}),
    ]
      .filter(Boolean)
      .join(' ');
  }
  function choose(i: number, say: boolean): void {
    at = i;
    rows.forEach((r, j) => r.classList.toggle('chosen', j === i));
    const m = answer?.moves[i] ?? null;
    hover(m);
    fill(detail, m ? words(m) : t('explore.rowHint'));
    if (!m || !say) return;
    rows[i]?.scrollIntoView({block: 'nearest'});
    if (node.contains(document.activeElement)) rows[i]?.querySelector('button')?.focus({preventScroll: true});
    ctx.announce(words(m));
  }

  function row(m: NextMove, i: number, total: number, rated: boolean): HTMLElement {
    const rare = m.games < few,
      r = rateOf(m, m.move.side),
      share = total ? m.games / total : 0;
    const tr = h(
      'tr',
      {class: rare ? 'few' : null, onclick: () => play(m)},
      h('th', {scope: 'row'}, h('button.move', {'aria-label': t('explore.play', {move: m.move.text})}, m.move.text)),
      h(
        'td.num.share',
        {vars: {'--share': String(share)}},
        h('b', f.number(m.games)),
        h('small', f.rate(share, share < 0.1 ? 1 : 0)),
      ),
      h('td', {class: 'num' + (m.reached > m.games ? ' more' : ' muted')}, m.reached < 0 ? '' : f.number(m.reached)),
      h('td.bar', known(m.score) > 0 && scoreBar(ctx, game, m.score), r && h('small.muted', percent(r), rare && '*')),
      h(
        'td.num.wide.muted',
        rated && h('span', m.score.rating > 0 ? f.number(Math.round(m.score.rating)) : '–'),
        h('small', span(m)),
      ),
    );
    on(tr, 'pointerenter', e => {
      if ((e as PointerEvent).pointerType === 'mouse') choose(i, false);
    });
    on(tr, 'pointerleave', () => {
      if (at === i) choose(-1, false);
    });
    on(tr, 'focusin', () => choose(i, false));
    return tr;
  }

  function draw(): void {
    const a = answer;
    if (!a) return void fill(node);
    const side = titled(game.sides[a.position.turn]?.titles, lang),
      total = a.games,
      rated = a.moves.some(m => m.score.rating > 0);
    const ended = Math.max(0, a.games - a.moves.reduce((n, m) => n + m.games, 0)),
      sum = rateOf(a, a.position.turn),
      list = all ? a.moves : a.moves.slice(0, first);
    const rare = a.games < few,
      extra = a.moves.some(m => m.reached > m.games);
    const foot = (label: Child, n: number, ...cells: Child[]) =>
      h(
        'tr',
        h('th', {scope: 'row'}, label),
        h('td.num.share', {vars: {'--share': '0'}}, h('b', f.number(n)), h('small', total > 0 && f.rate(n / total, 0))),
        cells,
      );
    rows = list.map((m, i) => row(m, i, total, rated));
    at = -1;
    fill(detail, t('explore.rowHint'));
    refill(
      node,
      h(
        'table.data',
        h('caption.hidden', t('explore.moves')),
        h(
          'thead',
          h(
            'tr',
            h('th', {scope: 'col'}, t('explore.move')),
            h('th.num', {scope: 'col'}, t('explore.played')),
            h('th.num', {scope: 'col'}, t('explore.reached')),
            h('th', {scope: 'col'}, t('explore.score', {side})),
            h('th.num.wide', {scope: 'col'}, rated && [t('explore.rating'), ' · '], t('explore.years')),
          ),
        ),
        h('tbody', rows),
        h(
          'tfoot',
          {class: rare ? 'few' : null},
          ended > 0 && foot(t('explore.ended'), ended, h('td', {colspan: 3})),
          foot(
            h('abbr', {title: t('explore.sum'), 'aria-label': t('explore.sum')}, 'Σ'),
            total,
            h('td'),
            h(
              'td.bar',
              known(a.score) > 0 && scoreBar(ctx, game, a.score),
              sum && h('small.muted', percent(sum), rare && '*'),
            ),
            h('td.num.wide.muted', h('span'), h('small', span(a))),
          ),
        ),
      ),
      a.moves.length > list.length &&
        button(
          t('explore.all', {n: a.moves.length}),
          () => {
            all = true;
            draw();
            rows[first]?.querySelector('button')?.focus();
          },
          {kind: 'quiet', icon: 'down'},
        ),
      detail,
      extra && h('p.small.muted.explore-note', t('explore.transpositions')),
      a.partial && h('p.small.explore-note', t('search.partial')),
      h(
        'details.small.muted.explore-legend',
        h('summary', t('explore.legend')),
        h(
          'dl',
          (
            [
              ['played', t('explore.played')],
              ['reached', t('explore.reached')],
              ['score', t('explore.score', {side})],
            ] as const
          ).map(([k, name]) => [h('dt', name), h('dd', t(`explore.legend.${k}`))]),
        ),
      ),
    );
    // i18n: explore.legend.*
  }

  return {
    node,
    show(g, a) {
      if (answer !== a) all = false;
      game = g;
      answer = a;
      node.classList.remove('stale');
      node.ariaBusy = null;
      draw();
    },
    wait(busy) {
      node.classList.add('stale');
      node.ariaBusy = String(busy);
    },
    step(d) {
      const n = rows.length;
      if (n) choose(at < 0 ? (d > 0 ? 0 : n - 1) : (at + d + n) % n, true);
    },
    get chosen() {
      return answer?.moves[at] ?? null;
    },
  };
}
