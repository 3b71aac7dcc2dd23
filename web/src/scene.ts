// What a board looks like: from a BoardState to shapes, without a browser. The
// look is that of the pictures that the server draws (package board/draw), with
// the colours left to CSS where a theme may change them.
//
// A step between two points is 40 units; point (0,0) as it is seen lies at the
// origin.
import {
  type BoardState,
  type Cell,
  type Geometry,
  type Heat,
  type Look,
  type Mark,
  type PieceSet,
  type Region,
  type Spot,
  area,
  cellKind,
  cellPieces,
  corners,
  extent,
  inRegion,
  notCell,
  pointAt,
  sides,
  spotOf,
  wholeBoard,
} from './core';
import {type RGB, black, hex, light, mix, rgb, white} from './colours';
import pictures from './pieces.svg';

// Shape is one SVG element. A key tells shapes of a layer apart, so that those
// that stay are not made anew.
export interface Shape {
  tag: 'path' | 'circle' | 'rect' | 'text' | 'use' | 'g' | 'title' | 'radialGradient' | 'stop';
  attrs: Readonly<Record<string, string | number>>;
  kids?: readonly Shape[];
  text?: string;
  key?: string;
}

export const step = 40;
const pointRim = 25,
  cellRim = 28,
  band = 30;

const round = (v: number): number => Math.round(v * 100) / 100;
const shape = (tag: Shape['tag'], attrs: Shape['attrs'], ...kids: Shape[]): Shape => ({tag, attrs, kids});
const circle = (cls: string, cx: number, cy: number, r: number, more: Shape['attrs'] = {}): Shape =>
  shape('circle', {class: cls, cx: round(cx), cy: round(cy), r, ...more});
const rect = (cls: string, x: number, y: number, width: number, height: number, rx: number): Shape =>
  shape('rect', {class: cls, x: round(x), y: round(y), width: round(width), height: round(height), rx});
const path = (cls: string, d: string, more: Shape['attrs'] = {}): Shape[] =>
  d ? [shape('path', {class: cls, d, ...more})] : [];
const dot = (x: number, y: number): string => `M${round(x)} ${round(y)}h.01`;

// View places the points of a state.
interface View {
  s: BoardState;
  g: Geometry;
  lo: Spot; // what is shown of the board, in steps
  hi: Spot;
  x(steps: number): number;
  y(steps: number): number;
  shows(p: number): boolean;
}

function view(s: BoardState): View {
  const g = s.geometry,
    {w, h} = g.size,
    whole = wholeBoard(g.size),
    crop = s.crop ?? whole,
    {lo, hi} = extent(g, whole),
    shown = extent(g, crop);
  const rim = (g.cells ? cellRim : pointRim) / step;
  return {
    s,
    g,
    ...(g.ground.length && !s.crop
      ? box(g.ground)
      : {
          lo: {x: shown.lo.x - (crop.left > 0 ? 0.5 : rim), y: shown.lo.y - (crop.top > 0 ? 0.5 : rim)},
          hi: {x: shown.hi.x + (crop.right < w - 1 ? 0.5 : rim), y: shown.hi.y + (crop.bottom < h - 1 ? 0.5 : rim)},
        }),
    x: x => step * (s.flip ? lo.x + hi.x - x : x),
    y: y => step * (s.flip ? lo.y + hi.y - y : y),
    shows: p => p >= 0 && p < area(g.size) && inRegion(g.size, crop, p),
  };
}

function box(spots: readonly Spot[]): {lo: Spot; hi: Spot} {
  const xs = spots.map(p => p.x),
    ys = spots.map(p => p.y);
  return {lo: {x: Math.min(...xs), y: Math.min(...ys)}, hi: {x: Math.max(...xs), y: Math.max(...ys)}};
}

const px = (v: View, p: number): number => v.x(spotOf(v.g, p).x);
const py = (v: View, p: number): number => v.y(spotOf(v.g, p).y);

// polygon is a closed line of places in steps, around one of them.
const polygon = (v: View, list: readonly Spot[], x = 0, y = 0): string =>
  `M${list.map(p => `${round(v.x(x + p.x))} ${round(v.y(y + p.y))}`).join('L')}z`;

const cellPath = (v: View, p: number): string => polygon(v, corners(v.g), spotOf(v.g, p).x, spotOf(v.g, p).y);

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

// boardBox returns the extent of the board itself in units, frame that of the
// whole picture with the names around it.
function boardBox(v: View): Box {
  const ax = v.x(v.lo.x),
    bx = v.x(v.hi.x),
    ay = v.y(v.lo.y),
    by = v.y(v.hi.y);
  return {x: Math.min(ax, bx), y: Math.min(ay, by), w: Math.abs(ax - bx), h: Math.abs(ay - by)};
}

export function frame(s: BoardState): Box {
  const b = boardBox(view(s)),
    m = s.coordinates ? band : 0;
  return {x: b.x - m, y: b.y - m, w: b.w + 2 * m, h: b.h + 2 * m};
}

export interface Fit {
  width: number;
  height: number;
  box: Box;
  unit: number;
  line: number;
  edge: number;
  label: number;
}

// fit returns the greatest size of a picture within a room in which a step is a
// whole number of device pixels, and the weights of lines in units. The box
// begins half a pixel off, so that lines of one pixel fill it exactly.
export function fit(s: BoardState, width: number, height: number, ratio: number): Fit {
  const f = frame(s);
  const unit = Math.max(2, Math.floor(Math.min(width / f.w, height / f.h) * step * ratio)) / step; // device pixels
  const want = 0.018 * step * unit + 0.0008 * f.w * unit,
    thick = Math.max(1, Math.round(want));
  const half = (thick % 2) / 2;
  const x = (Math.round(f.x * unit) - half) / unit,
    y = (Math.round(f.y * unit) - half) / unit;
  const w = Math.floor(f.w * unit),
    h = Math.floor(f.h * unit);
  return {
    width: w / ratio,
    height: h / ratio,
    box: {x, y, w: w / unit, h: h / unit},
    unit: unit / ratio,
    line: thick / unit,
    edge: Math.max(1, Math.round(1.8 * Math.max(want, 0.6))) / unit,
    label: Math.max(Math.min(16, Math.max(13, 0.0195 * f.w), (16 * ratio) / unit), (9.5 * ratio) / unit),
  };
}

// Outlines and words.

// ink returns the box of a path of M, L, H, V, Q, T and Z in either case. Only
// the ends of curves count, which is where the outlines of fonts turn.
const boxes = new Map<string, Box>(); // a page has at most the few characters of its games

function ink(d: string): Box {
  const known = boxes.get(d);
  if (known) return known;
  let x = 0,
    y = 0,
    sx = 0,
    sy = 0;
  let x0 = Infinity,
    y0 = Infinity,
    x1 = -Infinity,
    y1 = -Infinity;
  for (const [, c, rest] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const n = (rest!.match(/-?(?:\d*\.\d+|\d+)/g) ?? []).map(Number),
      up = c!.toUpperCase(),
      rel = c !== up;
    const take = up === 'Q' ? 4 : up === 'H' || up === 'V' ? 1 : 2;
    if (up === 'Z') [x, y] = [sx, sy];
    for (let i = 0; i + take <= n.length; i += take) {
      const a = n[i + take - 2]!,
        b = n[i + take - 1]!;
      if (up === 'H') x = rel ? x + b : b;
      else if (up === 'V') y = rel ? y + b : b;
      else [x, y] = rel ? [x + a, y + b] : [a, b];
      if (up === 'M' && i === 0) [sx, sy] = [x, y];
      [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
    }
  }
  const box = {x: x0, y: y0, w: x1 - x0, h: y1 - y0};
  boxes.set(d, box);
  return box;
}

const glyphID = (c: string): string => 'qg' + c.codePointAt(0)!.toString(16);

// width returns the width of a text of size 1, roughly.
const width = (text: string): number => [...text].reduce((w, c) => w + (c >= '\u1100' ? 1 : 0.65), 0);

// word writes a text centred on a place, as outlines where all its characters
// have one, so that no font of the reader is needed.
function word(s: BoardState, cls: string, x: number, y: number, size: number, text: string, turn = 0): Shape {
  const chars = [...text];
  if (!chars.every(c => c === ' ' || s.glyphs[c]) || !text.trim()) return plain(cls, x, y, size, text, turn);
  const pens = chars.map(c => (c === ' ' ? 0.5 : 1));
  let pen = -pens.reduce((a, b) => a + b, 0) / 2;
  const kids = chars.flatMap((c, i) => {
    const at = pen + pens[i]! / 2;
    pen += pens[i]!;
    return c === ' ' ? [] : [outline(s, c, at * size, 0, size)];
  });
  const turned = turn ? `rotate(${turn})` : '';
  return shape('g', {class: cls, transform: `translate(${round(x)} ${round(y)})${turned}`}, ...kids);
}

function plain(cls: string, x: number, y: number, size: number, text: string, turn = 0): Shape {
  const at = turn ? {transform: `translate(${round(x)} ${round(y)})rotate(${turn})`} : {x: round(x), y: round(y)};
  return {tag: 'text', attrs: {class: cls, dy: '.355em', 'font-size': round(size), ...at}, text};
}

// outline uses a character with its ink centred on a place.
function outline(s: BoardState, c: string, x: number, y: number, size: number): Shape {
  const b = ink(s.glyphs[c]!),
    k = size / 1000;
  return shape('use', {
    href: '#' + glyphID(c),
    transform:
      `translate(${round(x - k * (b.x + b.w / 2))} ${round(y - k * (b.y + b.h / 2))})` +
      `scale(${round(k * 100) / 100})`,
  });
}

const shrink = (size: number, room: number, text: string): number =>
  Math.max(2, Math.min(size, room / (width(text) || 1)));

// Pieces.

// pictured are the pieces that have a drawing in pieces.svg, which is only
// fetched by those who want it.
const pictured = 'KABRNCP';

function written(look: Look, set: PieceSet | undefined): string {
  return set === 'simplified' ? look.simplified || look.glyph : look.glyph;
}

// lettered tells whether something is written on the pieces of a look.
const lettered = (look: Look | undefined): boolean => !!look?.glyph;

export function radius(g: Geometry, look: Look | undefined): number {
  return g.cells ? 16.4 : lettered(look) ? 18.4 : 19.3;
}

// tone numbers the sides as themes know them, which replace their colours: 0 is the darker one, or the first where both
// have the same body.
export function tone(g: Geometry, look: Look): number {
  const other = g.pieces[look.swap - 1],
    by = other ? light(rgb(look.fill)) - light(rgb(other.fill)) : 0;
  return by ? (by > 0 ? 1 : 0) : look.owner;
}

const gradientID = (look: Look): string => (lettered(look) ? 'qd' : 'qs') + look.fill.slice(1);

function pieceID(g: Geometry, look: Look, set: PieceSet | undefined): string {
  const name = set === 'symbols' && !look.bare ? (look.letters[0] ?? '') : written(look, set);
  const sign = [...name].map(c => c.codePointAt(0)!.toString(16)).join('');
  const kind = `${tone(g, look)}${g.cells ? 'c' : ''}${sign}${set === 'symbols' ? 's' : ''}`;
  return `qp${look.fill.slice(1)}${look.ink.slice(1)}${kind}`;
}

function gradient(look: Look): Shape {
  const fill = rgb(look.fill);
  const [bright, shade] = lettered(look) ? [0.6, 0.06] : light(fill) < 128 ? [0.34, 0.4] : [0.85, 0.12];
  const stop = (offset: number, c: RGB): Shape => shape('stop', {offset, 'stop-color': hex(c)});
  return shape(
    'radialGradient',
    {id: gradientID(look), cx: 0.36, cy: 0.3, r: 0.76},
    stop(0, mix(fill, white, bright)),
    stop(0.5, fill),
    stop(1, mix(fill, black, shade)),
  );
}

// disc is the body of a piece; themes reach it by variables, also where it is
// used by reference and selectors do not.
function disc(g: Geometry, look: Look, x: number, y: number, more: Shape['attrs'] = {}): Shape {
  const own = lettered(look),
    rim = own ? 1.2 : 0.8,
    name = `--${own ? 'piece' : 'stone'}${tone(g, look)}`;
  return shape('circle', {
    cx: round(x),
    cy: round(y),
    r: radius(g, look) - rim / 2,
    'stroke-width': rim,
    fill: `var(${name}, url(#${gradientID(look)}))`,
    stroke: `var(${name}-rim, ${look.edge})`,
    ...more,
  });
}

// figure is a piece that is its glyph, filled with the colours of its side.
export function figure(s: BoardState, look: Look, size: number, x = 0, y = 0): Shape {
  const made = outline(s, look.glyph, x, y, size),
    name = `--stone${tone(s.geometry, look)}`;
  return {
    ...made,
    attrs: {
      ...made.attrs,
      fill: `var(${name}, ${look.fill})`,
      stroke: `var(${name}-rim, ${look.edge})`,
      'stroke-width': 33,
      'stroke-linejoin': 'round',
    },
  };
}

// body is a piece with a letter, around the origin.
function body(s: BoardState, look: Look): Shape {
  if (look.bare) return shape('g', {id: pieceID(s.geometry, look, s.set)}, figure(s, look, 36));
  const ring = shape('circle', {
    r: radius(s.geometry, look) - 3,
    fill: 'none',
    stroke: inkOf(s.geometry, look),
    'stroke-width': 1,
  });
  return shape('g', {id: pieceID(s.geometry, look, s.set)}, disc(s.geometry, look, 0, 0), ring, sign(s, look, 25));
}

const inkOf = (g: Geometry, look: Look): string => `var(--ink${tone(g, look)}, ${look.ink})`;
const fillOf = (g: Geometry, look: Look): string => `var(--piece${tone(g, look)}, ${look.fill})`;

// sign is what is written on a piece: its picture, its outline or its text.
export function sign(s: BoardState, look: Look, size: number, x = 0, y = 0): Shape {
  const text = written(look, s.set),
    letter = look.letters[0]?.toUpperCase() ?? '',
    fill = inkOf(s.geometry, look);
  if (s.set === 'symbols' && !look.bare && letter && pictured.includes(letter))
    return shape('use', {
      href: `${pictures}#${letter}`,
      fill,
      transform: `translate(${round(x)} ${round(y)})scale(${round(size / 24)})`,
    });
  const made =
    s.set === 'symbols' && !look.bare
      ? plain('', x, y, size * 0.8, letter)
      : s.glyphs[text]
        ? outline(s, text, x, y, size)
        : plain('', x, y, shrink(size, size, text), text);
  return {...made, attrs: {...made.attrs, fill}};
}

// definitions lists what the shapes of a state refer to by id. They depend on
// the game and the piece set alone, and equal ids are equal shapes, so that all
// boards of a page share them.
export function definitions(s: BoardState): Shape[] {
  const list = new Map<string, Shape>();
  const add = (def: Shape): void => {
    list.set(String(def.attrs['id']), def);
  };
  for (const [c, d] of Object.entries(s.glyphs)) add(shape('path', {id: glyphID(c), d}));
  for (const look of s.geometry.pieces) {
    add(gradient(look));
    if (lettered(look)) add(body(s, look));
  }
  return [...list.values()];
}

// pieceAt is a piece on its place: a circle costs a third of a reference, and
// boards may have hundreds of stones.
function pieceAt(v: View, piece: number, x: number, y: number, more: Shape['attrs'] = {}): Shape[] {
  const look = v.g.pieces[piece - 1];
  if (!look) return [];
  return [
    lettered(look)
      ? shape('use', {href: '#' + pieceID(v.g, look, v.s.set), x: round(x), y: round(y), ...more})
      : disc(v.g, look, x, y, more),
  ];
}

// Layers, from the board upwards. Each names the members of the state that it
// depends on besides those that place the points.

export interface Layer {
  name: string;
  on: readonly (keyof BoardState)[];
  draw(s: BoardState): Shape[];
}

export const placing: readonly (keyof BoardState)[] = ['geometry', 'flip', 'crop', 'coordinates', 'glyphs', 'set'];

const layer = (name: string, on: Layer['on'], draw: (v: View) => Shape[]): Layer => ({
  name,
  on,
  draw: s => draw(view(s)),
});

export const layers: readonly Layer[] = [
  layer('ground', [], ground),
  layer('tint', ['region'], v => (v.s.region ? [regionShape(v, v.s.region, 'tint')] : [])),
  layer('grid', [], grid),
  layer('veils', ['cells'], veils),
  layer('under', ['under'], v => decor(v, v.s.under)),
  layer('heat', ['heat', 'pieces', 'cells'], v => heat(v, false)),
  layer('shadows', ['pieces', 'cells'], shadows),
  layer('pieces', ['pieces', 'cells'], pieces),
  layer('cells', ['cells', 'pieces'], cells),
  layer('texts', ['texts', 'heat'], texts),
  layer('last', ['last', 'texts', 'pieces', 'cells', 'labels', 'marks'], last),
  layer('signs', ['legal', 'hints', 'marks', 'selected', 'heat', 'pieces', 'cells'], signs),
  layer('labels', ['labels', 'pieces', 'cells', 'heat'], labels),
  layer('over', ['over'], v => decor(v, v.s.over)),
  layer('region', ['region', 'dim', 'handles'], region),
  layer('arrows', ['arrows'], arrows),
  layer('names', [], names),
  layer('ghost', ['ghost'], ghost),
  layer('cursor', ['cursor'], cursor),
];

// scene returns all shapes of a state, layer by layer.
export function scene(s: BoardState): {name: string; shapes: Shape[]}[] {
  return layers.map(l => ({name: l.name, shapes: l.draw(s)}));
}

const decor = (v: View, d: BoardState['over']): Shape[] => [...(d?.(p => ({x: px(v, p), y: py(v, p)})) ?? [])];

function ground(v: View): Shape[] {
  const b = boardBox(v),
    {g} = v;
  const floor = v.s.crop
    ? [rect('ground part', b.x, b.y, b.w, b.h, 0)]
    : g.ground.length
      ? path('ground', polygon(v, g.ground))
      : [rect('ground', b.x + 0.5, b.y + 0.5, b.w - 1, b.h - 1, 5)];
  const shades = g.shades.flatMap(shade => {
    const tiles = shade.points.filter(v.shows).map(p => cellPath(v, p));
    return path('shade', tiles.join(''), {fill: `var(--shade, ${shade.colour})`});
  });
  return [...floor, ...shades];
}

// grid draws the lines, clipped to what is shown. Lines along a whole side of
// the board are edges; only slanted ones need smoothing.
function grid(v: View): Shape[] {
  const {g} = v,
    lo = {x: Infinity, y: Infinity},
    hi = {x: -Infinity, y: -Infinity};
  for (const l of g.lines)
    for (const e of [l.from, l.to]) {
      lo.x = Math.min(lo.x, e.x);
      lo.y = Math.min(lo.y, e.y);
      hi.x = Math.max(hi.x, e.x);
      hi.y = Math.max(hi.y, e.y);
    }
  const at = (x: number, y: number): string => `${round(v.x(x))} ${round(v.y(y))}`;
  let thin = '',
    edge = '',
    slant = '';
  const borders = new Map<string, string>(); // by their own ink
  for (const {from: a, to: b, ink: own} of g.lines) {
    const c = clip(a, b, v.lo, v.hi);
    if (!c) continue;
    const d = `M${at(c[0].x, c[0].y)}L${at(c[1].x, c[1].y)}`;
    const side =
      a.x === b.x
        ? (a.x === lo.x || a.x === hi.x) && Math.abs(a.y - b.y) === hi.y - lo.y
        : (a.y === lo.y || a.y === hi.y) && Math.abs(a.x - b.x) === hi.x - lo.x;
    if (own) borders.set(own, (borders.get(own) ?? '') + d);
    else if (a.x !== b.x && a.y !== b.y) slant += d;
    else if (side) edge += d;
    else thin += d;
  }
  const shown = (x: number, y: number): boolean => x > v.lo.x && x < v.hi.x && y > v.lo.y && y < v.hi.y;
  const gap = 0.1,
    arm = 0.19;
  for (const t of g.ticks)
    if (shown(t.x, t.y))
      for (const i of [-1, 1])
        for (const j of [-1, 1]) {
          const x = t.x + i * gap,
            y = t.y + j * gap;
          if (x < lo.x || x > hi.x || y < lo.y || y > hi.y || !shown(x + i * arm, y + j * arm)) continue;
          thin += `M${at(x, y + j * arm)}L${at(x, y)}L${at(x + i * arm, y)}`;
        }
  const dots = g.dots
    .filter(d => shown(d.x, d.y))
    .map(d => dot(v.x(d.x), v.y(d.y)))
    .join('');
  const turned = v.s.flip && g.texts.some(t => t.turn) ? 180 : 0;
  return [
    ...path('line', thin),
    ...path('line slant', slant),
    ...path('line edge', edge),
    ...[...borders].flatMap(([stroke, d]) => path('border', d, {stroke})),
    ...path('star', dots),
    ...g.texts
      .filter(t => shown(t.at.x - reach(t.height), t.at.y) && shown(t.at.x + reach(t.height), t.at.y))
      .map(t => word(v.s, 'caption', v.x(t.at.x), v.y(t.at.y), t.height * step, t.text, (t.turn + turned) % 360)),
  ];
}

// reach is how far a word on the board reaches to either side: those that are written large go over points.
const reach = (height: number): number => (height < 0.3 ? height / 2 : 0.7);

// clip cuts a straight line to a box (Liang and Barsky), or returns null.
function clip(a: Spot, b: Spot, lo: Spot, hi: Spot): [Spot, Spot] | null {
  let from = 0,
    to = 1;
  const dx = b.x - a.x,
    dy = b.y - a.y;
  for (const [d, room] of [
    [-dx, a.x - lo.x],
    [dx, hi.x - a.x],
    [-dy, a.y - lo.y],
    [dy, hi.y - a.y],
  ] as const) {
    if (d === 0 ? room < 0 : d < 0 ? (from = Math.max(from, room / d)) > to : (to = Math.min(to, room / d)) < from)
      return null;
  }
  return [
    {x: a.x + from * dx, y: a.y + from * dy},
    {x: a.x + to * dx, y: a.y + to * dy},
  ];
}

function regionShape(v: View, r: Region, cls: string): Shape {
  const b = regionBox(v, r);
  return v.g.shifts.length ? path(cls, stairs(v, r))[0]! : rect(cls, b.x, b.y, b.w, b.h, 5);
}

// stairs is the outline of a region where rows are shifted: down its left, up its right.
function stairs(v: View, r: Region): string {
  const left: Spot[] = [];
  for (let y = r.top; y <= r.bottom; y++) {
    const at = spotOf(v.g, pointAt(v.g.size, r.left, y));
    for (const dy of [-0.5, 0.5]) left.push({x: at.x - 0.5, y: at.y + dy * v.g.pitch});
  }
  const right = left.map(p => ({x: p.x + r.right - r.left + 1, y: p.y})).reverse();
  return polygon(v, [...left, ...right]);
}

function regionBox(v: View, r: Region): Box {
  const half = (v.g.cells ? 0.5 : 0.54) * step,
    {lo, hi} = extent(v.g, r);
  const ax = v.x(lo.x),
    bx = v.x(hi.x),
    ay = v.y(lo.y),
    by = v.y(hi.y);
  return {
    x: Math.min(ax, bx) - half,
    y: Math.min(ay, by) - half,
    w: Math.abs(ax - bx) + 2 * half,
    h: Math.abs(ay - by) + 2 * half,
  };
}

// handles returns where the handles of a region are, as they are seen, row by
// row without the middle: eight places, the first at the top left.
export function handles(s: BoardState): Spot[] {
  if (!s.region) return [];
  const v = view(s),
    r = s.region,
    b = regionBox(v, r),
    rows = s.flip ? [r.bottom, r.top] : [r.top, r.bottom],
    list: Spot[] = [];
  // Where rows are shifted, the sides are slanted.
  const width = r.right - r.left + (v.g.cells ? 1 : 1.08),
    [top, bottom] = rows.map(y => (px(v, pointAt(v.g.size, r.left, y)) + px(v, pointAt(v.g.size, r.right, y))) / 2);
  for (const j of [0, 0.5, 1])
    for (const i of [0, 0.5, 1])
      if (i !== 0.5 || j !== 0.5)
        list.push({x: top! + (bottom! - top!) * j + (i - 0.5) * width * step, y: b.y + j * b.h});
  return list;
}

function region(v: View): Shape[] {
  const {s} = v,
    r = s.region;
  if (!r) return [];
  const list: Shape[] = [];
  if (s.dim) {
    const o = boardBox(v),
      b = regionBox(v, r);
    list.push(
      ...path(
        'dim',
        `M${o.x} ${o.y}h${o.w}v${o.h}h${-o.w}z` +
          (v.g.shifts.length
            ? stairs(v, r)
            : `M${round(b.x)} ${round(b.y)}v${round(b.h)}h${round(b.w)}v${round(-b.h)}z`),
        {'fill-rule': 'evenodd'},
      ),
    );
  }
  list.push(regionShape(v, r, 'outline'));
  if (s.handles) list.push(...handles(s).map(h => rect('handle', h.x - 4.5, h.y - 4.5, 9, 9, 2)));
  return list;
}

// Pieces of the board, with those that a pattern asks for by cells.
function pieceOf(s: BoardState, p: number): number {
  const cell = s.cells?.get(p);
  if (cell === undefined) return s.pieces[p] ?? 0;
  return cellKind(s.geometry, cell) === 'piece' ? cellPieces(cell)[0]! : 0;
}

// pieceList lists the pieces that are shown, with their places.
export function pieceList(s: BoardState): {look: Look; x: number; y: number}[] {
  const list: {look: Look; x: number; y: number}[] = [],
    v = view(s);
  eachPiece(v, (_p, piece, x, y) => {
    const look = v.g.pieces[piece - 1];
    if (look) list.push({look, x, y});
  });
  return list;
}

function eachPiece(v: View, draw: (p: number, piece: number, x: number, y: number) => void): void {
  for (let p = 0; p < area(v.g.size); p++) {
    const piece = pieceOf(v.s, p);
    if (piece && v.shows(p)) draw(p, piece, px(v, p), py(v, p));
  }
}

// shadows is one path, so that shadows that meet do not darken each other.
function shadows(v: View): Shape[] {
  let d = '';
  eachPiece(v, (_p, piece, x, y) => {
    if (!v.g.pieces[piece - 1]?.bare) d += dot(x + 0.7, y + 1.7);
  });
  return path('shadow', d, {'stroke-width': 2 * radius(v.g, v.g.pieces[0])});
}

function pieces(v: View): Shape[] {
  const list: Shape[] = [];
  eachPiece(v, (p, piece, x, y) => {
    for (const use of pieceAt(v, piece, x, y)) list.push({...use, key: `${p}.${piece}`});
  });
  return list;
}

// veils hides the lines of points that do not matter: hatched tiles, which join
// where they meet.
function veils(v: View): Shape[] {
  let tiles = '',
    hatch = '';
  for (const [p, cell] of v.s.cells ?? []) {
    if (!v.shows(p) || cellKind(v.g, cell) !== 'any') continue;
    const x = px(v, p) - 20,
      y = py(v, p) - 20;
    tiles += v.g.shifts.length ? cellPath(v, p) : `M${x} ${y}h40v40h-40z`;
    hatch += `M${x} ${y + 20}l20-20M${x} ${y + 40}l40-40M${x + 20} ${y + 40}l20-20`;
  }
  return [...path('veil', tiles), ...path('hatch', hatch)];
}

// cells draws what is neither a piece nor empty. The signs differ in form, not
// in colour alone: a ring for anything, a small stone with a hole for "or
// empty", a halved one for either side, little pieces for sets, crossed out for
// all but these.
function cells(v: View): Shape[] {
  const list: Shape[] = [];
  for (const [p, cell] of v.s.cells ?? []) if (v.shows(p)) list.push(...cellSign(v, cell, px(v, p), py(v, p)));
  return list;
}

function cellSign(v: View, cell: Cell, x: number, y: number): Shape[] {
  const {g} = v,
    kind = cellKind(g, cell),
    at = {transform: `translate(${round(x)} ${round(y)})`};
  const side = g.pieces.find((_, i) => cell & (2 << i));
  switch (kind) {
    case 'any':
      return [circle('anyring', x, y, 5)];
    case 'empty':
    case 'piece':
      return [];
    case 'side':
      return [shape('g', at, ...blank(g, side!, 15, true))];
    case 'sideOrEmpty':
      return [shape('g', at, ...blank(g, side!, 13, false), circle('hole', 0, 0, 4.6))];
    case 'occupied': {
      const [a, b] = [0, 1].map(o => g.pieces.find(l => l.owner === o)!);
      return [
        shape(
          'g',
          at,
          shape('path', {class: 'half', d: 'M0-13a13 13 0 0 0 0 26z', fill: fillOf(g, a!), stroke: inkOf(g, a!)}),
          shape('path', {class: 'half', d: 'M0-13a13 13 0 0 1 0 26z', fill: fillOf(g, b!), stroke: inkOf(g, b!)}),
          circle('halfring', 0, 0, 13),
          ...(lettered(a) ? [shape('path', {class: 'star6 both', d: asterisk})] : []),
        ),
      ];
    }
  }
  const set = kind === 'not' ? notCell(g, cell) : cell,
    members = cellPieces(set);
  const shown = members.slice(0, members.length > 3 ? 2 : 3);
  const extra = members.length - shown.length;
  const items: Shape[][] = shown.map(m => little(v, m));
  if (set & 1) items.push([circle('little none', 0, 0, 6)]);
  if (extra > 0) items.push([plain('more', 1, 0, shrink(12.5, 15, `+${extra}`), `+${extra}`)]);
  const places = stack[Math.min(items.length, 4)]!;
  const kids = items
    .slice(0, 4)
    .map((item, i) => shape('g', {transform: `translate(${places[i]!.join(' ')})`}, ...item));
  const plate = circle('plate', 0, 0, 18.5);
  return [shape('g', at, plate, ...kids, ...(kind === 'not' ? path('strike', 'M-13.5 13.500L13.5-13.5') : []))];
}

const asterisk = 'M0-6.500v13M-5.6-3.250l11.2 6.500M5.6-3.250l-11.2 6.5';
const stack: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[0, 0]],
  [
    [-8.5, 0],
    [8.5, 0],
  ],
  [
    [0, -8.5],
    [-8.8, 6.5],
    [8.8, 6.5],
  ],
  [
    [-8.5, -8.5],
    [8.5, -8.5],
    [-8.5, 8.5],
    [8.5, 8.5],
  ],
];

// blank is a disc of a side without a kind.
function blank(g: Geometry, look: Look, r: number, full: boolean): Shape[] {
  const disc = circle(full ? 'blank' : 'blank maybe', 0, 0, r, {fill: fillOf(g, look), stroke: inkOf(g, look)});
  return lettered(look) && full ? [disc, shape('path', {class: 'star6', d: asterisk, stroke: inkOf(g, look)})] : [disc];
}

function little(v: View, piece: number): Shape[] {
  const look = v.g.pieces[piece - 1]!;
  const disc = circle('little', 0, 0, 8.2, {fill: fillOf(v.g, look), stroke: inkOf(v.g, look)});
  return lettered(look) ? [disc, sign(v.s, look, 12.5)] : [disc];
}

// heat lays values on empty points, or on pieces.
function heat(v: View, onPieces: boolean): Shape[] {
  const list: Shape[] = [];
  for (const [p, h] of v.s.heat ?? []) {
    const occupied = !!pieceOf(v.s, p);
    if (!v.shows(p) || occupied !== onPieces || Number.isNaN(h.value)) continue;
    const x = px(v, p),
      y = py(v, p),
      value = Math.min(1, Math.max(0, h.value));
    const body = (cls: string): Shape =>
      occupied
        ? circle(cls, x, y, 12.5)
        : v.g.cells && !v.g.shifts.length
          ? rect(cls, x - 18.2, y - 18.2, 36.4, 36.4, 3)
          : circle(cls, x, y, 17);
    const warm = body('warm');
    list.push(
      shape(
        'g',
        {},
        ...(h.title ? [{tag: 'title' as const, attrs: {}, text: h.title}] : []),
        body('pale'),
        {...warm, attrs: {...warm.attrs, 'fill-opacity': round(0.1 + 0.8 * value)}},
        ...figures(
          v,
          value < 0.42 ? 'low' : value < 0.7 ? 'mid' : 'high',
          x,
          y,
          occupied ? 22 : v.g.cells ? 33 : 27,
          h,
        ),
      ),
    );
  }
  return list;
}

// figures writes a text of one line, or of as many as there are moves to a point, below each other. A sign of a piece
// that a line begins with is drawn as on the piece.
function figures(v: View, cls: string, x: number, y: number, room: number, {text}: Heat): Shape[] {
  const lines = text ? text.split('\n') : [],
    high = lines.length > 1 ? 30 / lines.length : 17,
    size = Math.min(...lines.map(s => shrink(high, room, s)));
  return lines.flatMap((s, i) => {
    const at = y + (i - (lines.length - 1) / 2) * size * 1.08,
      [first, ...rest] = s;
    if (lines.length < 2 || !v.s.glyphs[first!]) return [plain(cls, x, at, size, s)];
    const sign = outline(v.s, first!, x - (width(s) * size) / 2 + size / 2, at, size * 1.1);
    return [{...sign, attrs: {...sign.attrs, class: cls}}, plain(cls, x + size / 2, at, size, rest.join('').trim())];
  });
}

// inkOn returns the piece on a point, and the colour of what is written on a point.
function inkOn(v: View, p: number): {look: Look | undefined; more: Shape['attrs']} {
  const look = v.g.pieces[pieceOf(v.s, p) - 1];
  return {look, more: look ? {color: inkOf(v.g, look)} : {}};
}

// last marks the last move: a ring on a stone, a ring around a piece with a
// letter or under a label, and a spot where the piece came from.
function last(v: View): Shape[] {
  const m = v.s.last;
  if (!m) return [];
  const list: Shape[] = [];
  if (m.from !== undefined && v.shows(m.from)) list.push(circle('from', px(v, m.from), py(v, m.from), 7));
  if (!v.shows(m.to)) return list;
  const {look, more} = inkOn(v, m.to),
    x = px(v, m.to),
    y = py(v, m.to);
  if (lettered(look)) list.push(circle('to', x, y, radius(v.g, look) + 0.8));
  else if (v.s.texts?.[m.to] || v.s.labels?.get(m.to) || v.s.marks?.has(m.to)) list.push(circle('to', x, y, 17));
  else list.push(shape('g', more, circle(look ? 'to stone' : 'to', x, y, v.g.cells ? 7.5 : 9)));
  return list;
}

const markPaths: Record<Mark, string> = {
  circle: 'M-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0',
  square: 'M-8.7-8.700h17.400v17.400h-17.400z',
  triangle: 'M0-11.500l10 17.300h-20z',
  cross: 'M-8-8l16 16m0-16l-16 16',
};

function signs(v: View): Shape[] {
  const {s} = v,
    list = heat(v, true);
  const on = (ps: readonly number[] | undefined, draw: (p: number, x: number, y: number) => Shape): void => {
    for (const p of ps ?? []) if (v.shows(p)) list.push(draw(p, px(v, p), py(v, p)));
  };
  on(s.selected === undefined ? [] : [s.selected], (p, x, y) =>
    circle('selected', x, y, radius(v.g, inkOn(v, p).look) + 1),
  );
  on(s.legal, (p, x, y) => {
    const {look} = inkOn(v, p);
    return look ? circle('take', x, y, radius(v.g, look) + 0.8) : circle('legal', x, y, 5);
  });
  on(s.hints, (_p, x, y) => rect('hint', x - 17, y - 17, 34, 34, 4));
  for (const [p, m] of s.marks ?? []) {
    if (!v.shows(p)) continue;
    const {look, more} = inkOn(v, p),
      x = px(v, p),
      y = py(v, p);
    if (lettered(look)) {
      list.push(
        shape(
          'g',
          {transform: `translate(${x - 12.5} ${y - 12.5})`},
          circle('disc', 0, 0, 8),
          shape('path', {class: 'mark on-disc', d: markPaths[m], transform: 'scale(.46)'}),
        ),
      );
    } else {
      if (!look) list.push(...clear(v, p));
      list.push(
        shape('g', {...more, transform: `translate(${x} ${y})`}, shape('path', {class: 'mark', d: markPaths[m]})),
      );
    }
  }
  return list;
}

// clear hides the crossing lines under what is written on an empty point.
function clear(v: View, p: number): Shape[] {
  return v.s.heat?.has(p) || v.g.cells ? [] : [circle('clear', px(v, p), py(v, p), 14)];
}

// texts are what is written on points that have no pieces. Figures take their place.
function texts(v: View): Shape[] {
  return (v.s.texts ?? []).flatMap((text, p) =>
    text && v.shows(p) && !v.s.heat?.get(p)?.text
      ? [plain('label', px(v, p), py(v, p), shrink(21, 29, text), text)]
      : [],
  );
}

// labels stand in the middle of stones and empty points, on a small plate at
// the upper right of pieces that have a letter already.
function labels(v: View): Shape[] {
  const list: Shape[] = [];
  for (const [p, text] of v.s.labels ?? []) {
    if (!text || !v.shows(p)) continue;
    const {look, more} = inkOn(v, p),
      x = px(v, p),
      y = py(v, p);
    if (lettered(look)) {
      list.push(
        circle('disc', x + 12.5, y - 12.5, 8),
        plain('label on-disc', x + 12.5, y - 12.5, shrink(11.5, 13, text), text),
      );
    } else {
      if (!look) list.push(...clear(v, p));
      list.push(shape('g', more, plain('label', x, y, shrink(21, 29, text), text)));
    }
  }
  return list;
}

// arrows are one outline each, so that they are evenly transparent.
function arrows(v: View): Shape[] {
  const start = 9,
    end = 3,
    shaft = 2.9,
    head = 8.5,
    long = 15;
  return (v.s.arrows ?? [])
    .filter(a => a.from !== a.to && v.shows(a.from) && v.shows(a.to))
    .map(a => {
      const x = px(v, a.from),
        y = py(v, a.from),
        dx = px(v, a.to) - x,
        dy = py(v, a.to) - y;
      const length = Math.hypot(dx, dy),
        ux = dx / length,
        uy = dy / length;
      const at = (along: number, across: number): string =>
        `${round(x + along * ux - across * uy)} ${round(y + along * uy + across * ux)}`;
      const neck = length - end - long;
      return shape('path', {
        class: 'arrow' + (a.colour ? ' ' + a.colour : ''),
        d: `M${[
          at(start, -shaft),
          at(neck, -shaft),
          at(neck, -head),
          at(length - end, 0),
          at(neck, head),
          at(neck, shaft),
          at(start, shaft),
        ].join('L')}z`,
      });
    });
}

// names writes the columns and rows around the board.
function names(v: View): Shape[] {
  if (!v.s.coordinates) return [];
  const {w, h} = v.g.size,
    [top, right, bottom, left] = sides(v.s),
    crop = v.s.crop ?? wholeBoard(v.g.size);
  const b = boardBox(v),
    size = Math.max(12.5, Math.min(16, 0.0195 * (b.w + 2 * band)));
  const list: Shape[] = [];
  const put = (x: number, y: number, text: string | undefined): void => {
    if (text) list.push(word(v.s, 'name', x, y, shrink(size, 24, text), text));
  };
  const at = (c: number, r: number): Spot => where(v.s, pointAt(v.g.size, c, r)),
    ends = v.s.flip ? [crop.bottom, crop.top] : [crop.top, crop.bottom],
    beside = step + band / 3; // rows that are shifted have their names beside them
  for (let c = crop.left; c <= Math.min(crop.right, w - 1); c++) {
    put(at(c, ends[0]!).x, b.y - band / 2, top[c]);
    put(at(c, ends[1]!).x, b.y + b.h + band / 2, bottom[c]);
  }
  for (let r = crop.top; r <= Math.min(crop.bottom, h - 1); r++) {
    const {x, y} = at(crop.left, r),
      other = at(crop.right, r).x,
      shifted = v.g.shifts.length > 0;
    put(shifted ? Math.min(x, other) - beside : b.x - band / 2, y, left[r]);
    put(shifted ? Math.max(x, other) + beside : b.x + b.w + band / 2, y, right[r]);
  }
  return list;
}

function ghost(v: View): Shape[] {
  const m = v.s.ghost;
  return m && v.shows(m.at) ? pieceAt(v, m.piece, px(v, m.at), py(v, m.at), {class: 'ghost'}) : [];
}

function cursor(v: View): Shape[] {
  const p = v.s.cursor;
  if (p === undefined || !v.shows(p)) return [];
  const x = px(v, p),
    y = py(v, p);
  return [rect('cursor under', x - 19, y - 19, 38, 38, 6), rect('cursor', x - 19, y - 19, 38, 38, 6)];
}

// nearest returns the point under a place in units, or -1: where it is off the
// board, or further from every crossing than dead (in steps).
export function nearest(s: BoardState, x: number, y: number, dead = s.geometry.cells ? 0.5 : 0.42): number {
  const p = clamped(s, x, y),
    at = where(s, p),
    dx = Math.abs(x - at.x) / step,
    dy = Math.abs(y - at.y) / step,
    {cells, shifts} = s.geometry;
  // A hexagon reaches a little further than half a step at its corners.
  const off = !cells ? Math.hypot(dx, dy) : shifts.length ? Math.hypot(dx, dy) / 1.15 : Math.max(dx, dy);
  return off > dead ? -1 : p;
}

// clamped is nearest without a dead zone: places off the board count as the
// point at its edge, so that a drag may leave the board.
export function clamped(s: BoardState, x: number, y: number): number {
  const g = s.geometry,
    crop = s.crop ?? wholeBoard(g.size),
    whole = extent(g, wholeBoard(g.size));
  const within = (i: number, a: number, b: number): number => Math.max(a, Math.min(b, Math.round(i)));
  const sx = s.flip ? whole.lo.x + whole.hi.x - x / step : x / step,
    sy = (s.flip ? whole.hi.y - y / step : y / step) / g.pitch;
  const inRow = (r: number): number => pointAt(g.size, within(sx - (g.shifts[r] ?? 0), crop.left, crop.right), r);
  if (!g.shifts.length) return inRow(within(sy, crop.top, crop.bottom));
  // Where rows are shifted, the nearest point may be in the row above or below.
  const rows = [Math.floor(sy), Math.ceil(sy)].map(r => inRow(within(r, crop.top, crop.bottom)));
  const far = (p: number): number => Math.hypot(where(s, p).x - x, where(s, p).y - y);
  return far(rows[0]!) <= far(rows[1]!) ? rows[0]! : rows[1]!;
}

// where returns the place of a point in units.
export function where(s: BoardState, p: number): Spot {
  const v = view(s);
  return {x: px(v, p), y: py(v, p)};
}
