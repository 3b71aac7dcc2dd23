// The quiz: the page plays one side of an opening by the book, and the reader finds moves that lose nothing. A line
// with a mistake is repeated until there is none; mistakes come back on other days.
import type {BookEntry, Move, Position} from '../api';
import type {Context} from '../app';
import {Board} from '../board';
import {type Mark, pointName, pointOf} from '../core';
import {type Symmetry, inverse, symmetries, transformPieces, transformPoint, turnedSize} from '../symmetry';
import {fill, h, on} from '../dom';
import {line as lineOf} from '../explore/line';
import {kindName, titled} from '../i18n';
import {type Key, standard} from '../keys';
import {labButton} from '../lab/link';
import {pointed, sameMove, written} from '../moves';
import {refill} from '../records/row';
import {Sound} from '../sound';
import {button, linkButton, trouble} from '../ui';
import {type Unit, cost, worth} from '../value';
import {due, right, wrong} from './memory';
import {type State, write} from './state';

const beat = 450; // ms before the page replies

// tolerance is what a move may lose and still be right.
const tolerance = (unit: Unit, level: State['level']) =>
  ({easy: 4, fair: 2, strict: 0.5})[level] * (unit === 'share' ? 0.025 : 1);

interface Judged {
  loss: number;
  unit: Unit;
  best: Move[];
}

export interface Quiz {
  node: HTMLElement;
  keys: Key[];
  leave(): void;
}

export function quiz(ctx: Context, s: State): Quiz {
  const {t, lang, prefs} = ctx,
    {game} = s,
    g = game.geometry,
    sound = new Sound();
  const tasks = s.quiz === 'mistakes' ? due(game.spec) : [s.line];
  let task = 0,
    side = s.side as number,
    from = 0; // from: where the line begins, in moves
  let here: Position | null = null,
    sym: Symmetry = 'identity';
  let replies = new Map<string, string>(); // what the page played in this line, so that it can be repeated
  let slips = 0,
    streak = 0,
    runs = 0,
    clean = 0,
    slipped = false; // slipped: in this position already
  let asking = false,
    marks = new Map<number, Mark>();
  let turn = 0; // counts positions, so that a slow answer does not move a newer one
  const log: {move: string; loss: number; unit: Unit; ok: boolean}[] = [];
  const entries = new Map<string, Promise<BookEntry>>();
  const ask = h('p.quiz-ask', {role: 'status'}),
    tools = h('div.row'),
    score = h('dl.facts.quiz-score'),
    steps = h('ol.quiz-log'),
    named = h('p.explore-name');
  const made = h('section.card', {hidden: true}, h('h2', t('learn.log')), steps);
  const moves = lineOf(ctx, () => {
    /* there is no way back in a quiz */
  });
  const typed = h('input.code', {
    type: 'text',
    'aria-label': t('explore.type'),
    placeholder: t('explore.type'),
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
  });
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
    ghost: p =>
      asking && legal().some(m => m.from < 0 && m.to === real(p)) ? g.pieces.findIndex(x => x.owner === side) + 1 : 0,
    canPick: p => asking && legal().some(m => m.from === p),
    onPick: p =>
      board.update({
        selected: p ?? undefined,
        legal:
          p === null
            ? undefined
            : legal()
                .filter(m => m.from === p)
                .map(m => m.to),
      }),
    onDrag: (a, b) => void point(a, b),
    onPoint: (p, c) => {
      if (c.button === 0 && (!game.moving || legal().some(m => m.from < 0 && m.to === real(p))))
        void point(-1, real(p));
    },
  });
  const node = h(
    'div.work.play.quiz',
    {vars: {'--aspect': String(g.size.w / g.size.h)}},
    h('h1.hidden', t('learn.quiz')),
    h('div.stage', board.node, h('div.full', ask), tools),
    h(
      'div.side',
      h(
        'section.card',
        h('h2', t(s.quiz === 'mistakes' ? 'learn.mistakesTitle' : 'learn.quiz'), ' · ', kindName(game, lang)),
        named,
        score,
        moves.node,
        h(
          'form.explore-type',
          {
            onsubmit: (e: Event) => {
              e.preventDefault();
              type(typed.value.trim());
            },
          },
          typed,
          h('button.btn', {type: 'submit'}, t('explore.playIt')),
        ),
      ),
      made,
      h('div.row', linkButton(t('learn.stop'), write({...s, quiz: ''}), 'close', 'quiet')),
    ),
  );
  if (!matchMedia('(pointer: coarse)').matches) setTimeout(() => board.focus());
  void begin(false);

  // The board may lie another way: points that are seen are not those of the line.
  function seen(p: number): number {
    return p < 0 ? p : transformPoint(g.size, sym, p);
  }
  function real(p: number): number {
    return transformPoint(g.size, inverse(sym), p);
  }
  function called(m: Move): string {
    return m.to >= 0 && m.from < 0 ? pointName(g, seen(m.to)) : m.text;
  }
  function legal(): readonly Move[] {
    return here?.legal ?? [];
  }

  // turns lists the symmetries that leave the start of the game as it is: the others would look like another game.
  function turns(): Symmetry[] {
    return symmetries.filter(
      x =>
        turnedSize(g.size, x).w === g.size.w &&
        transformPieces(g, x, false, game.start).every((p, i) => p === game.start[i]),
    );
  }

  function position(line: string, play = ''): Promise<Position> {
    return ctx.call('GET /position', {query: {game: game.spec, line, ...(play && {play})}});
  }

  function entry(line: string): Promise<BookEntry> {
    let e = entries.get(line);
    if (!e) {
      entries.set(line, (e = ctx.call('GET /book', {query: {game: game.spec, line, threshold: s.threshold}})));
      e.catch(() => entries.delete(line));
    }
    return e;
  }

  // begin starts the line anew; another one if the last was without a fault.
  async function begin(same: boolean): Promise<void> {
    if (!tasks.length) {
      say(t('learn.done'), 'right');
      return void fill(tools, linkButton(t('learn.stop'), write({...s, quiz: ''}), 'close', 'primary'));
    }
    if (!same) replies = new Map();
    slips = 0;
    log.length = 0;
    const all = s.turned && !game.moving ? turns() : [];
    sym = all[Math.floor(Math.random() * all.length)] ?? 'identity';
    await attempt(async () => {
      const p = await position(tasks[task] ?? '');
      from = p.ply;
      if (s.quiz === 'mistakes') side = p.turn;
      await come(p);
    });
  }

  // attempt runs a step, and shows what went wrong with a way to try again.
  async function attempt(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (err) {
      if (!ctx.signal.aborted)
        fill(
          ask,
          trouble(t, err, () => void attempt(run)),
        );
    }
  }

  // come shows a position, and either asks or replies.
  async function come(p: Position): Promise<void> {
    const mine = ++turn;
    if (here && p.ply > here.ply) sound.click(prefs.get('sound'));
    here = p;
    marks = new Map();
    slipped = false;
    asking = false;
    draw();
    const long = s.quiz === 'mistakes' ? p.ply > from : p.ply - from >= s.depth;
    if (p.over || long) return finish('');
    if (p.turn === side) {
      void entry(p.line).catch(() => {
        /* asked again when it is needed */
      });
      asking = true;
      say(t('learn.ask', {side: titled(game.sides[side]?.titles, lang)}));
      return;
    }
    let move = replies.get(p.line);
    if (move === undefined) {
      const c = await ctx.call('GET /book/choice', {
        query: {
          game: game.spec,
          line: p.line,
          threshold: s.threshold,
          style: s.style,
          ...(s.style === 'best' && {budget: 2}),
        },
      });
      if (mine !== turn) return;
      if (!c.found) return finish(t('learn.bookEnds'));
      move = c.move.to < 0 ? c.move.text : written(game, c.move);
      replies.set(p.line, move);
    }
    const wanted = move;
    await new Promise(done => {
      const timer = setTimeout(done, beat);
      on(ctx.signal, 'abort', () => clearTimeout(timer));
    });
    if (mine === turn) await attempt(async () => come(await position(p.line, wanted)));
  }

  // judge tells what a move loses: by the book, or where it knows nothing by the engine.
  async function judge(line: string, m: Move): Promise<Judged> {
    const b = await entry(line),
      e = b.moves.find(x => sameMove(x.move, m)),
      best = b.moves.filter(x => x.loss !== undefined && x.loss <= 0).map(x => x.move);
    if (e?.loss !== undefined && best.length) return {loss: e.loss, unit: b.unit, best};
    const v = await ctx.call('GET /values', {query: {game: game.spec, line}}),
      top = v.moves[0]?.value ?? 0,
      own = v.moves.find(x => sameMove(x.move, m))?.value ?? top;
    return {loss: top - own, unit: v.unit, best: v.moves.filter(x => x.value >= top).map(x => x.move)};
  }

  async function point(from: number, to: number): Promise<void> {
    const at = here,
      text = at && asking ? await pointed(ctx, game, at, from, to) : null;
    if (at === here) tried(legal().find(m => written(game, m) === text));
  }

  function tried(m: Move | undefined): void {
    if (!m || !asking || !here) return;
    const at = here,
      mine = turn;
    asking = false;
    board.update({selected: undefined, legal: undefined});
    void attempt(async () => {
      const j = await judge(at.line, m);
      if (mine !== turn) return;
      const ok = j.loss <= tolerance(j.unit, s.level);
      if (!slipped) log.push({move: called(m), loss: j.loss, unit: j.unit, ok});
      if (ok) {
        if (!slipped) right(game.spec, at.line);
        await come(await position(at.line, m.to < 0 ? m.text : written(game, m)));
        return;
      }
      if (!slipped) {
        slips++;
        wrong(game.spec, at.line);
      }
      slipped = true;
      marks = new Map([
        ...(m.to >= 0 ? [[seen(m.to), 'cross'] as const] : []),
        ...j.best.filter(b => b.to >= 0 && b.from < 0).map(b => [seen(b.to), 'circle'] as const),
      ]);
      asking = true;
      sound.click(prefs.get('sound'), true);
      draw();
      say(
        t('learn.wrong', {
          move: called(m),
          loss: cost(lang, j.unit, j.loss),
          best: j.best.map(called).slice(0, 3).join(', '),
        }),
        'wrong',
      );
    });
  }

  function type(text: string): void {
    const p = pointOf(g, text),
      m =
        legal().find(x => x.from < 0 && x.to === (p < 0 ? -2 : real(p))) ??
        legal().find(x => x.text.toLowerCase() === text.toLowerCase());
    if (m) {
      typed.value = '';
      tried(m);
    } else if (text) {
      typed.select();
      ctx.toast(t('play.illegal', {point: text}));
    }
  }

  function finish(why: string): void {
    turn++;
    runs++;
    if (slips === 0) {
      streak++;
      clean++;
    } else streak = 0;
    const more = s.quiz === 'mistakes' && task < tasks.length - 1;
    draw();
    say(
      [why, slips ? t('learn.slips', {n: slips}) : t('learn.noLoss')].filter(Boolean).join(' '),
      slips ? 'wrong' : 'right',
    );
    if (s.quiz === 'mistakes' && !more && !slips)
      return void fill(tools, linkButton(t('learn.done'), write({...s, quiz: ''}), 'check', 'primary'));
    const next = button(
      t(slips ? 'learn.once' : 'learn.next'),
      () => {
        const same = slips > 0;
        if (!same && more) task++;
        fill(tools);
        void begin(same);
      },
      {kind: 'primary', icon: slips ? 'redo' : 'next'},
    );
    fill(
      tools,
      next,
      here &&
        linkButton(
          t('nav.explore'),
          '/explore?' + new URLSearchParams({g: game.spec, m: here.line}).toString(),
          'explore',
        ),
      here && labButton(t, game, here.line),
    );
    next.focus({preventScroll: true});
  }

  function state() {
    const view = prefs.view(new URL(location.href)),
      last = here?.moves.at(-1);
    return {
      geometry: g,
      glyphs: game.glyphs,
      pieces: transformPieces(g, sym, false, here?.pieces ?? game.start),
      texts: here ? here.texts : game.texts,
      flip: game.moving && side === 1,
      coordinates: view.coordinates,
      set: view.pieces,
      marks,
      hints: asking && g.cells && !marks.size ? legal().flatMap(m => (m.to < 0 ? [] : [seen(m.to)])) : undefined,
      last: last && last.to >= 0 ? {to: seen(last.to), ...(last.from >= 0 && {from: seen(last.from)})} : undefined,
    };
  }

  function draw(): void {
    board.set(state());
    if (here) moves.show(game, {...here, moves: here.moves.map(m => ({...m, text: called(m)}))}, here.ply);
    refill(
      score,
      (
        [
          ['learn.streak', streak],
          ['learn.runs', runs],
          ['learn.clean', clean],
        ] as const
      ).map(([k, n]) => [h('dt', t(k)), h('dd', n)]),
    );
    fill(named, h('b', here && (titled(here.opening.names, lang, here.opening.name) || here.opening.code)));
    made.hidden = !log.length;
    fill(
      steps,
      log.map(x =>
        h(
          'li',
          {class: x.ok ? 'ok' : 'bad'},
          h('b', x.move),
          ' ',
          h('span.num', x.loss > 0 ? worth(lang, x.unit, -x.loss) : '✓'),
        ),
      ),
    );
  }

  function say(text: string, kind = ''): void {
    ask.className = 'quiz-ask ' + kind;
    fill(ask, text);
    board.set(state());
  }

  return {
    node,
    leave: () => board.close(),
    keys: [
      {keys: 'm', label: t('explore.type'), run: () => typed.focus()},
      standard(t, 'cursor', () => board.focus()),
      {keys: 'Escape', label: t('learn.stop'), run: () => ctx.go(write({...s, quiz: ''}))},
    ],
  };
}
