// What was played next: on the board as heat, and as a list.
import type {NextMove} from '../api';
import {type Heat, pointAt, pointName} from '../core';
import {fill, fmt, h, on} from '../dom';
import {titled} from '../i18n';
import {cellIcon} from '../minis';
import {heat, rateOf} from '../explore/table';
import {scoreBar} from '../records/row';
import {column, dataTable, few, rowHead} from '../ui';
import type {Desk} from './desk';

const first = 12; // so many continuations are shown at once

// pointOfMove is where a continuation lies on the editor's board, fromOfMove where it comes from; -1 where that is
// nowhere.
export const pointOfMove = (desk: Desk, m: NextMove): number => inRegion(desk, m.column, m.row);
export const fromOfMove = (desk: Desk, m: NextMove): number => inRegion(desk, m.left, m.top);

function inRegion(desk: Desk, column: number, row: number): number {
  const {ed, game} = desk.state,
    {size} = game.geometry;
  if (column < 0 || !ed.region) return -1;
  const x = ed.region.left + column,
    y = ed.region.top + row;
  return x < size.w && y < size.h ? pointAt(size, x, y) : -1;
}

// warmth shows the continuations of the answer on the board; what is rare must not hide the pieces.
export function warmth(desk: Desk): ReadonlyMap<number, Heat> | undefined {
  const x = desk.found,
    {game, ed} = desk.state;
  return x?.answer && !x.stale
    ? heat(
        desk.ctx,
        game,
        [], // what is drawn may be any of several pieces
        x.answer,
        m => ({from: fromOfMove(desk, m), to: pointOfMove(desk, m)}),
        (p, n) => n >= first || (game.moving && ed.cells.has(p)),
      )
    : undefined;
}

export interface MovesView {
  node: HTMLElement;
  show(): void;
}

export function moves(desk: Desk): MovesView {
  const {ctx} = desk,
    {t, lang} = ctx,
    f = fmt(lang);
  const node = h('div.moves');
  let all = false;
  function row(m: NextMove, total: number): HTMLElement {
    const {game} = desk.state,
      p = pointOfMove(desk, m),
      piece = game.geometry.pieces.findIndex(l => l.owner === m.move.side) + 1;
    const name =
      game.moving && m.move.text ? m.move.text : p >= 0 ? pointName(game.geometry, p) : m.move.text || t('search.pass');
    const rare = m.games < few,
      rate = rateOf(m, m.move.side);
    const tr = h(
      'tr',
      {class: rare ? 'few' : null},
      rowHead(
        h(
          'button.move',
          {
            disabled: p < 0 || (game.moving && fromOfMove(desk, m) < 0),
            onclick: () => desk.play(m),
            'aria-label': t('search.playMove', {move: name, side: titled(game.sides[m.move.side]?.titles, lang)}),
          },
          game.geometry.pieces.length === 2 &&
            piece > 0 &&
            h('i.stone', cellIcon({...game.geometry, lines: []}, game.glyphs, 1 << piece)),
          h('span', name),
        ),
      ),
      h('td.num', f.number(m.count), h('small.muted', ' ', f.rate(total ? m.count / total : 0))),
      h('td.num.muted', f.number(m.direct)),
      h('td.num', rate ? f.rate(rate.rate) : '–', rare && h('sup', {title: t('search.fewGames')}, '*')),
      h('td.bar', scoreBar(ctx, game, m.score)),
    );
    for (const type of ['pointerenter', 'focusin']) on(tr, type, () => desk.mark(p < 0 ? null : m));
    for (const type of ['pointerleave', 'focusout']) on(tr, type, () => desk.mark(null));
    return tr;
  }
  function show(): void {
    const a = desk.found?.answer;
    if (!a?.board || !a.games || a.fuzzy) {
      fill(
        node,
        (!a?.board || a.fuzzy) &&
          h('p.muted', t(!a ? 'search.movesHint' : a.board ? 'search.movesExact' : 'search.noMoves')),
      );
      return;
    }
    const total = a.moves.reduce((n, m) => n + m.count, 0) + a.ended,
      list = all ? a.moves : a.moves.slice(0, first);
    const other = (label: string, n: number) =>
      n > 0 && h('tr.other', rowHead(label), h('td.num', f.number(n)), h('td', {colspan: 3}));
    node.replaceChildren(
      h('p.legend.muted.small', h('i.swatch', {'aria-hidden': 'true'}), h('span', t('search.legend'))),
      dataTable(
        t('search.moves'),
        [
          t('search.move'),
          ...[t('search.played'), t('search.direct'), t('search.rate')].map(x => column(x, 'num')),
          t('search.results'),
        ],
        h(
          'tbody',
          list.map(m => row(m, total)),
          other(t('search.elsewhere'), a.elsewhere),
          other(t('search.ended'), a.ended),
        ),
      ),
    );
    if (a.moves.length > list.length)
      node.append(
        h(
          'button.btn.quiet',
          {
            onclick: () => {
              all = true;
              show();
            },
          },
          t('search.allMoves', {n: a.moves.length}),
        ),
      );
    if (a.moves.some(m => m.games < few)) node.append(h('p.muted.small', '* ', t('search.fewGames')));
  }
  return {node, show};
}
