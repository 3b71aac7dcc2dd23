// One's own games: who one is in the library, how the games went, what one plays, one's mistakes, searches and quizzes.
// i18n: me.strength.*, me.won.*, me.mark.*, me.side.*
import type {Career, Group, Score, Tree} from '../api';
import type {Context} from '../app';
import {type Child, fill, fmt, h} from '../dom';
import {gameName} from '../i18n';
import {playerBar, playerLink} from '../players';
import {asked, button, column, dataTable, field, rowHead, segmented, skeleton} from '../ui';

const firstRows = 8;

export async function career(ctx: Context): Promise<Child> {
  const {t} = ctx,
    body = h('div.stack');
  let from: 'library' | 'here' = 'library';
  const again = () =>
    fill(
      body,
      asked(ctx, h('div', skeleton(4)), () => games(ctx, from, again)),
    );
  again();
  return [
    h(
      'section.card.stack.career',
      h('h2', t('me.games')),
      segmented(
        t('me.games'),
        [
          {value: 'library' as const, label: t('me.fromLibrary')},
          {value: 'here' as const, label: t('me.fromHere')},
        ],
        from,
        v => {
          from = v;
          again();
        },
      ).node,
      body,
    ),
    asked(ctx, h('div', skeleton(2)), () => kept(ctx)),
  ];
}

async function games(ctx: Context, from: 'library' | 'here', again: () => void): Promise<Child> {
  const {t, lang} = ctx,
    f = fmt(lang);
  const [c, all] = await Promise.all([ctx.call('GET /me/career', {query: {from}}), ctx.games()]);
  const titled = (g: Group) => (g.key ? gameName(all, g.key, lang) : '');
  return [
    from === 'library' && names(ctx, c, again),
    c.score.games === 0
      ? h('p.muted', t(from === 'here' ? 'me.noneHere' : 'me.noneLibrary'))
      : [
          h(
            'div',
            playerBar(ctx, c.score),
            h(
              'p.muted',
              t('players.summary', {n: c.score.games, won: c.score.first, drawn: c.score.draws, lost: c.score.second}),
              c.score.low !== undefined &&
                c.score.high !== undefined &&
                ` ${t('ui.interval', {lo: f.rate(c.score.low), hi: f.rate(c.score.high)})}`,
            ),
          ),
          c.query && h('div.row', h('a.btn', {href: `/records?${new URLSearchParams({q: c.query})}`}, t('me.all'))),
          h(
            'div.halves',
            c.kinds.length > 1 && table(ctx, t('players.game'), c.kinds, titled),
            table(ctx, t('me.colour'), c.colours, g => t(`me.side.${g.key}` as 'me.side.first')),
            table(ctx, t('players.years'), c.years, g => g.key || t('me.unknown')),
            table(
              ctx,
              t('me.strength'),
              c.strength.map(g => ({
                key: t(`me.strength.${g.kind || 'unknown'}` as 'me.strength.level', {x: g.key}),
                score: g.score,
              })),
              g => g.key,
            ),
            table(ctx, t('players.rivals'), c.rivals, g => playerLink(g.key)),
            table(
              ctx,
              t('players.openings'),
              c.openings.map(o => ({key: o.opening.names?.[lang as 'en'] || o.opening.name, score: o.score})),
              g => g.key,
            ),
          ),
          history(ctx, c),
          asked(ctx, h('div', skeleton(2)), () => repertoire(ctx, from)),
        ],
  ];
}

// names says which players of the library one is.
function names(ctx: Context, c: Career, again: () => void): Child {
  const {t} = ctx,
    input = h('input', {type: 'text', maxlength: '400', autocomplete: 'off'});
  const run = (what: Promise<unknown>) => what.then(again).catch((err: unknown) => ctx.fail(err));
  return h(
    'div.stack',
    h('p.muted', t('me.namesText')),
    c.names.length > 0 &&
      h(
        'ul.row.names',
        c.names.map(n =>
          h(
            'li.tag',
            playerLink(n.name),
            ' ',
            h('span.muted', fmt(ctx.lang).number(n.games)),
            button(t('me.notMe'), () => void run(ctx.call('DELETE /me/names/{name}', {path: {name: n.name}})), {
              kind: 'quiet',
            }),
          ),
        ),
      ),
    h(
      'form.row',
      {
        onsubmit: (e: Event) => {
          e.preventDefault();
          if (input.value.trim()) void run(ctx.call('PUT /me/names/{name}', {path: {name: input.value.trim()}}));
        },
      },
      field(t('me.player'), input),
      h('button.btn', {type: 'submit'}, t('me.thisIsMe')),
    ),
  );
}

function table<G extends {key: string; score: Score}>(
  ctx: Context,
  title: string,
  groups: readonly G[],
  name: (g: G) => Child,
): Child {
  const {t, lang} = ctx,
    f = fmt(lang);
  if (!groups.length) return false;
  const body = h('tbody'),
    add = (list: readonly G[]) =>
      body.append(
        ...list.map(g =>
          h(
            'tr',
            rowHead(name(g)),
            h('td.num', f.number(g.score.games)),
            h('td.how-far', playerBar(ctx, g.score), interval(ctx, g.score)),
          ),
        ),
      );
  add(groups.slice(0, firstRows));
  const more =
    groups.length > firstRows &&
    button(
      t('players.all', {n: groups.length}),
      () => {
        add(groups.slice(firstRows));
        (more as HTMLElement).remove();
      },
      {kind: 'quiet'},
    );
  return h(
    'section.flush.people',
    h('h3', title),
    dataTable(title, [title, column(t('players.games'), 'num'), t('players.score')], body),
    more,
  );
}

const interval = (ctx: Context, s: Score): Child => {
  const f = fmt(ctx.lang);
  return (
    s.low !== undefined &&
    s.high !== undefined &&
    h('small.muted', ctx.t('ui.interval', {lo: f.rate(s.low), hi: f.rate(s.high)}))
  );
};

function history(ctx: Context, c: Career): Child {
  const {t, lang} = ctx,
    f = fmt(lang);
  return h(
    'section',
    h('h3', t('me.history')),
    dataTable(
      t('me.history'),
      [t('me.date'), t('me.opponent'), t('me.result')],
      h(
        'tbody',
        c.games.map(g =>
          h(
            'tr',
            rowHead(h('a', {href: `/records/${g.record.id}`}, g.record.date ? f.date(g.record.date) : t('me.unknown'))),
            h(
              'td',
              g.side < 2 ? (g.record.players[1 - g.side]?.name ?? '') : g.record.players.map(p => p.name).join(' – '),
            ),
            h('td', g.won ? t(`me.won.${g.won}`) : '–'),
          ),
        ),
      ),
    ),
  );
}

// repertoire shows the first moves with how often and how well.
async function repertoire(ctx: Context, from: 'library' | 'here'): Promise<Child> {
  const {t, lang} = ctx,
    f = fmt(lang);
  const [r, all] = await Promise.all([ctx.call('GET /me/repertoire', {query: {from, plies: 4}}), ctx.games()]);
  const list = (n: Tree): Child =>
    n.children.length > 0 &&
    h(
      'ul',
      n.children
        .slice(0, 5)
        .map(x =>
          h(
            'li',
            h('b', x.move.text),
            ' ',
            h('span.num', f.number(x.score.games)),
            x.score.rate !== undefined && h('span.muted', ` ${f.rate(x.score.rate)}`),
            list(x),
          ),
        ),
    );
  const sides = r.sides.filter(s => s.tree.children.length > 0);
  if (!sides.length) return false;
  const game = all.find(g => g.spec === r.game);
  return h(
    'section',
    h('h3', `${t('me.repertoire')} · ${gameName(all, r.game, lang)}`),
    h('p.muted.small', t('me.repertoireText', {least: r.least})),
    h(
      'div.halves',
      sides.map(s =>
        h(
          'div',
          h('h4', game?.sides[s.side]?.titles[lang as 'en'] ?? t(`me.side.${s.side ? 'second' : 'first'}`)),
          list(s.tree),
        ),
      ),
    ),
  );
}

// kept shows mistakes, searches and quizzes.
async function kept(ctx: Context): Promise<Child> {
  const {t, lang} = ctx,
    f = fmt(lang);
  const [m, q, b] = await Promise.all([
    ctx.call('GET /me/mistakes'),
    ctx.call('GET /queries'),
    ctx.call('GET /me/boxes'),
  ]);
  const now = Date.now(),
    due = b.cards.filter(c => Date.parse(c.due) <= now).length;
  return [
    h(
      'section.card.stack',
      h('h2', t('me.mistakes')),
      h('p.muted', m.games ? t('me.mistakesOf', {games: m.games, moves: m.plies}) : t('me.noReviews')),
      m.games > 0 && h('p', m.marks.map(x => `${t(`me.mark.${x.mark}`)}: ${f.number(x.count)}`).join(' · ')),
      m.worst.length > 0 &&
        dataTable(
          t('me.mistakes'),
          [t('me.move'), t('me.better'), t('me.result')],
          h(
            'tbody',
            m.worst
              .slice(0, 20)
              .map(x =>
                h(
                  'tr',
                  rowHead(h('a', {href: `/records/${x.record.id}?tab=review#${x.ply}`}, `${x.ply}. ${x.move}`)),
                  h('td', x.best || '–'),
                  h('td', t(`me.mark.${x.mark}`)),
                ),
              ),
          ),
        ),
    ),
    h(
      'section.card.stack',
      h('h2', t('me.searches')),
      q.queries.length
        ? h(
            'ul',
            q.queries
              .slice(0, 30)
              .map(x =>
                h(
                  'li',
                  h('a', {href: `/search?${new URLSearchParams({q: x.query})}`}, x.name || x.query),
                  ' ',
                  h('span.muted', t('home.records', {n: x.games})),
                ),
              ),
          )
        : h('p.muted', t('me.noSearches')),
    ),
    h(
      'section.card.stack',
      h('h2', t('me.quiz')),
      h('p', t('me.quizText', {cards: b.cards.length, due})),
      h('div.row', h('a.btn', {href: '/learn'}, t('learn.title'))),
    ),
  ];
}
