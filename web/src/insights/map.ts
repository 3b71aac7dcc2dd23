// A map to walk on: what is alike lies side by side, dark cells are borders. One cell is chosen; what lies there and
// around it is listed, and the arrows go on to the next.
import type {ClusteredThing, Game, MinedClusters} from '../api';
import type {Context} from '../app';
import {type Child, fill, fmt, h, svg} from '../dom';
import {asked, segmented, select} from '../ui';
import {hex, owned, plain, step} from './model';

// i18n: insights.sort.*, insights.alikeBy.*

export const sorts = ['patterns', 'openings', 'players'] as const;
export type Sort = (typeof sorts)[number];
const bys = ['all', 'together', 'place', 'follows'] as const;

export function mapPanel(ctx: Context): {node: HTMLElement; show(game: Game): void} {
  const {t} = ctx;
  let game: Game | null = null,
    sort: Sort = 'patterns',
    by: (typeof bys)[number] = 'all';
  const body = h('div.stack', {role: 'region', 'aria-label': t('insights.map')});
  const bySelect = select(
    t('insights.alikeBy'),
    bys.map(value => ({value, label: t(`insights.alikeBy.${value}`)})),
    by,
    v => {
      by = v;
      load();
    },
  );
  const kinds = segmented(
    t('insights.sort'),
    sorts.map(value => ({value, label: t(`insights.sort.${value}`)})),
    sort,
    v => {
      sort = v;
      load();
    },
  );
  let turn = 0;
  function load(): void {
    if (!game) return;
    const g = game,
      mine = ++turn;
    bySelect.hidden = sort !== 'patterns';
    fill(body, h('p.muted', {role: 'status'}, t('insights.reading')));
    asked(ctx, body, async () => {
      const m = await ctx.call('GET /clusters', {query: {game: g.spec, sort, by}});
      return mine === turn ? drawn(ctx, g, m) : h('span');
    });
  }
  return {
    node: h('div.stack', h('div.row', kinds.node, bySelect), body),
    show(g) {
      if (g === game) return;
      game = g;
      load();
    },
  };
}

// lines breaks a name so that a cell has room for it.
function lines(name: string): string[] {
  const most = /[^\x00-\x7f]/.test(name) ? 5 : 10,
    list: string[] = [''];
  for (const word of most === 5 ? [...name] : name.split(/(?<=[ -])/)) {
    if (list.at(-1)! && (list.at(-1)! + word).trimEnd().length > most) list.push('');
    list[list.length - 1] += word;
  }
  if (list.length > 2) list.splice(1, list.length, list[1]!.trimEnd().slice(0, most - 1) + '…');
  return list.map(x => x.trim());
}

function drawn(ctx: Context, game: Game, m: MinedClusters): Child {
  const {t, lang} = ctx,
    f = fmt(lang),
    size = 46,
    in_ = new Map<number, ClusteredThing[]>(),
    label = (x: ClusteredThing): string => owned(t, lang, game, x.title);
  for (const x of m.things) in_.set(x.cell, [...(in_.get(x.cell) ?? []), x]);
  for (const list of in_.values()) list.sort((a, b) => b.games - a.games);
  const most = Math.max(...m.borders, 1e-9),
    cells: SVGGElement[] = [];
  const here = h('div.stack.map-here', {'aria-live': 'polite'});
  let at = m.things.length ? m.things.reduce((a, b) => (b.games > a.games ? b : a)).cell : 0;
  const root = svg('svg', {
    class: 'map',
    viewBox: [-0.6, -0.7, m.width + 0.7, ((m.height - 1) * Math.sqrt(3)) / 2 + 1.4].map(x => x * size).join(' '),
    role: 'application',
    tabindex: '0',
    'aria-label': t('insights.mapHow'),
  });
  const points = Array.from({length: 6}, (_, i) => {
    const a = (Math.PI / 3) * i + Math.PI / 6;
    return `${((Math.cos(a) * size) / Math.sqrt(3)).toFixed(1)},${((Math.sin(a) * size) / Math.sqrt(3)).toFixed(1)}`;
  }).join(' ');
  for (let i = 0; i < m.width * m.height; i++) {
    const {x, y} = hex(i, m.width),
      list = in_.get(i) ?? [],
      first = list[0];
    const g = svg('g', {transform: `translate(${(x * size).toFixed(1)} ${(y * size).toFixed(1)})`, class: 'cell'});
    const shape = svg('polygon', {points});
    shape.style.setProperty('--border', ((m.borders[i] ?? 0) / most).toFixed(3));
    g.append(shape);
    if (first) {
      for (const [k, line] of lines(plain(lang, game, first.title)).entries()) {
        const text = svg('text', {y: String(9 * k - 4)});
        text.textContent = line;
        g.append(text);
      }
      if (list.length > 1) {
        const more = svg('text', {y: '16', class: 'more'});
        more.textContent = `+${f.number(list.length - 1)}`;
        g.append(more);
      }
      const title = svg('title', {});
      title.textContent = list.map(x => label(x)).join(', ');
      g.append(title);
    }
    g.addEventListener('click', () => choose(i));
    cells.push(g);
    root.append(g);
  }
  const entry = (x: ClusteredThing): HTMLElement =>
    h(
      'li',
      x.link ? h('a', {href: x.link}, label(x)) : label(x),
      h('small.muted', ' ', t('names.games', {n: x.games})),
    );
  function around(i: number): ClusteredThing[] {
    const c = hex(i, m.width);
    return m.things.filter(x => {
      const p = hex(x.cell, m.width);
      return x.cell !== i && Math.hypot(p.x - c.x, p.y - c.y) < 1.1;
    });
  }
  function choose(i: number): void {
    cells[at]?.classList.remove('chosen');
    at = i;
    const cell = cells[at];
    cell?.classList.add('chosen');
    if (cell) root.append(cell); // above its neighbours, whose rims would cover its own
    const list = in_.get(at) ?? [],
      near = around(at);
    fill(
      here,
      h('h3', list.length ? t('insights.here') : t('insights.border')),
      h('ul', list.map(entry)),
      near.length > 0 && h('h3', t('insights.near')),
      near.length > 0 && h('ul', near.map(entry)),
    );
  }
  root.addEventListener('keydown', e => {
    const to = step(at, m.width, m.height, e.key);
    if (to === at) return;
    e.preventDefault();
    choose(to);
  });
  choose(at);
  const groups = Array.from({length: m.groups}, (_, g) => m.things.filter(x => x.group === g));
  return [
    h(
      'p.muted',
      t('insights.mapText', {things: f.number(m.things.length), games: f.number(m.games), groups: m.groups}),
    ),
    h('div.map-walk', root, here),
    h(
      'details.card',
      h('summary', t('insights.groups', {n: m.groups})),
      h(
        'ol',
        groups.map(list =>
          h(
            'li',
            list.map((x, i) => [i > 0 && ', ', x.link ? h('a', {href: x.link}, label(x)) : label(x)]),
          ),
        ),
      ),
    ),
    h(
      'p.muted.small',
      t('insights.mapSays', {silhouette: m.silhouette.toFixed(2), same: m.same.toFixed(2), torn: f.rate(m.torn)}),
      m.truth.map(
        x =>
          ` ${t('insights.truth', {of: x.of, what: x.what, purity: x.purity.toFixed(3), chance: x.chance.toFixed(3)})}`,
      ),
    ),
    m.left.length > 0 && h('p.muted.small', t('insights.left'), ' ', m.left.join('; ')),
  ];
}
