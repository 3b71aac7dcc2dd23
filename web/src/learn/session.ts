// A session: one board after the other, one right move on each. What is wrong is answered with what refutes it, what is
// right with how it goes on; an ending may be played out against the best defence. i18n: drill.task.*, drill.theme.*
import type {DrillItem, DrillSession, Game, Known, Move, Position} from '../api';
import type {Context} from '../app';
import {Board} from '../board';
import {type Mark, pointOf} from '../core';
import {type Child, fill, fmt, h, on} from '../dom';
import {said} from '../ending';
import {kindName, titled} from '../i18n';
import {type Key, standard} from '../keys';
import {notationOf} from '../kinds';
import {pointed, sameMove, written} from '../moves';
import {nameLink} from '../names/draw';
import {refill} from '../records/row';
import {Sound} from '../sound';
import {button, linkButton} from '../ui';
import {give} from './answers';

const beat = 450; // ms before the other side answers

// themeName is what a theme is called: an ending by its men.
export const themeName = ({t}: Context, theme: string): string => {
  const n = /^win-(\d)$/.exec(theme)?.[1];
  if (n) return t('drill.theme.moves', {n: Number(n)});
  return theme === 'win' || theme === 'save' || theme === 'own' || theme === 'guess'
    ? t(`drill.theme.${theme}`)
    : theme;
};

// begin is the line that leads to a position and on by moves, as the server reads it.
export const lineOf = (game: Game, text: string, moves: readonly Move[]): string =>
  [text, ...(moves.length ? ['moves', ...moves.map(m => (m.to < 0 ? m.text : written(game, m)))] : [])].join(' ');

export function session(
  ctx: Context,
  games: readonly Game[],
  s: DrillSession,
  ends: {answered(): void; done(right: number): HTMLElement},
): {node: HTMLElement; keys: Key[]; leave(): void} {
  const {t, lang, prefs} = ctx,
    f = fmt(lang),
    sound = new Sound(),
    items = s.items.filter(x => games.some(g => g.spec === x.game || g.family === x.game));
  let at = 0,
    right = 0,
    asking = false,
    playing = false, // an ending is played out
    here: Position | null = null,
    marks = new Map<number, Mark>(),
    arrows: {from: number; to: number}[] | undefined,
    turn = 0; // counts boards, so that a slow answer does not move a newer one
  const gameOf = (x: DrillItem): Game => games.find(g => g.spec === x.game) ?? games.find(g => g.family === x.game)!;
  const place = h('span.muted'),
    ask = h('p.quiz-ask', {role: 'status', tabindex: -1}),
    tools = h('div.row'),
    told = h('section.card', {hidden: true}),
    facts = h('dl.facts'),
    holder = h('div'),
    stage = h('div.stage', holder, h('div.full', ask), tools);
  const typed = h('input.code', {
    type: 'text',
    'aria-label': t('explore.type'),
    placeholder: t('explore.type'),
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
  });
  const form = h(
    'form.explore-type',
    {
      onsubmit: (e: Event) => {
        e.preventDefault();
        type(typed.value.trim());
      },
    },
    typed,
    h('button.btn', {type: 'submit'}, t('explore.playIt')),
  );
  const node = h(
    'div.work.play.quiz.drill',
    h('h1.hidden', t('drill.title')),
    stage,
    h(
      'div.side',
      h('section.card', h('div.row.between', h('h2', t('drill.title')), place), facts, form),
      told,
      h('div.row', linkButton(t('learn.stop'), '/learn', 'close', 'quiet')),
    ),
  );
  let board: Board | null = null,
    game = gameOf(items[0]!),
    side = 0;
  open();

  function now(): DrillItem {
    return items[at]!;
  }

  // open shows the next exercise.
  function open(): void {
    const x = now();
    turn++;
    game = gameOf(x);
    here = x.position;
    side = x.position.turn;
    marks = new Map();
    arrows = undefined;
    playing = false;
    asking = true;
    told.hidden = true;
    const g = game.geometry;
    node.style.setProperty('--aspect', String(g.size.w / g.size.h));
    board?.close();
    board = new Board(state(), {
      t,
      lang,
      announce: m => ctx.announce(m),
      keys: 'cursor',
      freeB: true,
      mode: game.moving ? 'move' : 'point',
      wheel: false,
      twoTap: prefs.get('twoTap'),
      animate: prefs.get('animation'),
      facts: () => ({turn: titled(game.sides[here?.turn ?? 0]?.titles, lang)}),
      ghost: p =>
        asking && legal().some(m => m.from < 0 && m.to === p) ? g.pieces.findIndex(k => k.owner === here?.turn) + 1 : 0,
      canPick: p => asking && legal().some(m => m.from === p),
      onPick: p =>
        board?.update({
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
        if (c.button === 0 && (!game.moving || legal().some(m => m.from < 0 && m.to === p))) void point(-1, p);
      },
    });
    fill(holder, board.node);
    fill(place, t('drill.of', {i: at + 1, n: items.length}));
    refill(
      facts,
      (
        [
          ['drill.game', kindName(game, lang)],
          [
            'drill.level',
            t('drill.rating', {n: f.number(Math.round(x.rating.points)), within: Math.round(x.rating.within)}),
          ],
          ['drill.times', x.times],
        ] as const
      ).map(([k, v]) => [h('dt', t(k)), h('dd', v)]),
    );
    fill(
      tools,
      button(t('drill.show'), () => answer(null), {icon: 'info'}),
    );
    say(t(`drill.task.${x.kind}`, {side: titled(game.sides[side]?.titles, lang)}));
    if (!matchMedia('(pointer: coarse)').matches) setTimeout(() => board?.focus());
  }

  function legal(): readonly Move[] {
    return here?.legal ?? [];
  }

  async function point(from: number, to: number): Promise<void> {
    if (!here || !asking) return;
    const text = await pointed(ctx, game, here, from, to),
      m = legal().find(x => written(game, x) === text);
    if (m) answer(m);
  }

  function type(text: string): void {
    const p = pointOf(game.geometry, text),
      m =
        legal().find(x => x.text.toLowerCase() === text.toLowerCase()) ??
        legal().find(x => written(game, x).toLowerCase() === text.toLowerCase()) ??
        (p < 0 ? undefined : legal().find(x => x.from < 0 && x.to === p));
    if (m && asking) {
      typed.value = '';
      answer(m);
    } else if (text) {
      typed.select();
      ctx.toast(t('play.illegal', {point: text}));
    }
  }

  // answer takes a move, or shows the right one to who gives none. The first one counts.
  function answer(m: Move | null): void {
    if (!asking) return;
    if (playing && m) return void goOn(m);
    const x = now(),
      ok = !!m && sameMove(m, x.answer);
    asking = false;
    board?.update({selected: undefined, legal: undefined});
    sound.click(prefs.get('sound'), !ok);
    give(x.exercise, ok);
    ends.answered();
    if (ok) right++;
    marks = new Map([
      ...(m && !ok && m.to >= 0 ? [[m.to, 'cross'] as const] : []),
      ...(x.answer.to >= 0 ? [[x.answer.to, 'circle'] as const] : []),
    ]);
    arrows = x.answer.from >= 0 ? [{from: x.answer.from, to: x.answer.to}] : undefined;
    const word = ok ? 'drill.right' : m ? 'drill.wrong' : 'drill.shown';
    say(t(word, {move: x.answer.text, own: m?.text ?? ''}), ok ? 'right' : 'wrong');
    over(ok);
    void explain(x, ok ? null : m);
  }

  // over offers what may be done behind an answer.
  function over(ok: boolean): void {
    const x = now(),
      final = at === items.length - 1;
    const next = button(
      t(final ? 'drill.end' : 'drill.next'),
      () => {
        if (!final) {
          at++;
          open();
        } else {
          asking = false;
          fill(node, ends.done(right));
        }
      },
      {kind: 'primary', icon: final ? 'check' : 'next'},
    );
    fill(
      tools,
      next,
      ok &&
        x.kind === 'win' &&
        x.proof === 'table' &&
        x.plies > 1 &&
        button(t('drill.playOut'), playOut, {icon: 'play'}),
      linkButton(
        t('explore.playHere'),
        '/play?' + new URLSearchParams({g: game.spec, m: x.position.text}).toString(),
        'play',
      ),
    );
    const focus = () => {
      if (next.isConnected) next.focus({preventScroll: true});
    };
    // The Enter that answered is still down, and is to press nothing else.
    if (window.event?.type.startsWith('key')) addEventListener('keyup', focus, {once: true, signal: ctx.signal});
    else setTimeout(focus);
  }

  // explain says how it goes on, what refutes a wrong move, and where it is from.
  async function explain(x: DrillItem, tried: Move | null): Promise<void> {
    const mine = turn,
      words = (list: readonly Move[]) =>
        list
          .slice(0, 16)
          .map(m => m.text)
          .join(' ') + (list.length > 16 ? ' …' : '');
    const proof = x.proof === 'table' ? t('drill.byTable') : x.proof && t('drill.by', {who: x.proof}),
      refuted = h('div');
    told.hidden = false;
    const source: Child = x.source && [
      t('drill.from'),
      ' ',
      x.record ? h('a', {href: `/records/${x.record}#${x.ply}`}, x.source) : x.source,
      x.played && x.played !== x.answer.text && ` (${t('drill.played', {move: x.played})})`,
    ];
    fill(
      told,
      h(
        'h2',
        x.theme.includes('-') && /^K/.test(x.theme)
          ? h('a', {href: nameLink(game.family, x.theme)}, x.theme)
          : themeName(ctx, x.theme),
      ),
      x.line.length > 0 && h('p', h('b', t('drill.line')), ' ', words(x.line)),
      refuted,
      proof && h('p.muted.small', proof),
      source && h('p.small', source),
      h(
        'div.row',
        linkButton(
          t('nav.explore'),
          '/explore?' +
            new URLSearchParams({
              g: game.spec,
              m: lineOf(game, x.position.text, tried ? [tried] : x.line.slice(0, 1)),
            }).toString(),
          'explore',
        ),
      ),
    );
    if (tried && x.kind !== 'guess') {
      const line = lineOf(game, x.position.text, [tried]);
      try {
        const best =
          x.proof === 'table'
            ? (await ctx.call('GET /endgame', {query: {game: game.spec, line, notation: notationOf(ctx, game)}})).line
            : ((
                await ctx.call('GET /values', {
                  query: {game: game.spec, line, level: 4, notation: notationOf(ctx, game)},
                })
              ).moves[0]?.line ?? []);
        if (mine === turn && best.length)
          fill(refuted, h('p', h('b', t('drill.refuted', {move: tried.text})), ' ', words(best)));
      } catch {
        /* without a network the answer has to do */
      }
    }
    if (x.kind === 'win' && x.line.length > 0) {
      const line = lineOf(game, x.position.text, x.line),
        names = await ctx.call('GET /names/at', {query: {game: game.spec, line}}).catch(() => null),
        mate = names?.names.find(n => n.kind === 'mate');
      if (mine === turn && mate)
        told.append(
          h(
            'p',
            t('drill.called'),
            ' ',
            h('a', {href: nameLink(game.family, mate.id)}, titled(mate.names, lang, mate.id)),
          ),
        );
    }
  }

  // playOut begins to play an ending out behind the right move.
  function playOut(): void {
    playing = true;
    marks = new Map();
    arrows = undefined;
    here = now().position;
    asking = true;
    goOn(now().answer).catch((err: unknown) => ctx.fail(err));
  }

  const know = (line: string): Promise<Known> =>
    ctx.call('GET /endgame', {query: {game: game.spec, line, notation: notationOf(ctx, game)}});

  // goOn makes a move and has the defence answer, which holds out as long as it can.
  async function goOn(m: Move): Promise<void> {
    const mine = turn;
    if (!here) return;
    asking = false;
    const before = await know(here.line),
      held = before.moves.find(x => sameMove(x.move, m));
    if (mine !== turn) return;
    if (held && held.result !== 'won') {
      say(t('drill.spoiled', {move: m.text, result: said(ctx, held), best: before.moves[0]?.move.text ?? ''}), 'wrong');
      asking = true;
      return;
    }
    let p = await ctx.call('GET /position', {
      query: {game: game.spec, line: here.line, play: m.to < 0 ? m.text : written(game, m)},
    });
    if (mine !== turn) return;
    show(p);
    if (!p.over) {
      const best = (await know(p.line)).moves[0]?.move;
      await new Promise(done => {
        const timer = setTimeout(done, beat);
        on(ctx.signal, 'abort', () => clearTimeout(timer));
      });
      if (mine !== turn || !best) return;
      p = await ctx.call('GET /position', {
        query: {game: game.spec, line: p.line, play: best.to < 0 ? best.text : written(game, best)},
      });
      if (mine !== turn) return;
      show(p);
    }
    if (p.over) {
      playing = false;
      say(t('drill.mated', {outcome: p.outcome}), 'right');
      return over(false);
    }
    const left = await know(p.line);
    if (mine !== turn) return;
    say(t('drill.goOn', {result: said(ctx, {result: left.result || 'won', plies: left.plies})}));
    asking = true;
  }

  function show(p: Position): void {
    here = p;
    sound.click(prefs.get('sound'));
    marks = new Map();
    board?.set(state());
  }

  function state() {
    const view = prefs.view(new URL(location.href)),
      last = here?.moves.at(-1);
    return {
      geometry: game.geometry,
      glyphs: game.glyphs,
      pieces: here?.pieces ?? game.start,
      texts: here?.texts ?? game.texts,
      flip: game.moving && side === 1,
      coordinates: view.coordinates,
      set: view.pieces,
      marks,
      arrows,
      last: last && last.to >= 0 ? {to: last.to, ...(last.from >= 0 && {from: last.from})} : undefined,
    };
  }

  function say(text: string, kind = ''): void {
    ask.className = 'quiz-ask ' + kind;
    fill(ask, text);
    board?.set(state());
  }

  return {
    node,
    leave: () => board?.close(),
    keys: [
      {keys: 'm', label: t('explore.type'), run: () => typed.focus()},
      {keys: 'a', label: t('drill.show'), run: () => answer(null)},
      standard(t, 'cursor', () => board?.focus()),
      {keys: 'Escape', label: t('learn.stop'), run: () => ctx.go('/learn')},
    ],
  };
}
