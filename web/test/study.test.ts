import assert from 'node:assert/strict';
import test from 'node:test';

import type {StudyEdits} from '../src/api';
import {fit, ranked} from '../src/command/model';
import {type Keep, Outbox, newPage, nextLabel, put} from '../src/study/model';

const shelf = (): Keep & {list: readonly StudyEdits[]} => ({
  list: [],
  load() {
    return this.list;
  },
  save(list) {
    this.list = JSON.parse(JSON.stringify(list)) as StudyEdits[];
  },
});

test('changes go out in order, each under a name of its own, and wait over a reload', () => {
  const keep = shelf(),
    box = new Outbox(keep, 'p-1');
  box.add({do: 'comment', node: 'r.1', text: 'a'}, 5);
  box.add({do: 'comment', node: 'r.1', text: 'ab'}, 5);
  assert.equal(box.waiting, 1);
  const first = box.begin()!;
  assert.equal(first.edits[0]!.text, 'ab');
  assert.equal(box.begin(), undefined); // one at a time
  box.add({do: 'comment', node: 'r.1', text: 'abc'}, 5); // the one that is on its way stays as it is
  assert.equal(first.edits[0]!.text, 'ab');
  assert.equal(box.waiting, 2);
  box.end(true); // it did not arrive
  const later = new Outbox(keep, 'p-2');
  assert.deepEqual([later.begin()!.sent, later.first!.page], ['p-1.1', 'p-1']);
  later.end(false);
  assert.equal(later.begin()!.edits[0]!.text, 'abc');
  later.end(false);
  assert.equal(keep.list.length, 0);
});

test('changes of other kinds, or of other moves, are not joined', () => {
  const box = new Outbox(shelf(), 'p-1');
  box.add({do: 'comment', node: 'r.1', text: 'a'}, 0);
  box.add({do: 'glyph', node: 'r.1', text: '!'}, 0);
  box.add({do: 'comment', node: 'r.1', text: 'b'}, 0);
  box.add({do: 'comment', node: 'r.2', text: 'c'}, 0);
  assert.equal(box.waiting, 4);
});

test('a sign is put on a point, and taken away by a second click', () => {
  const name = (p: number) => 'P' + p;
  assert.deepEqual(put('triangle', 'green', 'r.1', 4, null, [], name).edit, {
    do: 'sign',
    node: 'r.1',
    sign: 'triangle',
    points: 'P4',
  });
  assert.equal(
    put('triangle', 'green', 'r.1', 4, null, [{point: 4, kind: 'triangle', text: ''}], name).edit!.do,
    'unsign',
  );
  assert.deepEqual(put('arrow', 'red', 'r.1', 4, null, [], name), {from: 4});
  assert.deepEqual(put('arrow', 'red', 'r.1', 4, 4, [], name), {});
  assert.equal(put('arrow', 'red', 'r.1', 5, 4, [], name).edit!.points, 'P4:P5');
  assert.equal(put('region', 'red', 'r.1', 4, 4, [], name).edit!.text, 'red');
  assert.equal(put('letter', 'red', 'r.1', 4, null, [{point: 1, kind: 'label', text: 'A'}], name).edit!.text, 'B');
});

test('labels go on with the first that is free', () => {
  const l = (text: string) => ({point: 0, kind: 'label' as const, text});
  assert.equal(nextLabel('letter', []), 'A');
  assert.equal(nextLabel('letter', [l('A'), l('C')]), 'B');
  assert.equal(nextLabel('number', [l('1'), l('2')]), '3');
  assert.ok(/^[a-z0-9-]{2,40}$/.test(newPage()));
});

test('the palette finds words in any order, accents or not, and puts the best first', () => {
  assert.ok(fit('Flip the board', 'flip') > fit('Flip the board', 'board'));
  assert.ok(fit('Flip the board', 'board flip') > 0);
  assert.ok(fit('Lü Qin', 'lu qin') > 0);
  assert.equal(fit('Settings', 'xq'), 0);
  const list = ranked(
    [
      {kind: 'page', label: 'Players'},
      {kind: 'page', label: 'Play'},
    ],
    [{kind: 'player', label: '胡榮華'}],
    'hu ronghua',
  );
  assert.deepEqual(
    list.map(e => e.label),
    ['胡榮華'],
  );
});
