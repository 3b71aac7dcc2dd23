// A game that is being played. The server has the game; this page shows what it tells, sends moves, and never guesses
// what they do.
import type {Game, Move, Position, Session} from '../api';
import type {Context, Page} from '../app';
import {Board} from '../board';
import {Problem, latest} from '../client';
import {pointName, textBoard} from '../core';
import {dots, fill, fmt, h, on, set} from '../dom';
import {engineChoice} from '../engines';
import {line} from '../explore/line';
import {kindName, titled} from '../i18n';
import {type Key, standard} from '../keys';
import {notationOf} from '../kinds';
import {moveBox, moveNumber, pointed, targets} from '../moves';
import {Queue} from '../queue';
import {refill} from '../records/row';
import {Sound} from '../sound';
import {button, explain, iconButton, linkButton, sure, toggle} from '../ui';
import {labLink} from '../router';
import {choose, chosen, link, rating, sideOf, strength} from './choices';
import {type Figures, figuresOf} from './figures';
import {helpDialog, tips} from './help';
import {type Result, outcome, result} from './result';
import {countPanel, flip as flipped, laid} from './settling';
import {answering, asking, openingPanel, sharingMarks} from './opening';
import {free, panel, playsAt} from './seats';
import {sheet} from './sheet';

const unnamed = 'Player'; // what the server calls somebody who gave no name
const beat = 420; // ms that a move stands before the next one is shown
const patience = 10_000; // ms until a server that cannot be reached is asked again

export function table(ctx: Context, games: readonly Game[], game: Game, first: Session, key = ''): Page {
  const {t, lang, prefs} = ctx,
    {id} = first,
    g = game.geometry,
    f = fmt(lang),
    sound = new Sound();
  let now = first; // what the server told last
  let shown: Position = first.position; // what stands on the board
  let past: Position | null = null; // what somebody looks back at
  let told = performance.now(); // when now came: clocks run from there
  let stepped = -beat; // when the last move was shown
  let sent = -1, // the version that a move on its way answers
    clicked = ''; // the last move by pointer
  let picked: number | null = null; // the piece that is to move
  const acts = new Queue(); // what the server is asked to do
  let following = false;
  let broken = ''; // what is wrong with the line to the server
  let flip = game.moving && sideOf(first) === 'second';
  let {hints, overlay} = chosen();
  let figures: Figures | null = null;
  let hinted: {line: string; move: Move; by: string | HTMLElement} | null = null; // the one move that was asked for
  let called: Position | null = null; // now.position with the moves in the reader's notation
  let seatsOf = -1, // the version that the seats were shown of
    shareOf = -1; // and the opening
  let card: Result | null = null,
    cardOf = -1;
  const positions = new Map<string, Promise<Position>>();

  const board = new Board(state(), {
    t,
    lang,
    announce: x => ctx.announce(x),
    keys: 'cursor',
    freeB: true,
    mode: game.moving ? 'move' : 'point',
    wheel: false,
    twoTap: prefs.get('twoTap'),
    animate: prefs.get('animation'),
    facts: () => ({turn: side(shown.turn), ...(shown.moves.at(-1) && {last: shown.moves.at(-1)!.text})}),
    ghost: p => drops(p)[0]?.piece ?? (drops(p).length ? pieceOf(shown.turn) : 0),
    canPick: p => (ahead() ? !!shown.pieces[p] : open() && shown.legal.some(m => m.from === p)),
    onPick: p => {
      picked = p;
      board.set(state());
    },
    onDrag: click,
    onPoint: (p, c) => {
      if (c.button === 0 && (!game.moving || drops(p).length)) point(p);
    },
  });
  const status = h('p.play-status', {role: 'status'}),
    strip = h('div.play-sides.full'),
    tools = h('div.row.between.play-tools.full');
  const end = h('div'),
    nameRow = h('p.explore-name'),
    lineView = line(ctx, ply => void look(ply)),
    helpBox = h('div.play-first'),
    seatBox = h('div'),
    shareBox = h('div');
  const typing = moveBox(ctx, m => play(() => m)),
    typed = typing.input;
  typed.setAttribute('aria-label', t('explore.type'));
  typed.placeholder = t('explore.type');
  const critic = engineChoice(ctx, () => {
      figures = hinted = null;
      draw();
    }),
    whose = h('div.muted.small.play-whose', {role: 'status'});
  critic.show(game);
  const textPane = h('pre.text-board.full', {tabindex: 0, hidden: true, 'aria-label': t('keys.do.textBoard')});
  const switches = {
    hints: toggle(t('play.hints'), hints, () => swap('hints')),
    values: toggle(t('play.values'), overlay === 'values', () => swap('values')),
    book: toggle(t('play.book'), overlay === 'book', () => swap('book')),
  };
  const lab = game.lab ? linkButton(t('lab.here'), '/lab', 'lab', 'quiet') : h('span.small.muted', t('lab.none'));
  let aids: HTMLElement;
  const root = h(
    'div.work.play',
    {vars: {'--aspect': String(g.size.w / g.size.h)}},
    h('h1.hidden', dots(t('play.title'), kindName(game, lang))),
    h('div.stage', board.node, strip, status, tools, textPane),
    h(
      'div.side',
      end,
      shareBox,
      seatBox,
      helpBox,
      h('div.card.explore-top', nameRow, lineView.node),
      (aids = h(
        'div.card',
        h('div.play-switches', g.cells && switches.hints, switches.values, switches.book, critic.node),
        whose,
        typing.node,
      )),
      h(
        'div.row',
        button(t('play.new'), another, {icon: 'plus', kind: 'quiet'}),
        button(t('play.help'), () => helpDialog(ctx, game), {icon: 'help', kind: 'quiet'}),
        lab,
      ),
    ),
  );
  fill(
    helpBox,
    tips(ctx, game, () => fill(helpBox)),
  );
  const askFigures = latest(ctx.signal, (signal, of: 'values' | 'book', p: Position) =>
    figuresOf(ctx, signal, game, p, of, critic.value()),
  );
  const clock = window.setInterval(times, 200);
  on(ctx.signal, 'abort', () => clearInterval(clock));
  on(window, 'online', () => follow(), ctx.signal);
  on(
    document,
    'visibilitychange',
    () => {
      if (!document.hidden) follow();
    },
    ctx.signal,
  );
  prefs.on(() => {
    board.configure({twoTap: prefs.get('twoTap'), animate: prefs.get('animation')});
    draw();
  }, ctx.signal);
  draw();
  follow();
  setTimeout(() => {
    controls(); // the list of moves can be scrolled only where it stands
    if (now.state !== 'over' && !matchMedia('(pointer: coarse)').matches) board.focus();
  });

  // What is where.

  function side(i: number): string {
    return titled(game.sides[i]?.titles, lang);
  }
  function pieceOf(i: number): number {
    return g.pieces.findIndex(x => x.owner === i) + 1;
  }
  function open(): boolean {
    return !past && sent !== now.version && shown === now.position && now.state === 'yours' && mine();
  }
  // mine tells whether who looks may move: at two screens who has come, and sits on the side to move.
  function mine(): boolean {
    return !now.seats || (!free(now) && playsAt(now) === turn());
  }
  // turn is the side that acts next.
  function turn(): number {
    return now.sharing?.ask?.side ?? now.position.turn;
  }
  // ahead tells whether a move is on its way, or not shown yet: the next one may be the reader's, too, where both sides
  // are or a side moves again. What it may be the server knows.
  function ahead(): boolean {
    return (
      !past &&
      !now.seats &&
      !now.sharing?.ask &&
      !open() &&
      (sent === now.version || (now.state === 'yours' && own(shown.ply)))
    );
  }
  // own tells whether nobody but the reader has moved since a ply: a move that was made there is meant for now.
  function own(ply: number): boolean {
    return now.position.moves.slice(ply).every(m => m.to < 0 || !now.players[m.side]?.level);
  }
  function at(): Position {
    return past ?? shown;
  }
  function fresh(): Figures | null {
    return overlay && figures?.line === at().line && figures.of === overlay ? figures : null;
  }

  function positionOf(ply: number): Promise<Position> {
    const whole = now.position,
      key = `${whole.line} ${ply}`;
    let p = positions.get(key);
    if (!p) {
      positions.set(
        key,
        (p = ctx.call('GET /position', {
          query: {
            game: game.spec,
            line: whole.line,
            notation: notationOf(ctx, game),
            ...(ply < whole.ply && {back: whole.ply - ply}),
          },
        })),
      );
      p.catch(() => positions.delete(key));
    }
    return p;
  }

  // spelled is the game with its moves in the reader's notation, which the server is asked for where it is not the
  // usual one.
  function spelled(): Position {
    const whole = now.position,
      wish = notationOf(ctx, game);
    if (!wish || wish === game.notations[0]?.name || called?.line === whole.line)
      return called?.line === whole.line ? called : whole;
    positionOf(whole.ply)
      .then(p => {
        if (p.line === now.position.line && called?.line !== p.line) {
          called = p;
          controls();
        }
      })
      .catch(() => {
        /* the usual one does */
      });
    return whole;
  }

  // The server.

  // follow listens to the game until it is over.
  function follow(): void {
    if (following || now.state === 'over' || ctx.signal.aborted) return;
    following = true;
    ctx.api
      .events(
        `/sessions/${encodeURIComponent(id)}/events`,
        {},
        {
          session: (s: Session) => {
            if (broken) {
              broken = '';
              tell();
            }
            take(s);
          },
        },
        ctx.signal,
      )
      .then(
        async () => {
          following = false;
          if (now.state !== 'over' && !ctx.signal.aborted) await ask(); // it ended early: the server is going down
        },
        (err: unknown) => {
          following = false;
          broken = explain(t, err).title;
          tell();
          setTimeout(follow, patience);
        },
      );
  }

  // ask looks at the game once, and listens again.
  async function ask(): Promise<void> {
    try {
      const s = await ctx.call('GET /sessions/{id}', {path: {id}});
      broken = '';
      take(s);
      tell();
      if (s.state !== 'over') setTimeout(follow, 1000);
    } catch (err) {
      if (ctx.signal.aborted) return;
      broken = explain(t, err).title;
      tell();
      setTimeout(follow, patience);
    }
  }

  function take(s: Session): void {
    if (s.version <= now.version) return;
    // Events are for all who look: who one is stays as it was told.
    if (s.seats && s.seats.you < 0) {
      const you = playsAt(now);
      s.seats.you = you >= 0 && s.sharing?.swapped !== now.sharing?.swapped ? 1 - you : you;
    }
    now = s;
    told = performance.now();
    positions.clear();
    if (past) {
      controls();
      if (s.position.ply <= past.ply) void look(Infinity);
    } else void arrive(s);
    follow();
  }

  // arrive shows the moves that came, one after the other.
  async function arrive(s: Session): Promise<void> {
    const from = shown,
      missed = s.position.ply - from.ply;
    for (let ply = from.ply + 1; missed > 1 && missed < 5 && prefs.get('animation') && ply < s.position.ply; ply++) {
      const p = await positionOf(ply).catch(() => null);
      await rest();
      if (!p || now !== s || past) break;
      step(p);
    }
    if (missed > 0) await rest();
    if (now !== s || past) return;
    step(s.position);
    if (s.position.ply > from.ply) say();
  }

  // rest waits until the move before has been seen.
  async function rest(): Promise<void> {
    const ms = stepped + beat - performance.now();
    if (ms > 0 && prefs.get('animation')) await new Promise(done => setTimeout(done, ms));
  }

  function step(p: Position): void {
    stepped = performance.now();
    if (p.ply > shown.ply)
      sound.click(prefs.get('sound'), p.pieces.filter(Boolean).length < shown.pieces.filter(Boolean).length);
    shown = p;
    draw();
  }

  // send asks for one thing after the other. The stream may tell of the engine's reply before the request that made the
  // move is answered: what somebody does in between waits, and is not lost.
  async function send(what: () => Promise<Session | null>): Promise<boolean> {
    const done = await acts.run(async () => {
      try {
        const s = await what();
        if (s) take(s);
        return !!s;
      } catch (err) {
        acts.clear(); // what waits was meant for the board after it
        ctx.fail(err);
        if (err instanceof Problem && err.status === 409) void ask(); // somebody else moved, as in another tab
        return false;
      } finally {
        sent = -1;
        controls();
      }
    });
    return !!done;
  }

  // play makes a move, behind one that is on its way if only the reader has moved by then. What it is may depend on the
  // position that this leads to.
  async function play(move: (here: Position) => string | null | Promise<string | null>): Promise<boolean> {
    picked = null;
    board.set(state());
    if (past) {
      await look(Infinity);
      return false;
    }
    const seen = shown.ply,
      refuse = () => ctx.announce(status.textContent ?? '');
    if (now.state !== 'yours' && sent !== now.version) return (refuse(), false);
    sent = now.version;
    return send(async () => {
      const {version, position} = now;
      if (now.state !== 'yours' || !own(seen)) return (refuse(), null);
      sent = version;
      const text = await move(position);
      return text === null ? null : ctx.call('POST /sessions/{id}/moves', {path: {id}, body: {move: text, version}});
    });
  }

  // click plays what the pointer says. A second click of a double one says nothing more.
  function click(from: number, to: number): void {
    const what = `${from} ${to}`;
    if (sent === now.version && what === clicked) return;
    clicked = what;
    void play(here => pointed(ctx, game, here, from, to));
  }
  // drops are the moves that put a piece down on a point, if it is time to.
  function drops(p: number): readonly Move[] {
    return open() ? shown.legal.filter(m => m.from < 0 && m.to === p) : [];
  }

  function point(p: number): void {
    if (past) void look(Infinity);
    else if (now.state === 'settling') mark(p);
    else if (drops(p).length || ahead()) click(-1, p);
    else ctx.announce(open() ? t('play.illegal', {point: pointName(g, p)}) : (status.textContent ?? ''));
  }

  function another(): void {
    void sheet(ctx, games, {game, line: ''});
  }

  function undo(): void {
    if (now.seats) void send(() => ctx.call('POST /sessions/{id}/offer', {path: {id}, body: {what: 'undo'}}));
    else if (now.undo) void send(() => ctx.call('POST /sessions/{id}/undo', {path: {id}}));
  }
  // mark says of a group that it is dead, or that it is not.
  function mark(p: number): void {
    const body = flipped(now, p);
    if (body) void send(() => ctx.call('POST /sessions/{id}/marks', {path: {id}, body}));
  }
  function agree(): void {
    const {version} = now;
    void send(() => ctx.call('POST /sessions/{id}/agree', {path: {id}, body: {version}}));
  }
  // answer decides what the opening asks.
  function answer(word: string): void {
    const {version} = now;
    void send(() => ctx.call('POST /sessions/{id}/answer', {path: {id}, body: {answer: word, version}}));
  }
  function resume(): void {
    void send(() => ctx.call('POST /sessions/{id}/resume', {path: {id}}));
  }
  async function resign(): Promise<void> {
    if (now.state === 'over' || !(await sure(t, t('play.resign'), t('play.resignSure'), t('play.resign')))) return;
    await send(() => ctx.call('POST /sessions/{id}/resign', {path: {id}}));
  }

  // Looking back.

  async function look(ply: number): Promise<void> {
    const n = Math.max(0, Math.min(now.position.ply, ply));
    if (n === now.position.ply) {
      past = null;
      shown = now.position;
      return draw();
    }
    try {
      past = await positionOf(n);
      draw();
      ctx.announce(lookingAt(past));
    } catch (err) {
      ctx.fail(err);
    }
  }

  function lookingAt({moves, ply}: Position): string {
    return t('play.looking', {n: moveNumber(moves, ply), move: moves.at(-1)?.text ?? t('explore.start')});
  }

  function swap(what: 'hints' | 'values' | 'book'): void {
    if (what === 'hints') hints = !hints;
    else overlay = overlay === what ? '' : what;
    choose({hints, overlay});
    for (const k of ['values', 'book'] as const) switches[k].querySelector('input')!.checked = overlay === k;
    switches.hints.querySelector('input')!.checked = hints;
    ctx.announce(
      t(what === 'hints' ? (hints ? 'play.hintsOn' : 'play.hintsOff') : overlay ? 'explore.heatOn' : 'explore.heatOff'),
    );
    draw();
  }

  async function figure(): Promise<void> {
    const p = at(),
      of = overlay;
    if (!of || p.over || (p !== now.position && !past) || (figures?.line === p.line && figures.of === of)) return;
    try {
      const got = await askFigures(of, p);
      if (!got || of !== overlay) return;
      figures = got;
      draw();
    } catch (err) {
      ctx.fail(err);
    }
  }

  // hint shows one good move.
  async function hint(): Promise<void> {
    const {line} = now.position;
    if (!open() || hinted?.line === line) return;
    hinted = null;
    try {
      const by = critic.value();
      if (!by && game.tools.includes('shapes') && (await fiveHints(line))) return;
      const v = await ctx.call('GET /values', {query: {game: game.spec, line, ...(by && {engine: by})}}),
        best = v.moves[0];
      if (!best || line !== now.position.line) return;
      const text = t('play.hinted', {move: best.move.text, engine: v.by?.engine ?? by});
      hinted = {line, move: best.move, by: text};
      ctx.announce(text);
      draw();
    } catch (err) {
      ctx.fail(err);
    }
  }

  // fiveHints shows a few moves with what speaks for them; it is false where nobody sees such boards.
  async function fiveHints(line: string): Promise<boolean> {
    const [a, {best, hintList, moveName}] = await Promise.all([
        ctx.call('GET /advice', {query: {game: game.spec, line, side: 'turn', likely: 0}}),
        import('../shapes/overlay'),
      ]),
      first = best(a);
    if (!first) return false;
    if (line !== now.position.line) return true;
    const move = now.position.legal.find(m => m.to === first.point);
    const node = h(
      'div',
      hintList(ctx, a.hints, null, () => undefined),
      h('p.muted.small', t('hints.opinion')),
    );
    if (move) hinted = {line, move, by: node};
    ctx.announce(t('hints.bestSaid', {point: moveName(t, first)}));
    draw();
    return true;
  }

  // Drawing.

  function state() {
    const p = at(),
      last = p.moves.at(-1),
      view = prefs.view(new URL(location.href)),
      told = fresh(),
      heat = game.moving ? undefined : told?.heat(),
      best = hinted?.line === p.line ? hinted.move : undefined;
    const boxed =
      hints && g.cells && !past && p === now.position && now.state === 'yours' && mine()
        ? p.legal.flatMap(m => (m.to < 0 || heat?.has(m.to) ? [] : [m.to]))
        : undefined;
    return {
      geometry: g,
      glyphs: game.glyphs,
      pieces: p.pieces,
      texts: p.texts,
      flip,
      coordinates: view.coordinates,
      set: view.pieces,
      hints: boxed,
      heat: picked === null ? heat : told?.heat(picked),
      selected: picked ?? undefined,
      legal: picked === null || ahead() ? undefined : targets(p.legal, picked),
      arrows: game.moving ? [...(told?.best ?? []), ...(best ? [best] : [])] : undefined,
      marks: best && best.from < 0 && best.to >= 0 ? new Map([[best.to, 'circle' as const]]) : undefined,
      ...(p === now.position && laid(game, now)),
      ...(p === now.position && sharingMarks(now, open())),
      last: last && last.to >= 0 ? {to: last.to, ...(last.from >= 0 && {from: last.from})} : undefined,
    };
  }

  function draw(): void {
    if (picked !== null && !ahead() && !(open() && shown.legal.some(m => m.from === picked))) picked = null;
    const s = state();
    board.set(s);
    if (!textPane.hidden) textPane.textContent = textBoard({...s, legal: s.legal ?? s.hints, coordinates: true});
    controls();
    fill(whose, fresh()?.by || (hinted?.line === at().line && hinted.by));
    void figure();
  }

  function controls(): void {
    const p = at(),
      two = now.seats,
      going = now.state !== 'over',
      plays = !two || playsAt(now) >= 0,
      o = now.opening,
      named = titled(o.names, lang, o.name) || o.code;
    if (now.state === 'over' && now.result) {
      if (cardOf !== now.version) {
        card = result(ctx, game, now, ply => void look(ply));
        cardOf = now.version;
        fill(end, card.node);
        fill(helpBox);
      }
      card?.at(p.ply);
    } else if (now.count && plays) {
      if (cardOf !== now.version) fill(end, countPanel(ctx, game, now, agree, resume));
      cardOf = now.version;
    } else if (cardOf >= 0) {
      card = null;
      cardOf = -1;
      fill(end);
    }
    if (shareOf !== now.version) {
      shareOf = now.version;
      fill(shareBox, openingPanel(ctx, game, now, now.state === 'yours' && mine() ? answer : null));
    }
    if (two && seatsOf !== now.version) {
      seatsOf = now.version;
      fill(
        seatBox,
        panel(ctx, game, now, key, what => void send(what)),
      );
    }
    aids.hidden = !!two && plays && going; // nobody is helped against a person
    fill(
      nameRow,
      h('b', named || t('play.noName')),
      h('span.muted', t('play.moves', {n: moveNumber(now.position.moves, now.position.ply)})),
      now.note === 'book' && h('span.tag', t('play.fromBook')),
    );
    lineView.show(game, spelled(), p.ply);
    if (lab instanceof HTMLAnchorElement) lab.href = labLink({g: game.spec, m: p.line});
    const nav = (label: string, icon: 'first' | 'previous' | 'next' | 'last', to: number) =>
      button(label, () => void look(to), {
        icon,
        bare: true,
        props: {disabled: to < p.ply ? p.ply <= 0 : p.ply >= now.position.ply},
      });
    const pass = open() ? shown.legal.find(m => m.to < 0) : undefined;
    refill(
      tools,
      h(
        'div.btns',
        nav(t('keys.do.start'), 'first', 0),
        nav(t('keys.do.back'), 'previous', p.ply - 1),
        nav(t('keys.do.forward'), 'next', p.ply + 1),
        nav(t('keys.do.end'), 'last', now.position.ply),
      ),
      h(
        'div.row',
        pass && button(t('explore.pass'), () => void play(() => pass.text), {}),
        !two && button(t('play.hint'), () => void hint(), {icon: 'hint', bare: true, props: {disabled: !open()}}),
        plays &&
          button(t('play.undo'), undo, {
            icon: 'undo',
            bare: true,
            props: {disabled: two ? !going || !now.position.ply : !now.undo},
          }),
        plays && button(t('play.resign'), () => void resign(), {icon: 'flag', bare: true, props: {disabled: !going}}),
        iconButton(
          t('keys.do.flip'),
          'flip',
          () => {
            flip = !flip;
            draw();
          },
          {'aria-pressed': flip},
        ),
      ),
    );
    fill(
      strip,
      now.players.map((x, i) =>
        h(
          'div',
          {class: 'play-side' + (now.state !== 'over' && (asking(now)?.side ?? shown.turn) === i ? ' turn' : '')},
          h('i.side-mark', {'data-side': game.sides[i]?.name, role: 'img', 'aria-label': side(i)}),
          h(
            'span.cut',
            {title: x.level && !x.engine ? t('play.computer', {n: x.level}) : null},
            x.engine ||
              (x.level
                ? `${t('play.level')} ${x.level}`
                : now.seats?.taken[i] === false
                  ? t('play.notHere')
                  : x.name === unnamed
                    ? t('play.you')
                    : x.name),
          ),
          x.level > 0 &&
            !x.engine &&
            h('small.muted.cut', {title: strength(t, game, x.level)}, rating(t, game, x.level)),
          now.state === 'thinking' &&
            (asking(now)?.side ?? shown.turn) === i &&
            h('span.thinking', {'aria-hidden': 'true'}, h('i'), h('i'), h('i')),
          now.clock && h('span.play-clock.num'),
          g.cells &&
            !shown.texts &&
            h('b.num', f.number(past ? past.pieces.filter(k => g.pieces[k - 1]?.owner === i).length : x.count)),
        ),
      ),
    );
    times();
    tell();
  }

  function times(): void {
    const c = now.clock;
    if (!c) return;
    strip.querySelectorAll('.play-clock').forEach((node, i) => {
      const all = Math.max(0, (c.left[i] ?? 0) - (c.running === i ? performance.now() - told : 0)) / 1000,
        each = (c.period ?? 0) / 1000,
        spare = (c.periods?.[i] ?? 0) * each,
        // Behind the main time the period that runs is shown, and how many there are.
        n = spare && all <= spare ? Math.ceil(all / each) : 0,
        left = n ? all - (n - 1) * each : all - spare,
        s = left < 10 ? left.toFixed(1) : String(Math.floor(left % 60)).padStart(2, '0');
      node.textContent = (left < 10 ? s : `${Math.floor(left / 60)}:${s}`) + (n ? ` ×${n}` : '');
      node.classList.toggle('short', left < 20);
    });
  }

  // tell says whose turn it is, or what is the matter.
  function tell(): void {
    const passed = !past && now.passed >= 0 ? t('play.passed', {side: side(now.passed)}) + ' ' : '';
    const words =
      now.state === 'over'
        ? outcome(ctx, game, now)
        : now.state === 'thinking'
          ? t('play.thinking')
          : now.state === 'settling'
            ? t('play.settling')
            : free(now)
              ? t('play.waiting')
              : asking(now)
                ? answering(ctx, game, now)
                : sideOf(now) === 'both' || !mine()
                  ? t('explore.toMove', {side: side(now.position.turn)})
                  : t('play.yours', {side: side(now.position.turn)});
    const bad = broken || now.trouble;
    const text = bad ? dots(bad) : past ? lookingAt(past) : passed + words;
    const key = text + (bad && '!');
    if (status.dataset['text'] === key) return; // said again, it would be heard again
    status.dataset['text'] = key;
    set(
      status,
      'class',
      'play-status' + (bad ? ' bad' : past ? ' past' : passed ? ' passed' : now.state === 'over' ? ' over' : ''),
    );
    fill(
      status,
      h('span', text),
      bad
        ? button(t('ui.again'), () => void ask(), {icon: 'redo'})
        : past && button(t('play.back'), () => void look(Infinity), {icon: 'last'}),
    );
  }

  // say tells those who do not see the board what was played.
  function say(): void {
    const p = spelled(),
      last = p.moves.findLast(m => m.to >= 0) ?? p.moves.at(-1);
    if (!last || now.state === 'thinking') return;
    const count = g.cells && !p.texts ? ' ' + now.players.map((x, i) => `${side(i)} ${x.count}`).join(', ') + '.' : '';
    ctx.announce(`${t('play.said', {side: side(last.side), move: last.text})}${count} ${status.textContent ?? ''}`);
  }

  function keys(): Key[] {
    return [
      standard(t, 'back', () => void look(at().ply - 1)),
      standard(t, 'forward', () => void look(at().ply + 1)),
      standard(t, 'start', () => void look(0)),
      standard(t, 'end', () => void look(Infinity)),
      ...(g.cells ? [{keys: 'h', label: t('play.hints'), run: () => swap('hints')}] : []),
      {keys: 'v', label: t('play.values'), run: () => swap('values')},
      {keys: 'b', label: t('play.book'), run: () => swap('book')},
      {keys: ['u', 'Ctrl+z'], label: t('play.undo'), run: undo},
      {keys: 'm', label: t('explore.type'), run: () => typed.focus()},
      {keys: 'n', label: t('play.new'), run: another},
      {keys: 'i', label: t('play.hint'), run: () => void hint()},
      standard(t, 'flip', () => {
        flip = !flip;
        draw();
      }),
      standard(t, 'textBoard', () => {
        textPane.hidden = !textPane.hidden;
        draw();
        if (!textPane.hidden) textPane.focus();
      }),
      {keys: '?', label: t('keys.help'), run: () => helpDialog(ctx, game)},
    ];
  }

  return {
    title: dots(t('play.title'), kindName(game, lang)),
    node: root,
    keys: keys(),
    leave: () => board.close(),
    update: url => url.pathname + url.search === link(game.spec, id),
  };
}
