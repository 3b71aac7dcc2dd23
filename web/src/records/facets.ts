// What the records of a query have in common, each group with its count: a click narrows the query to it, another one
// undoes that. Long lists of years and lengths are put together until they can be looked over.
// i18n: records.by.*, records.result.*
import type {Condition, Facet, Game} from '../api';
import type {Context} from '../app';
import {fmt, h} from '../dom';
import {titled} from '../i18n';
import {condition} from '../search/model';
import {button} from '../ui';
import {refill} from './row';

const shown = ['collection', 'tag', 'year', 'player', 'event', 'opening', 'code', 'place', 'result', 'length'] as const;
export type By = (typeof shown)[number];
const most = 14; // bars of numbers that one can look over

interface Group {
  label: string;
  value: string;
  games: number;
}

export interface FacetsView {
  node: HTMLElement;
  show(facets: readonly Facet[], conditions: readonly Condition[], game: Game | null): void;
  readonly names: readonly By[];
}

// facets calls toggle with the condition of a group that was clicked; more asks for more groups of a kind.
export function facets(
  ctx: Context,
  toggle: (c: Condition) => void,
  more: (by: By, limit: number) => Promise<Facet | undefined>,
): FacetsView {
  const {t, lang} = ctx,
    f = fmt(lang),
    node = h('div.facets');
  const closed = new Set<string>(['place', 'code', 'length']); // as the reader leaves them
  let now: readonly Condition[] = [],
    game: Game | null = null;

  const same = (a: Condition, b: Condition) =>
    a.field === b.field && a.value === b.value && !a.negated && a.any.length === 0;
  function labelOf(by: By, key: string): string {
    if (by !== 'result') return key;
    const side = key === 'first' ? 0 : key === 'second' ? 1 : -1;
    if (side >= 0 && game) return t('records.result.side', {side: titled(game.sides[side]?.titles, lang)});
    return /^(first|second|draw|none|unknown)$/.test(key) ? t(`records.result.${key as 'draw'}`) : key;
  }
  const field = (x: Facet, value: string): Condition =>
    condition(x.field, /year|length|result/.test(x.by) ? ':' : '=', value);

  function groupsOf(x: Facet): Group[] {
    if (x.by === 'year') return joined(x, 1, (a, b) => (a === b ? String(a) : `${a}..${b}`));
    if (x.by === 'length') return joined(x, 10, (a, b) => `${a}..${b}`);
    return x.groups
      .filter(g => g.key)
      .map(g => ({label: labelOf(x.by as By, g.key), value: g.key, games: g.score.games}));
  }

  function section(x: Facet): HTMLElement | null {
    const by = x.by as By,
      groups = groupsOf(x),
      top = Math.max(1, ...groups.map(g => g.games));
    if (!groups.length) return null;
    const list = h(
      'ul',
      groups.map(g => {
        const c = field(x, g.value),
          on = now.some(o => same(o, c));
        return h(
          'li',
          h(
            'button',
            {
              'aria-pressed': on,
              'data-key': c.text,
              vars: {'--share': String(g.games / top)},
              onclick: () => toggle(c),
            },
            h('span.cut', g.label),
            h('span.num.small', f.number(g.games)),
          ),
        );
      }),
    );
    const box = h(
      'details',
      {
        open: !closed.has(by) || now.some(c => c.field === x.field),
        ontoggle: () => {
          if (box.open) closed.delete(by);
          else closed.add(by);
        },
      },
      h('summary', t(`records.by.${by}`)),
      list,
      x.more &&
        x.groups.length < 1000 &&
        button(
          t('records.moreGroups'),
          () =>
            void more(by, Math.min(1000, x.groups.length * 5)).then(
              next => {
                const better = next && section(next);
                if (better) {
                  box.replaceWith(better);
                  better.querySelectorAll('button')[x.groups.length]?.focus();
                }
              },
              err => ctx.fail(err),
            ),
          {kind: 'quiet', icon: 'down'},
        ),
      x.more && x.groups.length >= 1000 && h('p.small.muted', t('records.tooMany')),
    );
    return box;
  }

  return {
    node,
    names: shown,
    show(list, conditions, kind) {
      now = conditions;
      game = kind;
      refill(
        node,
        shown.map(by => {
          const x = list.find(y => y.by === by);
          return x ? section(x) : null;
        }),
      );
    },
  };
}

// joined puts numbers together into as many spans of one size as one can look over: years into decades, lengths into
// hundreds.
function joined(x: Facet, unit: number, name: (a: number, b: number) => string): Group[] {
  const list = x.groups.flatMap(g => {
    const n = parseInt(g.key, 10);
    return Number.isNaN(n) ? [] : [{n, games: g.score.games}];
  });
  const count = (size: number) => new Set(list.map(g => Math.floor(g.n / size))).size;
  const size = [1, 2, 5, 10, 20, 50, 100, 200].map(s => s * unit).find(s => count(s) <= most) ?? 500 * unit;
  const out = new Map<number, number>();
  for (const g of list) {
    const k = Math.floor(g.n / size) * size;
    out.set(k, (out.get(k) ?? 0) + g.games);
  }
  return [...out]
    .sort((a, b) => a[0] - b[0])
    .map(([a, games]) => {
      const v = name(a, a + size - 1);
      return {label: v.replace('..', '–'), value: v, games};
    });
}
