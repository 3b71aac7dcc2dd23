// One player: the names, how the games went, against whom, when, and in which openings.
import '../common';
import type {Game, Group, PlayerDetail} from '../api';
import type {Context, Opener} from '../app';
import {type Child, fmt, h} from '../dom';
import {gameName} from '../i18n';
import {icon} from '../icons';
import {section} from '../insights/section';
import {editDialog, playerBar, playerLink} from '../players';
import {quoted} from '../search/model';
import {button, column, dataTable, few, linkButton, rowHead} from '../ui';

const firstRows = 12; // of a table, until all are wanted

export const open: Opener = async (ctx, url, params) => {
  const {t, lang} = ctx,
    f = fmt(lang),
    game = url.searchParams.get('g') ?? '';
  const [p, games] = await Promise.all([
    ctx.call('GET /players/{name}', {path: {name: params['name'] ?? ''}, query: game ? {game} : {}}),
    ctx.games(),
  ]);
  const query = p.query || `player=${quoted(p.name)}`,
    ask = (path: string, q: string) => `${path}?${new URLSearchParams({...(game && {g: game}), q})}`;
  const here = `/players/${encodeURIComponent(p.name)}`;
  const others = p.names.map(n => n.name).filter(n => n !== p.name);
  const edit = (op: 'rename' | 'split') =>
    void editDialog(ctx, 'players', op, [{name: p.name, aliases: others}], () =>
      ctx.go(here + url.search, 'replace'),
    ).then(done => {
      if (done) ctx.go(here + url.search, 'replace');
    });
  const known = p.known.filter(n => n !== p.name && !others.includes(n));
  const link = (q: string, label: Child) => h('a', {href: ask('/records', q)}, label);
  return {
    title: p.name,
    node: h(
      'div.page.wide.player',
      h(
        'div.head',
        h('h1', p.name),
        h(
          'div.row',
          linkButton(t('players.showGames', {n: p.score.games}), ask('/records', query), 'records', 'primary'),
          linkButton(t('nav.search'), ask('/search', query), 'search'),
          button(t('players.do.rename'), () => edit('rename'), {icon: 'edit', props: {'data-needs': 'edit'}}),
          others.length > 0 &&
            button(t('players.do.split'), () => edit('split'), {icon: 'players', props: {'data-needs': 'edit'}}),
        ),
      ),
      p.games.length > 1 || game
        ? h(
            'nav.row',
            {'aria-label': t('players.game')},
            h('a.btn.small', {href: here, 'aria-current': game ? null : 'page'}, t('players.allGames')),
            p.games.map(g =>
              h(
                'a.btn.small',
                {href: `${here}?g=${encodeURIComponent(g.game)}`, 'aria-current': g.game === game ? 'page' : null},
                gameName(games, g.game, lang),
                h('span.badge', f.number(g.records)),
              ),
            ),
          )
        : false,
      h(
        'section.card',
        h('h2', t('players.score')),
        playerBar(ctx, p.score),
        h(
          'p.muted',
          t('players.summary', {n: p.score.games, won: p.score.first, drawn: p.score.draws, lost: p.score.second}),
          p.score.low !== undefined &&
            p.score.high !== undefined &&
            ` ${t('ui.interval', {lo: f.rate(p.score.low), hi: f.rate(p.score.high)})}`,
          p.score.since && ` ${f.date(p.score.since)} – ${f.date(p.score.until)}`,
          p.score.rating > 0 && ` ${t('players.rating', {n: Math.round(p.score.rating)})}`,
        ),
      ),
      p.years.some(g => g.key) && years(ctx, p.years, y => ask('/records', `${query} year:${y}`)),
      h(
        'div.halves',
        table(ctx, t('players.rivals'), p.rivals, g => [
          playerLink(g.key),
          ' ',
          h(
            'a.small',
            {
              href: ask('/records', `${query} player=${quoted(g.key)}`),
              'aria-label': t('players.between', {name: g.key}),
            },
            icon('records'),
          ),
        ]),
        table(ctx, t('players.openings'), p.openings, g => link(`${query} opening=${quoted(g.key)}`, g.key)),
      ),
      styled(ctx, games, game || p.games[0]?.game || '', p, query),
      names(ctx, p, known),
    ),
  };
};

// styled tells how the player plays the game that is shown, or the one played most.
function styled(
  ctx: Context,
  games: readonly Game[],
  spec: string,
  p: PlayerDetail,
  query: string,
): HTMLElement | false {
  const game = games.find(g => g.spec === spec);
  return (
    !!game &&
    section(ctx, ctx.t('insights.style'), ctx.t('insights.styleText'), async () =>
      (await import('../insights/alike')).style(ctx, game, p.name, query),
    )
  );
}

function names(ctx: Context, p: PlayerDetail, known: readonly string[]): HTMLElement {
  const {t, lang} = ctx,
    f = fmt(lang);
  return h(
    'section.card',
    h('h2', t('players.names')),
    h(
      'ul.row.names',
      p.names.map(n => h('li.tag', n.name, ' ', h('span.muted', f.number(n.games)))),
    ),
    known.length > 0 && h('p.muted.small', t('players.known'), ' ', known.join(' · ')),
  );
}

// years draws a bar for every year, also for those without games, so that gaps are seen.
function years(ctx: Context, groups: readonly Group[], href: (year: string) => string): HTMLElement {
  const {t, lang} = ctx,
    f = fmt(lang),
    by = new Map<number, Group>();
  for (const g of groups) if (/^\d{1,4}$/.test(g.key)) by.set(+g.key, g);
  const all = [...by.keys()].sort((a, b) => a - b),
    first = all[0] ?? 0,
    last = all.at(-1) ?? 0;
  const most = Math.max(1, ...[...by.values()].map(g => g.score.games)),
    bars: Child[] = [];
  for (let y = first; y <= last; y++) {
    const g = by.get(y),
      n = g?.score.games ?? 0,
      text = `${y}: ${t('home.records', {n})}` + (g?.score.rate !== undefined ? `, ${f.rate(g.score.rate)}` : '');
    bars.push(
      n
        ? h('a', {href: href(String(y)), 'aria-label': text, title: text, vars: {'--n': String(n / most)}}, h('i'))
        : h('span'),
    );
  }
  return h(
    'section.card',
    h('h2', t('players.years')),
    h(
      'div',
      {vars: {'max-width': `${Math.max(6, bars.length) * 44}px`}},
      h('div', {class: 'year-bars' + (bars.length > 60 ? ' many' : '')}, bars),
      h(
        'div.row.between.small.muted',
        {'aria-hidden': 'true'},
        h('span', first),
        h('span', t('players.most', {n: most})),
        last > first && h('span', last),
      ),
    ),
  );
}

function table(ctx: Context, title: string, groups: readonly Group[], name: (g: Group) => Child): HTMLElement | false {
  const {t, lang} = ctx,
    f = fmt(lang),
    rows = groups.filter(g => g.key);
  if (!rows.length) return false;
  const body = h('tbody'),
    add = (list: readonly Group[]) =>
      body.append(
        ...list.map(g =>
          h(
            'tr',
            rowHead(name(g)),
            h('td', {class: 'num' + (g.score.games < few ? ' muted' : '')}, f.number(g.score.games)),
            h('td.how-far', playerBar(ctx, g.score)),
          ),
        ),
      );
  add(rows.slice(0, firstRows));
  const more =
    rows.length > firstRows &&
    button(
      t('players.all', {n: rows.length}),
      () => {
        add(rows.slice(firstRows));
        (more as HTMLElement).remove();
      },
      {kind: 'quiet'},
    );
  return h(
    'section.card.flush.people',
    h('h2', title),
    dataTable(title, [t('players.name'), column(t('players.games'), 'num'), t('players.score')], body),
    more,
  );
}
