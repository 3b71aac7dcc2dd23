// What a pointer on a board means, without a browser: mouse, touch and pen take
// the same path. A gesture is a value that press, move and release hand on, and
// each answers the effects to carry out. Places are in units of the scene.
import {type BoardState, type Region, type Spot, between, inRegion, line} from './core';
import {clamped, handles, nearest, step} from './scene';

// Mode is what the main button does: tell the point, pick up and move pieces,
// paint points, or draw a region. The second button always draws regions by
// dragging where they are wanted, and tells the point by a click. A click in
// mode 'region' outside the region takes it away.
export type Mode = 'point' | 'move' | 'paint' | 'region';

export interface Contact {
  button: number;
  shift: boolean;
  touch: boolean;
}

export interface Rules {
  mode: Mode;
  regions: boolean; // regions may be drawn and changed
  reach: number; // how near a handle is taken, in units
  canPick(point: number): boolean;
}

export type Gesture =
  | {kind: 'press'; point: number; start: Spot; contact: Contact}
  | {kind: 'drag'; from: number; fresh: boolean; at: Spot; moved: boolean; start: Spot; contact: Contact}
  | {kind: 'paint'; point: number; contact: Contact}
  | {kind: 'region'; anchor: number; moved: boolean; contact: Contact}
  | {kind: 'resize'; handle: number; region: Region};

export type Effect =
  | {do: 'point'; point: number; contact: Contact}
  | {do: 'pick'; point: number | null}
  | {do: 'drag'; from: number; to: number}
  | {do: 'paint'; point: number; first: boolean; contact: Contact}
  | {do: 'region'; region: Region | null; done: boolean};

type Next = readonly [Gesture | null, readonly Effect[]];

const far = (a: Spot, b: Spot, d: number): boolean => Math.hypot(a.x - b.x, a.y - b.y) > d;

export function press(rules: Rules, s: BoardState, at: Spot, contact: Contact): Next {
  if (rules.regions && s.region && contact.button === 0) {
    const handle = handles(s).findIndex(h => !far(h, at, rules.reach));
    // Where a handle overlaps a point that is hit well, the point is meant.
    if (handle >= 0 && (rules.mode === 'region' || nearest(s, at.x, at.y, 0.3) < 0))
      return [{kind: 'resize', handle, region: s.region}, []];
  }
  const point = nearest(s, at.x, at.y);
  if (contact.button === 0) {
    if (rules.mode === 'region') return [{kind: 'region', anchor: clamped(s, at.x, at.y), moved: false, contact}, []];
    if (rules.mode === 'paint' && !contact.touch && point >= 0) {
      return [{kind: 'paint', point, contact}, [{do: 'paint', point, first: true, contact}]];
    }
    const target = s.selected !== undefined && s.legal?.includes(point);
    if (rules.mode === 'move' && point >= 0 && rules.canPick(point) && !target) {
      const fresh = s.selected !== point;
      return [
        {kind: 'drag', from: point, fresh, at, start: at, moved: false, contact},
        fresh ? [{do: 'pick', point}] : [],
      ];
    }
  }
  return [{kind: 'press', point, start: at, contact}, []];
}

export function move(rules: Rules, s: BoardState, g: Gesture, at: Spot): Next {
  switch (g.kind) {
    case 'press':
      if (g.contact.button !== 2 || !rules.regions || !far(g.start, at, 0.6 * step)) return [g, []];
      return move(
        rules,
        s,
        {kind: 'region', anchor: clamped(s, g.start.x, g.start.y), moved: true, contact: g.contact},
        at,
      );
    case 'drag':
      return [{...g, at, moved: g.moved || far(g.start, at, 0.15 * step)}, []];
    case 'paint': {
      const point = nearest(s, at.x, at.y);
      if (point < 0 || point === g.point) return [g, []];
      const size = s.geometry.size;
      return [
        {...g, point},
        line(size, g.point, point).map(p => ({do: 'paint', point: p, first: false, contact: g.contact})),
      ];
    }
    case 'region': {
      const to = clamped(s, at.x, at.y),
        moved = g.moved || to !== g.anchor;
      return [
        {...g, moved},
        moved ? [{do: 'region', region: between(s.geometry.size, g.anchor, to), done: false}] : [],
      ];
    }
    case 'resize':
      return [g, [{do: 'region', region: resized(s, g, at), done: false}]];
  }
}

export function release(rules: Rules, s: BoardState, g: Gesture, at: Spot): readonly Effect[] {
  const point = nearest(s, at.x, at.y);
  switch (g.kind) {
    case 'press': {
      if (point < 0 || point !== g.point) return [];
      if (rules.mode === 'move' && g.contact.button === 0 && s.selected !== undefined) {
        return !s.legal || s.legal.includes(point)
          ? [{do: 'drag', from: s.selected, to: point}]
          : [{do: 'pick', point: null}];
      }
      return rules.mode === 'paint'
        ? [{do: 'paint', point, first: true, contact: g.contact}]
        : [{do: 'point', point, contact: g.contact}];
    }
    case 'drag':
      if (point === g.from) return g.fresh ? [] : [{do: 'pick', point: null}];
      return point < 0 || !g.moved ? [] : [{do: 'drag', from: g.from, to: point}];
    case 'paint':
      return [];
    case 'region': {
      const to = clamped(s, at.x, at.y),
        {size} = s.geometry;
      if (g.moved) return [{do: 'region', region: between(size, g.anchor, to), done: true}];
      if (s.region && !inRegion(size, s.region, to)) return [{do: 'region', region: null, done: true}];
      return point < 0 ? [] : [{do: 'point', point, contact: g.contact}];
    }
    case 'resize':
      return [{do: 'region', region: resized(s, g, at), done: true}];
  }
}

// resized returns the region with the sides that a handle holds moved to a
// place. Handles are counted as they are seen, regions as the board lies.
function resized(s: BoardState, g: {handle: number; region: Region}, at: Spot): Region {
  const {w} = s.geometry.size,
    p = clamped(s, at.x, at.y),
    x = p % w,
    y = Math.floor(p / w);
  const i = g.handle < 4 ? g.handle : g.handle + 1; // of nine, with the middle
  const across = i % 3,
    down = Math.floor(i / 3),
    r = {...g.region};
  if (across !== 1) r[(across === 0) !== !!s.flip ? 'left' : 'right'] = x;
  if (down !== 1) r[(down === 0) !== !!s.flip ? 'top' : 'bottom'] = y;
  return {
    left: Math.min(r.left, r.right),
    right: Math.max(r.left, r.right),
    top: Math.min(r.top, r.bottom),
    bottom: Math.max(r.top, r.bottom),
  };
}

// Wheel turns the wheel into single steps: small movements add up, a pause or a
// change of direction forgets them, and one event is one step at most.
export class Wheel {
  #sum = 0;
  #at = 0;

  turn(delta: number, lines: boolean, now: number): -1 | 0 | 1 {
    const pixels = delta * (lines ? 40 : 1);
    if (now - this.#at > 250 || this.#sum * pixels < 0) this.#sum = 0;
    this.#at = now;
    this.#sum += pixels;
    if (Math.abs(this.#sum) < 50) return 0;
    this.#sum = 0;
    return pixels > 0 ? 1 : -1;
  }
}
