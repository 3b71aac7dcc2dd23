// What is alike, on the pages of others: what goes with a name, what a player does that others do not, games like one.
import type {Game, Habit, Habits, LikeGames, PlayerStyle} from '../api';
import type {Context} from '../app';
import {type Child, dots, fmt, h} from '../dom';
import {nameLink} from '../names/draw';
import {playerLink} from '../players';
import {recordsLink} from './finding';
import {inLanguage} from './model';

const said = (ctx: Context, left: readonly string[]): Child =>
  left.length > 0 && h('p.muted.small', ctx.t('insights.left'), ' ', left.join('; '));

function table(ctx: Context, game: Game, title: string, list: readonly Habit[], query: (x: Habit) => string): Child {
  const {t, lang} = ctx,
    f = fmt(lang);
  return (
    list.length > 0 &&
    h(
      'div.scroll-x',
      h(
        'table.data',
        h('caption', title),
        h(
          'thead',
          h(
            'tr',
            h('th', {scope: 'col'}, t('insights.what')),
            h('th.num', {scope: 'col'}, t('insights.have')),
            h('th.num', {scope: 'col'}, t('insights.expected')),
          ),
        ),
        h(
          'tbody',
          list.map(x =>
            h(
              'tr',
              h(
                'th',
                {scope: 'row'},
                x.kind === 'shape'
                  ? inLanguage(x.title, lang)
                  : h('a', {href: nameLink(game.family, x.name)}, inLanguage(x.title, lang)),
                x.other && h('small.muted', ' ', t('insights.others')),
              ),
              h('td.num', h('a', {href: recordsLink(query(x), game.spec)}, f.number(x.have))),
              h('td.num', f.number(Math.round(x.expected))),
            ),
          ),
        ),
      ),
    )
  );
}

const none = (ctx: Context, habits: Habits): Child =>
  habits.more.length + habits.less.length === 0 && h('p', ctx.t('insights.nothingSure'));

// goesWith is for the page of a name.
export async function goesWith(ctx: Context, game: Game, id: string, query: string): Promise<Child> {
  const w = await ctx.call('GET /names/{id}/with', {path: {id}, query: {game: game.spec}}),
    both = (x: Habit) => `(${query}) and (${x.query})`;
  return [
    table(ctx, game, ctx.t('insights.goesWith'), w.more, both),
    table(ctx, game, ctx.t('insights.goesAgainst'), w.less, both),
    none(ctx, w),
  ];
}

// style is for the page of a player.
export async function style(ctx: Context, game: Game, name: string, query: string): Promise<Child> {
  const w: PlayerStyle = await ctx.call('GET /players/{name}/style', {path: {name}, query: {game: game.spec}}),
    both = (x: Habit) => `(${query}) and (${x.query})`;
  return [
    table(ctx, game, ctx.t('insights.doesMore'), w.habits.more, both),
    table(ctx, game, ctx.t('insights.doesLess'), w.habits.less, both),
    none(ctx, w.habits),
    w.like.length > 0 &&
      h(
        'p',
        ctx.t('insights.playsLike'),
        ' ',
        w.like.map((x, i) => [i > 0 && ', ', playerLink(x.name)]),
      ),
    said(ctx, w.left),
  ];
}

// likeGames is for the page of a record.
export async function likeGames(ctx: Context, id: number): Promise<Child> {
  const w: LikeGames = await ctx.call('GET /records/{id}/like', {path: {id}}),
    f = fmt(ctx.lang);
  return [
    h(
      'ul.list.like-games',
      w.rows.map(x =>
        h(
          'li',
          h('a', {href: `/records/${x.id}`}, x.players.map(p => p || '?').join(' – ')),
          h(
            'small.muted',
            ' ',
            dots(x.year || '', x.opening, f.rate(x.like), x.shared > 0 && ctx.t('insights.shared', {n: x.shared})),
          ),
        ),
      ),
    ),
    w.rows.length === 0 && h('p', ctx.t('insights.nothingLike')),
    said(ctx, w.left),
  ];
}
