// Small boards for lists. They never change and have few elements: the grid is
// two paths, and all stones of a side are the round ends of one path, so that
// thirty of them cost about as much as one board of a page.
import {type BoardState, type Cell, type Geometry, type Look, type PieceSet, cellKind, describe, pointAt} from './core';
import {define, element, still} from './board';
import {colours} from './colours';
import {type Shape, figure, frame, layers, pieceList, radius, sign, tone} from './scene';
import type {Translate} from './i18n';

const ns = 'http://www.w3.org/2000/svg';

// Layers that a small board takes over as they are.
const taken = new Set([
  'ground',
  'tint',
  'grid',
  'veils',
  'under',
  'over',
  'cells',
  'texts',
  'last',
  'signs',
  'labels',
  'region',
  'arrows',
  'names',
]);

// mini draws a state. It takes its width from its surroundings and its height
// from its shape. With t it tells what it shows; without, it is decoration.
export function mini(s: BoardState, t?: Translate): SVGSVGElement {
  const svg = document.createElementNS(ns, 'svg'),
    f = frame(s);
  svg.setAttribute('class', 'board mini');
  svg.setAttribute('viewBox', `${f.x} ${f.y} ${f.w} ${f.h}`);
  if (t) {
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', describe(s, t));
  } else svg.setAttribute('aria-hidden', 'true');
  for (const [name, value] of Object.entries(colours(s.geometry))) svg.style.setProperty(name, value);
  // Lines must not vanish at a width of about 130 pixels.
  svg.style.setProperty('--grid-line', `${f.w / 190}px`);
  svg.style.setProperty('--grid-edge', `${f.w / 120}px`);
  if (s.geometry.pieces.some(look => look.glyph)) define(s);
  for (const l of layers) {
    if (l.name === 'pieces') svg.append(...pieces(s).map(element));
    else if (taken.has(l.name)) svg.append(...l.draw(s).map(element));
  }
  return svg;
}

// pieces draws the discs of a side as two paths, their rims and their bodies,
// and what is written on them.
function pieces(s: BoardState): Shape[] {
  const discs = new Map<number, {look: Look; d: string}>(),
    signs: Shape[] = [];
  for (const {look, x, y} of pieceList(s)) {
    if (look.bare) {
      signs.push(figure(s, look, 36, x, y));
      continue;
    }
    const disc = discs.get(look.owner) ?? {look, d: ''};
    disc.d += `M${x} ${y}h.01`;
    discs.set(look.owner, disc);
    if (look.glyph) signs.push(sign(s, look, 28, x, y));
  }
  return [...discs.values()]
    .flatMap(({look, d}): Shape[] => {
      const name = `--${look.glyph ? 'piece' : 'stone'}${tone(s.geometry, look)}`,
        width = 2 * radius(s.geometry, look) - 0.6;
      return [
        {tag: 'path', attrs: {class: 'dots', d, stroke: `var(${name}-rim, ${look.edge})`, 'stroke-width': width}},
        {tag: 'path', attrs: {class: 'dots', d, stroke: `var(${name}, ${look.fill})`, 'stroke-width': width - 4}},
      ];
    })
    .concat(signs);
}

// cellIcon draws one cell of a pattern on a piece of board, for palettes and
// legends: it looks exactly as on the board.
export function cellIcon(
  g: Geometry,
  glyphs: Readonly<Record<string, string>>,
  cell: Cell,
  set?: PieceSet,
): SVGSVGElement {
  const x = g.size.w >> 1,
    y = g.cells || g.size.h % 2 ? g.size.h >> 1 : 1,
    at = pointAt(g.size, x, y);
  const straight = g.lines.filter(l => l.from.x === l.to.x || l.from.y === l.to.y);
  const plain = {...g, lines: straight, dots: [], ticks: [], texts: []};
  const state = {geometry: plain, glyphs, pieces: [], crop: {left: x, right: x, top: y, bottom: y}, set};
  const svg = still(cellKind(g, cell) === 'empty' ? state : {...state, cells: new Map([[at, cell]])});
  svg.setAttribute('aria-hidden', 'true');
  return svg;
}
