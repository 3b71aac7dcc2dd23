// The catalogue of what has a name on the boards of a game, and the words that titles and comments of the library have.
import '../common';
import type {Game, Name, NameGroup} from '../api';
import type {Context, Opener} from '../app';
import {debounce, dots, fill, fmt, h} from '../dom';
import {kindName} from '../i18n';
import {icon} from '../icons';
import {called, coined, kinds, nameLink, ownerBar, sideMark, small} from '../names/draw';
import {terms} from '../names/terms';
import {gameOf, toolGame} from '../kinds';
import {refill} from '../records/row';
import {withQuery} from '../router';
import {button, empty, endless, linkButton, segmented, select, tabs} from '../ui';

// i18n: names.kind.*, names.a.*, names.order.*

const pause = 10_000; // ms between looks whether all is counted
const orders = ['base', 'count', 'score', 'name'] as const;

function read(u: URL, games: readonly Game[]) {
  const q = u.searchParams;
  return {
    game: gameOf(games, (q.get('g') || toolGame(games, 'names').spec).split(':')[0]!),
    q: q.get('q') ?? '',
    kind: kinds.find(k => k === q.get('kind')) ?? ('' as const),
    order: orders.find(o => o === q.get('order')) ?? 'base',
    tab: q.get('tab') === 'terms' ? 'terms' : 'list',
  };
}

export const open: Opener = async (ctx, url) => {
  const {t, lang} = ctx,
    f = fmt(lang),
    games = await ctx.games(),
    usual = games.filter(g => g.usual);
  let now = read(url, usual),
    counted = '';
  const to = (change: Record<string, string | null>) => ctx.go(withQuery(new URL(location.href), change), 'replace');
  const total = h('span.muted', {role: 'status'}),
    cards = h('div.name-cards'),
    kindRow = h('div.row'),
    notice = h('div.notice', {hidden: true, role: 'status'});
  const more = h('div.row');
  const list = endless<Name>(t, ctx.signal, {
    wrap: cards,
    async load(cursor, signal) {
      const {game, q, kind, order} = now,
        r = await ctx.call(
          'GET /names',
          {query: {game: game.spec, ...(kind && {kind}), ...(q && {q}), order, limit: 48, ...(cursor && {cursor})}},
          signal,
        );
      total.textContent = t('names.count', {n: r.total});
      if (!cursor) counting(game, r.ready);
      showKinds(r.kinds);
      if (!cursor) ctx.announce(t('names.count', {n: r.total}));
      return {items: r.names, next: r.next};
    },
    render: n => card(ctx, games, now.game, n, !now.kind),
    below: (n, next) =>
      !n &&
      !next &&
      empty(
        'search',
        t('names.none'),
        t('names.noneText'),
        button(t('shapes.all'), () => to({q: null, kind: null})),
      ),
  });
  const words = terms(ctx);
  const box = h('input', {
    type: 'search',
    'data-search': true,
    value: now.q,
    'aria-label': t('names.find'),
    placeholder: t('names.find'),
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: debounce(() => to({q: box.value.trim()}), 160),
  });
  const game = segmented(
    t('explore.game'),
    usual.map(g => ({value: g.spec, label: kindName(g, lang)})),
    now.game.spec,
    g => to({g, kind: null}),
  );
  const order = select(
    t('names.order'),
    orders.map(value => ({value, label: t(`names.order.${value}`)})),
    now.order,
    v => to({order: v === 'base' ? null : v}),
  );

  // The kinds are told with the first answer, how many each has.
  function showKinds(groups: readonly NameGroup[]): void {
    const as = JSON.stringify([groups, now.kind]);
    if (as === counted) return;
    counted = as;
    const label = (kind: (typeof kinds)[number] | 'all', n: number) => `${t(`names.kind.${kind}`)} ${f.number(n)}`;
    refill(
      kindRow,
      segmented(
        t('names.kind'),
        [
          {
            value: '',
            label: label(
              'all',
              groups.reduce((n, x) => n + x.names, 0),
            ),
          },
          ...groups.filter(x => x.names).map(x => ({value: x.kind, label: label(x.kind, x.names)})),
        ],
        now.kind,
        kind => to({kind}),
      ).node,
    );
  }

  // counting says that figures are still to come, and offers them when they are there.
  let timer = 0;
  function counting(game: Game, ready: boolean): void {
    clearTimeout(timer);
    notice.hidden = ready;
    if (ready) return;
    fill(notice, icon('clock'), t('names.counting'));
    const look = async () => {
      const r = await ctx.call('GET /names', {query: {game: game.spec, limit: 1}}).catch(() => null);
      if (ctx.signal.aborted || game !== now.game) return;
      if (r?.ready)
        fill(
          notice,
          button(t('names.ready'), () => list.reset(), {icon: 'redo'}),
        );
      else timer = window.setTimeout(() => void look(), pause);
    };
    timer = window.setTimeout(() => void look(), pause);
  }

  function show(): void {
    refill(more, now.game.tools.includes('shapes') && linkButton(t('nav.shapes'), '/shapes', 'shapes'));
    if (now.tab === 'terms') words.show(now.game, now.q);
  }

  const panel = h('div.stack', h('div.row', kindRow, order, total), notice, cards, list.end);
  const sheet = tabs(
    t('names.title'),
    [
      {id: 'list', label: t('names.list'), panel},
      {id: 'terms', label: t('shapes.terms'), panel: words.node},
    ],
    now.tab,
    tab => to({tab: tab === 'list' ? null : tab}),
  );
  show();
  return {
    title: t('names.title'),
    node: h(
      'div.page.wide.names',
      h('div.head', h('h1', t('names.title')), more),
      h('p.muted', t('names.intro')),
      h('div.row.name-filters', game.node, h('div.players-search', icon('search'), box)),
      sheet.node,
    ),
    update(next) {
      const before = now;
      now = read(next, usual);
      sheet.select(now.tab);
      game.set(now.game.spec);
      order.value = now.order;
      if (document.activeElement !== box) box.value = now.q;
      show();
      if (
        JSON.stringify({...before, game: before.game.spec, tab: ''}) !==
        JSON.stringify({...now, game: now.game.spec, tab: ''})
      )
        list.reset();
    },
  };
};

function card(ctx: Context, games: readonly Game[], game: Game, n: Name, kind: boolean): HTMLElement {
  const {t, lang} = ctx,
    name = called(n.names, lang, n.id),
    c = n.count;
  const others = [...new Set([n.names['zh-Hant'], n.names.en, ...n.aliases])].filter(x => x && x !== name).slice(0, 3);
  return h(
    'a.card.name-card',
    {href: nameLink(game.family, n.id), 'data-id': n.id},
    h('span.shape-mini', n.board ? small(ctx, games, game, n.board) : icon('tag')),
    h(
      'b.name-own',
      n.board && n.kind !== 'opening' && n.kind !== 'code' && sideMark(ctx, game, n.board.side),
      h('span', name),
      coined(n, lang) && h('small.tag', t('names.coined')),
    ),
    others.length > 0 && h('small.muted', dots(...others)),
    (kind || n.layer !== 'shipped') &&
      h(
        'span.row.tight',
        kind && h('span.tag', t(`names.a.${n.kind}`)),
        n.layer !== 'shipped' && h('span.tag', t(`shapes.layer.${n.layer}`)),
      ),
    c &&
      h(
        'span.name-fared',
        h('small.muted', t('names.games', {n: c.games})),
        c.won + c.drawn + c.lost > 0 && ownerBar(ctx, c),
      ),
  );
}
// i18n: shapes.layer.*
