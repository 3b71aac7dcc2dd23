// Boards turned and mirrored.
import {type Geometry, type Region, type Size, area, between, column, pointAt, row} from './core';

// Symmetries, numbered and named as in package board: bit 4 exchanges columns
// and rows, then bit 1 mirrors left to right, then bit 2 top to bottom.

export const symmetries = [
  'identity',
  'mirror',
  'flip',
  'half-turn',
  'transpose',
  'turn-right',
  'turn-left',
  'anti-transpose',
] as const;
export type Symmetry = (typeof symmetries)[number];

export function inverse(sym: Symmetry): Symmetry {
  return sym === 'turn-right' ? 'turn-left' : sym === 'turn-left' ? 'turn-right' : sym;
}

export function turnedSize(s: Size, sym: Symmetry): Size {
  return symmetries.indexOf(sym) & 4 ? {w: s.h, h: s.w} : s;
}

// transformPoint returns where a symmetry takes a point of a board of size s;
// the result is a point of a board of turnedSize(s, sym).
export function transformPoint(s: Size, sym: Symmetry, p: number): number {
  const bits = symmetries.indexOf(sym),
    to = turnedSize(s, sym);
  let x = column(s, p),
    y = row(s, p);
  if (bits & 4) [x, y] = [y, x];
  if (bits & 1) x = to.w - 1 - x;
  if (bits & 2) y = to.h - 1 - y;
  return pointAt(to, x, y);
}

export function transformRegion(s: Size, sym: Symmetry, r: Region): Region {
  return between(
    turnedSize(s, sym),
    transformPoint(s, sym, pointAt(s, r.left, r.top)),
    transformPoint(s, sym, pointAt(s, r.right, r.bottom)),
  );
}

// transformPieces turns a position, and exchanges the sides if swap is set.
export function transformPieces(g: Geometry, sym: Symmetry, swap: boolean, pieces: ArrayLike<number>): number[] {
  const out: number[] = new Array(area(g.size)).fill(0);
  for (let p = 0; p < out.length; p++) {
    const piece = pieces[p] ?? 0;
    out[transformPoint(g.size, sym, p)] = swap ? (g.pieces[piece - 1]?.swap ?? piece) : piece;
  }
  return out;
}
