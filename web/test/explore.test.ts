import assert from 'node:assert/strict';
import test from 'node:test';

import type {Explored, Game, Hit, Move, Position} from '../src/api';
import {Walk} from '../src/explore/model';
import {read} from '../src/explore/state';

const othello = {
  spec: 'othello',
  family: 'othello',
  usual: true,
  aliases: [],
  records: 3,
  moving: false,
  geometry: {cells: true},
} as unknown as Game;
const xiangqi = {...othello, spec: 'xiangqi', family: 'xiangqi', moving: true, records: 1} as Game;
const games = [othello, xiangqi];

const move = (to: number, from = -1) => ({from, to, text: `m${to}`, side: 0}) as Move;
const position = (line: string, ...to: number[]) =>
  ({
    line,
    text: `text of ${line}`,
    ply: to.length,
    moves: to.map(p => move(p)),
    legal: [move(1), move(2), move(-1)],
  }) as unknown as Position;
const stateOf = (address: string) => read(new URL(address, 'http://qipu'), games);

test('a change of the view asks for nothing, and the state stays the same object', () => {
  const w = new Walk(stateOf('/explore?g=othello&m=f5&in=x'));
  const s = w.state;
  assert.equal(w.take(stateOf('/explore?g=othello&m=f5&in=x&flip=1&tab=games&heat=0')), 'draw');
  assert.ok(w.state === s && w.state.flip && w.state.tab === 'games' && !w.state.heat);
  assert.equal(w.take(stateOf('/explore?g=othello&m=f5d6&in=x')), 'ask');
  assert.ok(w.state !== s);
});

test('another game forgets the position, another position what was answered', () => {
  const w = new Walk(stateOf('/explore?g=othello&m=f5'));
  const here = position('f5', 7);
  w.arrive(here, here);
  w.answer = {moves: []} as unknown as Explored;
  w.arrive(here, here);
  assert.ok(w.answer);
  w.arrive(here, position('', 0));
  assert.equal(w.answer, null);
  w.take(stateOf('/explore?g=xiangqi'));
  assert.equal(w.spot, null);
});

test('steps along the line end at its ends', () => {
  const w = new Walk(stateOf('/explore?g=othello&m=f5d6c3'));
  const end = position('f5d6c3', 7, 8, 9);
  w.arrive(end, end);
  assert.equal(w.ply, 3);
  assert.deepEqual(w.toward(1), {ply: 1});
  assert.deepEqual(w.toward(-5), {ply: 0});
  assert.equal(w.toward(99), null);
  w.take({...w.state, ply: 1});
  w.arrive(end, position('f5', 7));
  assert.deepEqual(w.toward(Infinity), {ply: null});
  assert.ok(w.goesOn(position('f5d6', 7, 8)));
  assert.ok(!w.goesOn(position('f5f6', 7, 5)));
});

test('points that have figures are not marked as legal as well', () => {
  const w = new Walk(stateOf('/explore?g=othello'));
  w.arrive(position(''), position(''));
  assert.deepEqual(w.legal(), [1, 2]);
  w.answer = {moves: [{move: move(2)}]} as unknown as Explored;
  assert.deepEqual(w.legal(), [1]);
  w.take({...w.state, heat: false});
  assert.deepEqual(w.legal(), [1, 2]);
  w.take(stateOf('/explore?g=xiangqi'));
  assert.equal(w.legal(), undefined);
});

test('links', () => {
  const w = new Walk(stateOf('/explore?g=othello&m=f5&exact=1&sort=date'));
  assert.equal(w.searchLink, '/search?g=othello&q=position%3A%22start%22');
  const here = position('f5', 7);
  w.arrive(here, here);
  w.answer = {query: 'game:othello and position:"f5"'} as unknown as Explored;
  assert.equal(w.query, 'position:"f5"');
  assert.equal(w.playLink, '/play?g=othello&m=f5');
  assert.equal(w.judgeLink, '/judge?g=othello&m=text+of+f5');
  assert.equal(w.recordLink({record: {id: 4}, ply: 1} as Hit), '/records/4?g=othello&q=position%3A%22f5%22#1');
  assert.deepEqual(w.last, {to: 7});
  const {within: _, ...asked} = w.question('plain');
  assert.deepEqual(asked, {
    game: 'othello',
    line: 'f5',
    notation: 'plain',
    games: 'records',
    boards: true,
    openings: true,
    limit: 20,
    exact: true,
    sort: 'date',
    reverse: true,
  });
});
