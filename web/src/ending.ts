// What tables of endings know of the position on the board: who wins, in how many moves, and by which. It is shown
// where they know it. i18n: ending.result.*, ending.in.*, ending.checks.*
import type {Known, KnownMove, Move} from './api';
import type {Context} from './app';
import {debounce, fill, h, on} from './dom';
import {titled} from './i18n';
import {notationOf} from './kinds';
import type {Place} from './live';
import {nameLink} from './names/draw';
import {searchLink} from './router';

const shown = 8, // moves, before the rest is asked for
  ahead = 24; // moves of the line

export interface EndingActs {
  play?(m: Move): void; // a click on a move makes it
  hover(m: Move | null): void;
}

// said is a result with how long it takes.
export const said = ({t}: Context, m: Pick<KnownMove, 'result' | 'plies'>): string =>
  m.plies > 0 ? t(`ending.in.${m.result}`, {n: m.plies}) : t(`ending.result.${m.result}`);

export function ending(ctx: Context, acts: EndingActs): {node: HTMLElement; show(at: Place, few: boolean): void} {
  const {t, lang, signal} = ctx,
    body = h('div.stack.live-box'),
    node = h('section.card.ending', {hidden: true}, body);
  let at: Place | null = null;
  const ask = debounce(() => {
    const p = at;
    if (!p) return;
    ctx
      .call('GET /endgame', {query: {game: p.game.spec, line: p.line, notation: notationOf(ctx, p.game)}}, signal)
      .then(k => {
        if (p === at) draw(p, k);
      })
      .catch(() => {
        node.hidden = true; // the board is shown without it, too
      });
  }, 120);

  function row(m: KnownMove): HTMLElement {
    const words = [h('b', m.move.text), h('span.cut.muted', said(ctx, m))],
      li = h(
        'li',
        {'data-result': m.result},
        acts.play
          ? h('button', {'aria-label': `${m.move.text}: ${said(ctx, m)}`, onclick: () => acts.play!(m.move)}, words)
          : h('div', words),
      );
    on<PointerEvent>(li, 'pointerenter', e => {
      if (e.pointerType === 'mouse') acts.hover(m.move);
    });
    on(li, 'pointerleave', () => acts.hover(null));
    return li;
  }

  function draw(p: Place, k: Known): void {
    node.hidden = !k.result;
    if (!k.result) return;
    const [best, rest] = [k.moves.slice(0, shown), k.moves.slice(shown)],
      query = `endgame:${k.ending}`;
    fill(
      body,
      h('div.row.between', h('h2', t('ending.title')), h('a', {href: nameLink(p.game.family, k.ending)}, k.ending)),
      h(
        'p',
        {role: 'status'},
        h(
          'b',
          t('ending.side', {
            side: titled(p.game.sides[p.turn]?.titles, lang),
            result: said(ctx, {result: k.result, plies: k.plies}),
          }),
        ),
        k.checks && ' ' + t(`ending.checks.${k.checks === 'self' ? 'self' : 'other'}`),
      ),
      k.line.length > 0 &&
        h(
          'p.small.muted',
          k.line
            .slice(0, ahead)
            .map(m => m.text)
            .join(' ') + (k.line.length > ahead ? ' …' : ''),
        ),
      h('ol.live-lines.ending-moves', best.map(row)),
      rest.length > 0 &&
        h('details', h('summary', t('ending.more', {n: rest.length})), h('ol.live-lines.ending-moves', rest.map(row))),
      h('p.small', h('a', {href: searchLink(query, p.game.spec)}, t('ending.inRecords'))),
    );
  }

  return {
    node,
    show(p, few) {
      const same = at?.line === p.line && at.game === p.game;
      if (same) return;
      at = p;
      node.hidden = true;
      ask.cancel();
      if (few) ask();
    },
  };
}
