// Things that have a name, on boards and in words: mates, structures, openings, codes.
import type {Game, Name, NameBoard, NameCount, NameRole, Names} from '../api';
import type {Context} from '../app';
import {type BoardState, type Decor, type Geometry, describe, pieceName} from '../core';
import {h} from '../dom';
import {type Lang, titled} from '../i18n';
import {still} from '../board';
import {mini} from '../minis';
import type {Shape} from '../scene';
import {readRows} from '../search/model';
import {resultBar} from '../ui';

export const kinds = ['mate', 'structure', 'opening', 'code', 'ending'] as const;

// called picks a name by language. Who reads one of the Chinese scripts reads the other before English.
export const called = (names: Names, lang: Lang, id: string): string =>
  names[lang] ||
  (lang === 'zh-Hans' ? names['zh-Hant'] : lang === 'zh-Hant' ? names['zh-Hans'] : '') ||
  names.en ||
  names['zh-Hant'] ||
  id;

// coined tells whether the name in a language is a transliteration of ours.
export const coined = (n: Name, lang: Lang | 'vi'): boolean => n.coined.includes(lang);

export const nameLink = (game: string, id: string): string => `/names/${game}/${encodeURIComponent(id)}`;

// sideMark is the colour of a side, or nothing where it is nobody's alone.
export const sideMark = ({lang}: Context, game: Game, side: number): HTMLElement | false => {
  const s = game.sides[side];
  return !!s && h('i.side-mark', {'data-side': s.name, role: 'img', 'aria-label': titled(s.titles, lang)});
};

// rings draws the pieces in their parts: a whole ring around those of the owner, a broken one around others and around
// points. With letters each has the name that the definition gives it.
export const rings =
  (g: Geometry, side: number, roles: readonly NameRole[], letters = false): Decor =>
  at =>
    roles.map((r): Shape => {
      const {x, y} = at(r.point),
        own = r.piece > 0 && (side < 0 || g.pieces[r.piece - 1]?.owner === side);
      return {
        tag: 'g',
        attrs: {class: own ? 'role' : 'role other', transform: `translate(${x} ${y})`},
        kids: [
          {tag: 'circle', attrs: {class: 'halo', r: 18}},
          {tag: 'circle', attrs: {class: 'ring', r: 18}},
          ...(letters && r.name
            ? ([
                {tag: 'circle', attrs: {class: 'badge-of', cx: 14, cy: -14, r: 9}},
                {
                  tag: 'text',
                  attrs: {class: 'letter', x: 14, y: -14, dy: '.355em', 'font-size': r.name.length > 1 ? 10 : 13},
                  text: r.name,
                },
              ] satisfies Shape[])
            : []),
        ],
      };
    });

// rolesText says which piece has which part.
export const rolesText = (g: Geometry, lang: Lang, roles: readonly NameRole[]): string =>
  roles.map(r => [r.name, r.piece > 0 && pieceName(g, r.piece, lang), r.at].filter(Boolean).join(' ')).join(', ');

function stateOf({prefs}: Context, games: readonly Game[], game: Game, b: NameBoard, letters: boolean): BoardState {
  const rows = b.position.split(' ')[0]!.split('/').length; // another board of the game may have been meant
  const {geometry, glyphs} =
    game.geometry.size.h === rows
      ? game
      : (games.find(g => g.family === game.family && g.geometry.size.h === rows) ?? game);
  return {
    geometry,
    glyphs,
    pieces: readRows(geometry, b.position),
    set: prefs.get('pieces'),
    over: rings(geometry, b.side, b.roles, letters),
  };
}

// small stands beside a name and says nothing. told and large say in words what they show; large has the names of the
// parts.
export const small = (ctx: Context, games: readonly Game[], game: Game, b: NameBoard): SVGSVGElement =>
  mini(stateOf(ctx, games, game, b, false));
export const told = (ctx: Context, games: readonly Game[], game: Game, b: NameBoard): SVGSVGElement =>
  saying(ctx, mini, stateOf(ctx, games, game, b, false), b);
export const large = (ctx: Context, games: readonly Game[], game: Game, b: NameBoard): SVGSVGElement =>
  saying(ctx, still, stateOf(ctx, games, game, b, true), b);
function saying(ctx: Context, draw: (s: BoardState) => SVGSVGElement, s: BoardState, b: NameBoard): SVGSVGElement {
  const svg = draw(s);
  svg.removeAttribute('aria-hidden');
  svg.setAttribute('role', 'img');
  svg.setAttribute(
    'aria-label',
    [describe(s, ctx.t), rolesText(s.geometry, ctx.lang, b.roles)].filter(Boolean).join('. '),
  );
  return svg;
}

// ownerBar shows how the side fared that had it.
export const ownerBar = ({t, lang}: Context, c: NameCount): HTMLElement =>
  resultBar(
    t,
    lang,
    {
      games: c.games,
      first: c.won,
      draws: c.drawn,
      second: c.lost,
      low: c.low,
      high: c.high,
      rating: 0,
      since: '',
      until: '',
    },
    ['won', 'lost'],
    [t('names.won'), t('names.lost')],
  );
