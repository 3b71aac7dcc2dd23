import assert from 'node:assert/strict';
import test from 'node:test';

import type {FullRecord, Node} from '../src/api';
import {Guess, Line, nextPlace, placeAt} from '../src/record/model';

// A main line of three moves on points 4, 5 and 6, and a variation with 7 and 8 in place of the last two.
const node = (parent: number, ply: number, to: number): Node =>
  ({
    parent,
    ply,
    to,
    from: -1,
    move: `m${to}`,
    changes: to < 0 ? [] : [to, 1 + (ply % 2)],
    turn: ply % 2,
  }) as unknown as Node;
const nodes = [node(-1, 0, -1), node(0, 1, 4), node(1, 2, 5), node(2, 3, 6), node(1, 2, 7), node(4, 3, 8)];
const made = () => new Line({nodes, start: new Array(9).fill(0)} as unknown as FullRecord);

test('a line goes on where it went before', () => {
  const line = made();
  assert.deepEqual(line.main, [0, 1, 2, 3]);
  assert.equal(line.end(0), 3);
  line.visit(5);
  assert.equal(line.end(0), 5);
  assert.equal(line.step(0, 2), 4);
  assert.equal(line.step(5, -9), 0);
  assert.equal(line.sibling(5, 1), 3);
  assert.equal(line.branch(5), 4);
  assert.deepEqual(line.pieces(4), [0, 0, 0, 0, 2, 0, 0, 1, 0]);
});

test('an address names the ply of the main line, else the node', () => {
  const line = made();
  for (const i of nodes.keys()) assert.equal(line.parse(line.hash(i)), i);
  assert.equal(line.hash(3), '#3');
  assert.equal(line.hash(5), '#n5');
  assert.equal(line.parse('#99'), 3);
  assert.equal(line.parse('#n99'), 0);
});

test('what is typed is looked for ahead, then behind', () => {
  const line = made();
  assert.equal(line.seek(0, 'm5', undefined), 2);
  assert.equal(line.seek(3, 'M4', undefined), 1);
  assert.equal(line.seek(1, 'm7', undefined), 4);
  assert.equal(line.seek(0, '2', undefined), 2);
  assert.equal(line.seek(0, 'm9', undefined), null);
});

test('a guess counts once for each move, however often it is tried', () => {
  const line = made(),
    g = new Guess();
  assert.equal(g.take(line, 0, -1, 3), undefined);
  assert.equal(g.take(line, 0, -1, 3), undefined);
  assert.deepEqual(g.tried, [3]);
  assert.equal(g.take(line, 0, -1, 4), 1);
  assert.deepEqual([g.right, g.all], [0, 1]);
  g.tried = [];
  assert.equal(g.take(line, 1, -1, 7), 4);
  assert.deepEqual([g.right, g.all], [1, 2]);
});

test('places of a query are gone through in order', () => {
  const line = made(),
    list = [
      {ply: 1, region: 'a1:c3'},
      {ply: 1, region: 'b1:c3'},
      {ply: 3, region: null},
    ];
  assert.equal(placeAt(list, line, 1, 'b1:c3'), 1);
  assert.equal(placeAt(list, line, 1, 'x'), 0);
  assert.equal(placeAt(list, line, 2, null), -1);
  assert.equal(placeAt(list, line, 5, null), -1); // a variation
  assert.equal(nextPlace(list, line, 1, 'a1:c3', 1), 1);
  assert.equal(nextPlace(list, line, 2, null, 1), 2);
  assert.equal(nextPlace(list, line, 2, null, -1), 1);
  assert.equal(list[nextPlace(list, line, 3, null, 1)], undefined);
});
