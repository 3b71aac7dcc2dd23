// Searches that were made before, as small boards.
import type {Game, Saved} from '../api';
import type {Context} from '../app';
import {type Child, fmt, h} from '../dom';
import {mini} from '../minis';
import {searchLink} from '../router';
import {piecesOf, restore, single} from './model';

export function searches({t, lang, prefs}: Context, games: readonly Game[], list: readonly Saved[]): HTMLElement {
  return h(
    'div.searches',
    list.map(s =>
      h(
        'a.search-card',
        {href: searchLink(s.query, s.game)},
        picture(
          games.find(g => g.spec === s.game),
          s,
          prefs.get('pieces'),
        ) || h('span.search-text.code', s.query),
        h('span.cut', {title: s.note || s.query}, s.name ? h('b', s.name) : s.described || t('home.words')),
        h('small.muted', s.games >= 0 && t('search.games', {n: s.games}), s.used && ` · ${fmt(lang).ago(s.used)}`),
      ),
    ),
  );
}

function picture(game: Game | undefined, s: Saved, set: 'traditional' | 'simplified' | 'symbols'): Child {
  if (!game || !s.board) return null;
  const ed = restore(game, s.board, '', ''),
    g = game.geometry,
    cells = new Map([...ed.cells].filter(([, c]) => !single(c)));
  return mini({
    geometry: g,
    glyphs: game.glyphs,
    pieces: piecesOf(g, ed),
    cells,
    set,
    ...(ed.region && {crop: ed.region}),
  });
}
