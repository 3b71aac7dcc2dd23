// What an engine thinks of the position on the board, while it thinks: its best lines with their values, and whose word
// they are. It is off until somebody starts it, follows the board from then on, and ends with the page.
// i18n: live.*
import type {Game, Move, MoveValue, Problem as Refusal, Values} from './api';
import type {Context} from './app';
import {Problem} from './client';
import type {Heat} from './core';
import {debounce, dots, fill, fmt, h, on} from './dom';
import {engineChoice} from './engines';
import {titled} from './i18n';
import {icon} from './icons';
import {notationOf} from './kinds';
import {error} from './opinion';
import {refill} from './records/row';
import {button, explain, linkButton, select} from './ui';
import {cost, valueHeat, worth} from './value';

const seconds = 30, // that an engine thinks about a position
  pause = 200, // ms that the board stands before an engine is asked about it
  ahead = 10; // moves of a line that are shown

export interface LiveActs {
  play?(m: Move): void; // a click on a line makes its first move
  hover(m: Move | null): void;
  changed(): void; // the board may have to show other values
}

// Place is what stands on the board.
export interface Place {
  game: Game;
  line: string;
  turn: number;
  pieces: ArrayLike<number>;
  over: boolean;
}

export interface Live {
  node: HTMLElement;
  show(at: Place): void;
  laid(): ReadonlyMap<number, Heat> | undefined; // values to lay on the board
}

export function live(ctx: Context, acts: LiveActs): Live {
  const {t, lang, signal} = ctx,
    f = fmt(lang);
  let at: Place | null = null,
    told: Values | null = null, // of the position on the board
    going = false,
    asking: AbortController | null = null, // while an engine thinks
    most = 3;
  const list = h('ol.live-lines'),
    state = h('p.small.muted', {role: 'status'}),
    whose = h('div'),
    body = h('div'),
    counts = h('details.live-counts', {hidden: true, ontoggle: () => count()}, h('summary', t('live.counters')), body),
    engine = engineChoice(ctx, again),
    lines = select(
      t('live.lines'),
      ['1', '2', '3', '5'].map(value => ({value, label: t('live.count', {n: Number(value)})})),
      String(most),
      v => {
        most = Number(v);
        again();
      },
    ),
    start = button(t('live.start'), () => turn(!going), {icon: 'play', props: {class: 'btn small live-go'}}),
    box = h('div.stack.live-box', h('div.row', start, engine.node, lines), state, list, whose, counts),
    node = h('details.card.live', {hidden: true}, h('summary', t('live.title')), box);
  void ctx.api.analyses(signal).then(
    yes => {
      node.hidden = !yes;
    },
    () => undefined,
  );

  // follow listens to an engine until it has thought, or nobody wants to know any more.
  async function follow(p: Place, {signal: stop}: AbortController): Promise<void> {
    await engine.ready;
    await ctx.api.events(
      '/analysis',
      {
        game: p.game.spec,
        line: p.line,
        notation: notationOf(ctx, p.game),
        engine: engine.value(),
        lines: most,
        seconds,
      },
      {
        values(v: Values) {
          if (stop.aborted) return;
          told = v;
          draw();
          acts.changed();
        },
        problem(r: Refusal) {
          throw new Problem(r.status ?? 500, '', r.title ?? '', r.detail);
        },
      },
      stop,
    );
  }
  const think = debounce(() => {
    const p = at;
    if (!p || !going || p.over) return draw();
    const mine = (asking = new AbortController());
    draw();
    follow(p, mine).then(
      () => {
        if (asking !== mine) return; // the board has gone on
        asking = null;
        draw();
      },
      (err: unknown) => {
        if (asking !== mine) return;
        asking = null;
        if (err instanceof Problem && err.code === 'over') {
          at = {...p, over: true};
          return draw();
        }
        going = false;
        draw();
        const {title, text} = explain(t, err);
        fill(state, dots(title, text));
      },
    );
  }, pause);
  on(signal, 'abort', forget);

  function forget(): void {
    think.cancel();
    asking?.abort();
    asking = null;
    if (!told) return;
    told = null;
    acts.changed();
  }
  function again(): void {
    forget();
    if (going) think();
    draw();
  }
  function turn(yes: boolean): void {
    going = yes;
    forget();
    if (yes) think();
    draw();
  }

  function row(v: Values, m: MoveValue): HTMLElement {
    const [first, ...rest] = m.line.length ? m.line : [m.move];
    const words = [
      h('b.num', {title: m.told ?? null}, worth(lang, v.unit, m.value), m.exact && '!'),
      h(
        'span.cut',
        h('b', first!.text),
        ' ',
        rest
          .slice(0, ahead - 1)
          .map(x => x.text)
          .join(' '),
      ),
    ];
    const li = h(
      'li',
      acts.play
        ? h('button', {'aria-label': t('explore.play', {move: first!.text}), onclick: () => acts.play!(m.move)}, words)
        : h('div', words),
    );
    on<PointerEvent>(li, 'pointerenter', e => {
      if (e.pointerType === 'mouse') acts.hover(m.move);
    });
    on(li, 'pointerleave', () => acts.hover(null));
    return li;
  }

  function opinion(v: Values): HTMLElement | null {
    const {by} = v;
    if (!by?.engine || !at) return null;
    const name = `${by.engine} ${by.version}`.trim(),
      e = error(by, v.depth),
      game = titled(at.game.titles, lang);
    return h(
      'div',
      h(
        'p.muted.small',
        {title: by.measured},
        e ? t('live.by', {engine: name, mean: cost(lang, v.unit, e.mean)}) : t('live.unmeasured', {engine: name, game}),
      ),
      !by.counts && h('div.row', linkButton(t('review.addEngine'), '/settings', 'settings', 'quiet small')),
    );
  }

  // count shows what the search did, to those who have asked for it.
  function count(): void {
    const c = told?.counters;
    if (c && counts.open)
      void import('./lab/counters').then(m => {
        if (c === told?.counters) fill(body, m.counters(ctx, c));
      });
  }

  function draw(): void {
    const v = told;
    const words = t(going ? 'live.stop' : 'live.start');
    if (start.textContent !== words) {
      fill(start, icon(going ? 'pause' : 'play'), h('span', words));
      start.setAttribute('aria-pressed', String(going));
    }
    fill(
      state,
      at?.over
        ? t('live.over')
        : v
          ? dots(
              t('live.for', {side: titled(at!.game.sides[at!.turn]?.titles, lang)}),
              v.depth > 0 && t('live.depth', {depth: v.depth}),
              v.nodes > 0 && t('live.nodes', {nodes: f.compact(v.nodes)}),
              !asking && t('live.done'),
            )
          : going
            ? t('live.thinking')
            : t('live.off'),
    );
    refill(
      list,
      v?.moves.map(m => row(v, m)),
    );
    fill(whose, v && opinion(v));
    counts.hidden = !v?.counters;
    count();
  }

  draw();
  return {
    node,
    show(p) {
      const same = at?.line === p.line && at.game === p.game;
      at = p;
      engine.show(p.game);
      if (same) return;
      again();
    },
    laid: () => (told && at && going ? valueHeat(ctx, at.game, at.pieces, told) : undefined),
  };
}
