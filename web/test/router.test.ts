import assert from 'node:assert/strict';
import test from 'node:test';

import {match, short, withQuery} from '../src/router';

test('a parameter may have the name that it has in the interface', () => {
  for (const [from, to] of [
    ['/explore?game=xiangqi&m=h2e2', '/explore?m=h2e2&g=xiangqi'],
    ['/play?session=7', '/play?s=7'],
    ['/search?g=weiqi&game=renju', '/search?g=weiqi'],
    ['/records/4?q=a#12', '/records/4?q=a#12'],
  ] as const) {
    const url = short(new URL(from, 'http://qipu'));
    assert.equal(url.pathname + url.search + url.hash, to);
  }
});

test('routes', () => {
  const routes = [{path: '/'}, {path: '/records/:id'}];
  assert.deepEqual(match(routes, '/records/a%2Fb/'), {route: routes[1], params: {id: 'a/b'}});
  assert.equal(match(routes, '/records/%zz'), null);
  assert.equal(match(routes, '/records'), null);
});

test('withQuery sets what is there and takes away the rest', () => {
  assert.equal(withQuery(new URL('http://qipu/search?q=a&after=3#x'), {q: 'b c', after: null}), '/search?q=b+c#x');
});
