// Every component in every state, to be looked at: small boards of all games, the board of a page, buttons, choices,
// and what stands where there is nothing.
// i18n: gallery.state.*
import '../common';
import type {Score} from '../api';
import type {Opener} from '../app';
import {Board} from '../board';
import {h} from '../dom';
import {exhibits, pieces} from '../gallery/model';
import {titled} from '../i18n';
import {mini} from '../minis';
import {button, chip, empty, iconButton, progress, resultBar, segmented, select, tabs, toggle} from '../ui';

export const open: Opener = async ctx => {
  const {t, lang} = ctx,
    games = await ctx.games(),
    nothing = () => undefined;
  const boards = games.map(g =>
    h(
      'section.stack',
      {'data-game': g.spec},
      h('h2', titled(g.titles, lang, g.spec)),
      h(
        'div.grid.gallery-boards',
        exhibits(g).map(x =>
          h(
            'figure.gallery-board',
            mini(x.state, t),
            h('figcaption.muted.small', t(`gallery.state.${x.name as 'start'}`)),
          ),
        ),
      ),
    ),
  );
  const first = games[0],
    live =
      first &&
      new Board(
        {geometry: first.geometry, glyphs: first.glyphs, pieces: pieces(first), coordinates: true, hints: [0]},
        {t, lang, wheel: false},
      );
  const bar = progress(t('gallery.title'));
  const parts = h(
    'section.stack',
    {'data-game': ''},
    h('h2', t('gallery.parts')),
    h(
      'div.row',
      button(t('ui.close'), nothing),
      button(t('ui.close'), nothing, {kind: 'primary'}),
      button(t('ui.close'), nothing, {kind: 'danger'}),
      button(t('ui.close'), nothing, {props: {disabled: true}}),
      iconButton(t('ui.close'), 'close', nothing),
      iconButton(t('ui.close'), 'region', nothing, {'aria-pressed': 'true'}),
    ),
    h(
      'div.row',
      chip(t, t('gallery.title'), {run: nothing, remove: nothing}),
      toggle(t('gallery.parts'), true, nothing),
      toggle(t('gallery.title'), false, nothing),
    ),
    segmented(
      t('gallery.parts'),
      [
        {value: 'a', label: t('gallery.parts')},
        {value: 'b', label: t('gallery.title')},
      ],
      'a',
      nothing,
    ).node,
    select(t('gallery.parts'), [{value: 'a', label: t('gallery.parts')}], 'a', nothing),
    first &&
      resultBar(
        t,
        lang,
        {first: 12, second: 7, draws: 3} as Score,
        ['black', 'white'],
        [titled(first.sides[0]?.titles, lang, ''), titled(first.sides[1]?.titles, lang, '')],
      ),
    tabs(
      t('gallery.title'),
      [
        {id: 'a', label: t('gallery.title'), panel: h('p', t('gallery.intro'))},
        {id: 'b', label: t('gallery.parts'), panel: h('p', t('gallery.parts'))},
      ],
      'a',
    ).node,
    bar.node,
    empty('records', t('gallery.title'), t('gallery.intro')),
    live && h('div.gallery-live', live.node),
  );
  return {
    title: t('gallery.title'),
    node: h('div.page.stack.gallery', h('h1', t('gallery.title')), h('p.muted', t('gallery.intro')), boards, parts),
    leave: () => live?.close(),
  };
};
