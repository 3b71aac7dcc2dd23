// A tree on a canvas. Where leaves have room it is drawn as a tree, with edges, moves and values; where they have not,
// as bars: a position over all that lies below it, and of those that share a pixel the first and the first cut: what is
// drawn is bounded by the pixels, and not by the tree.
import {type Tree, isCut, pathTo, reasonAt, reasons} from './tree';

// View is the part that is shown, in leaves.
export interface View {
  from: number;
  to: number;
}

export interface Look {
  colours: readonly string[]; // by reason
  text: string;
  muted: string;
  line: string;
  ground: string;
  accent: string;
  font: string;
}

export interface Moment {
  now: number;
  current: number; // the position that the last event was about; -1 for none
  chosen: number; // that somebody looks at; -1 for none
}

const roomy = 7, // pixels that a leaf needs for a tree with edges
  top = 14,
  bottom = 16;

// look reads the colours of the style sheet.
export function look(node: Element): Look {
  const css = getComputedStyle(node),
    v = (name: string) => css.getPropertyValue(name).trim();
  return {
    colours: reasons.map(r => v(`--lab-${r}`)),
    text: v('--text'),
    muted: v('--muted'),
    line: v('--line-strong'),
    ground: v('--card'),
    accent: v('--accent'),
    font: css.fontFamily,
  };
}

export const whole = (t: Tree): View => ({from: -0.5, to: t.leaves - 0.5});

const rowOf = (t: Tree, height: number): number => Math.min(88, (height - top - bottom) / Math.max(1, t.deep + 0.6));

// drawTree draws what has happened by a moment. value writes a value beside a position.
export function drawTree(
  g: CanvasRenderingContext2D,
  t: Tree,
  view: View,
  m: Moment,
  width: number,
  height: number,
  how: Look,
  value: (i: number) => string,
): void {
  g.clearRect(0, 0, width, height);
  const px = width / (view.to - view.from),
    row = rowOf(t, height),
    shown = (i: number) => t.enter[i]! <= m.now && t.to[i]! >= view.from - 1 && t.from[i]! <= view.to + 1,
    x = (i: number) => ((t.from[i]! + t.to[i]!) / 2 - view.from) * px,
    y = (i: number) => top + t.ply[i]! * row;
  const chosen = m.chosen >= 0 ? m.chosen : m.current;
  if (px < roomy) bars();
  else edges();
  function bars(): void {
    const high = Math.max(1, row - (row > 8 ? 2 : row > 4 ? 1 : 0)),
      lists: number[][] = reasons.map(() => []);
    for (const [ply, list] of t.rows.entries()) {
      let last = -1,
        cut = -1;
      const y = top - 6 + ply * row;
      for (const i of list) {
        if (!shown(i)) continue;
        const r = reasonAt(t, i, m.now),
          a = (t.from[i]! - 0.5 - view.from) * px,
          w = (t.to[i]! - t.from[i]! + 1) * px;
        if (a + w < (isCut(r) ? cut : last) + 0.6) continue;
        last = a + Math.max(w, 1);
        if (isCut(r)) cut = last;
        lists[r]!.push(a, y, w > 3 ? w - 0.5 : Math.max(w, 1), high);
      }
    }
    lists.forEach((list, r) => {
      g.fillStyle = how.colours[r]!;
      for (let k = 0; k < list.length; k += 4) g.fillRect(list[k]!, list[k + 1]!, list[k + 2]!, list[k + 3]!);
    });
    if (chosen >= 0) {
      g.strokeStyle = how.accent;
      g.lineWidth = 2;
      for (const i of pathTo(t, chosen)) {
        const a = (t.from[i]! - 0.5 - view.from) * px,
          w = Math.max(3, (t.to[i]! - t.from[i]! + 1) * px);
        g.strokeRect(a, top - 6 + t.ply[i]! * row, w, high);
      }
    }
  }
  function edges(): void {
    const size = Math.max(2.2, Math.min(6, px / 3.2, row / 6)),
      path = new Set(chosen >= 0 ? pathTo(t, chosen) : []);
    const stroke = (style: string, wide: number, pick: (i: number) => boolean) => {
      g.strokeStyle = style;
      g.lineWidth = wide;
      g.beginPath();
      for (let i = 0; i < t.n; i++) {
        const up = t.parent[i]!;
        if (up < 0 || !shown(i) || !pick(i)) continue;
        g.moveTo(x(up), y(up));
        g.lineTo(x(i), y(i));
      }
      g.stroke();
    };
    stroke(how.line, 0.8, i => !path.has(i));
    stroke(how.accent, 2.4, i => path.has(i));
    const lists: number[][] = reasons.map(() => []);
    for (let i = 0; i < t.n; i++) if (shown(i)) lists[reasonAt(t, i, m.now)]!.push(i);
    lists.forEach((list, r) => {
      if (!list.length) return;
      const cut = isCut(r),
        open = reasons[r] === 'open';
      g.beginPath();
      for (const i of list) {
        g.moveTo(x(i) + size, y(i));
        g.arc(x(i), y(i), size, 0, 2 * Math.PI);
      }
      g.fillStyle = open ? how.ground : how.colours[r]!;
      g.fill();
      if (open || r === 2) {
        g.strokeStyle = how.colours[open ? r : 1]!;
        g.lineWidth = open ? 2 : 1;
        g.stroke();
      }
      if (!cut) return;
      // What was not read: three strokes that end in nothing.
      g.strokeStyle = how.colours[r]!;
      g.lineWidth = 1.2;
      g.beginPath();
      for (const i of list)
        for (const d of [0.3, 0.9, 1.5]) {
          g.moveTo(x(i) + size * d, y(i) + size * 0.8);
          g.lineTo(x(i) + size * (d + 0.5), y(i) + size + Math.min(9, row * 0.22));
        }
      g.stroke();
    });
    if (chosen >= 0) {
      g.strokeStyle = how.accent;
      g.lineWidth = 2.4;
      g.beginPath();
      g.arc(x(chosen), y(chosen), size + 3, 0, 2 * Math.PI);
      g.stroke();
    }
    if (row < 30) return;
    // Names where they do not lie on each other, the path first.
    const texts = (list: Iterable<number>, bold: boolean) => {
      g.font = `${bold ? '600 ' : ''}11px ${how.font}`;
      g.textAlign = 'center';
      for (const i of list) {
        const label = t.parent[i]! < 0 ? '' : t.move[i]!,
          under = t.leave[i]! <= m.now ? value(i) : '',
          w = Math.max(g.measureText(label).width, g.measureText(under).width) + 4,
          taken = used[t.ply[i]!]!;
        if (taken.some(([a, b]) => x(i) - w / 2 < b && x(i) + w / 2 > a)) continue;
        taken.push([x(i) - w / 2, x(i) + w / 2]);
        g.lineWidth = 3;
        g.strokeStyle = how.ground;
        for (const [text, dy, style] of [
          [label, -size - 4, how.muted],
          [under, size + 12, how.text],
        ] as const) {
          if (!text) continue;
          g.strokeText(text, x(i), y(i) + dy);
          g.fillStyle = style;
          g.fillText(text, x(i), y(i) + dy);
        }
      }
    };
    const used: [number, number][][] = t.rows.map(() => []),
      fits = (i: number) => shown(i) && x(i) > -20 && x(i) < width + 20;
    texts([...path].filter(fits), true);
    for (const list of t.rows) if (list.length * 18 < width * 4) texts(list.filter(fits), false);
  }
}

// pick finds the position at a place of the picture, among those that have been entered: -1 where there is none.
export function pick(t: Tree, view: View, now: number, px: number, py: number, width: number, height: number): number {
  const row = rowOf(t, height),
    ply = Math.max(0, Math.min(t.deep, Math.round((py - top) / row))),
    at = view.from + (px / width) * (view.to - view.from);
  let best = -1,
    far = Infinity;
  for (const i of t.rows[ply] ?? []) {
    if (t.enter[i]! > now) continue;
    const d =
      at >= t.from[i]! - 0.5 && at <= t.to[i]! + 0.5 ? 0 : Math.min(Math.abs(at - t.from[i]!), Math.abs(at - t.to[i]!));
    if (d < far) {
      far = d;
      best = i;
    }
    if (!d) break;
  }
  return best;
}

// zoomed makes a view larger or smaller around a place of it, from 0 to 1; moved shifts it. Both stay on the tree.
export function zoomed(t: Tree, v: View, by: number, around: number): View {
  const wide = Math.min(t.leaves, Math.max(3, (v.to - v.from) * by)),
    at = v.from + around * (v.to - v.from);
  return clamp(t, at - around * wide, wide);
}
export const moved = (t: Tree, v: View, leaves: number): View => clamp(t, v.from + leaves, v.to - v.from);

// towards moves a view so that a position is in it.
export function towards(t: Tree, v: View, i: number): View {
  const at = (t.from[i]! + t.to[i]!) / 2;
  return at >= v.from && at <= v.to ? v : moved(t, v, at - (v.from + v.to) / 2);
}

function clamp(t: Tree, from: number, wide: number): View {
  const a = Math.max(-0.5, Math.min(t.leaves - 0.5 - wide, from));
  return {from: a, to: a + wide};
}
