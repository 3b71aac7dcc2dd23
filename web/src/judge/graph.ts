// The string graph as a picture: strings and empty areas where they lie on the board, lines between neighbours, arrows
// to what is contained.
import type {GraphVertex, Size, StringGraph} from '../api';
import {column, row} from '../core';
import {svg} from '../dom';
import type {Translate} from '../i18n';

const step = 40;

// home is the point of a vertex that is next to the middle of all of them: two vertices never share one.
function home(size: Size, v: GraphVertex): {x: number; y: number} {
  const n = v.points.length || 1,
    mx = v.points.reduce((a, p) => a + column(size, p), 0) / n,
    my = v.points.reduce((a, p) => a + row(size, p), 0) / n;
  let best = {x: mx, y: my},
    least = Infinity;
  for (const p of v.points) {
    const x = column(size, p),
      y = row(size, p),
      far = (x - mx) ** 2 + (y - my) ** 2;
    if (far < least) {
      least = far;
      best = {x, y};
    }
  }
  return {x: best.x * step, y: best.y * step};
}

const radius = (v: GraphVertex) => Math.min(19, 12.5 + 1.6 * Math.sqrt(v.points.length));
const round = (n: number) => Math.round(n * 10) / 10;

// graphPicture draws a graph; what the graph before it did not have is marked as new. Light is told the points of the
// vertex under the pointer.
export function graphPicture(
  t: Translate,
  size: Size,
  g: StringGraph,
  before: StringGraph | undefined,
  light: (points: readonly number[]) => void,
): SVGSVGElement {
  const at = g.vertices.map(v => home(size, v)),
    state = (v: GraphVertex) => `${v.name} ${v.alive} ${v.dead} ${v.points.length}`,
    old = new Set(before?.vertices.map(state));
  const lines = g.edges.flatMap(e => {
    const a = at[e.from],
      b = at[e.to],
      va = g.vertices[e.from],
      vb = g.vertices[e.to];
    if (!a || !b || !va || !vb) return [];
    const far = Math.hypot(b.x - a.x, b.y - a.y) || 1,
      ux = (b.x - a.x) / far,
      uy = (b.y - a.y) / far,
      from = radius(va),
      to = far - radius(vb) - 1;
    const spot = (along: number, across: number) =>
      `${round(a.x + along * ux - across * uy)} ${round(a.y + along * uy + across * ux)}`;
    return [
      svg('path', {
        class: e.directed ? 'inside' : 'beside',
        d: `M${spot(from, 0)}L${spot(e.directed ? to - 7 : to, 0)}`,
      }),
      e.directed && svg('path', {class: 'tip', d: `M${spot(to, 0)}L${spot(to - 9, 5)}L${spot(to - 9, -5)}z`}),
    ];
  });
  const spots = g.vertices.map((v, i) =>
    svg(
      'g',
      {
        class: [
          'vertex',
          v.kind,
          ...(v.alive ? ['alive'] : []),
          ...(v.dead ? ['dead'] : []),
          ...(before && !old.has(state(v)) ? ['new'] : []),
        ].join(' '),
        transform: `translate(${at[i]!.x} ${at[i]!.y})`,
        onpointerenter: () => light(v.points),
        onpointerleave: () => light([]),
      },
      svg('circle', {r: round(radius(v))}),
      v.alive && svg('circle', {class: 'ring', r: round(radius(v) + 3.5)}),
      svg('text', {dy: '.355em', 'font-size': v.name.length > 4 ? 8.5 : v.name.length > 3 ? 9.5 : 11}, v.name),
      v.dead && svg('path', {class: 'cross', d: 'M-12-12l24 24m0-24l-24 24'}),
    ),
  );
  const names = g.vertices
    .map(v => v.name + (v.alive ? ` (${t('judge.status.alive')})` : v.dead ? ` (${t('judge.status.dead')})` : ''))
    .join(', ');
  const ties = g.edges
    .map(e => `${g.vertices[e.from]?.name} ${e.directed ? '→' : '–'} ${g.vertices[e.to]?.name}`)
    .join(', ');
  const w = (size.w - 1) * step,
    h = (size.h - 1) * step;
  return svg(
    'svg',
    {
      class: 'string-graph',
      viewBox: `-28 -28 ${w + 56} ${h + 56}`,
      role: 'img',
      'aria-label': `${t('judge.graph')}: ${names}${ties && `. ${ties}`}`,
    },
    svg('rect', {class: 'frame', x: -20, y: -20, width: w + 40, height: h + 40, rx: 6}),
    svg('g', {'aria-hidden': 'true'}, lines, spots),
  );
}
