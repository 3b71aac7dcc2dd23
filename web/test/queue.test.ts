import assert from 'node:assert/strict';
import test from 'node:test';

import {Queue} from '../src/queue';

const held = () => {
  let free = () => {};
  const wait = new Promise<void>(go => {
    free = go;
  });
  return {wait, free};
};

test('what nothing waits for is done at once, the rest in order', async () => {
  const q = new Queue(),
    {wait, free} = held(),
    done: string[] = [];
  const first = q.run(async () => {
    done.push('first');
    await wait;
    done.push('answered');
    return 1;
  });
  const second = q.run(() => done.push('second')),
    third = q.run(() => done.push('third'));
  assert.deepEqual(done, ['first']);
  assert.ok(q.busy);
  free();
  assert.equal(await first, 1);
  await Promise.all([second, third]);
  assert.deepEqual(done, ['first', 'answered', 'second', 'third']);
  await Promise.resolve();
  assert.ok(!q.busy);
  void q.run(() => done.push('fourth'));
  assert.equal(done.at(-1), 'fourth');
});

test('an act that fails tells it, and those behind it go on', async () => {
  const q = new Queue();
  const bad = q.run(() => {
    throw new Error('no');
  });
  const next = q.run(() => 2);
  await assert.rejects(bad);
  assert.equal(await next, 2);
});

test('what is cleared is not done, and nothing waits for it', async () => {
  const q = new Queue(),
    {wait, free} = held();
  let still = true;
  const first = q.run(async signal => {
      await wait;
      still = !signal.aborted;
    }),
    second = q.run(() => 2);
  q.clear();
  assert.ok(!q.busy);
  assert.equal(await q.run(() => 3), 3);
  free();
  await first;
  assert.equal(still, false);
  assert.equal(await second, undefined);
  assert.ok(!q.busy);
});
