// What is said of the position on a board: the moves that a net thinks best of, good points of shapes by urgency, why,
// and what conditions refuse. It is a script of its own, which comes when it is wanted.
import '../common';
import type {Advice, AdvicePoint, Game, ShapeIndex} from '../api';
import type {Context} from '../app';
import {latest} from '../client';
import {type BoardState, both} from '../core';
import {debounce, fill, h} from '../dom';
import {titled} from '../i18n';
import {select, toggle, trouble} from '../ui';
import {type Good, called, goodName, goods, lit} from './draw';
import {best, hintHeat, hintList, moveName} from './hints';
import {indexOf, purposeTags, shapeLink, urgencyTag} from './tags';

export {best, hintList, moveName}; // one script for all pages

// Wish is what is to be shown, as the address of a page has it.
export interface Wish {
  line: string;
  refused: boolean;
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
  const {t, lang} = ctx;
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
    ctx.call(
      'GET /advice',
      {query: {game: game.spec, line: w.line, refused: w.refused, side: w.side, likely: 0}},
      signal,
    ),
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
      const first = best(a),
        point = shown()[0];
      ctx.announce(
        first
          ? t('hints.bestSaid', {point: moveName(t, first)})
          : point
            ? t('hints.said', {n: shown().length, point: point.name})
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
      left = told().length - Math.min(points.length, most);
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
    const hints = advice?.hints ?? [];
    fill(
      list,
      hints.length > 0 && [
        h('h3', t('hints.best')),
        hintList(ctx, hints, index, light),
        h('p.muted.small', t('hints.opinion')),
        h('h3', t('hints.shapes')),
      ],
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
                    p.refuted && h('span.tag.bad', {title: t('hints.refutedWhy')}, t('hints.refuted')),
                  ),
                  h('ul', p.reasons.map(reason)),
                ),
              ),
          )
        : !left && h('p.muted', t('hints.none')),
      left > 0 && h('p.muted.small', t('hints.more', {n: left})),
    );
  }

  function controls(w: Wish): void {
    if (bar.childElementCount && bar.dataset['of'] === JSON.stringify([w.side, w.least, w.refused])) return;
    const inside = bar.contains(document.activeElement)
      ? [...bar.querySelectorAll('select, input')].indexOf(document.activeElement as Element)
      : -1;
    bar.dataset['of'] = JSON.stringify([w.side, w.least, w.refused]);
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
    const heat = hintHeat(ctx, advice?.hints ?? []);
    for (const [p, x] of heat) if (good.has(p)) heat.set(p, {...x, text: undefined});
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
        if (before.least === w.least) return;
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
