// The explorer: walks through a game from the start or from any position, and tells at every step what was played
// there, how often, and how it went. The rules are the server's: a move is asked for, and the position that it makes
// comes back.
import '../common';
import type {Game, Hit, Move, NextMove} from '../api';
import type {Context, Opener, Page} from '../app';
import {Board} from '../board';
import {Problem} from '../client';
import {textBoard} from '../core';
import {debounce, fill, fmt, h} from '../dom';
import {kindName, titled} from '../i18n';
import {type Key, standard} from '../keys';
import {Acts} from '../explore/acting';
import {Advice} from '../explore/advice';
import {asking} from '../explore/asking';
import {bookPanel} from '../explore/book';
import {filters} from '../explore/filters';
import {Walk} from '../explore/model';
import {line, positionPanel} from '../explore/line';
import {type State, bare, filterOf, read, tabNames, write} from '../explore/state';
import {heat, table} from '../explore/table';
import {toolbar} from '../explore/toolbar';
import {notationOf, sorts} from '../kinds';
import {endings} from '../endings';
import {live} from '../live';
import {gameRow, refill} from '../records/row';
import {plainValue} from '../search/model';
import {button, chip, empty, endless, explain, select, tabs, trouble} from '../ui';
import {bookHeat} from '../value';

// i18n: explore.sort.*, explore.tab.*

export const open: Opener = async (ctx, url) => {
  const games = await ctx.games();
  return explorer(ctx, games, url);
};

const pause = 250; // ms between steps of which each is worth a question

function explorer(ctx: Context, games: readonly Game[], address: URL): Page {
  const {t, lang, prefs} = ctx;
  const walk = new Walk(read(address, games));
  let looking = false; // the book is being asked
  let shownAt = -Infinity; // when the board was last drawn for a new state
  let arrived: Promise<void> = Promise.resolve(); // once the board shows the state
  let ours = false; // an act changes the address
  const later = debounce(() => void count(), pause);
  const ask = asking(ctx, walk);
  const acts = new Acts(ctx, walk, ask, {
    arrived: () => arrived,
    follow,
    choose: clear => board.update({...acts.choice(), ...(clear && {arrows: undefined, ghost: undefined})}),
  });
  const advice = new Advice(ctx, walk, go, draw);
  const filter = filters(ctx, games, () => walk.state, go);
  const nameRow = h('p.explore-name');
  const notice = h('div.explore-state');
  const nameList = h('div');
  const textPane = h('pre.text-board.full', {tabindex: 0, hidden: true});
  const orderRow = h('div.row.between');
  const board = new Board(blank(), {
    t,
    lang,
    announce: x => ctx.announce(x),
    keys: 'none',
    wheel: prefs.get('wheel'),
    twoTap: prefs.get('twoTap'),
    animate: prefs.get('animation'),
    facts,
    onWheel: d => acts.step(d),
    ghost: p => acts.drops(p)[0]?.piece ?? (acts.drops(p).length ? pieceOf(walk.spot!.turn) : 0),
    canPick: p => acts.canPick(p),
    onPick: p => acts.pick(p),
    onDrag: (from, to) => acts.click(from, to),
    onPoint: (p, c) => {
      if (c.button === 0 && (!walk.state.game.moving || acts.drops(p).length)) acts.click(-1, p);
    },
  });
  const tools = toolbar(ctx, walk, acts, advice, go, toggleText);
  const lineView = line(ctx, ply => acts.walkTo(ply));
  const bookView = bookPanel(ctx, {
    play: m => acts.listed(m),
    hover: pointAt,
    overlay: overlay => go({overlay, heat: true}),
    threshold: threshold => go({threshold}),
    edited(b) {
      ask.forget();
      walk.book = b;
      draw();
    },
    learnt: () => ask.forget(),
  });
  const thinker = live(ctx, {play: m => acts.listed(m), hover: pointAt, changed: draw});
  const known = endings(ctx, {play: m => acts.listed(m), hover: pointAt});
  const tableView = table(ctx, hover, m => acts.listed(m.move));
  const positionView = positionPanel(
    ctx,
    l => go({line: l, ply: null}, 'push'),
    m => acts.play(() => m),
  );
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
    moves: panel(notice, advice.hintPane, tableView.node, nameList),
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
    h('div.stage', board.node, tools.node, textPane),
    h(
      'div.side',
      filter.node,
      h('div.card.explore-top', nameRow, lineView.node, advice.namePane),
      known.node,
      thinker.node,
      sheet.node,
    ),
  );
  prefs.on(draw, ctx.signal);
  filter.load();
  controls();
  arrived = show();
  void advice.call(() => board.update({over: advice.laid().over})).catch((err: unknown) => ctx.fail(err));
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
    const {game, line, ply} = walk.state,
      s = read(url, games);
    // Whoever goes elsewhere does not mean the board on which the moves that wait were made.
    if (!ours && (s.game !== game || s.line !== line || s.ply !== ply)) acts.clear();
    address = url;
    sheet.select(s.tab);
    if (walk.take(s) === 'draw') {
      draw();
      return controls();
    }
    if (s.game !== game) filter.load();
    controls();
    arrived = show();
    if (bare(url)) setTimeout(complete);
  }

  // follow goes where an act leads, and is done once the board shows it.
  function follow(change: Partial<State>, how: 'push' | 'replace'): Promise<void> {
    ours = true;
    try {
      go(change, how);
    } finally {
      ours = false;
    }
    return arrived;
  }

  // Asking.

  // show brings the state onto the page: the board at once, the figures as soon as they are counted.
  async function show(): Promise<void> {
    const s = walk.state,
      before = shownAt;
    shownAt = performance.now();
    try {
      const whole = await ask.position(s.line);
      const here = s.ply === null || s.ply >= whole.ply ? whole : await ask.position(s.line, whole.ply - s.ply);
      if (s !== walk.state) return;
      walk.arrive(whole, here);
      acts.settle();
    } catch (err) {
      if (s !== walk.state) return;
      return lost(err);
    }
    draw();
    tableView.wait(true);
    later.cancel();
    // While a key is held down only the board follows; the figures come when it is let go.
    if (shownAt - before < pause) later();
    else void count();
  }

  // look asks the book. What it cannot tell is told in its place, and the rest of the page is as good without it.
  async function look(): Promise<void> {
    looking = true;
    bookView.show(walk.state.game, walk.book, walk.state, true);
    try {
      const b = await ask.book();
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
      start = s.line ? await ask.position('').catch(() => null) : null;
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
      const a = await ask.answer();
      if (!a) return;
      walk.answer = a;
      filter.count(a);
      filter.mistake(null);
    } catch (err) {
      const s = walk.state,
        u = s.within ? await ctx.call('GET /query', {query: {q: s.within, game: s.game.spec}}).catch(() => null) : null;
      if (s !== walk.state) return;
      filter.mistake(u?.problem ?? null);
      if (u?.problem) {
        // the figures before it stay, pale
        filter.unfold(true);
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

  // paste takes over whatever was pasted: moves or a position onto the board, a query as a filter.
  async function takeText(text: string): Promise<void> {
    try {
      const r = await ctx.call('POST /read', {body: {text}});
      // Moves that fit several games are those of the one that is open.
      const spec = r.games.includes(walk.state.game.spec) ? walk.state.game.spec : r.games[0],
        game = games.find(g => g.spec === spec);
      if (r.what === 'query') return filter.narrow({within: r.query || text});
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
      texts: game.texts,
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
    advice.show();
    const place = {game: s.game, line: p.line, turn: p.turn, pieces: p.pieces, over: p.over};
    thinker.show(place);
    known.show(place);
    board.configure({mode: s.game.moving ? 'move' : 'point', wheel: prefs.get('wheel'), twoTap: prefs.get('twoTap')});
    const state = {
      ...blank(),
      pieces: p.pieces,
      texts: p.texts,
      last: walk.last,
      ...acts.choice(),
      heat:
        thinker.laid() ??
        (!s.heat
          ? undefined
          : s.overlay !== 'games'
            ? walk.book
              ? bookHeat(ctx, s.game, p.pieces, walk.book, s.overlay)
              : undefined
            : a
              ? heat(ctx, s.game, p.pieces, a)
              : undefined),
      ...advice.laid(),
    };
    board.set(state);
    root.style.setProperty('--aspect', String(s.game.geometry.size.w / s.game.geometry.size.h));
    if (!textPane.hidden) textPane.textContent = textBoard({...state, coordinates: true});
    lineView.show(s.game, whole, p.ply);
    tools.show();
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
    bookView.show(s.game, walk.book, s, looking);
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
              t(
                a.apart > 0
                  ? a.counted === 'here'
                    ? 'book.noneHere'
                    : 'book.noRecords'
                  : walk.isNarrowed
                    ? 'explore.noneNarrow'
                    : 'explore.noneText',
              ),
              walk.isNarrowed &&
                button(t('explore.widen'), () =>
                  go({collection: '', within: '', exact: false, variations: false}, 'push'),
                ),
              p.ply > 0 && button(t('keys.do.back'), () => acts.step(-1), {icon: 'previous'}),
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
              run: () => filter.narrow({within: [s.within, `${field}=${plainValue(name)}`].filter(Boolean).join(' ')}),
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

  // controls draws what depends on the state alone.
  function controls(): void {
    filter.show();
    tools.show();
  }

  function toggleText(): void {
    textPane.hidden = !textPane.hidden;
    textPane.setAttribute('aria-label', t('keys.do.textBoard'));
    draw();
    if (!textPane.hidden) textPane.focus();
  }

  function keyList(): Key[] {
    return [
      standard(t, 'back', () => acts.step(-1)),
      standard(t, 'forward', () => acts.step(1)),
      standard(t, 'start', () => acts.walkTo(0)),
      standard(t, 'end', () => acts.walkTo(Infinity)),
      standard(t, 'back10', () => acts.step(-10)),
      standard(t, 'forward10', () => acts.step(10)),
      {keys: 'ArrowUp', label: t('explore.keyUp'), run: () => tableView.step(-1)},
      {keys: 'ArrowDown', label: t('explore.keyDown'), run: () => tableView.step(1)},
      {
        keys: 'Enter',
        label: t('explore.keyPlay'),
        run: () => {
          const m = tableView.chosen;
          if (m) acts.listed(m.move);
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
          if (walk.state.game.tools.includes('shapes')) advice.toggle();
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
