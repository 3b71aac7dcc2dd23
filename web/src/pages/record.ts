// The viewer: a record on the board, move by move. The address holds the moment (#12 in the main line, #n34 in a
// variation), the region and the view; stepping replaces it, so that Back leaves the record.
import '../common';
import type {FullRecord, Game, Move, StudyEdit, StudySheet} from '../api';
import type {Context, Opener, Page} from '../app';
import {Board} from '../board';
import {Problem, latest} from '../client';
import {
  type BoardState,
  type Decor,
  type Region,
  area,
  both,
  parseRegion,
  pointName,
  regionName,
  textBoard,
} from '../core';
import {fill, h, on, set} from '../dom';
import {titled} from '../i18n';
import {icon} from '../icons';
import {type Key, standard} from '../keys';
import {endings} from '../endings';
import {type Live, live} from '../live';
import {analysis} from '../record/analysis';
import {courseView} from '../record/course';
import {guesses, words} from '../record/aside';
import {about, players, title} from '../record/info';
import type {Layers} from '../record/layers';
import {lineTo} from '../record/lineto';
import {Hits} from '../record/hits';
import {Guess, Line, type Numbering, numbered, numberings, signs, sized} from '../record/model';
import {tools} from '../record/tools';
import {type TreeView, tree} from '../record/tree';
import {notationOf} from '../kinds';
import {labLink, searchLink, withQuery} from '../router';
import {frame} from '../scene';
import {compose, cutOut, fresh, placed, put} from '../search/model';
import {Sound} from '../sound';
import type {Editor} from '../study/editor';
import type {Sheet} from '../study/sheet';
import {button, iconButton, linkButton, missing, tabs} from '../ui';

export const open: Opener = async (ctx, url, params) => {
  const {t} = ctx;
  try {
    const of = url.searchParams.get('of') ?? undefined;
    const [games, found] = await Promise.all([ctx.games(), load(ctx, Number(params['id']), undefined, of)]);
    const game = games.find(g => g.spec === found.record.summary.game),
      notation = notationOf(ctx, game);
    // Which game it is the record alone tells, so that a notation of the reader's takes a second question.
    const sheet =
      notation && notation !== game!.notations[0]?.name
        ? await load(ctx, found.record.summary.id, notation, of)
        : found;
    return viewer(ctx, sheet, game, url);
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

const load = (
  ctx: Context,
  id: number,
  notation: string | undefined,
  of: string | undefined,
  signal = ctx.signal,
): Promise<StudySheet> => ctx.call('GET /records/{id}/sheet', {path: {id}, query: {notation, of}}, signal);

// shaded draws coloured regions on the lines of a board.
const shaded =
  (list: readonly {from: number; to: number; colour: string}[]): Decor =>
  at =>
    list.map(r => {
      const a = at(r.from),
        b = at(r.to),
        half = 20; // of a step
      return {
        tag: 'rect',
        attrs: {
          class: `shade ${r.colour}`,
          x: Math.min(a.x, b.x) - half,
          y: Math.min(a.y, b.y) - half,
          width: Math.abs(a.x - b.x) + 2 * half,
          height: Math.abs(a.y - b.y) + 2 * half,
        },
      };
    });

// viewer is the page of one record. What it shows is in the address: every change goes there first, and take shows what
// stands in it.
function viewer(ctx: Context, found: StudySheet, game: Game | undefined, address: URL): Page {
  const {t, prefs} = ctx;
  let record: FullRecord = found.record;
  let pen: Editor | null = null, // in which one writes, once it is wanted
    from: number | null = null; // the first of two points of a sign
  let current = 0;
  let pieces: readonly number[] = [];
  let marked: Region | null = null;
  let drawing = false; // the pointer draws regions
  let guess: Guess | null = null;
  let speed = 1;
  let timer = 0;
  let board: Board | null = null;
  let layers: Layers | null = null,
    laying = false; // the script of it comes when it is wanted
  const shaped = game?.tools.includes('shapes'),
    judges = game?.tools.includes('judge');
  const overlays = [...(judges ? (['life'] as const) : []), ...(shaped ? (['hints'] as const) : []), 'names'] as const;
  let thinker: Live | null = null; // tells what an engine thinks of the board
  const sound = new Sound();
  const comment = h('section.card.rec-comment', {'aria-live': 'off'});
  const moves = h('section.card.flush.rec-moves');
  const textPane = h('pre.code.rec-text', {tabindex: 0});
  const searchButton = h('a.btn.primary'),
    nameButton = linkButton(t('shapes.namePattern'), '', 'tag');
  const regionLabel = h('span.muted.code');
  const guessing = h('div.row.rec-guess', {hidden: true, role: 'status'});
  const total = h('span.muted');
  const layerPane = h('div', {hidden: true});
  let line = new Line(record);
  let names: readonly string[] = found.nodes; // of the nodes of the line
  let treeView = makeTree();
  const reload = latest(ctx.signal, (signal, notation: string | undefined) =>
    load(ctx, record.summary.id, notation, address.searchParams.get('of') ?? undefined, signal),
  );
  const sheetPane = h('div', {hidden: true});
  // What is written goes out and comes in by a script of its own, which the page does not wait for.
  let desk: Sheet | null = null;
  const writer = import('../study/sheet').then(
    ({Sheet}) =>
      (desk = new Sheet(ctx, found, () => notationOf(ctx, game), {
        show: (now, mine) => written(now, mine),
        state: s => pen?.state(s),
      })),
  );
  writer.catch((err: unknown) => ctx.fail(err));
  const study = {
    get now(): StudySheet {
      return desk?.now ?? found;
    },
    write: (edit: StudyEdit) => void writer.then(s => s.write(edit)),
    take: (now: StudySheet) => desk?.take(now),
  };
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
    write: button(t('study.write'), () => toggle('write'), {
      icon: 'edit',
      props: {'aria-pressed': 'false', class: 'btn study-write'},
    }),
  };
  buttons.write.hidden = !found.writes;
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
      ghost: p =>
        (guess || (study.now.writes && !pen?.tool)) && !game.moving && !pieces[p]
          ? pieceOf(line.node(current).turn)
          : 0,
      canPick: p =>
        (!!guess || study.now.writes) && game.geometry.pieces[(pieces[p] ?? 0) - 1]?.owner === line.node(current).turn,
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
  const toPly = (ply: number) => move(line.main[Math.min(ply, line.main.length - 1)] ?? 0),
    course = judges && game && record.main > 0 ? courseView(ctx, record.summary.id, game, toPly) : null;
  const thought = game && board && analysis(ctx, record, game, toPly);
  if (game && board) thinker = live(ctx, {hover: pointAt, changed: () => board?.set(boardState())});
  const known = game && board && endings(ctx, {hover: pointAt});
  // Headers that were corrected are shown at once; the moves stay where they are.
  const head = h('div'),
    facts = h('div');
  const showFacts = (r = record) => {
    fill(head, players(ctx, r, game));
    fill(
      facts,
      about(
        ctx,
        r,
        game,
        () =>
          void reload(notationOf(ctx, game)).then(
            again => again && showFacts(again.record),
            (err: unknown) => ctx.fail(err),
          ),
      ),
    );
  };
  showFacts();
  const sheet = tabs(
    t('record.views'),
    [
      {
        id: 'moves',
        label: t('record.moves'),
        panel: h(
          'div.rec-play',
          searching,
          guessing,
          layerPane,
          sheetPane,
          known && known.node,
          moves,
          comment,
          textPane,
        ),
      },
      ...(thought
        ? [
            {
              id: 'review',
              label: t('review.tab'),
              panel: h('div.stack', thinker && thinker.node, course && course.node, thought.node),
            },
          ]
        : []),
      {id: 'about', label: t('record.about'), panel: facts},
    ],
    address.searchParams.get('tab') ?? 'moves',
    tab => view({tab: tab === 'moves' ? null : tab}),
  );
  sheet.node.classList.add('panels');
  const hits = new Hits(
    ctx,
    record,
    game,
    () => ({address, line, current}),
    () => play(false),
    say,
  );
  const root = layout();
  void hits.find();
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
    const bench = tools(ctx, record, game, {
      board: !!board,
      region: () => (sized(marked) ? {search: regionLink(), name: shaped ? nameLink() : null} : null),
      leaveFor: to => void leaveFor(to),
      lab: () => labLink(byMoves() ?? {id: record.summary.id, node: current}),
      judge: () =>
        judges ? '/judge?' + query(byMoves() ?? {id: String(record.summary.id), node: String(current)}) : null,
      review: () => view({tab: 'review'}),
      shown: [b.write, b.region, b.flip, ...overlays.map(x => b[x])],
      layers: overlays.map(x => ({
        name: layerName[x],
        on: () => address.searchParams.get(x) === '1',
        toggle: () => toggle(x),
      })),
      numbering: {now: numbering, set: n => view({num: n})},
      speed: {
        now: () => speed,
        set(s) {
          speed = s;
          play(true);
        },
      },
      guess: {on: () => !!guess, toggle: () => toggle('guess')},
      text: () => toggle('text'),
      moment,
    });
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
        hits.node,
        h(
          'span.btns',
          button(t('record.previousGame'), () => void hits.neighbour(-1), {icon: 'up', bare: true}),
          button(t('record.nextGame'), () => void hits.neighbour(1), {icon: 'down', bare: true}),
        ),
      );
    const work = h(
      'div.work.record',
      h(
        'div.stage',
        board ? board.node : h('div.card', h('p.muted', t('record.noBoard'))),
        h('div.rec-controls.full', bar, bench),
      ),
      h('div.side', list, head, sheet.node),
    );
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
      ...(found.writes
        ? [
            {keys: 'w', label: t('study.write'), run: () => toggle('write')},
            {keys: 'i', label: t('study.comment'), run: () => void writing(true).then(() => pen?.focus())},
            s('undo', () => study.write({do: 'undo'})),
            s('redo', () => study.write({do: 'redo'})),
          ]
        : []),
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
            {keys: '[', label: t('record.previousHit'), run: () => hits.next(-1)},
            {keys: ']', label: t('record.nextHit'), run: () => hits.next(1)},
            {keys: 'Shift+ArrowLeft', label: t('record.previousGame'), run: () => void hits.neighbour(-1)},
            {keys: 'Shift+ArrowRight', label: t('record.nextGame'), run: () => void hits.neighbour(1)},
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
      course?.start();
      root.classList.add('analysed');
    }
    if ((q.get('guess') === '1') !== !!guess) guess = guess ? null : new Guess();
    void writing(q.get('write') === '1').catch((err: unknown) => ctx.fail(err));
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

  function toggle(name: 'text' | 'guess' | 'flip' | 'hints' | 'life' | 'names' | 'write'): void {
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
    const {labels, marks, arrows, regions} = signs(line, current, pieces, numbering());
    if (from !== null) marks.set(from, 'circle');
    const laid = laying && !guess ? layers?.laid() : undefined;
    for (const p of guess?.tried ?? []) marks.set(p, 'cross');
    const kids = line.kids[current] ?? [],
      forks = kids.length > 1 && !guess ? kids.map(k => line.node(k).to).filter(p => p >= 0) : [];
    return {
      geometry,
      glyphs,
      pieces: pieces,
      texts: n?.texts,
      flip: address.searchParams.get('flip') === '1',
      coordinates: v.coordinates,
      set: v.pieces,
      last: n && n.to >= 0 ? {to: n.to, ...(n.from >= 0 && {from: n.from})} : undefined,
      labels,
      marks,
      hints: forks,
      region: marked,
      arrows,
      selected: undefined,
      over: undefined,
      heat: guess ? undefined : thinker?.laid(),
      ...laid,
      under: regions.length ? both(shaded(regions), laid?.under) : laid?.under,
    };
  }

  // pointAt shows where a move leads.
  function pointAt(m: Move | null): void {
    const on = m && m.to >= 0;
    board?.update({
      arrows: on && m.from >= 0 ? [{from: m.from, to: m.to}] : undefined,
      ghost: on && m.from < 0 ? {at: m.to, piece: pieceOf(m.side)} : undefined,
    });
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
    if (pen?.tool) return sign(p);
    const kid = line.kids[current]!.find(k => line.node(k).to === p);
    if (kid !== undefined) return move(kid);
    if (study.now.writes && !game!.moving && !pieces[p]) return playHere(-1, p);
    // A click on a stone, or on a piece that is to move, asks for nothing.
    const piece = pieces[p] ?? 0;
    if (!piece || (game!.moving && game!.geometry.pieces[piece - 1]?.owner !== line.node(current).turn))
      ctx.toast(t('record.notPlayed'), 'info', {label: t('record.explore'), run: () => void leaveFor('explore')});
  }

  // try compares a guess with the moves of the record.
  function tryMove(from: number, to: number): void {
    if (!guess) return study.now.writes ? playHere(from, to) : undefined;
    const kid = guess.take(line, current, from, to);
    if (kid !== undefined) return move(kid);
    ctx.announce(t('record.guess.wrong', {move: pointName(game!.geometry, to)}));
    show();
  }

  // Writing.

  // writing opens the pane, or closes it. Its script comes when it is wanted.
  async function writing(yes: boolean): Promise<void> {
    yes &&= study.now.writes;
    buttons.write.setAttribute('aria-pressed', String(yes));
    sheetPane.hidden = !yes;
    if (!yes) {
      pen?.flush();
      if (pen?.tool) pen.take(null);
      return;
    }
    if (!pen) {
      const {editor} = await import('../study/editor');
      pen ??= editor(ctx, await writer, () => {
        from = null;
        show();
      });
      fill(sheetPane, pen.node);
    }
    show();
  }

  // playHere plays a move that the record does not have: a variation.
  function playHere(from: number, to: number): void {
    const g = game!.geometry,
      kid = line.kids[current]!.find(k => line.node(k).to === to && line.node(k).from === from);
    if (kid !== undefined) return move(kid);
    pen?.flush();
    study.write({
      do: 'play',
      node: study.now.nodes[current] ?? '',
      text: (from < 0 ? '' : pointName(g, from) + '-') + pointName(g, to),
    });
  }

  // sign is a click with a sign in hand.
  function sign(p: number): void {
    from = pen!.put(p, from, q => pointName(game!.geometry, q));
    show();
  }

  // written shows what was written, here or by somebody else: where one's own move led, else the same move as before.
  function written(sheet: StudySheet, mine: boolean): void {
    const name = line.nodes.length ? names[current] : undefined,
      same = name ? sheet.nodes.indexOf(name) : current;
    record = {...sheet.record};
    names = sheet.nodes;
    const to = mine && sheet.last >= 0 ? sheet.last : Math.max(same, 0);
    line = new Line(record);
    line.visit(to);
    treeView = makeTree();
    const hash = line.hash(to);
    current = to;
    if (hash !== address.hash) {
      ctx.go(address.pathname + address.search + hash, 'replace');
      if (mine) say();
    }
    show();
  }

  // Regions and searches.

  function draw(yes: boolean): void {
    drawing = yes && !!board;
    board?.configure({mode: modeNow()});
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
      const p = await ctx.call('GET /records/{id}/position', {
        path: {id},
        query: {...(current ? {node: current} : {ply: 0}), ...meant()},
      });
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
      ...meant(),
    };
  }

  // byMoves is the position by its moves, where something is written on the record: nodes are those of the sheet then,
  // which other pages do not know.
  const byMoves = () => (study.now.revision && game ? {g: game.spec, m: lineTo(game, line, current)} : null);
  const query = (at: Record<string, string>) => new URLSearchParams(at).toString();

  // meant tells the server that nodes are those of the sheet, where something is written on it.
  function meant(): {of?: string; seen?: number} {
    const {of, revision} = study.now;
    return revision ? {of: of || 'library', seen: revision} : {};
  }

  // Showing.

  function modeNow(): 'region' | 'move' | 'point' {
    if (drawing) return 'region';
    return game?.moving && (guess || (study.now.writes && !pen?.tool)) ? 'move' : 'point';
  }

  // rewrite has the moves written in another notation.
  async function rewrite(): Promise<void> {
    try {
      const again = await reload(notationOf(ctx, game));
      if (!again) return;
      record = again.record;
      study.take(again);
      line = new Line(record);
      names = again.nodes;
      line.visit(current);
      treeView = makeTree();
      show();
    } catch (err) {
      ctx.fail(err);
    }
  }

  function kidsOf(i: number): number {
    return line.kids[i]?.length ?? 0;
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
      const place = {game: game!, line: lineTo(game!, line, current), turn: n?.turn ?? 0, pieces, over: false};
      thinker?.show(place);
      if (known) known.show(place);
      const mode = modeNow();
      if (board.node.dataset['mode'] !== mode) board.configure({mode});
      const state = boardState(),
        f = frame(state);
      set(root, 'vars', {'--aspect': String(f.w / f.h)}); // the names around it come and go
      board.set(state);
    }
    treeView.show(current, !!g);
    thought?.at(n?.ply ?? 0);
    course?.at(n?.ply ?? 0);
    status();
    const first = current === 0,
      last = line.next(current) === undefined;
    b.start.disabled = b.back.disabled = first;
    b.forward.disabled = b.end.disabled = b.play.disabled = last;
    b.flip.setAttribute('aria-pressed', String(q.get('flip') === '1'));
    pen?.show(study.now, current);
    const said = words(ctx, line, current, !!g, move);
    comment.hidden = said === null || (!sheetPane.hidden && kidsOf(current) < 2);
    fill(comment, said);
    textPane.hidden = q.get('text') !== '1' || !board;
    if (!textPane.hidden) textPane.textContent = textBoard(board!.state);
    searching.hidden = !sized(marked) || !game;
    if (!searching.hidden) {
      // the link stays, as it may have the focus
      searchButton.href = regionLink();
      nameButton.href = nameLink();
      regionLabel.textContent = regionName(game!.geometry, marked!);
    }
    hits.show();
    guessing.hidden = !g;
    if (g)
      fill(
        guessing,
        guesses(
          ctx,
          g,
          side(n?.turn ?? 0),
          last,
          () => step(1),
          () => toggle('guess'),
        ),
      );
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
      pen?.flush();
      board?.close();
    },
  };
}
