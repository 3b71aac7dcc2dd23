import assert from 'node:assert/strict';
import test from 'node:test';

import {give, last, put, send, waiting} from '../src/learn/answers';
import type {DrillSession} from '../src/api';

const kept = new Map<string, string>();
Object.defineProperty(globalThis, 'localStorage', {
  value: {getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => void kept.set(k, v)},
});

test('what was answered waits until it has arrived, and what comes meanwhile stays', async () => {
  kept.clear();
  give('a', true, new Date(1));
  give('b', false, new Date(2));
  await assert.rejects(send(() => Promise.reject(new Error('no network'))));
  assert.equal(waiting().length, 2); // a night offline
  const sent: string[] = [];
  let first = true;
  const n = await send(list => {
    if (first) give('c', true, new Date(3));
    first = false;
    sent.push(...list.map(x => x.exercise));
    return Promise.resolve();
  });
  assert.equal(n, 3);
  assert.deepEqual(sent, ['a', 'b', 'c']);
  assert.deepEqual(waiting(), []);
});

test('the last session comes back without what was done of it', () => {
  kept.clear();
  const items = ['a', 'b'].map(exercise => ({exercise}));
  put('chess ', {items} as unknown as DrillSession);
  give('a', true);
  assert.deepEqual(
    last('chess ')?.items.map(x => x.exercise),
    ['b'],
  );
  assert.equal(last('go '), null);
});
