// What the net of Go says of a whole game: a curve of who leads, or of how likely each side is to win, and the groups
// that died, each of which leads to its move. It is made when it is wanted, and the library keeps it.
// i18n: course.kind.*
import type {Course, CourseFall, Game} from '../api';
import type {Context} from '../app';
import {fill, fmt, h, svg} from '../dom';
import {titled} from '../i18n';
import {segmented, trouble} from '../ui';
import {worth} from '../value';

const width = 600,
  height = 200,
  rim = 6;

export interface CourseView {
  node: HTMLElement;
  start(): void;
  at(ply: number): void;
}

// greatest first: a long game has a dozen, and the small ones among them matter least.
const most = 12;

export function courseView(ctx: Context, id: number, game: Game, go: (ply: number) => void): CourseView {
  const {t, lang} = ctx,
    f = fmt(lang),
    side = (i: number) => titled(game.sides[i]?.titles, lang);
  const picture = h('div.review-graph'),
    list = h('ol.review-list'),
    state = h('p.muted.small', {role: 'status'});
  let course: Course | null = null,
    kind: 'lead' | 'win' = 'lead',
    now = -1,
    begun = false;
  const kinds = segmented(
    t('course.title'),
    (['lead', 'win'] as const).map(value => ({value, label: t(`course.kind.${value}`)})),
    kind,
    v => {
      kind = v;
      draw();
    },
  );
  const body = h('div.review-values', {hidden: true}, h('div.row.between', kinds.node), picture, list);
  const node = h('section.card.review', {'aria-label': t('course.title')}, h('h2', t('course.title')), body, state);

  const fell = (x: CourseFall) =>
    t(x.taken ? 'course.taken' : 'course.died', {side: side(x.side), n: x.stones, at: x.name});

  function draw(): void {
    if (!course) return;
    const plies = Math.max(1, course.moments.length - 1),
      even = kind === 'win' ? 0.5 : 0,
      values = course.moments.map(m => m[kind]),
      top = kind === 'win' ? 0.5 : Math.max(10, ...values.map(Math.abs)),
      zero = height / 2;
    const x = (ply: number) => rim + ((width - 2 * rim) * ply) / plies,
      y = (v: number) => zero - ((zero - rim) * (v - even)) / top;
    const line = values.map((v, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(v).toFixed(1)}`).join('');
    const mark = (i: number) =>
      svg(
        'text',
        {x: rim, y: i ? height - rim : 20},
        `${side(i)} ${worth(lang, kind === 'win' ? 'share' : 'points', kind === 'win' ? 1 : top)}`,
      );
    const box = svg(
      'svg',
      {
        viewBox: `0 0 ${width} ${height}`,
        role: 'img',
        'aria-label': t('course.told', {
          side: side(0),
          value: worth(lang, 'points', course.moments.at(-1)?.lead ?? 0),
          n: course.falls.length,
        }),
      },
      svg('path', {class: 'zero', d: `M0 ${zero}H${width}`}),
      svg('path', {class: 'area', d: `${line}L${x(plies)} ${zero}L${x(0)} ${zero}z`}),
      svg('path', {class: 'curve', d: line}),
      shown(course).map(c =>
        svg(
          'circle',
          {
            class: 'fall',
            'data-side': game.sides[c.side]?.name,
            cx: x(c.ply),
            cy: y(values[c.ply] ?? even),
            r: Math.min(9, 3 + Math.sqrt(c.stones)),
          },
          svg('title', {}, `${c.ply}. ${fell(c)}`),
        ),
      ),
      [mark(0), mark(1)],
      now >= 0 && svg('path', {class: 'now', d: `M${x(now).toFixed(1)} 0V${height}`}),
    );
    box.addEventListener('click', e => {
      const r = box.getBoundingClientRect();
      go(Math.max(0, Math.min(plies, Math.round((((e.clientX - r.left) / r.width) * width - rim) / (x(1) - x(0))))));
    });
    fill(picture, box);
    fill(
      list,
      shown(course).map(c =>
        h(
          'li',
          h(
            'button',
            {type: 'button', 'aria-current': c.ply === now ? 'true' : null, onclick: () => go(c.ply)},
            h('span.num', f.number(c.ply)),
            h('span', fell(c)),
          ),
        ),
      ),
    );
  }

  // shown are the largest groups that died, in the order of the game.
  const shown = (c: Course) =>
    [...c.falls]
      .sort((a, b) => b.stones - a.stones)
      .slice(0, most)
      .sort((a, b) => a.ply - b.ply);

  return {
    node,
    start() {
      if (begun) return;
      begun = true;
      state.textContent = t('course.going');
      ctx.call('GET /records/{id}/course', {path: {id}}, ctx.signal).then(
        c => {
          course = c;
          body.hidden = false;
          state.textContent = t('course.by', {net: c.net, n: c.falls.length});
          draw();
        },
        (err: unknown) => {
          if (!ctx.signal.aborted) fill(state, trouble(t, err));
        },
      );
    },
    at(ply) {
      if (ply === now) return;
      now = ply;
      draw();
    },
  };
}
