// A set on paper: the boards, and the solutions on pages of their own behind them.
import '../common';
import type {Opener} from '../app';
import {h} from '../dom';
import {titled} from '../i18n';
import {notationOf} from '../kinds';
import {still} from '../board';
import {themeName} from '../learn/session';
import {button} from '../ui';

const most = 60; // boards of a sheet

export const open: Opener = async (ctx, _url, params) => {
  const {t, lang} = ctx,
    games = await ctx.games(),
    s = await ctx.call('GET /drill/sets/{id}', {path: {id: params['id'] ?? ''}}),
    items = s.items.slice(0, most),
    name = s.set?.name ?? t('drill.title');
  const figure = (x: (typeof items)[number], i: number) => {
    const game = games.find(g => g.spec === x.game) ?? games.find(g => g.family === x.game);
    if (!game) return false;
    return h(
      'figure.sheet-board',
      still({
        geometry: game.geometry,
        glyphs: game.glyphs,
        pieces: x.position.pieces,
        texts: x.position.texts,
        set: ctx.prefs.get('pieces'),
        coordinates: true,
      }),
      h(
        'figcaption',
        h('b', `${i + 1}. `),
        t(`drill.task.${x.kind}`, {side: titled(game.sides[x.position.turn]?.titles, lang)}),
      ),
    );
  };
  const solution = (x: (typeof items)[number]) => {
    const game = games.find(g => g.spec === x.game || g.family === x.game),
      line = x.line.length ? x.line : [x.answer];
    return h(
      'li',
      h('b', line[0]!.text),
      ' ',
      line
        .slice(1, 24)
        .map(m => m.text)
        .join(' '),
      h('small.muted', ` ${themeName(ctx, x.theme)} · ${x.source}${game && notationOf(ctx, game) ? '' : ''}`),
    );
  };
  return {
    title: name,
    node: h(
      'div.page.sheet',
      h(
        'div.head',
        h('h1', name),
        button(t('drill.printNow'), () => window.print(), {kind: 'primary', icon: 'text'}),
      ),
      h('div.sheet-boards', items.map(figure)),
      h('section.sheet-solutions', h('h2', t('drill.solutions')), h('ol', items.map(solution))),
    ),
  };
};
