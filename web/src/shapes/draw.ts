// Shapes of the base on a board: what their cells look like, and the good points of both sides. Own is black and the
// enemy white.
// i18n: shapes.cell.*, shapes.urgency.*, shapes.good.*
import type {Game, Names, Size} from '../api';
import {
  type BoardState,
  type Decor,
  type Geometry,
  type Region,
  area,
  both,
  column,
  pointAt,
  row,
  wholeBoard,
} from '../core';
import {h} from '../dom';
import type {Lang, Translate} from '../i18n';
import {still} from '../board';
import {mini} from '../minis';
import {type Shape, step} from '../scene';

// Symbols are the cells that have a sign of their own, in the order of their keys: 1 to 8. A cell is the sum of what
// may be there.
export const empty = 1,
  own = 2,
  enemy = 4,
  off = 8,
  anything = 15;
export const symbols = [
  ['O', own, 'own'],
  ['X', enemy, 'enemy'],
  ['.', empty, 'empty'],
  ['&', empty | enemy, 'notOwn'],
  ['@', empty | own, 'notEnemy'],
  ['_', anything, 'free'],
  ['#', off, 'off'],
  ['*', 7, 'any'],
] as const;

// signOf writes a cell as files of shapes do.
export function signOf(cell: number): string {
  return (
    symbols.find(s => s[1] === cell)?.[0] ??
    `{${[...'OX.#'].filter(c => cell & symbols.find(s => s[0] === c)![1]).join('')}}`
  );
}

// cellName puts a cell into words.
export function cellName(t: Translate, cell: number): string {
  const known = symbols.find(s => s[1] === cell);
  if (known) return t(`shapes.cell.${known[2]}`);
  return symbols
    .filter(s => (s[1] & (s[1] - 1)) === 0 && s[1] & cell)
    .map(s => t(`shapes.cell.${s[2]}`))
    .join(` ${t('search.or')} `);
}

// Good is a point that shapes speak of. Side 2 is both.
export interface Good {
  urgency: number;
  side: 0 | 1 | 2;
  avoid?: boolean | undefined;
  faint?: boolean | undefined;
  title: string;
}

// goodName puts one into words.
export const goodName = (t: Translate, g: Omit<Good, 'title'>): string =>
  `${t(g.avoid ? 'shapes.good.avoid' : `shapes.good.${g.side}`)}, ${t(`shapes.urgency.${g.urgency as 1}`)}`;

const half = (r: number, right: 0 | 1) => `M0-${r}a${r} ${r} 0 0 ${right} 0 ${2 * r}z`;

// goods draws them: the rim tells the side, the colour and the figure how urgent it is, a cross that it is bad.
export function goods(points: ReadonlyMap<number, Good>): Decor {
  return at =>
    [...points].map(([p, g]): Shape => {
      const {x, y} = at(p),
        rim = (cls: string): Shape => ({tag: 'circle', attrs: {class: cls, r: 16.5}});
      return {
        tag: 'g',
        attrs: {
          class: `good u${g.urgency}${g.avoid ? ' avoid' : ''}${g.faint ? ' faint' : ''}`,
          transform: `translate(${x} ${y})`,
        },
        kids: [
          {tag: 'title', attrs: {}, text: g.title},
          ...(g.side === 2
            ? [0, 1].map((i): Shape => ({tag: 'path', attrs: {class: `rim${i}`, d: half(16.5, i as 0 | 1)}}))
            : [rim(`rim${g.side}`)]),
          {tag: 'circle', attrs: {class: 'core', r: 13}},
          g.avoid
            ? {tag: 'path', attrs: {class: 'cross', d: 'M-6.5-6.500l13 13m0-13l-13 13'}}
            : {tag: 'text', attrs: {class: 'digit', dy: '.355em', 'font-size': 20}, text: String(g.urgency)},
        ],
      };
    });
}

// lit draws light on points: those that a shape covers.
export const lit =
  (points: readonly number[]): Decor =>
  at =>
    points.map(p => ({tag: 'rect', attrs: {class: 'lit', x: at(p).x - 20, y: at(p).y - 20, width: 40, height: 40}}));

export interface Diagram {
  size: Size;
  cells: readonly number[];
  ours?: readonly number[] | undefined;
  theirs?: readonly number[] | undefined;
  urgency?: number | undefined;
  avoid?: boolean | undefined;
}

// geometryOf is a piece of a Go board on which lines end where the board does.
function geometryOf(g: Geometry, {size, cells}: Diagram): Geometry {
  const lines: Geometry['lines'] = [],
    past = 0.62,
    {w, h: high} = size;
  const run = (n: number, inside: (i: number) => boolean, put: (from: number, to: number) => void) => {
    for (let i = 0; i < n; i++) {
      if (!inside(i)) continue;
      let end = i;
      while (end + 1 < n && inside(end + 1)) end++;
      put(i ? i : -past, end < n - 1 ? end : n - 1 + past);
      i = end;
    }
  };
  const on = (x: number, y: number) => cells[y * w + x] !== off;
  for (let y = 0; y < high; y++)
    run(
      w,
      x => on(x, y),
      (a, b) => lines.push({from: {x: a, y}, to: {x: b, y}}),
    );
  for (let x = 0; x < w; x++)
    run(
      high,
      y => on(x, y),
      (a, b) => lines.push({from: {x, y: a}, to: {x, y: b}}),
    );
  const names = (n: number) => Array.from({length: n}, (_, i) => String(i + 1));
  return {
    ...g,
    size,
    lines,
    dots: [],
    ticks: [],
    texts: [],
    columns: names(w).map(c => c + '-'),
    rows: names(high),
    labels: {top: [], right: [], bottom: [], left: []},
  };
}

// outside draws what only a piece of a board has: points off it, and those of which nothing is said.
function outside({size, cells}: Diagram, signs: boolean): {under: Decor; over: Decor} {
  const each = (test: (c: number) => boolean) => cells.flatMap((c, p) => (test(c) ? [p] : []));
  const tile =
    (cls: string, test: (c: number) => boolean): Decor =>
    at => {
      const d = each(test)
        .map(p => {
          const {x, y} = at(p),
            c = column(size, p),
            r = row(size, p),
            more = step / 2 + 6; // at the rim a tile reaches a little further
          const left = c ? 20 : more,
            right = c < size.w - 1 ? 20 : more,
            top = r ? 20 : more,
            bottom = r < size.h - 1 ? 20 : more;
          return `M${x - left} ${y - top}h${left + right}v${top + bottom}h${-left - right}z`;
        })
        .join('');
      return d ? [{tag: 'path', attrs: {class: cls, d}}] : [];
    };
  const sign =
    (test: (c: number) => boolean, by: number): Decor =>
    at =>
      each(test).flatMap((p): Shape[] => {
        const x = at(p).x + by,
          y = at(p).y - by,
          text: Shape = {
            tag: 'text',
            attrs: {class: 'off-sign', x, y, dy: '.355em', 'font-size': by ? 12 : 17},
            text: '#',
          };
        return by ? [{tag: 'circle', attrs: {class: 'off-plate', cx: x, cy: y, r: 7}}, text] : [text];
      });
  return {
    under: both(
      tile('veil', c => c === anything),
      tile('off', c => c === off),
    ),
    over: both(
      signs ? sign(c => c === off, 0) : undefined,
      sign(c => (c & off) > 0 && c !== off && c !== anything, 12.5),
    ),
  };
}

export function goodsOf(t: Translate, d: Diagram): Map<number, Good> {
  const out = new Map<number, Good>(),
    add = (p: number, side: 0 | 1) => {
      const g = {urgency: d.urgency ?? 2, side: out.has(p) ? (2 as const) : side, avoid: d.avoid};
      out.set(p, {...g, title: goodName(t, g)});
    };
  for (const p of d.ours ?? []) add(p, 0);
  for (const p of d.theirs ?? []) add(p, 1);
  return out;
}

// onBoard is the part of a diagram that is not wholly off the board: where the lines end is the edge.
export function onBoard({size, cells}: Diagram): Region {
  const r = wholeBoard(size),
    some = (test: (p: number) => boolean) => cells.some((c, p) => test(p) && c !== off);
  if (cells.every(c => c === off)) return r;
  while (!some(p => column(size, p) === r.left)) r.left++;
  while (!some(p => column(size, p) === r.right)) r.right--;
  while (!some(p => row(size, p) === r.top)) r.top++;
  while (!some(p => row(size, p) === r.bottom)) r.bottom--;
  return r;
}

// stateOf is the board of a diagram. With signs its cells off the board are marked, as an editor needs it.
export function stateOf(t: Translate, game: Game, d: Diagram, signs = false): BoardState {
  const geometry = geometryOf(game.geometry, d),
    {under, over} = outside(d, signs),
    cells = new Map<number, number>();
  d.cells.forEach((c, p) => {
    if (c !== off && c !== anything && c & 7) cells.set(p, c & 7);
  });
  return {
    geometry,
    glyphs: game.glyphs,
    crop: signs ? wholeBoard(d.size) : onBoard(d),
    pieces: new Array<number>(area(d.size)).fill(0),
    cells,
    under,
    over: both(over, goods(goodsOf(t, d))),
  };
}

// words describe a diagram to those who cannot see it, row by row, as files write it.
export function words(t: Translate, d: Diagram): string {
  const rows = Array.from({length: d.size.h}, (_, y) =>
    Array.from({length: d.size.w}, (_, x) => signOf(d.cells[pointAt(d.size, x, y)]!)).join(' '),
  );
  const spots = [...goodsOf(t, d)].map(
    ([p, g]) => `${t('shapes.at', {column: column(d.size, p) + 1, row: row(d.size, p) + 1})}: ${g.title}`,
  );
  return [t('shapes.diagram', {columns: d.size.w, rows: d.size.h}), rows.join(' / '), ...spots].join('. ');
}

// small and large draw a diagram that never changes. A small one stands beside its name and says nothing.
export const small = (t: Translate, game: Game, d: Diagram): SVGSVGElement => mini(stateOf(t, game, d));
export function large(t: Translate, game: Game, d: Diagram): SVGSVGElement {
  const svg = still(stateOf(t, game, d));
  // Lines as thin as on a whole board: a diagram is drawn larger.
  svg.style.setProperty('--grid-line', '.7px');
  svg.style.setProperty('--grid-edge', '1.6px');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', words(t, d));
  return svg;
}

// cellTile draws one cell, for palettes and legends.
export function cellTile(t: Translate, game: Game, cell: number): SVGSVGElement {
  const svg = still(stateOf(t, game, {size: {w: 1, h: 1}, cells: [cell]}, true));
  svg.setAttribute('aria-hidden', 'true');
  return svg;
}

// goodTile draws one good point.
export function goodTile(t: Translate, game: Game, g: Omit<Good, 'title'>): SVGSVGElement {
  const s = stateOf(t, game, {size: {w: 1, h: 1}, cells: [empty]}),
    svg = still({...s, over: goods(new Map([[0, {...g, title: ''}]]))});
  svg.setAttribute('aria-hidden', 'true');
  return svg;
}

// called picks a name by language; a shape may lack some.
export const called = (names: Names, lang: Lang, otherwise: string): string => names[lang] || names.en || otherwise;

// legend explains the signs of diagrams.
export function legend(t: Translate, game: Game): HTMLElement {
  const line = (svg: SVGSVGElement, text: string) => h('li', h('span.shape-tile', svg), h('span', text));
  return h(
    'ul.shape-legend',
    symbols.map(([sign, cell]) => line(cellTile(t, game, cell), `${cellName(t, cell)} ${sign}`)),
    [4, 3, 2, 1].map(urgency =>
      line(goodTile(t, game, {urgency, side: urgency % 2 ? 1 : 0}), goodName(t, {urgency, side: urgency % 2 ? 1 : 0})),
    ),
    line(goodTile(t, game, {urgency: 2, side: 0, avoid: true}), t('shapes.good.avoid')),
  );
}
