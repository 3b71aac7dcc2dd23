// The explorer: walks through a game from the start or from any position, and tells at every step what was played
// there, how often, and how it went. The rules are the server's: a move is asked for, and the position that it makes
// comes back.
import '../common';
import type {BookEntry, Explored, Game, Hit, Move, NextMove, Position} from '../api';
import type {Context, Opener, Page} from '../app';
import {Board} from '../board';
import {Problem, latest} from '../client';
import {both, pointName, textBoard} from '../core';
import {debounce, fill, fmt, h, id, set} from '../dom';
import {kindName, titled} from '../i18n';
import {icon} from '../icons';
import {type Key, standard} from '../keys';
import {bookPanel} from '../explore/book';
import {Walk} from '../explore/model';
import {line, positionPanel} from '../explore/line';
import {type State, type Switch, bare, filterOf, keep, read, switches, tabNames, write} from '../explore/state';
import {heat, table, written} from '../explore/table';
import type {Overlay as Names} from '../names/overlay';
import {queryBox} from '../records/querybox';
import {put} from '../record/share';
import {notationOf, sorts} from '../kinds';
import {gameRow, refill} from '../records/row';
import {plainValue} from '../search/model';
import type {Overlay} from '../shapes/overlay';
import {Sound} from '../sound';
import {button, chip, empty, endless, explain, iconButton, linkButton, menu, select, tabs, trouble} from '../ui';
import {bookHeat} from '../value';

// i18n: explore.option.*, explore.sort.*, explore.tab.*

export const open: Opener = async (ctx, url) => {
  const games = await ctx.games();
  return explorer(ctx, games, url);
};

const pause = 250; // ms between steps of which each is worth a question
const cacheSize = 60; // positions and answers; a step back then costs nothing

function explorer(ctx: Context, games: readonly Game[], address: URL): Page {
  const {t, lang, prefs} = ctx;
  const walk = new Walk(read(address, games));
  let looking = false; // the book is being asked
  let hints: Overlay | null = null,
    hintsOf: Game | null = null; // the script of it comes when it is wanted
  let names: Names | null = null;
  let shownAt = -Infinity; // when the board was last drawn for a new state
  const later = debounce(() => void count(), pause);
  const sound = new Sound();
  const positions = new Map<string, Promise<Position>>();
  const answers = new Map<string, Promise<Explored>>();
  const entries = new Map<string, Promise<BookEntry>>();
  const setup = h('div.row.explore-head');
  const nameRow = h('p.explore-name');
  const collectionTabs = h('div.explore-collections', {role: 'group'});
  const optionRow = h('div.row');
  const notice = h('div.explore-state');
  const nameList = h('div');
  const tools = h('div.row.between.explore-tools');
  const textPane = h('pre.text-board.full', {tabindex: 0, hidden: true});
  const orderRow = h('div.row.between');
  const hintPane = h('div', {hidden: true}),
    namePane = h('div.explore-names-here', {'aria-busy': 'true'});
  const board = new Board(blank(), {
    t,
    lang,
    announce: x => ctx.announce(x),
    keys: 'none',
    wheel: prefs.get('wheel'),
    twoTap: prefs.get('twoTap'),
    animate: prefs.get('animation'),
    facts,
    onWheel: step,
    ghost: p => (walk.spot?.legal.some(m => m.from < 0 && m.to === p) ? pieceOf(walk.spot.turn) : 0),
    canPick: p => walk.spot?.legal.some(m => m.from === p) ?? false,
    onPick: p =>
      board.update({
        selected: p ?? undefined,
        legal: p === null ? undefined : walk.spot?.legal.filter(m => m.from === p).map(m => m.to),
      }),
    onDrag: (from, to) => void playMove(`${nameOf(from)}-${nameOf(to)}`),
    onPoint: (p, c) => {
      if (c.button === 0 && !walk.state.game.moving) void playMove(nameOf(p));
    },
  });
  const searchHere = h('a.btn.quiet.explore-search', {href: '/search'}, icon('search'), h('span', t('explore.search')));
  const lineView = line(ctx, walkTo);
  const bookView = bookPanel(ctx, {
    play: m => void playMove(written(walk.state.game, m)),
    hover: pointAt,
    overlay: overlay => go({overlay, heat: true}),
    threshold: threshold => go({threshold}),
    edited(b) {
      entries.clear();
      walk.book = b;
      draw();
    },
  });
  const tableView = table(ctx, hover, m => void playMove(written(walk.state.game, m.move)));
  const positionView = positionPanel(ctx, l => go({line: l, ply: null}, 'push'), playMove);
  const withinBox = queryBox(ctx, t('explore.within'), t('explore.withinHint'), (within, goesOn) =>
    narrow({within}, goesOn ? 'replace' : 'push'),
  );
  const filterPane = h('div', {id: id('filter'), class: 'stack'}, withinBox.node, optionRow);
  const filterButton = button(t('explore.filter'), () => unfold(!!filterPane.hidden), {
    icon: 'filter',
    props: {'aria-controls': filterPane.id},
  });
  unfold(!!walk.state.within || switches.some(x => walk.state[x]));
  const gameList = endless<Hit>(t, ctx.signal, {
    load: async (cursor, signal) => {
      if (cursor === undefined) return {items: walk.answer?.rows ?? [], next: walk.answer?.next};
      const a = await ctx.call(
        'GET /explore',
        {query: {...walk.question(notationOf(ctx, walk.state.game)), cursor}},
        signal,
      );
      return {items: a.rows, next: a.next};
    },
    render: x =>
      gameRow(
        ctx,
        games,
        x,
        walk.recordLink(x),
        h('span.tag', t('explore.ply', {n: x.ply})),
        x.next && h('span.tag', '→ ', x.next),
        x.swapped && h('span.tag', t('explore.swapped')),
      ),
    wrap: h('div.list.game-list'),
  });
  const fetchAnswer = latest(ctx.signal, signal => {
    const query = walk.question(notationOf(ctx, walk.state.game));
    return cached(answers, query, () => ctx.call('GET /explore', {query}, signal));
  });
  const fetchBook = latest(ctx.signal, signal => {
    const query = {
      game: walk.state.game.spec,
      line: walk.spot?.line ?? '',
      notation: notationOf(ctx, walk.state.game),
      threshold: walk.state.threshold,
    };
    return cached(entries, query, () => ctx.call('GET /book', {query}, signal));
  });
  const panel = (...c: (Node | string)[]) => h('section.card', ...c);
  // Beside the board the games are what one looks for next: the position as a text is folded away. A phone has a tab
  // for it.
  const phone = matchMedia('(max-width: 819px)').matches;
  const text = h(
    'details',
    {
      open: phone || walk.state.tab === 'position',
      ontoggle: () => {
        if (!phone && text.open !== (walk.state.tab === 'position')) go({tab: text.open ? 'position' : 'moves'});
      },
    },
    h('summary', t('explore.tab.position')),
    positionView.node,
  );
  const panels = {
    moves: panel(notice, hintPane, tableView.node, nameList),
    book: panel(h('h2', t('book.title')), bookView.node),
    position: panel(text),
    games: panel(orderRow, gameList.node),
  };
  panels.games.classList.add('flush');
  const sheet = tabs(
    t('explore.views'),
    tabNames.map(id => ({id, label: t(`explore.tab.${id}`), panel: panels[id]})),
    walk.state.tab,
    tab => go({tab: tab as State['tab']}),
  );
  sheet.node.classList.add('panels');
  const root = h(
    'div.work.explore',
    h('h1.hidden', t('explore.title')),
    h('div.stage', board.node, tools, textPane),
    h(
      'div.side',
      h('div.explore-setup', setup, collectionTabs, filterPane),
      h('div.card.explore-top', nameRow, lineView.node, namePane),
      sheet.node,
    ),
  );
  prefs.on(draw, ctx.signal);
  void collections();
  controls();
  void show();
  void call().catch((err: unknown) => ctx.fail(err));
  setTimeout(complete);

  // Addresses.

  function go(change: Partial<State>, how: 'push' | 'replace' = 'replace'): void {
    ctx.go(write({...walk.state, ...change}), how);
  }

  // complete writes what was last looked at with into an address that says nothing of it.
  function complete(): void {
    if (!ctx.signal.aborted && bare(address) && !bare(new URL(write(walk.state), location.href)))
      ctx.go(write(walk.state), 'replace');
  }

  function update(url: URL): void {
    const {game} = walk.state,
      s = read(url, games);
    address = url;
    sheet.select(s.tab);
    if (walk.take(s) === 'draw') {
      draw();
      return controls();
    }
    if (s.game !== game) void collections();
    controls();
    void show();
    if (bare(url)) setTimeout(complete);
  }

  // Asking.

  function cached<T>(map: Map<string, Promise<T>>, key: unknown, ask: () => Promise<T>): Promise<T> {
    const k = JSON.stringify(key);
    let p = map.get(k);
    if (!p) {
      map.set(k, (p = ask()));
      p.catch(() => map.delete(k));
      if (map.size > cacheSize) map.delete(map.keys().next().value!);
    }
    return p;
  }

  function positionOf(l: string, back = 0, move = ''): Promise<Position> {
    const {game} = walk.state,
      query = {
        game: game.spec,
        line: l,
        notation: notationOf(ctx, game),
        ...(back && {back}),
        ...(move && {play: move}),
      };
    return cached(positions, query, () => ctx.call('GET /position', {query}));
  }

  // show brings the state onto the page: the board at once, the figures as soon as they are counted.
  async function show(): Promise<void> {
    const s = walk.state,
      before = shownAt;
    shownAt = performance.now();
    try {
      const whole = await positionOf(s.line);
      const here = s.ply === null || s.ply >= whole.ply ? whole : await positionOf(s.line, whole.ply - s.ply);
      if (s !== walk.state) return;
      walk.arrive(whole, here);
    } catch (err) {
      if (s !== walk.state) return;
      return lost(err);
    }
    draw();
    tableView.wait(true);
    later.cancel();
    // While a key is held down only the board follows; the figures come when it is let go.
    if (shownAt - before < pause) later();
    else await count();
  }

  // look asks the book. What it cannot tell is told in its place, and the rest of the page is as good without it.
  async function look(): Promise<void> {
    looking = true;
    bookView.show(walk.state.game, walk.book, walk.state.overlay, walk.state.threshold, true);
    try {
      const b = await fetchBook();
      if (!b) return;
      looking = false;
      walk.book = b;
    } catch (err) {
      looking = false;
      walk.book = null;
      if (!(err instanceof Problem)) ctx.fail(err);
    }
    draw();
  }

  // lost shows the start in place of a line that cannot be read, and what is wrong with it.
  async function lost(err: unknown): Promise<void> {
    const s = walk.state,
      start = s.line ? await positionOf('').catch(() => null) : null;
    if (s !== walk.state) return;
    walk.answer = null;
    tableView.show(s.game, null);
    if (!start)
      return void fill(
        notice,
        trouble(t, err, () => void show()),
      );
    walk.arrive(start, start);
    draw();
    fill(
      notice,
      empty(
        'warn',
        t('explore.badLine'),
        explain(t, err).text,
        button(t('keys.do.start'), () => go({line: '', ply: null}, 'push'), {icon: 'first'}),
      ),
    );
    ctx.announce(t('explore.badLine'));
  }

  async function count(): Promise<void> {
    void look();
    try {
      const a = await fetchAnswer();
      if (!a) return;
      walk.answer = a;
      withinBox.mistake(null);
    } catch (err) {
      const s = walk.state,
        u = s.within ? await ctx.call('GET /query', {query: {q: s.within, game: s.game.spec}}).catch(() => null) : null;
      if (s !== walk.state) return;
      withinBox.mistake(u?.problem ?? null);
      if (u?.problem) {
        // the figures before it stay, pale
        unfold(true);
        tableView.wait(false);
        return ctx.announce(u.problem.message);
      }
      walk.answer = null;
      tableView.show(s.game, null);
      fill(
        notice,
        trouble(t, err, () => void count()),
      );
      return;
    }
    const a = walk.answer,
      m = a.moves[0];
    draw();
    gameList.reset();
    ctx.announce(
      t('explore.announce', {n: a.games}) +
        (m
          ? ' ' + t('explore.announceMove', {move: m.move.text, share: fmt(lang).rate(m.games / Math.max(1, a.games))})
          : ''),
    );
  }

  // Acting.

  function nameOf(p: number): string {
    return pointName(walk.state.game.geometry, p);
  }

  // play asks for a move, and tells whether it could be played.
  async function playMove(move: string): Promise<boolean> {
    const here = walk.spot;
    board.update({selected: undefined, legal: walk.legal(), arrows: undefined, ghost: undefined});
    if (!here || !walk.end) return false;
    try {
      const p = await positionOf(here.line, 0, move);
      if (here !== walk.spot) return false;
      sound.click(prefs.get('sound'), p.pieces.filter(Boolean).length < here.pieces.filter(Boolean).length);
      if (walk.goesOn(p)) walkTo(p.ply);
      else go({line: p.line, ply: null}, 'push');
      return true;
    } catch (err) {
      ctx.fail(err);
      return false;
    }
  }

  function walkTo(ply: number): void {
    const to = walk.toward(ply);
    if (to) go(to);
  }
  function step(d: number): void {
    walkTo(walk.ply + d);
  }

  function narrow(change: Partial<Pick<State, 'within' | Switch>>, how: 'push' | 'replace' = 'push'): void {
    const next = {...walk.state, ...change};
    keep(next);
    go(change, how);
  }

  // paste takes over whatever was pasted: moves or a position onto the board, a query as a filter.
  async function takeText(text: string): Promise<void> {
    try {
      const r = await ctx.call('POST /read', {body: {text}});
      // Moves that fit several games are those of the one that is open.
      const spec = r.games.includes(walk.state.game.spec) ? walk.state.game.spec : r.games[0],
        game = games.find(g => g.spec === spec);
      if (r.what === 'query') return narrow({within: r.query || text});
      const to = r.what === 'records' ? r.preview?.text : spec === r.games[0] ? r.line : text;
      if (!game || to === undefined || r.what === 'words' || r.what === 'nothing')
        return ctx.toast(t('explore.pastedNothing'), 'error');
      go({game, line: to, ply: null, ...(game !== walk.state.game && {collection: '', ...filterOf('')})}, 'push');
      ctx.toast(
        t(r.what === 'records' ? 'explore.pastedRecord' : 'explore.pasted', {game: kindName(game, lang)}),
        'success',
      );
    } catch (err) {
      ctx.fail(err);
    }
  }

  // Showing.

  function blank() {
    const {game, flip} = walk.state,
      view = prefs.view(address);
    return {
      geometry: game.geometry,
      glyphs: game.glyphs,
      pieces: game.start,
      flip,
      coordinates: view.coordinates,
      set: view.pieces,
    };
  }

  function facts(): {turn?: string; last?: string} {
    const p = walk.spot,
      last = p?.moves.at(-1)?.text;
    return p ? {turn: titled(walk.state.game.sides[p.turn]?.titles, lang), ...(last && {last})} : {};
  }

  function hover(m: NextMove | null): void {
    pointAt(m?.move ?? null);
  }
  function pointAt(move: Move | null): void {
    const on = move && move.to >= 0;
    board.update({
      arrows: on && move.from >= 0 ? [{from: move.from, to: move.to}] : undefined,
      ghost: on && move.from < 0 ? {at: move.to, piece: pieceOf(move.side)} : undefined,
    });
  }
  function pieceOf(side: number): number {
    return walk.state.game.geometry.pieces.findIndex(x => x.owner === side) + 1;
  }

  function draw(): void {
    const s = walk.state,
      p = walk.spot,
      whole = walk.end,
      a = walk.answer;
    if (!p || !whole) return;
    void advise().catch((err: unknown) => ctx.fail(err));
    names?.show(s.game, p.line);
    board.configure({mode: s.game.moving ? 'move' : 'point', wheel: prefs.get('wheel'), twoTap: prefs.get('twoTap')});
    const state = {
      ...blank(),
      pieces: p.pieces,
      last: walk.last,
      legal: walk.legal(),
      heat: !s.heat
        ? undefined
        : s.overlay !== 'games'
          ? walk.book
            ? bookHeat(ctx, s.game, p.pieces, walk.book, s.overlay)
            : undefined
          : a
            ? heat(ctx, s.game, p.pieces, a)
            : undefined,
      ...hinted(),
      over: over(),
    };
    board.set(state);
    root.style.setProperty('--aspect', String(s.game.geometry.size.w / s.game.geometry.size.h));
    if (!textPane.hidden) textPane.textContent = textBoard({...state, coordinates: true});
    searchHere.href = walk.searchLink;
    lineView.show(s.game, whole, p.ply);
    toolbar();
    positionView.show(s.game, p);
    const named = titled(p.opening.names, lang, p.opening.name) || p.opening.code;
    fill(
      nameRow,
      h('b', named || t('explore.toMove', {side: titled(s.game.sides[p.turn]?.titles, lang)})),
      p.opening.code && named !== p.opening.code && h('span.tag', p.opening.code),
      p.over
        ? h('span.muted', p.outcome)
        : named && h('span.muted', t('explore.toMove', {side: titled(s.game.sides[p.turn]?.titles, lang)})),
    );
    bookView.show(s.game, walk.book, s.overlay, s.threshold, looking);
    if (!a) return;
    refill(
      notice,
      s.game.records === 0
        ? empty(
            'import',
            t('explore.noGames', {game: kindName(s.game, lang)}),
            t('explore.noGamesText'),
            h('a.btn.primary', {href: '/import'}, t('nav.import')),
          )
        : a.games === 0 &&
            empty(
              'explore',
              t('explore.none'),
              t(walk.isNarrowed ? 'explore.noneNarrow' : 'explore.noneText'),
              walk.isNarrowed &&
                button(t('explore.widen'), () =>
                  go({collection: '', within: '', exact: false, variations: false}, 'push'),
                ),
              p.ply > 0 && button(t('keys.do.back'), () => step(-1), {icon: 'previous'}),
            ),
    );
    refill(
      nameList,
      a.openings.length > 0 &&
        p.ply > 0 &&
        h(
          'p.small.explore-names',
          h('span.muted', t('explore.called')),
          a.openings.slice(0, 6).map(o => {
            const name = o.name || o.code,
              field = o.name ? 'opening' : 'code';
            return chip(t, `${titled(o.names, lang, name)} ${fmt(lang).number(o.games)}`, {
              run: () => narrow({within: [s.within, `${field}=${plainValue(name)}`].filter(Boolean).join(' ')}),
            });
          }),
        ),
    );
    tableView.show(s.game, a.games ? a : null);
    refill(
      orderRow,
      h('h2', t('explore.games', {n: a.games})),
      select(
        t('explore.order'),
        sorts.map(x => ({value: x, label: t(`explore.sort.${x || 'usual'}`)})),
        s.sort,
        sort => go({sort}),
      ),
    );
  }

  function hinting(): boolean {
    return walk.state.game.tools.includes('shapes') && walk.state.hints['hints'] === '1';
  }
  function toggleHints(): void {
    go({hints: {...walk.state.hints, hints: hinting() ? '' : '1'}});
  }

  // advise shows what the base of shapes says of the position, where that is wanted.
  async function advise(): Promise<void> {
    hintPane.hidden = !hinting();
    if (hintPane.hidden) return;
    const {overlay, wishOf} = await import('../shapes/overlay'),
      {game} = walk.state;
    if (!walk.spot || !hinting()) return;
    if (!hints || hintsOf !== game) {
      hints = overlay(ctx, game, draw, c =>
        go({hints: Object.fromEntries(Object.entries({...walk.state.hints, ...c}).map(([k, v]) => [k, v ?? '']))}),
      );
      hintsOf = game;
      fill(hintPane, hints.node);
    }
    hints.show({...wishOf(new URLSearchParams(walk.state.hints)), line: walk.spot.line});
  }

  // call brings what has a name here.
  async function call(): Promise<void> {
    const {overlay} = await import('../names/overlay').finally(() => {
      namePane.ariaBusy = null;
    });
    fill(namePane, (names = overlay(ctx, () => board.update({over: over()}), true)).node);
    draw();
  }

  // over is what hints and names draw above the pieces.
  function hinted() {
    return hinting() && hints && hintsOf === walk.state.game ? hints.laid() : {};
  }
  function over() {
    return both(hinted().over, names?.laid().over);
  }

  function unfold(open: boolean): void {
    filterPane.hidden = !open;
    set(filterButton, 'aria-expanded', open);
  }

  // controls draws what depends on the state alone.
  function controls(): void {
    const s = walk.state;
    refill(
      setup,
      select(
        t('explore.game'),
        games.map(g => ({value: g.spec, label: `${kindName(g, lang)} · ${fmt(lang).number(g.records)}`})),
        s.game.spec,
        spec => {
          const game = games.find(g => g.spec === spec)!;
          go({game, line: '', ply: null, collection: '', ...filterOf('')}, 'push');
        },
      ),
      filterButton,
    );
    for (const b of collectionTabs.querySelectorAll('button'))
      b.setAttribute('aria-pressed', String(b.value === s.collection));
    withinBox.set(s.within);
    const option = (x: Switch, on: boolean) =>
      chip(t, t(`explore.option.${x}`), {pressed: on, run: () => narrow({[x]: !s[x]})});
    refill(
      optionRow,
      s.game.turns.length > 1 && option('exact', !s.exact),
      switches.filter(x => x !== 'exact').map(x => option(x, s[x])),
    );
    const n = switches.filter(x => s[x]).length + (s.within ? 1 : 0);
    fill(filterButton, icon('filter'), h('span', t('explore.filter')), n > 0 && h('span.badge', n));
    toolbar();
  }

  // A pass that must be played is a button; one that may be is in the menu.
  function toolbar(): void {
    const s = walk.state,
      legal = walk.spot?.legal ?? [],
      pass = legal.some(m => m.to < 0);
    const nav = (label: string, icon: 'first' | 'previous' | 'next' | 'last', run: () => void) =>
      button(label, run, {icon, bare: true});
    refill(
      tools,
      h(
        'div.btns',
        nav(t('keys.do.start'), 'first', () => walkTo(0)),
        nav(t('keys.do.back'), 'previous', () => step(-1)),
        nav(t('keys.do.forward'), 'next', () => step(1)),
        nav(t('keys.do.end'), 'last', () => walkTo(Infinity)),
      ),
      searchHere,
      h('span.wide-only', linkButton(t('explore.playHere'), walk.playLink, 'play', 'quiet')),
      h(
        'div.row',
        pass && legal.length === 1 && button(t('explore.pass'), () => playPass(), {kind: 'quiet'}),
        iconButton(t('explore.heat'), 'eye', () => go({heat: !s.heat}), {'aria-pressed': s.heat}),
        iconButton(t('keys.do.flip'), 'flip', () => go({flip: !s.flip}), {'aria-pressed': s.flip}),
        menu(
          t('explore.more'),
          () => [
            ...(pass ? [{label: t('explore.pass'), run: () => playPass()}] : []),
            {label: t('explore.playHere'), icon: 'play', run: () => ctx.go(walk.playLink)},
            {label: t('explore.search'), icon: 'search', run: () => ctx.go(walk.searchLink)},
            {
              label: t('explore.recordsHere'),
              icon: 'records',
              run: () => ctx.go(walk.recordsLink),
            },
            ...(s.game.tools.includes('judge')
              ? [
                  {
                    label: t('judge.here'),
                    icon: 'judge' as const,
                    href: walk.judgeLink,
                  },
                ]
              : []),
            ...(s.game.tools.includes('shapes')
              ? [{label: t('hints.title'), checked: hinting(), run: toggleHints}]
              : []),
            {label: t('keys.do.textBoard'), icon: 'text', run: () => toggleText()},
            {label: t('explore.copyLink'), icon: 'link', run: () => void put(ctx, Promise.resolve(location.href))},
          ],
          'more',
        ),
      ),
    );
  }

  // collections lists those that have games of this kind, the largest first. One that the address names is always
  // there.
  async function collections(): Promise<void> {
    const {game} = walk.state;
    try {
      const r = await ctx.call('GET /records/facets', {query: {game: game.spec, by: ['collection'], limit: 1000}});
      if (game !== walk.state.game) return;
      const now = walk.state.collection,
        names = r.facets[0]?.groups.map(g => g.key).filter(k => k) ?? [];
      if (now && !names.includes(now)) names.unshift(now);
      collectionTabs.setAttribute('aria-label', t('explore.collections'));
      collectionTabs.hidden = !names.length;
      fill(
        collectionTabs,
        ['', ...names].map(value =>
          h(
            'button.tab',
            {
              value,
              'aria-pressed': value === now,
              onclick: () => {
                if (value !== walk.state.collection) go({collection: value, ...filterOf(value)}, 'push');
              },
            },
            value || t('explore.allGames'),
          ),
        ),
      );
    } catch (err) {
      ctx.fail(err);
    }
  }

  function playPass(): void {
    const m = walk.spot?.legal.find(x => x.to < 0);
    if (m) void playMove(m.text);
  }

  function toggleText(): void {
    textPane.hidden = !textPane.hidden;
    textPane.setAttribute('aria-label', t('keys.do.textBoard'));
    draw();
    if (!textPane.hidden) textPane.focus();
  }

  function keyList(): Key[] {
    return [
      standard(t, 'back', () => step(-1)),
      standard(t, 'forward', () => step(1)),
      standard(t, 'start', () => walkTo(0)),
      standard(t, 'end', () => walkTo(Infinity)),
      standard(t, 'back10', () => step(-10)),
      standard(t, 'forward10', () => step(10)),
      {keys: 'ArrowUp', label: t('explore.keyUp'), run: () => tableView.step(-1)},
      {keys: 'ArrowDown', label: t('explore.keyDown'), run: () => tableView.step(1)},
      {
        keys: 'Enter',
        label: t('explore.keyPlay'),
        run: () => {
          const m = tableView.chosen;
          if (m) void playMove(written(walk.state.game, m.move));
        },
      },
      {
        keys: 'h',
        label: t('explore.heat'),
        run: () => {
          go({heat: !walk.state.heat});
          ctx.announce(t(walk.state.heat ? 'explore.heatOn' : 'explore.heatOff'));
        },
      },
      {
        keys: 'H',
        label: t('hints.title'),
        run: () => {
          if (walk.state.game.tools.includes('shapes')) toggleHints();
        },
      },
      standard(t, 'flip', () => go({flip: !walk.state.flip})),
      standard(t, 'searchHere', () => ctx.go(walk.searchLink)),
      standard(t, 'cursor', () => board.focus()),
      standard(t, 'textBoard', () => toggleText()),
    ];
  }

  return {
    title: t('explore.title'),
    node: root,
    keys: keyList(),
    update,
    leave: () => {
      board.close();
      later.cancel();
    },
    drop: (_, text) => {
      if (text) void takeText(text);
      return !!text;
    },
  };
}
