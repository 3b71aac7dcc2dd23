// The other views of an answer, each asked for when its tab is opened: the trend by year, groups, and the last
// searches.
// i18n: search.by.*, search.trend.*
import type {Trend} from '../api';
import {latest} from '../client';
import {type Child, fill, fmt, h, svg} from '../dom';
import {playerBar} from '../players';
import {scoreBar} from '../records/row';
import {dataTable, empty, few, rowHead, select, skeleton, trouble} from '../ui';
import type {Desk} from './desk';
import {condition} from './model';
import {searches} from './saved';

export interface Panel {
  node: HTMLElement;
  open(): void;
}

export const dimensions = [
  'year',
  'player',
  'event',
  'opening',
  'place',
  'result',
  'length',
  'collection',
  'tag',
] as const;

// lazy asks once for each query, and only while the panel is looked at.
function lazy<T>(
  desk: Desk,
  what: () => string,
  ask: (signal: AbortSignal) => Promise<T>,
  draw: (got: T) => Child,
): Panel {
  const {ctx} = desk,
    node = h('div.panel-body');
  const run = latest(ctx.signal, ask);
  let have = '';
  async function open(): Promise<void> {
    const want = what();
    if (want === have) return;
    have = want;
    fill(node, skeleton(5));
    try {
      const got = await run();
      if (got !== undefined) fill(node, draw(got));
    } catch (err) {
      have = '';
      fill(
        node,
        trouble(ctx.t, err, () => void open()),
      );
    }
  }
  return {node, open: () => void open()};
}

export function trend(desk: Desk): Panel {
  return lazy(
    desk,
    () => JSON.stringify(desk.params()),
    signal => desk.ctx.call('GET /find/trend', {query: desk.params()}, signal),
    x => chart(desk, x),
  );
}

interface Bin {
  from: number;
  to: number;
  games: number;
  of: number;
}

// chart draws the share of games, with years joined where there are many.
function chart(desk: Desk, x: Trend): Child {
  const {t, lang} = desk.ctx,
    f = fmt(lang),
    years = x.years;
  if (!years.some(y => y.games)) return empty('chart', t('search.noTrend'));
  // A lone game of long ago must not push the others to the edge: the first bar takes all up to the hundredth part.
  const total = years.reduce((n, y) => n + y.games, 0);
  let sum = 0;
  const first = years.find(y => (sum += y.games) > total / 100)!.year,
    last = years.at(-1)!.year,
    step = [1, 2, 5, 10, 20, 50].find(s => (last - first) / s <= 40) ?? 100;
  const bins: Bin[] = [];
  for (let from = Math.floor(first / step) * step; from <= last; from += step)
    bins.push({from, to: from + step - 1, games: 0, of: 0});
  for (const y of years) {
    const b = bins[Math.max(0, Math.floor((y.year - bins[0]!.from) / step))];
    if (b) {
      b.games += y.games;
      b.of += y.of;
    }
  }
  const early = years[0]!.year < bins[0]!.from,
    share = (b: Bin) => (b.of ? b.games / b.of : 0);
  const W = 320,
    H = 120,
    sound = bins.filter(b => b.of >= few),
    most = Math.max(...(sound.length ? sound : bins).map(share)),
    w = W / bins.length;
  const height = (b: Bin) => Math.min(H, (H * share(b)) / (most || 1));
  const name = (b: Bin) => (early && b === bins[0] ? `–${b.to}` : step === 1 ? String(b.from) : `${b.from}–${b.to}`);
  const table = dataTable(
    t('search.chart'),
    [t('search.years'), t('search.gamesHead'), t('search.share')],
    h(
      'tbody',
      bins
        .filter(b => b.of)
        .map(b =>
          h(
            'tr',
            {class: b.of < few ? 'few' : null},
            rowHead(name(b)),
            h('td.num', `${f.number(b.games)} / ${f.number(b.of)}`),
            h('td.num', f.rate(share(b), 1)),
          ),
        ),
    ),
  );
  return [
    h(
      'p',
      t(`search.trend.${x.direction}`),
      x.direction !== 'unknown' &&
        h(
          'span.muted.small',
          ' ',
          t('search.odds', {factor: x.change.toFixed(2), lo: x.low.toFixed(2), hi: x.high.toFixed(2)}),
        ),
    ),
    h(
      'figure.chart',
      svg(
        'svg',
        {viewBox: `0 -14 ${W} ${H + 30}`, role: 'img', 'aria-label': t('search.chart')},
        svg('text', {x: 0, y: -4}, f.rate(most, 1)),
        svg('path', {class: 'axis', d: `M0 0H${W}M0 ${H}H${W}`}),
        bins.map((b, i) =>
          svg(
            'rect',
            {
              x: i * w + w * 0.12,
              width: w * 0.76,
              y: H - height(b),
              height: height(b),
              class: b.of < few ? 'few' : null,
            },
            svg('title', null, `${name(b)}: ${f.rate(share(b), 1)} (${f.number(b.games)} / ${f.number(b.of)})`),
          ),
        ),
        svg('text', {x: 0, y: H + 14}, name(bins[0]!)),
        bins.length > 1 && svg('text', {x: W, y: H + 14, 'text-anchor': 'end'}, name(bins.at(-1)!)),
      ),
    ),
    h('details', h('summary', t('search.asTable')), h('div.scroll-x', table)),
  ];
}

const fieldOf: Partial<Record<(typeof dimensions)[number], string>> = {
  year: 'date',
  player: 'player',
  event: 'event',
  opening: 'opening',
  place: 'place',
  result: 'result',
  length: 'moves',
  collection: 'collection',
  tag: 'tag',
};

export function groups(desk: Desk): Panel {
  const {ctx} = desk,
    {t, lang} = ctx,
    f = fmt(lang);
  const by = () => dimensions.find(d => d === desk.view.by) ?? 'player';
  let most = 100;
  const body = lazy(
    desk,
    () => JSON.stringify([desk.params(), by(), most]),
    signal => ctx.call('GET /find', {query: {...desk.params(), by: by(), groups: most, limit: 1, brief: true}}, signal),
    a => {
      const narrow = fieldOf[by()],
        rest = a.groupsOf - a.groups.length;
      return [
        h(
          'table.data.groups',
          h(
            'tbody',
            a.groups.map(g =>
              h(
                'tr',
                {class: g.score.games < few ? 'few' : null},
                rowHead(
                  narrow && g.key
                    ? h(
                        'button.link',
                        {
                          onclick: () =>
                            desk.restrict([
                              ...desk.state.conditions,
                              condition(narrow, /date|result|moves/.test(narrow) ? ':' : '=', g.key),
                            ]),
                        },
                        g.key,
                      )
                    : g.key || t('search.unknown'),
                ),
                h('td.num', f.number(g.score.games)),
                h('td.bar', by() === 'player' ? playerBar(ctx, g.score) : scoreBar(ctx, desk.state.game, g.score)),
              ),
            ),
          ),
        ),
        rest > 0 &&
          h(
            'button.btn',
            {
              onclick: () => {
                most *= 5;
                body.open();
              },
            },
            t('search.moreGroups', {n: rest}),
          ),
      ];
    },
  );
  const node = h('div');
  return {
    node,
    open() {
      fill(
        node,
        h(
          'div.row',
          select(
            t('search.groupBy'),
            dimensions.map(d => ({value: d, label: t(`search.by.${d}`)})),
            by(),
            v => desk.look({by: v}),
          ),
        ),
        body.node,
      );
      body.open();
    },
  };
}

export function history(desk: Desk): Panel {
  const {ctx} = desk;
  return lazy(
    desk,
    () => 'of ' + (desk.found?.answer?.query ?? ''),
    signal => ctx.call('GET /queries', {query: {limit: 200}}, signal),
    r =>
      r.queries.length
        ? searches(ctx, desk.games, r.queries)
        : empty('clock', ctx.t('search.noHistory'), ctx.t('search.noHistoryText')),
  );
}
