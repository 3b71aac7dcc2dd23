import assert from 'node:assert/strict';
import test from 'node:test';

import type {Finding, Game} from '../src/api';
import type {Translate} from '../src/i18n';
import {hex, inLanguage, momentOf, plain, queryOf, read, say, step, withoutIt} from '../src/insights/model';

const game = {
  spec: 'xiangqi',
  geometry: {size: {w: 9, h: 10}},
  sides: [
    {name: 'red', titles: {en: 'Red', 'zh-Hant': '紅方'}},
    {name: 'black', titles: {en: 'Black', 'zh-Hant': '黑方'}},
  ],
} as unknown as Game;
const t: Translate = (key, params) => `${key}(${Object.values(params ?? {}).join('|')})`;

test('a question is read from the address and becomes a query', () => {
  const w = read(new URL('http://x/insights?player=Hu+Ronghua&from=1990&rating=2400&q=event:cup&at=30'), game);
  assert.equal(queryOf(w), '(event:cup) player="Hu Ronghua" year:1990.. rating:2400..');
  assert.equal(momentOf(w), 'ply:60');
  const usual = read(new URL('http://x/insights?from=abc&at=never'), game);
  assert.equal(queryOf(usual), '');
  assert.equal(momentOf(usual), 'ply:40');
  assert.equal(momentOf({...usual, at: 'end'}), 'end');
});

test('names are told in the language of the reader', () => {
  assert.equal(inLanguage('盤河馬 (River horse)', 'en'), 'River horse');
  assert.equal(inLanguage('盤河馬 (River horse)', 'zh-Hant'), '盤河馬');
  assert.equal(inLanguage("Comp'Oth", 'ja'), "Comp'Oth");
  assert.equal(plain('en', game, 'black 盤河馬 (River horse)'), 'River horse');
});

test('findings become sentences', () => {
  const item = {
    id: 'black.river-horse',
    name: 'river-horse',
    title: 'black 盤河馬 (River horse)',
    kind: 'structure',
    side: 1,
  };
  const f = {kind: 'rule', items: [item], then: [], side: 0, effect: -0.108, error: 0.039} as unknown as Finding;
  assert.equal(
    say(t, 'en', game, {at: 'ply:40', by: ['material']}, f),
    'insights.say.rule.less(insights.say.of(Black|River horse)|insights.when.by(20)|Red|10.8 ± 3.9)',
  );
  const both = {...f, kind: 'together', then: [item], confidence: 0.8, support: 0.2, base: 0.5} as unknown as Finding;
  assert.ok(Math.abs(withoutIt(both) - 0.4) < 1e-9);
  assert.ok(say(t, 'en', game, {at: 'end', by: []}, both).endsWith('|80|40)'));
});

test('arrows stay on the map', () => {
  assert.equal(step(0, 4, 3, 'ArrowLeft'), 0);
  assert.equal(step(0, 4, 3, 'ArrowRight'), 1);
  assert.equal(step(11, 4, 3, 'ArrowDown'), 11);
  assert.equal(step(4, 4, 3, 'ArrowUp'), 0);
  assert.deepEqual(hex(5, 4), {x: 1.5, y: Math.sqrt(3) / 2});
});
