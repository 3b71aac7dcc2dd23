// The moves that a net thinks best of, each with how likely strong players make it, what it gains, and the shapes
// that speak for it.
import type {Advice, Hint, ShapeIndex} from '../api';
import type {Context} from '../app';
import type {Heat} from '../core';
import {fmt, h} from '../dom';
import {called} from './draw';
import {purposeTags, shapeLink} from './tags';

// hintList lists moves; light is told which stones a reason speaks of.
export function hintList(
  {t, lang}: Context,
  hints: readonly Hint[],
  index: ShapeIndex | null,
  light: (stones: readonly number[]) => void,
): HTMLElement {
  const f = fmt(lang),
    points = new Intl.NumberFormat(lang, {
      signDisplay: 'exceptZero',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    });
  const reason = (r: Hint['reasons'][number]) =>
    h(
      'li',
      {
        onpointerenter: () => light(r.stones),
        onpointerleave: () => light([]),
        onfocusin: () => light(r.stones),
        onfocusout: () => light([]),
      },
      h('a', {href: shapeLink(r.shape)}, called(r.names, lang, r.shape)),
      ' ',
      purposeTags(index, lang, r.purposes),
    );
  return h(
    'ol.hints-points.hints-best',
    hints.map(x =>
      h(
        'li',
        {class: x.refuted ? 'refuted' : null, 'data-point': x.name},
        h(
          'div.row.tight',
          h('b', moveName(t, x)),
          h('span', {title: t('hints.chance')}, f.rate(x.chance, 1)),
          h(
            'span.muted.small',
            {title: t('hints.leads')},
            t('hints.lead', {
              before: points.format(x.before),
              after: points.format(x.after),
              gain: points.format(x.after - x.before),
            }),
          ),
          x.lives.map(point => h('span.tag', t('hints.lives', {point}))),
          x.dies.map(point => h('span.tag', t('hints.dies', {point}))),
          x.refuted && h('span.tag.bad', {title: t('hints.refutedWhy')}, t('hints.refuted')),
        ),
        x.reasons.length > 0 && h('ul', x.reasons.map(reason)),
      ),
    ),
  );
}

// moveName is a point as the board calls it, or the pass.
export const moveName = (t: Context['t'], x: Hint): string => (x.point < 0 ? t('explore.pass') : x.name);

// best is the first move that nothing refutes.
export const best = (a: Advice): Hint | undefined => a.hints.find(x => !x.refuted) ?? a.hints[0];

// hintHeat draws the moves on a board.
export function hintHeat({lang}: Context, hints: readonly Hint[]): Map<number, Heat> {
  const f = fmt(lang);
  return new Map(
    hints
      .filter(x => x.point >= 0 && !x.refuted)
      .map(x => [
        x.point,
        {value: Math.sqrt(x.chance), text: f.rate(x.chance), title: `${x.name}: ${f.rate(x.chance, 1)}`},
      ]),
  );
}
