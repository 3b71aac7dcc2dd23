// The help of those who play for the first time: the rules in short, and what hands can do here.
import type {Game} from '../api';
import {type Context, keyTable} from '../app';
import {h} from '../dom';
import {titled} from '../i18n';
import {dialog, iconButton} from '../ui';
import {choose, chosen} from './choices';

// advice is what fits the game and the device: fingers press no keys, and want a second tap where points are small.
// i18n: play.tip.*
function advice({cells, size}: Game['geometry'], moving: boolean): string[] {
  const fingers = matchMedia('(pointer: coarse)').matches;
  return [
    moving ? 'step' : cells ? 'place' : 'point',
    ...(fingers ? (size.w > 11 && !moving ? ['small'] : []) : cells ? ['keys', 'boxes'] : ['keys']),
    'look',
    'leave',
  ];
}

function body({t, lang}: Context, game: Game): HTMLElement {
  const howto = titled(game.howto, lang);
  return h(
    'div.stack',
    howto && h('p', h('b', titled(game.titles, lang, game.family), ': '), howto),
    h(
      'ul',
      advice(game.geometry, game.moving).map(x => h('li', t(`play.tip.${x as 'place'}`))),
    ),
  );
}

// tips stand on the page until they are closed; false where they were.
export function tips(ctx: Context, game: Game, closed: () => void, wanted = chosen().tips): HTMLElement | false {
  const {t} = ctx;
  if (!wanted) return false;
  return h(
    'section.card.tips.play-tips',
    h(
      'div.row.between',
      h('h2', t('play.first')),
      iconButton(t('play.tipsOff'), 'close', () => {
        choose({tips: false});
        closed();
      }),
    ),
    body(ctx, game),
  );
}

// helpDialog has the same, and the keys.
export function helpDialog(ctx: Context, game: Game): void {
  dialog(ctx.t, {
    title: ctx.t('play.help'),
    body: [body(ctx, game), h('h3', ctx.t('keys.title')), keyTable(ctx.keys(), ctx.t)],
  });
}
