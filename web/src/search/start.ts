// What stands beside an empty board: shapes to begin with, and questions that run when they are clicked.
// i18n: search.shape.*, search.example.*
import type {Game} from '../api';
import {pieceCell, pointOf, readRow} from '../core';
import {fill, h} from '../dom';
import {mini} from '../minis';
import {offers} from '../offers';
import type {Desk} from './desk';
import {type Editor, autoRegion, compose, fresh, piecesOf} from './model';
import {searches} from './saved';

function editorOf(game: Game, text: string): Editor {
  const g = game.geometry,
    cells = new Map<number, number>(),
    ed = {...fresh(game)};
  if (text.includes('/')) {
    let p = 0;
    for (const m of text.matchAll(/\d+|[^/]/g))
      if (/\d/.test(m[0])) p += +m[0];
      else cells.set(p++, readRow(g, m[0])?.[0] ?? 1);
  } else {
    const words = text.split(' ');
    for (let i = 0; i + 1 < words.length; i += 2)
      cells.set(pointOf(g, words[i + 1]!), pieceCell(g.pieces.findIndex(l => l.letters.includes(words[i]!)) + 1));
  }
  const next = {...ed, cells};
  return {...next, region: autoRegion(game, next)};
}

export function start(desk: Desk): HTMLElement {
  const {ctx} = desk,
    {t} = ctx,
    {game} = desk.state,
    g = game.geometry;
  const shapes = h('div.stack'),
    last = h('div.stack'),
    examples = h('div.stack');
  const saved = async () =>
    (await ctx.api.may('list-queries')) ? (await ctx.call('GET /queries', {query: {limit: 40}})).queries : [];
  void saved().then(
    queries => {
      const own = queries
        .filter(s => s.board && s.game === game.spec)
        .sort((a, b) => b.used.localeCompare(a.used))
        .slice(0, 6);
      if (own.length) fill(last, h('h2', t('search.last')), searches(ctx, desk.games, own));
    },
    () => undefined,
  ); // the page is of use without them
  void offers(ctx.signal).then(
    all => {
      const usual = Object.entries((game.usual && all.shapes[game.family]) || {});
      fill(
        shapes,
        usual.length > 0 && [
          h('h2', t('search.beginWith')),
          h(
            'div.searches',
            usual.map(([name, text]) => {
              const ed = editorOf(game, text);
              return h(
                'a.search-card',
                {href: desk.link(compose(game, ed, []))},
                mini({
                  geometry: g,
                  glyphs: game.glyphs,
                  pieces: piecesOf(g, ed),
                  ...(ed.region && !game.moving && {crop: ed.region}),
                }),
                h('span', t(`search.shape.${name}` as 'search.shape.star')),
              );
            }),
          ),
        ],
      );
      const words = Object.entries(all.examples[game.family] ?? {});
      fill(
        examples,
        words.length > 0 && [
          h('h2', t('search.examples')),
          h(
            'div.list',
            words.map(([name, q]) =>
              h(
                'a',
                {href: desk.link(q)},
                h(
                  'span.stack.tight',
                  h('span', t(`search.example.${game.family}.${name}` as 'search.example.weiqi.player')),
                  h('span.code.muted', q),
                ),
              ),
            ),
          ),
        ],
      );
    },
    () => undefined,
  );
  return h(
    'div.stack.begin',
    h('p', t('search.welcome')),
    !desk.games.some(g => g.records) &&
      h('p.row', h('strong', t('search.emptyLibrary')), h('a.btn.primary', {href: '/import'}, t('nav.import'))),
    shapes,
    last,
    examples,
  );
}
