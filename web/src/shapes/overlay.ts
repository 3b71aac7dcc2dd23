// What the base says of the position on a board: good points by urgency, why, what conditions refuse, and what is
// likely to be played. It is a script of its own, which comes when it is wanted.
import '../common';
import type {Advice, AdvicePoint, Game, ShapeIndex} from '../api';
import type {Context} from '../app';
import {latest} from '../client';
import {type BoardState, type Heat, both} from '../core';
import {debounce, fill, fmt, h} from '../dom';
import {titled} from '../i18n';
import {select, toggle, trouble} from '../ui';
import {type Good, called, goodName, goods, lit} from './draw';
import {indexOf, purposeTags, shapeLink, urgencyTag} from './tags';

// Wish is what is to be shown, as the address of a page has it.
export interface Wish {
  line: string;
  refused: boolean;
  likely: boolean;
  side: 'turn' | 'both';
  least: number;
}
export type Laid = Pick<BoardState, 'under' | 'over' | 'heat'>;
export interface Overlay {
  node: HTMLElement;
  show(w: Wish): void;
  laid(): Laid;
}

// wishOf reads an address: hints are asked for in it as hints=1.
export function wishOf(q: URLSearchParams): Omit<Wish, 'line'> {
  const least = Number(q.get('least'));
  return {
    refused: q.get('refused') === '1',
    likely: q.get('likely') === '1',
    side: q.get('for') === 'both' ? 'both' : 'turn',
    least: least >= 1 && least <= 4 ? least : usual,
  };
}

const usual = 3; // less urgent points are many, and hide the board
const most = 60; // rows of the list: a crowded board has hundreds of points

export function overlay(
  ctx: Context,
  game: Game,
  draw: () => void,
  change: (c: Record<string, string | null>) => void,
): Overlay {
  const {t, lang} = ctx,
    f = fmt(lang);
  let now: Wish | null = null,
    advice: Advice | null = null,
    index: ShapeIndex | null = null,
    covered: readonly number[] = [];
  const list = h('div.hints-list'),
    bar = h('div.row.hints-bar'),
    node = h('section.card.hints', {'aria-label': t('hints.title')}, h('h2', t('hints.title')), bar, list);
  void indexOf(ctx).then(
    x => {
      index = x;
      if (advice) listed();
    },
    () => undefined,
  ); // the words of purposes do without
  const ask = latest(ctx.signal, (signal, w: Wish) =>
    ctx.call('GET /advice', {query: {game: game.spec, line: w.line, refused: w.refused, side: w.side}}, signal),
  );
  const side = (i: number) => titled(game.sides[i]?.titles, lang);

  // Who steps through a game must not wait for what was said on the way.
  const later = debounce(() => void get(), 40);
  async function get(): Promise<void> {
    const w = now!;
    try {
      const a = await ask(w);
      if (!a || w !== now) return;
      advice = a;
      listed();
      draw();
      const best = shown()[0];
      ctx.announce(
        best
          ? t('hints.said', {n: shown().length, point: best.name})
          : told().length
            ? t('hints.more', {n: told().length})
            : t('hints.none'),
      );
    } catch (err) {
      if (!ctx.signal.aborted)
        fill(
          list,
          trouble(t, err, () => void get()),
        );
    }
  }

  function told(): AdvicePoint[] {
    return advice?.points.filter(p => !p.refused || now?.refused) ?? [];
  }
  function shown(): AdvicePoint[] {
    return told().filter(p => p.urgency >= (now?.least ?? 1));
  }

  function light(stones: readonly number[]): void {
    covered = stones;
    draw();
  }

  function listed(): void {
    const points = shown(),
      left = told().length - Math.min(points.length, most),
      odds = now?.likely ? (advice?.likely ?? []) : [];
    const reason = (r: AdvicePoint['reasons'][number]) =>
      h(
        'li',
        {
          class: r.refused ? 'refused' : null,
          onpointerenter: () => light(r.stones),
          onpointerleave: () => light([]),
          onfocusin: () => light(r.stones),
          onfocusout: () => light([]),
        },
        h('a', {href: shapeLink(r.shape)}, called(r.names, lang, r.shape)),
        ' ',
        purposeTags(index, lang, r.purposes),
        r.theirs && !r.avoid && h('span.tag', t('hints.theirs')),
        r.refused && h('small.muted', ' ', t('hints.refused', {why: r.refused})),
      );
    fill(
      list,
      points.length
        ? h(
            'ol.hints-points',
            points
              .slice(0, most)
              .map(p =>
                h(
                  'li',
                  {class: p.refused ? 'refused' : null, 'data-point': p.name},
                  h(
                    'div.row.tight',
                    h('b', p.name),
                    h('i.side-mark', {'data-side': game.sides[p.side]?.name, role: 'img', 'aria-label': side(p.side)}),
                    urgencyTag(ctx, p.urgency, p.avoid),
                    p.refused && h('span.tag', t('hints.refusedTag')),
                  ),
                  h('ul', p.reasons.map(reason)),
                ),
              ),
          )
        : !left && h('p.muted', t('hints.none')),
      left > 0 && h('p.muted.small', t('hints.more', {n: left})),
      now?.likely && [
        h('h3', t('hints.likely')),
        odds.length
          ? h(
              'ol.hints-likely',
              odds.slice(0, 10).map(m => h('li', h('b', m.name), ' ', f.rate(m.share, 1))),
            )
          : h('p.muted', t('hints.noLikely')),
      ],
    );
  }

  function controls(w: Wish): void {
    if (bar.childElementCount && bar.dataset['of'] === JSON.stringify([w.side, w.least, w.refused, w.likely])) return;
    const inside = bar.contains(document.activeElement)
      ? [...bar.querySelectorAll('select, input')].indexOf(document.activeElement as Element)
      : -1;
    bar.dataset['of'] = JSON.stringify([w.side, w.least, w.refused, w.likely]);
    fill(
      bar,
      select(
        t('hints.for'),
        (['turn', 'both'] as const).map(value => ({value, label: t(`hints.for.${value}`)})),
        w.side,
        v => change({for: v === 'turn' ? null : v}),
      ),
      // i18n: hints.for.*
      select(
        t('hints.least'),
        [1, 2, 3, 4].map(n => ({
          value: String(n),
          label: n === 1 ? t('hints.leastAny') : `≥ ${n} ${t(`shapes.urgency.${n as 1}`)}`,
        })),
        String(w.least),
        v => change({least: +v === usual ? null : v}),
      ),
      toggle(t('hints.likely'), w.likely, on => change({likely: on ? '1' : null})),
      toggle(t('hints.refusedToo'), w.refused, on => change({refused: on ? '1' : null})),
    );
    if (inside >= 0) bar.querySelectorAll<HTMLElement>('select, input')[inside]?.focus({preventScroll: true});
  }

  function laid(): Laid {
    const good = new Map<number, Good>();
    for (const p of shown()) {
      const had = good.get(p.point),
        own = p.side === 1 ? (1 as const) : (0 as const),
        names = p.reasons.map(r => called(r.names, lang, r.shape)).join(', ');
      if (had && (had.urgency > p.urgency || (!had.faint && p.refused))) {
        good.set(p.point, {
          ...had,
          side: had.side === own || p.refused ? had.side : 2,
          title: `${had.title}; ${names}`,
        });
        continue;
      }
      const g = {
        urgency: p.urgency,
        side: had && !had.faint && had.side !== own ? (2 as const) : own,
        avoid: p.avoid,
        faint: p.refused,
      };
      good.set(p.point, {...g, title: [had?.title, `${goodName(t, g)}: ${names}`].filter(Boolean).join('; ')});
    }
    const heat = new Map<number, Heat>();
    if (now?.likely)
      for (const m of advice?.likely.slice(0, 20) ?? [])
        heat.set(m.point, {
          value: Math.sqrt(m.share),
          text: good.has(m.point) ? undefined : f.rate(m.share),
          title: t('hints.share', {rate: f.rate(m.share, 1)}),
        });
    return {over: both(goods(good)), ...(covered.length > 0 && {under: lit(covered)}), ...(heat.size > 0 && {heat})};
  }

  return {
    node,
    laid,
    show(w) {
      const before = now;
      controls(w);
      now = w;
      if (before && before.line === w.line && before.refused === w.refused && before.side === w.side) {
        // only the view differs
        if (before.least === w.least && before.likely === w.likely) return;
        listed();
        return draw();
      }
      if (before && before.line !== w.line) {
        advice = null;
        covered = [];
      } // what was said of another position
      later();
    },
  };
}
