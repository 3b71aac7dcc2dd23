// The viewer: a record on the board, move by move. The address holds the moment (#12 in the main line, #n34 in a
// variation), the region and the view; stepping replaces it, so that Back leaves the record.
import '../common';
import type {FullRecord, Game, Hit, Region as WireRegion} from '../api';
import type {Context, Opener, Page} from '../app';
import {Board} from '../board';
import {Problem, latest} from '../client';
import {type BoardState, type Region, area, parseRegion, pointName, regionName, textBoard} from '../core';
import {fill, h, on, set} from '../dom';
import {titled} from '../i18n';
import {icon} from '../icons';
import {type Key, standard} from '../keys';
import {analysis} from '../record/analysis';
import {about, players, title} from '../record/info';
import type {Layers} from '../record/layers';
import {
  Guess,
  Line,
  type Numbering,
  type Place,
  nextPlace,
  numbered,
  numberings,
  placeAt,
  signs,
  sized,
} from '../record/model';
import {copies} from '../record/share';
import {type TreeView, tree} from '../record/tree';
import {notationOf} from '../kinds';
import {searchLink, withQuery} from '../router';
import {frame} from '../scene';
import {regionOf} from '../search/results';
import {compose, cutOut, fresh, placed, put} from '../search/model';
import {Sound} from '../sound';
import {button, iconButton, linkButton, menu, missing, tabs} from '../ui';

export const open: Opener = async (ctx, url, params) => {
  const {t} = ctx;
  try {
    const [games, found] = await Promise.all([ctx.games(), load(ctx, Number(params['id']), undefined)]);
    const game = games.find(g => g.spec === found.summary.game),
      notation = notationOf(ctx, game);
    // Which game it is the record alone tells, so that a notation of the reader's takes a second question.
    const record =
      notation && notation !== game!.notations[0]?.name ? await load(ctx, found.summary.id, notation) : found;
    return viewer(ctx, record, game, url);
  } catch (err) {
    if (!(err instanceof Problem) || (err.status !== 404 && err.status !== 422)) throw err;
    return {
      title: t('record.missing'),
      node: missing(
        'records',
        t('record.missing'),
        t('record.missingText', {id: params['id'] ?? ''}),
        h('a.btn.primary', {href: '/records'}, t('nav.records')),
        h('a.btn', {href: '/search'}, t('nav.search')),
      ),
    };
  }
};

const load = (ctx: Context, id: number, notation: string | undefined, signal = ctx.signal): Promise<FullRecord> =>
  ctx.call('GET /records/{id}', {path: {id}, query: {notation}}, signal);

const speeds = [0.5, 1, 2, 4] as const; // seconds a move

// viewer is the page of one record. What it shows is in the address: every change goes there first, and take shows what
// stands in it.
function viewer(ctx: Context, record: FullRecord, game: Game | undefined, address: URL): Page {
  const {t, prefs} = ctx;
  let current = 0;
  let pieces: readonly number[] = [];
  let marked: Region | null = null;
  let drawing = false; // the pointer draws regions
  let guess: Guess | null = null;
  let hits: readonly Place[] = []; // of the query that the record was opened from
  let speed = 1;
  let timer = 0;
  let board: Board | null = null;
  let layers: Layers | null = null,
    laying = false; // the script of it comes when it is wanted
  const shaped = game?.tools.includes('shapes'),
    judges = game?.tools.includes('judge');
  const overlays = [...(judges ? (['life'] as const) : []), ...(shaped ? (['hints'] as const) : []), 'names'] as const;
  const sound = new Sound();
  const comment = h('section.card.rec-comment', {'aria-live': 'off'});
  const moves = h('section.card.flush.rec-moves');
  const textPane = h('pre.code.rec-text', {tabindex: 0});
  const searchButton = h('a.btn.primary'),
    nameButton = linkButton(t('shapes.namePattern'), '', 'tag');
  const regionLabel = h('span.muted.code');
  const guessing = h('div.row.rec-guess', {hidden: true, role: 'status'});
  const total = h('span.muted');
  const hitCount = h('b');
  const layerPane = h('div', {hidden: true});
  let line = new Line(record);
  let treeView = makeTree();
  const reload = latest(ctx.signal, (signal, notation: string | undefined) =>
    load(ctx, record.summary.id, notation, signal),
  );
  const nav = (
    name: 'start' | 'back' | 'play' | 'forward' | 'end',
    sign: 'first' | 'previous' | 'play' | 'next' | 'last',
    run: () => void,
  ) => button(t(`keys.do.${name}`), run, {icon: sign, bare: true});
  const layerName = {hints: t('hints.title'), life: t('judge.title'), names: t('names.here')};
  const layer = (name: keyof typeof layerName, sign: 'eye' | 'judge' | 'names') =>
    iconButton(layerName[name], sign, () => toggle(name), {'aria-pressed': 'false', class: 'btn quiet bare rec-hint'});
  const buttons = {
    start: nav('start', 'first', () => move(0)),
    back: nav('back', 'previous', () => step(-1)),
    play: nav('play', 'play', () => play(!timer)),
    forward: nav('forward', 'next', () => step(1)),
    end: nav('end', 'last', () => move(line.end(current))),
    region: iconButton(t('keys.do.region'), 'region', () => draw(!drawing), {'aria-pressed': 'false'}),
    flip: iconButton(t('keys.do.flip'), 'flip', flip, {'aria-pressed': 'false'}),
    hints: layer('hints', 'eye'),
    life: layer('life', 'judge'),
    names: layer('names', 'names'),
  };
  const plyBox = h('input.rec-ply', {
    type: 'text',
    inputmode: 'numeric',
    'aria-label': t('record.goTo'),
    title: t('record.goTo'),
    autocomplete: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
  });
  on(plyBox, 'focus', () => plyBox.select());
  on(plyBox, 'blur', status);
  if (game && record.start.length === area(game.geometry.size)) {
    pieces = record.start;
    board = new Board(boardState(), {
      t,
      lang: ctx.lang,
      keys: 'none',
      announce: s => ctx.announce(s),
      wheel: prefs.get('wheel'),
      twoTap: prefs.get('twoTap'),
      animate: prefs.get('animation'),
      facts: () => ({turn: side(line.node(current).turn), last: line.node(current).move}),
      ghost: p => (guess && !game.moving && !pieces[p] ? pieceOf(line.node(current).turn) : 0),
      canPick: p => !!guess && game.geometry.pieces[(pieces[p] ?? 0) - 1]?.owner === line.node(current).turn,
      onPoint: (p, c) => {
        if (c.button === 0) point(p);
      },
      onPick: p => board?.update({selected: p ?? undefined}),
      onDrag: tryMove,
      onRegion: setRegion,
      onWheel: step,
      onKey: e => {
        if (e.key === 's') search();
        return e.key === 's';
      },
    });
  }
  fill(searchButton, icon('search'), h('span', t('record.searchRegion')));
  const searching = h(
    'div.row.rec-region',
    searchButton,
    shaped && nameButton,
    regionLabel,
    iconButton(t('record.clearRegion'), 'close', () => setRegion(null, true)),
  );
  const thought =
    game && board && analysis(ctx, record, game, ply => move(line.main[Math.min(ply, line.main.length - 1)] ?? 0));
  const sheet = tabs(
    t('record.views'),
    [
      {
        id: 'moves',
        label: t('record.moves'),
        panel: h('div.rec-play', searching, guessing, layerPane, moves, comment, textPane),
      },
      ...(thought ? [{id: 'review', label: t('review.tab'), panel: h('div', thought.node)}] : []),
      {id: 'about', label: t('record.about'), panel: about(ctx, record, game)},
    ],
    address.searchParams.get('tab') ?? 'moves',
    tab => view({tab: tab === 'moves' ? null : tab}),
  );
  sheet.node.classList.add('panels');
  const hitBar = h(
    'span.btns.rec-hits',
    {role: 'group', 'aria-label': t('record.hits'), hidden: true},
    iconButton(t('record.previousHit'), 'previous', () => nextHit(-1)),
    hitCount,
    iconButton(t('record.nextHit'), 'next', () => nextHit(1)),
  );
  const root = layout();
  void findHits();
  prefs.on(changed => {
    if (changed.has('notation')) void rewrite();
    board?.configure({wheel: prefs.get('wheel'), twoTap: prefs.get('twoTap'), animate: prefs.get('animation')});
    show();
  }, ctx.signal);
  take(address);

  // Building.

  function layout(): HTMLElement {
    const b = buttons;
    const go = h(
      'form.rec-go',
      {
        onsubmit: (e: Event) => {
          e.preventDefault();
          seek(plyBox.value);
        },
      },
      plyBox,
      total,
    );
    const from = address.searchParams.get('q') !== null;
    const bar = h('nav.rec-bar.full', {'aria-label': t('record.steps')}, b.start, b.back, b.play, b.forward, b.end, go);
    const tools = h(
      'div.rec-tools.full',
      {role: 'group', 'aria-label': t('record.tools')},
      board && [
        menu(
          t('record.search'),
          () => [
            ...(sized(marked) ? [{label: t('record.searchRegion'), icon: 'region' as const, href: regionLink()}] : []),
            ...(sized(marked) && shaped
              ? [{label: t('shapes.namePattern'), icon: 'tag' as const, href: nameLink()}]
              : []),
            {label: t('record.searchPosition'), icon: 'search', run: () => void leaveFor('search')},
            {label: t('record.explore'), icon: 'explore', run: () => void leaveFor('explore')},
            {label: t('explore.playHere'), icon: 'play', run: () => void leaveFor('play')},
            ...(judges
              ? [
                  {
                    label: t('judge.here'),
                    icon: 'judge' as const,
                    href: `/judge?id=${record.summary.id}&node=${current}`,
                  },
                ]
              : []),
          ],
          'search',
        ),
        iconButton(t('review.start'), 'chart', () => view({tab: 'review'})),
        b.region,
        b.flip,
        overlays.map(x => b[x]),
        !game!.moving &&
          h(
            'span.numbers',
            menu(
              t('record.numbers'),
              () =>
                numberings.map(n => ({
                  label: t(`record.numbers.${n || 'none'}`),
                  checked: n === numbering(),
                  run: () => view({num: n}),
                })),
              'table',
            ),
          ),
        // i18n: record.numbers.*
      ],
      menu(
        t('record.speed'),
        () =>
          speeds.map(s => ({
            label: t('record.seconds', {n: s}),
            checked: s === speed,
            run: () => {
              speed = s;
              play(true);
            },
          })),
        'clock',
      ),
      menu(t('record.copyAs'), () => copies(ctx, record, moment()), 'share'),
      menu(
        t('record.more'),
        () => [
          ...(board
            ? [
                {label: t('keys.do.textBoard'), icon: 'text' as const, run: () => toggle('text')},
                ...overlays.map(x => ({
                  label: layerName[x],
                  checked: address.searchParams.get(x) === '1',
                  run: () => toggle(x),
                })),
                {
                  label: t(guess ? 'record.guess.stop' : 'record.guess.start'),
                  icon: 'eye' as const,
                  run: () => toggle('guess'),
                },
              ]
            : []),
          {label: t('record.print'), icon: 'records', run: () => print()},
          ...(game && game.notations.length > 1
            ? game.notations.map(n => ({
                label: `${n.name}: ${n.summary.split(': ').at(-1)!.split(/[,;(]/)[0]!.trim()}`,
                checked: n.name === (notationOf(ctx, game) ?? game.notations[0]!.name),
                run: () => prefs.setNotation(game.spec, n.name),
              }))
            : []),
        ],
        'more',
      ),
    );
    const list =
      from &&
      h(
        'div.row.between.rec-back',
        linkButton(
          t('record.toHits'),
          searchLink(address.searchParams.get('q') ?? '', address.searchParams.get('g') ?? ''),
          'search',
          'quiet small',
        ),
        hitBar,
        h(
          'span.btns',
          button(t('record.previousGame'), () => void neighbour(-1), {icon: 'up', bare: true}),
          button(t('record.nextGame'), () => void neighbour(1), {icon: 'down', bare: true}),
        ),
      );
    const work = h(
      'div.work.record',
      h(
        'div.stage',
        board ? board.node : h('div.card', h('p.muted', t('record.noBoard'))),
        h('div.rec-controls.full', bar, tools),
      ),
      h('div.side', list, players(ctx, record, game), sheet.node),
    );
    tools.querySelector('.numbers .icon')?.replaceWith(h('b', {'aria-hidden': 'true'}, '12'));
    work.classList.toggle('listed', from);
    work.classList.toggle('boardless', !board);
    return work;
  }

  function makeTree(): TreeView {
    const made = tree(ctx.t, record, line, game, i => move(i));
    fill(moves, made.node);
    return made;
  }

  function keys(): Key[] {
    const s = (name: Parameters<typeof standard>[1], run: () => void) => standard(t, name, run);
    return [
      s('back', () => step(-1)),
      s('forward', () => step(1)),
      s('branchUp', () => branch(-1)),
      s('branchDown', () => branch(1)),
      s('back10', () => step(-10)),
      s('forward10', () => step(10)),
      s('start', () => move(0)),
      s('end', () => move(line.end(current))),
      s('play', () => play(!timer)),
      s('flip', () => flip()),
      s('region', () => draw(!drawing)),
      {...s('searchHere', () => search()), keys: ['s', '/']},
      {keys: 'e', label: t('record.explore'), run: () => void leaveFor('explore')},
      s('cursor', () => {
        board?.focus();
        board?.node.dispatchEvent(new KeyboardEvent('keydown', {key: 'b'}));
      }),
      s('textBoard', () => toggle('text')),
      {keys: 'n', label: t('record.key.numbers'), run: () => cycle()},
      ...overlays.map(x => ({keys: {hints: 'h', life: 'l', names: 'm'}[x], label: layerName[x], run: () => toggle(x)})),
      {keys: 'g', label: t('record.goTo'), run: () => plyBox.focus()},
      {
        keys: 'Enter',
        label: t('record.searchRegion'),
        run: () => {
          if (sized(marked)) search();
        },
      },
      {
        keys: 'Escape',
        label: t('record.key.escape'),
        run: () => {
          if (timer) play(false);
          else if (marked) setRegion(null, true);
          else draw(false);
        },
      },
      ...(address.searchParams.has('q')
        ? [
            {keys: '[', label: t('record.previousHit'), run: () => nextHit(-1)},
            {keys: ']', label: t('record.nextHit'), run: () => nextHit(1)},
            {keys: 'Shift+ArrowLeft', label: t('record.previousGame'), run: () => void neighbour(-1)},
            {keys: 'Shift+ArrowRight', label: t('record.nextGame'), run: () => void neighbour(1)},
          ]
        : []),
    ];
  }

  // The address.

  function numbering(): Numbering {
    return numberings.find(n => n === address.searchParams.get('num')) ?? '';
  }

  function take(url: URL): void {
    address = url;
    const q = url.searchParams,
      region = q.get('region');
    marked = region && game ? parseRegion(game.geometry, region) : null;
    sheet.select(q.get('tab') ?? 'moves');
    if (q.get('tab') === 'review') {
      thought?.start();
      root.classList.add('analysed');
    }
    if ((q.get('guess') === '1') !== !!guess) guess = guess ? null : new Guess();
    const at = line.parse(url.hash);
    if (at !== current) line.visit(at);
    current = at;
    show();
  }

  // view changes what the address says about the view.
  function view(change: Record<string, string | null>): void {
    const to = withQuery(address, change);
    if (to === address.pathname + address.search + address.hash) return;
    ctx.go(to, 'replace');
  }

  function toggle(name: 'text' | 'guess' | 'flip' | 'hints' | 'life' | 'names'): void {
    view({[name]: address.searchParams.get(name) === '1' ? null : '1'});
  }
  function flip(): void {
    toggle('flip');
  }

  function cycle(): void {
    const next = numberings[(numberings.indexOf(numbering()) + 1) % numberings.length]!;
    view({num: next});
    ctx.announce(t(`record.numbers.${next || 'none'}`));
  }

  // Moving.

  function move(i: number, playing = false): void {
    if (!playing) play(false);
    if (i === current) return;
    if (guess) guess.tried = [];
    const forward = line.parent(i) === current;
    line.visit(i);
    if (forward) sound.click(prefs.get('sound'), line.node(i).changes.length > 4);
    ctx.go(address.pathname + address.search + line.hash(i), 'replace');
    say();
  }

  function step(n: number): void {
    move(line.step(current, n));
  }
  function branch(by: 1 | -1): void {
    move(line.sibling(current, by));
  }

  function seek(text: string): void {
    const i = line.seek(current, text, game?.geometry);
    if (i === null) return ctx.toast(ctx.t('record.noMove', {move: text}), 'error');
    plyBox.blur(); // the keys go through the moves again
    move(i);
  }

  function play(go: boolean): void {
    clearInterval(timer);
    timer = 0;
    if (go && line.next(current) !== undefined) {
      timer = window.setInterval(() => {
        move(line.step(current, 1), true);
        if (line.next(current) === undefined) play(false);
      }, speed * 1000);
    }
    const b = buttons.play,
      sign = timer ? 'pause' : 'play';
    if (b.dataset['sign'] === sign) return;
    b.dataset['sign'] = sign;
    b.setAttribute('aria-pressed', String(!!timer));
    fill(b, icon(sign));
  }

  function say(first = ''): void {
    const n = line.node(current);
    const parts = [
      ...(first ? [first] : []),
      n.move
        ? t('record.said', {
            number: numbered(game, record.turn, n).replace(/[.…]$/, ''),
            move: n.move,
            side: side(n.side),
          })
        : t(current ? 'record.setUp' : 'record.atStart'),
    ];
    if (n.fault) parts.push(n.fault);
    if (n.comment) parts.push(n.comment);
    if (line.kids[current]!.length > 1) parts.push(t('record.forks', {n: line.kids[current]!.length}));
    ctx.announce(parts.join('. '));
  }

  function side(i: number): string {
    const s = game?.sides[i];
    return titled(s?.titles, ctx.lang, s?.name ?? '');
  }
  function pieceOf(side: number): number {
    return game!.geometry.pieces.findIndex(l => l.owner === side) + 1;
  }

  // The board.

  function boardState(): BoardState {
    const {geometry, glyphs} = game!,
      v = prefs.view(address),
      n = line.nodes[current];
    const {labels, marks} = signs(line, current, pieces, numbering());
    for (const p of guess?.tried ?? []) marks.set(p, 'cross');
    const kids = line.kids[current] ?? [],
      forks = kids.length > 1 && !guess ? kids.map(k => line.node(k).to).filter(p => p >= 0) : [];
    return {
      geometry,
      glyphs,
      pieces: pieces,
      flip: address.searchParams.get('flip') === '1',
      coordinates: v.coordinates,
      set: v.pieces,
      last: n && n.to >= 0 ? {to: n.to, ...(n.from >= 0 && {from: n.from})} : undefined,
      labels,
      marks,
      hints: forks,
      region: marked,
      selected: undefined,
      under: undefined,
      over: undefined,
      heat: undefined,
      ...(laying && !guess && layers?.laid()),
    };
  }

  // lay shows what is to be laid over the board, where that is wanted.
  async function lay(): Promise<void> {
    const q = address.searchParams,
      wanted = overlays.filter(x => {
        const yes = !!board && q.get(x) === '1';
        buttons[x].setAttribute('aria-pressed', String(yes));
        return yes;
      });
    laying = wanted.length > 0;
    layerPane.hidden = !laying || !!guess;
    if (!laying) return;
    layerPane.ariaBusy = 'true'; // the scripts are on their way
    try {
      const made = await import('../record/layers');
      if (!layers) fill(layerPane, (layers = made.layers(ctx, game!, () => board?.set(boardState()), view)).node);
      await layers.show(q, record.summary.id, line, current);
    } finally {
      layerPane.ariaBusy = null;
    }
  }

  // point is a click: it follows the move that the record has there.
  function point(p: number): void {
    if (guess) return game!.moving ? undefined : tryMove(-1, p);
    const kid = line.kids[current]!.find(k => line.node(k).to === p);
    if (kid !== undefined) return move(kid);
    // A click on a stone, or on a piece that is to move, asks for nothing.
    const piece = pieces[p] ?? 0;
    if (!piece || (game!.moving && game!.geometry.pieces[piece - 1]?.owner !== line.node(current).turn))
      ctx.toast(t('record.notPlayed'), 'info', {label: t('record.explore'), run: () => void leaveFor('explore')});
  }

  // try compares a guess with the moves of the record.
  function tryMove(from: number, to: number): void {
    if (!guess) return;
    const kid = guess.take(line, current, from, to);
    if (kid !== undefined) return move(kid);
    ctx.announce(t('record.guess.wrong', {move: pointName(game!.geometry, to)}));
    show();
  }

  // Regions and searches.

  function draw(yes: boolean): void {
    drawing = yes && !!board;
    board?.configure({mode: drawing ? 'region' : guess && game?.moving ? 'move' : 'point'});
    buttons.region.setAttribute('aria-pressed', String(drawing));
    if (drawing) ctx.announce(ctx.t('record.drawRegion'));
  }

  function setRegion(r: Region | null, done: boolean): void {
    if (r && !sized(r) && done) r = null;
    marked = r;
    board?.update({region: r});
    if (!done) return;
    const byPointer = !(board && board.cursor >= 0);
    view({region: r ? regionName(game!.geometry, r) : null});
    show();
    if (r) {
      ctx.announce(ctx.t('record.regionSet', {region: regionName(game!.geometry, r)}));
      if (byPointer) searchButton.focus({preventScroll: true}); // Enter searches
    }
  }

  // regionLink is the address of the search for what stands in the region, as the editor there would write it.
  function regionLink(): string {
    const kind = game!,
      ed = {...fresh(kind), cells: put(pieces), region: marked};
    return withQuery(new URL('/search', location.href), {
      g: kind.spec,
      q: compose(kind, ed, []),
      ...placed(kind, ed),
      flip: address.searchParams.get('flip'),
    });
  }

  // nameLink is that of the editor of shapes with what stands in the region; own is who is to move.
  function nameLink(): string {
    return cutOut(game!.geometry, {...fresh(game!), cells: put(pieces)}, marked!, line.node(current).turn === 1);
  }

  function search(): void {
    if (sized(marked)) ctx.go(regionLink());
    else void leaveFor('search');
  }

  // leaveFor goes to the search for the whole position, or with the line so far to the explorer or into a game.
  async function leaveFor(to: 'search' | 'explore' | 'play'): Promise<void> {
    const id = record.summary.id;
    try {
      const p = await ctx.call('GET /records/{id}/position', {path: {id}, query: current ? {node: current} : {ply: 0}});
      ctx.go(
        to === 'search'
          ? searchLink(`position:"${p.text}"`, p.game)
          : `/${to}?${new URLSearchParams({g: p.game, m: p.line}).toString()}`,
      );
    } catch (err) {
      ctx.fail(err);
    }
  }

  function moment() {
    const v = prefs.view(address);
    return {
      node: current,
      flip: address.searchParams.get('flip') === '1',
      coordinates: v.coordinates,
      simplified: v.pieces === 'simplified',
      region: marked && game ? regionName(game.geometry, marked) : '',
      notation: notationOf(ctx, game),
    };
  }

  // The list that the record was opened from.

  // neighbour opens the game before or behind this one among those of the query. The list is asked for when it is
  // wanted.
  async function neighbour(by: 1 | -1): Promise<void> {
    const q = address.searchParams,
      ask = {
        q: q.get('q') ?? '',
        game: q.get('g') ?? '',
        sort: (q.get('sort') ?? '') as '',
        reverse: q.get('rev') === '1',
        limit: 500,
      };
    try {
      let before: Hit | undefined,
        found = false,
        cursor = '';
      for (let pages = 0; pages < 20; pages++) {
        const list = await ctx.call('GET /records', {query: {...ask, cursor}});
        for (const x of list.records) {
          if (found) return openHit(x);
          if (x.record.id === record.summary.id) {
            if (by < 0) return before ? openHit(before) : ctx.toast(t('record.firstGame'));
            found = true;
          }
          before = x;
        }
        if (!(cursor = list.next)) break;
      }
      ctx.toast(t(found ? 'record.lastGame' : 'record.notListed'));
    } catch (err) {
      ctx.fail(err);
    }
  }

  function named(r: WireRegion | undefined): string | null {
    return r && game ? regionName(game.geometry, regionOf(r)) : null;
  }

  // findHits asks where in this record the query is met. Without a board in it there are no places.
  async function findHits(): Promise<void> {
    const q = address.searchParams.get('q');
    if (!q || !game) return;
    const found = await ctx
      .call('GET /records/{id}/hits', {path: {id: record.summary.id}, query: {q}})
      .catch(() => null); // the record can be read without
    hits = found?.hits.filter(x => !x.variation).map(x => ({ply: x.ply, region: named(x.region)})) ?? [];
    show();
  }

  // hitAt is the number of the hit that is shown, -1 between hits.
  function hitAt(): number {
    return placeAt(hits, line, current, address.searchParams.get('region'));
  }

  // hit goes to the next place where the query is met, and draws the region there.
  function nextHit(by: 1 | -1): void {
    const list = hits,
      i = nextPlace(list, line, current, address.searchParams.get('region'), by),
      x = list[i];
    if (!x) return ctx.toast(t(!list.length ? 'record.noHits' : by > 0 ? 'record.lastHit' : 'record.firstHit'));
    play(false);
    const to = line.at(x.ply);
    line.visit(to);
    ctx.go(
      withQuery(new URL(address.pathname + address.search, location.href), {region: x.region}) + line.hash(to),
      'replace',
    );
    say(t('record.hit', {i: i + 1, n: list.length}));
  }

  function openHit(x: Hit): void {
    const to = new URL(
      withQuery(address, {region: x.record.game === game?.spec ? named(x.region) : null}),
      location.href,
    );
    to.pathname = `/records/${x.record.id}`;
    to.hash = x.ply >= 0 ? String(x.ply) : '';
    ctx.go(to.pathname + to.search + to.hash, 'replace');
  }

  // Showing.

  // rewrite has the moves written in another notation.
  async function rewrite(): Promise<void> {
    try {
      const again = await reload(notationOf(ctx, game));
      if (!again) return;
      record = again;
      line = new Line(record);
      line.visit(current);
      treeView = makeTree();
      show();
    } catch (err) {
      ctx.fail(err);
    }
  }

  function status(): void {
    const n = line.nodes[current];
    if (document.activeElement !== plyBox) plyBox.value = String(n?.ply ?? 0);
    fill(total, `/ ${line.nodes[line.end(current)]?.ply ?? 0}`);
  }

  function show(): void {
    const n = line.nodes[current],
      q = address.searchParams,
      b = buttons,
      g = guess;
    void lay().catch((err: unknown) => ctx.fail(err));
    if (board) {
      pieces = line.pieces(current);
      const mode = drawing ? 'region' : g && game!.moving ? 'move' : 'point';
      if (board.node.dataset['mode'] !== mode) board.configure({mode});
      const state = boardState(),
        f = frame(state);
      set(root, 'vars', {'--aspect': String(f.w / f.h)}); // the names around it come and go
      board.set(state);
    }
    treeView.show(current, !!g);
    thought?.at(n?.ply ?? 0);
    status();
    const first = current === 0,
      last = line.next(current) === undefined;
    b.start.disabled = b.back.disabled = first;
    b.forward.disabled = b.end.disabled = b.play.disabled = last;
    b.flip.setAttribute('aria-pressed', String(q.get('flip') === '1'));
    const kids = line.kids[current] ?? [];
    comment.hidden = !n?.comment && !n?.fault && (kids.length < 2 || !!g);
    fill(
      comment,
      n?.fault && h('p.fault', icon('warn'), ' ', n.fault),
      n?.comment && h('p.pre', n.comment),
      kids.length > 1 &&
        !g &&
        h(
          'div.row',
          {role: 'group', 'aria-label': t('record.forks', {n: kids.length})},
          kids.map(k =>
            button(line.node(k).move || '·', () => move(k), {props: {'aria-pressed': k === line.next(current)}}),
          ),
        ),
    );
    textPane.hidden = q.get('text') !== '1' || !board;
    if (!textPane.hidden) textPane.textContent = textBoard(board!.state);
    searching.hidden = !sized(marked) || !game;
    if (!searching.hidden) {
      // the link stays, as it may have the focus
      searchButton.href = regionLink();
      nameButton.href = nameLink();
      regionLabel.textContent = regionName(game!.geometry, marked!);
    }
    hitBar.hidden = !hits.length;
    const hit = hitAt();
    hitCount.textContent = t('record.hit', {i: hit < 0 ? '–' : hit + 1, n: hits.length});
    guessing.hidden = !g;
    if (g) {
      fill(
        guessing,
        h(
          'span',
          t(last ? 'record.guess.over' : g.tried.length ? 'record.guess.again' : 'record.guess.ask', {
            side: side(n?.turn ?? 0),
          }),
        ),
        h('span.tag', t('record.guess.score', {right: g.right, n: g.all})),
        g.tried.length > 0 && !last && button(t('record.guess.show'), () => step(1), {kind: 'quiet'}),
        iconButton(t('record.guess.stop'), 'close', () => toggle('guess')),
      );
    }
  }

  return {
    title: title(ctx, record, game),
    node: root,
    keys: keys(),
    update: url => {
      if (url.href !== address.href) take(url);
    },
    leave: () => {
      play(false);
      board?.close();
    },
  };
}
