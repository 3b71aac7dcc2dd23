// What has a name on a board that is looked at: chips that light the pieces in their parts. It is a script of its own,
// which comes when it is wanted.
// i18n: names.a.*
import '../common';
import type {Game, NameAt} from '../api';
import type {Context} from '../app';
import {latest} from '../client';
import type {BoardState} from '../core';
import {debounce, fill, h} from '../dom';
import {type Icon, icon} from '../icons';
import {refill} from '../records/row';
import {searchLink} from '../router';
import {trouble} from '../ui';
import {called, nameLink, rings, rolesText, sideMark} from './draw';

export interface Overlay {
  node: HTMLElement;
  show(game: Game, line: string): void;
  laid(): Pick<BoardState, 'over'>;
}

// overlay tells names of the position at the end of a line: the moves matter, not the pieces alone. Where it is quiet
// it is not there when nothing has a name, and says nothing by itself.
export function overlay(ctx: Context, draw: () => void, quiet = false): Overlay {
  const {t, lang} = ctx;
  let now: {game: Game; line: string} | null = null,
    here: readonly NameAt[] = [],
    lit: NameAt | null = null;
  let kept = ''; // the one that was pressed: it stays lit, move by move, while it stands
  const node = h('section.names-here', {'aria-label': t('names.here'), hidden: quiet});
  const ask = latest(ctx.signal, (signal, w: {game: Game; line: string}) =>
    ctx.call('GET /names/at', {query: {game: w.game.spec, line: w.line}}, signal),
  );

  // Who steps through a game must not wait for what was said on the way.
  const later = debounce(() => void get(), 40);
  async function get(): Promise<void> {
    const w = now!;
    try {
      const got = await ask(w);
      if (!got || w !== now) return;
      node.classList.remove('stale');
      here = got.names;
      node.hidden = quiet && !got.names.length;
      refill(
        node,
        got.names.length
          ? h(
              'ul.name-chips',
              got.names.map(n => chip(w.game, n)),
            )
          : h('p.muted.small', t('names.noneHere')),
      );
      draw();
      if (!quiet)
        ctx.announce(
          got.names.length
            ? t('names.said', {names: got.names.map(n => called(n.names, lang, n.id)).join(t('board.comma'))})
            : t('names.noneHere'),
        );
    } catch (err) {
      if (!ctx.signal.aborted) fill(node, !quiet && trouble(t, err, () => void get()));
    }
  }

  const keyOf = (n: NameAt) => `${n.id} ${n.side}`,
    shown = () => lit ?? here.find(n => keyOf(n) === kept);

  function chip(game: Game, n: NameAt): HTMLElement {
    const name = called(n.names, lang, n.id),
      key = keyOf(n),
      light = (x: NameAt | null) => () => {
        lit = x;
        draw();
      };
    const press = h(
      'button',
      {
        'aria-pressed': kept === key,
        'data-key': key,
        onclick: () => {
          kept = kept === key ? '' : key;
          for (const b of node.querySelectorAll('button'))
            b.setAttribute('aria-pressed', String(b.dataset['key'] === kept));
          draw();
          ctx.announce(rolesText(game.geometry, lang, n.roles));
        },
      },
      sideMark(ctx, game, n.side),
      h('span', name),
      h('small.muted', t(`names.a.${n.kind}`)),
    );
    const link = (label: string, href: string, sign: Icon) =>
      h('a.chip-x', {href, 'aria-label': label, title: label, 'data-key': sign + key}, icon(sign));
    return h(
      'li.chip',
      {
        'data-id': n.id,
        onpointerenter: light(n),
        onpointerleave: light(null),
        onfocusin: light(n),
        onfocusout: light(null),
      },
      press,
      link(t('names.openThis', {name}), nameLink(game.family, n.id), 'names'),
      link(t('names.searchThis', {name}), searchLink(n.query, game.spec), 'search'),
    );
  }

  return {
    node,
    laid() {
      const n = shown();
      return n && now ? {over: rings(now.game.geometry, n.side, n.roles, true)} : {};
    },
    show(game, line) {
      if (now?.game === game && now.line === line) return;
      const drawn = shown(); // of another position
      now = {game, line};
      here = [];
      lit = null;
      if (drawn) draw();
      node.classList.add('stale');
      later();
    },
  };
}
