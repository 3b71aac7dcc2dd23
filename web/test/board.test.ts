import assert from 'node:assert/strict';
import test from 'node:test';

import {type Geometry, type Told, cellText, legend, piled, pointOf, readRow} from '../src/core';

const g = {
  size: {w: 8, h: 8},
  columns: [...'abcdefgh'],
  rows: [...'87654321'],
  labels: {top: [...'12345678'], bottom: [...'abcdefgh'], left: [...'87654321'], right: [...'87654321']},
  pieces: [{glyph: '炮'}, {glyph: '相'}],
} as unknown as Geometry;

const at = (name: string) => pointOf(g, name);
const told = (from: string, to: string, text: string, value = 0.6, side = 0): Told => ({
  side,
  from: from ? at(from) : -1,
  to: at(to),
  value,
  text,
  title: `t${text}`,
});

test('moves of several pieces to one point are told apart', () => {
  const heat = piled(g, [], [told('d2', 'e3', '63'), told('e2', 'e3', '41', 0.8), told('a2', 'a3', '50')], Math.hypot);
  assert.deepEqual(heat.get(at('e3')), {value: 1, text: 'd 63\ne 41', title: 'd2: t63; e2: t41'});
  assert.deepEqual(heat.get(at('a3')), {value: 0.6, text: '50', title: 't50'});
});

test('the shortest names that differ are taken', () => {
  const text = (...from: string[]) =>
    piled(
      g,
      [],
      from.map(f => told(f, 'e5', '1')),
      Math.max,
    ).get(at('e5'))?.text;
  assert.equal(text('e2', 'e7'), '2 1\n7 1');
  assert.equal(text('e2', 'e7', 'd7'), 'e2 1\ne7 1\nd7 1');
  assert.equal(text('', 'e2'), '· 1\ne 1');
  assert.equal(text('a1', 'b1', 'c1', 'd1'), 'a 1\nb 1\nc 1');
});

test('what is written on the pieces comes first, and columns as the side reads them', () => {
  const pieces: number[] = [];
  pieces[at('a1')] = pieces[at('b1')] = 1;
  pieces[at('c1')] = 2;
  const text = (side: number, ...from: string[]) =>
    piled(
      g,
      pieces,
      from.map(f => told(f, 'e5', '1', 1, side)),
      Math.max,
    ).get(at('e5'))?.text;
  assert.equal(text(0, 'a1', 'c1'), '炮 1\n相 1');
  assert.equal(text(0, 'a1', 'b1'), 'a 1\nb 1');
  assert.equal(text(1, 'a1', 'b1'), '1 1\n2 1');
  const rare = [told('c1', 'e5', '1'), told('a1', 'e5', ''), told('b1', 'e5', '')];
  assert.equal(piled(g, pieces, rare, Math.max).get(at('e5'))?.text, '相 1');
});

test('a move that is told twice is told once', () => {
  const heat = piled(g, [], [told('d2', 'e3', '63'), told('d2', 'e3', '41')], Math.max);
  assert.deepEqual(heat.get(at('e3')), {value: 0.6, text: '63', title: 't63'});
});

test('diagrams of two kinds of pieces are X and O, whatever the letters', () => {
  for (const letters of [
    ['P', 'p'],
    ['X', 'O'],
    ['Bb', 'Ww'],
    ['Oo', 'Xx'],
  ]) {
    const two = {
      ...g,
      pieces: letters.map((l, owner) => ({letters: l, owner, swap: 2 - owner})),
    } as unknown as Geometry;
    assert.deepEqual(
      legend(two).map(c => c.text),
      ['X', 'O', '.', '*', 'x', 'o', '[XO]'],
    );
    for (const {cell, text} of legend(two)) assert.deepEqual(readRow(two, text), [cell]);
    assert.equal(cellText(two, 2), 'X');
  }
  const pawns = {...g, pieces: [{letters: 'P'}, {letters: 'p'}]} as unknown as Geometry;
  assert.deepEqual(readRow(pawns, 'Pp[Pp]xo'), [2, 4, 6, 3, 5]);
  assert.equal(readRow(pawns, 'B'), null);
});
