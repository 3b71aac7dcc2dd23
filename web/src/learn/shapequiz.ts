// Find the good point: a part of a board, and one click. What was wrong is asked again, at the end and on other days.
import type {Game, ShapeIndex, ShapeQuestion} from '../api';
import type {Context} from '../app';
import {Board} from '../board';
import {both, column, row} from '../core';
import {symmetries, transformPoint, turnedSize} from '../symmetry';
import {fill, h, on} from '../dom';
import {type Key, standard} from '../keys';
import {refill} from '../records/row';
import {Sound} from '../sound';
import {type Diagram, called, cellName, empty, goods, lit, stateOf} from '../shapes/draw';
import {purposeTags, shapeLink, urgencyTag} from '../shapes/tags';
import {button, linkButton} from '../ui';
import {right, wrong} from './memory';

export const deck = 'shapes';

// turned shows a task another way, so that it is the shape that is learnt and not the picture.
export function turned(q: ShapeQuestion): ShapeQuestion {
  const sym = symmetries[Math.floor(Math.random() * symmetries.length)]!,
    cells = [...q.cells];
  q.cells.forEach((c, p) => {
    cells[transformPoint(q.size, sym, p)] = c;
  });
  return {
    ...q,
    size: turnedSize(q.size, sym),
    cells,
    answer: q.answer.map(p => transformPoint(q.size, sym, p)).sort((a, b) => a - b),
  };
}

export interface Quiz {
  node: HTMLElement;
  keys: Key[];
  leave(): void;
}

export function shapeQuiz(
  ctx: Context,
  game: Game,
  index: ShapeIndex,
  questions: readonly ShapeQuestion[],
  home: string,
): Quiz {
  const {t, lang, prefs} = ctx,
    sound = new Sound(),
    queue = [...questions],
    missed = new Set<string>();
  let at = 0,
    asking = true,
    tried = -1,
    streak = 0,
    found = 0,
    asked = 0;
  const now = () => queue[at]!;
  const ask = h('p.quiz-ask', {role: 'status'}),
    tools = h('div.row'),
    score = h('dl.facts.quiz-score'),
    told = h('section.card', {hidden: true}),
    place = h('p.muted');
  const board = new Board(state(), {
    t,
    lang,
    announce: x => ctx.announce(x),
    keys: 'cursor',
    freeB: true,
    mode: 'point',
    wheel: false,
    twoTap: prefs.get('twoTap'),
    animate: false,
    say,
    ghost: p => (asking && now().cells[p] === empty ? 1 : 0),
    onPoint: (p, c) => {
      if (c.button === 0) answer(p);
    },
  });
  const node = h(
    'div.work.play.quiz.shape-quiz',
    h('h1.hidden', t('learn.shapes')),
    h('div.stage', board.node, h('div.full', ask), tools),
    h(
      'div.side',
      h('section.card', h('h2', t('learn.shapes')), place, score),
      told,
      h('div.row', linkButton(t('learn.stop'), home, 'close', 'quiet')),
    ),
  );
  begin();

  function state() {
    const q = now(),
      d: Diagram = {size: q.size, cells: q.cells},
      s = stateOf(t, game, d);
    if (asking) return s;
    const shown = new Map(
      q.answer.map(p => [p, {urgency: 4, side: 0 as const, avoid: q.avoid, title: t('learn.shapes.answer')}]),
    );
    return {
      ...s,
      over: both(s.over, goods(shown)),
      ...(tried >= 0 &&
        !q.answer.includes(tried) && {marks: new Map([[tried, 'cross' as const]]), under: both(s.under, lit([tried]))}),
    };
  }

  function say(p: number): string {
    const {cells, size} = now(),
      place = t('shapes.at', {column: column(size, p) + 1, row: row(size, p) + 1});
    return `${place}, ${cellName(t, cells[p] ?? empty)}`;
  }

  function begin(): void {
    asking = true;
    tried = -1;
    told.hidden = true;
    fill(tools);
    node.style.setProperty('--aspect', String(now().size.w / now().size.h));
    ask.className = 'quiz-ask';
    fill(ask, t(now().avoid ? 'learn.shapes.askAvoid' : 'learn.shapes.ask'));
    show();
    if (!matchMedia('(pointer: coarse)').matches) setTimeout(() => board.focus());
  }

  function answer(p: number): void {
    const q = now();
    if (!asking || q.cells[p] !== empty) return;
    const ok = q.answer.includes(p);
    asking = false;
    tried = p;
    asked++;
    sound.click(prefs.get('sound'), !ok);
    if (ok) {
      found++;
      streak++;
      if (!missed.has(q.shape)) right(deck, q.shape);
    } else {
      streak = 0;
      wrong(deck, q.shape, q);
      if (!missed.has(q.shape)) queue.push(turned(q)); // once more at the end
      missed.add(q.shape);
    }
    const last = at === queue.length - 1;
    ask.className = 'quiz-ask ' + (ok ? 'right' : 'wrong');
    fill(ask, t(ok ? 'learn.shapes.right' : 'learn.shapes.wrong'));
    const next = last
      ? linkButton(t('learn.shapes.end', {right: found, n: asked}), home, 'check', 'primary')
      : button(
          t('learn.shapes.next'),
          () => {
            at++;
            begin();
          },
          {kind: 'primary', icon: 'next'},
        );
    fill(tools, next);
    const focus = () => {
      if (next.isConnected) next.focus({preventScroll: true});
    };
    // The Enter that answered is still down, and is to press nothing else.
    if (window.event?.type.startsWith('key')) addEventListener('keyup', focus, {once: true, signal: ctx.signal});
    else setTimeout(focus);
    show();
    void explain(q);
  }

  // explain names the shape and says why.
  async function explain(q: ShapeQuestion): Promise<void> {
    const d = await ctx.call('GET /shapes/{id}', {path: {id: q.shape}}).catch(() => null); // it may be gone
    if (!d || asking || now() !== q) return;
    const s = d.shape;
    told.hidden = false;
    fill(
      told,
      h('h2', h('a', {href: shapeLink(s.id)}, called(s.names, lang, s.id))),
      h('div.row.tight', urgencyTag(ctx, s.urgency, s.avoid), purposeTags(index, lang, s.purposes)),
      s.note && h('p', s.note),
    );
    ctx.announce(`${ask.textContent} ${called(s.names, lang, s.id)}`);
  }

  function show(): void {
    board.set(state());
    fill(place, t('learn.shapes.of', {i: at + 1, n: queue.length}));
    refill(
      score,
      (
        [
          ['learn.streak', streak],
          ['learn.shapes.found', found],
          ['learn.shapes.asked', asked],
        ] as const
      ).map(([k, n]) => [h('dt', t(k)), h('dd', String(n))]),
    );
  }

  on(ctx.signal, 'abort', () => board.close());
  return {
    node,
    leave: () => board.close(),
    keys: [
      standard(t, 'cursor', () => board.focus()),
      {keys: 'Escape', label: t('learn.stop'), run: () => ctx.go(home)},
    ],
  };
}
