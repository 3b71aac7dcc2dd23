// The states of boards that the gallery shows, for any game: what it begins with, and pieces set out by rule where a
// board has none yet. Nothing here touches the document.
import type {Game} from '../api';
import {type BoardState, type Mark, area, column, pointAt, row} from '../core';

export interface Exhibit {
  name: string; // of a text: gallery.state.*
  state: BoardState;
}

// pieces are those of the start, or on boards that begin empty some of all kinds in the middle.
export function pieces(game: Game): number[] {
  const g = game.geometry,
    list = [...game.start];
  if (list.filter(Boolean).length > 4) return list;
  const kinds = g.pieces.length;
  for (let p = 0; p < area(g.size); p++) {
    const x = column(g.size, p),
      y = row(g.size, p);
    if ((3 * x + 5 * y) % 7 === 0 && !list[p]) list[p] = 1 + ((x + y) % Math.min(kinds, 2));
  }
  return list;
}

// exhibits are the states of one game's boards.
export function exhibits(game: Game): readonly Exhibit[] {
  const g = game.geometry,
    {w, h} = g.size,
    some = pieces(game),
    base = {geometry: g, glyphs: game.glyphs, pieces: some},
    at = (x: number, y: number) => pointAt(g.size, Math.min(x, w - 1), Math.min(y, h - 1)),
    free = some.flatMap((p, i) => (p ? [] : [i])),
    taken = some.flatMap((p, i) => (p ? [i] : []));
  const signs: readonly Mark[] = ['triangle', 'square', 'circle', 'cross'];
  const corner = {left: 0, top: 0, right: Math.min(w - 1, 7), bottom: Math.min(h - 1, 6)};
  return [
    {name: 'start', state: {...base, pieces: game.start}},
    {name: 'pieces', state: {...base, last: {to: taken.at(-1) ?? 0}}},
    {name: 'names', state: {...base, coordinates: true}},
    {
      name: 'signs',
      state: {
        ...base,
        marks: new Map([...free.slice(0, 4), ...taken.slice(0, 4)].map((p, i) => [p, signs[i % 4]!])),
        labels: new Map([...free.slice(4, 7), ...taken.slice(4, 7)].map((p, i) => [p, 'ABC123'[i]!])),
      },
    },
    {
      name: 'arrows',
      state: {
        ...base,
        arrows: ['green', 'red', 'blue', 'yellow'].map((colour, i) => ({from: at(i, 1), to: at(i + 2, 4), colour})),
      },
    },
    {name: 'part', state: {...base, crop: corner}},
    {name: 'next', state: {...base, ghost: {at: free[0] ?? 0, piece: 1}, hints: free.slice(1, 4)}},
    {name: 'flipped', state: {...base, flip: true, region: {left: 1, top: 1, right: 3, bottom: 3}, dim: true}},
  ];
}
