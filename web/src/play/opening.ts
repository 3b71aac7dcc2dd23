// An opening in which two players share out the first moves and the colours: what is asked, and what was decided.
// i18n: play.share.word.*, play.share.said.*
import type {Game, Session} from '../api';
import type {Context} from '../app';
import {pointName} from '../core';
import {h} from '../dom';
import {titled} from '../i18n';
import {button} from '../ui';

export const asking = (s: Session) => (s.state === 'over' ? undefined : s.sharing?.ask);

// sharingMarks are the points that may be chosen, where they are not all, and those that were offered by their letters.
export function sharingMarks(s: Session, open: boolean): {hints?: number[]; marks?: Map<number, 'circle' | 'square'>} {
  const ask = asking(s);
  if (!ask) return {};
  const free = s.position.pieces.filter(x => !x).length,
    few = open && ask.act !== 'choose' && ask.act !== 'offer' && ask.points.length < free;
  return {
    ...(few && {hints: ask.points}),
    ...(ask.offered.length > 0 && {marks: new Map(ask.offered.map(p => [p, 'circle' as const]))}),
  };
}

// answering says what is to be decided, and by whom.
export function answering({t, lang}: Context, game: Game, s: Session): string {
  const ask = asking(s)!,
    side = titled(game.sides[ask.side]?.titles, lang);
  switch (ask.act) {
    case 'put':
      return ask.left > 1 ? t('play.share.put', {side, n: ask.left}) : t('play.share.putOne', {side});
    case 'offer':
      return t('play.share.offer', {side, n: ask.left});
    case 'take':
      return t('play.share.take', {side});
    default:
      return t('play.share.choose', {side});
  }
}

const numbered = (word: string): boolean => /^\d+$/.test(word);

// openingPanel tells the rule, what was decided under it, and asks for a word where one is due; null where there is no
// rule. answer is null where somebody else decides.
export function openingPanel(
  ctx: Context,
  game: Game,
  s: Session,
  answer: ((word: string) => void) | null,
): HTMLElement | null {
  const {t, lang} = ctx,
    share = s.sharing;
  if (!share) return null;
  const ask = asking(s),
    side = (i: number) => titled(game.sides[i]?.titles, lang);
  const lines: string[] = [];
  share.said.forEach((x, i) => {
    const name = x.point >= 0 ? pointName(game.geometry, x.point) : '',
      before = share.said[i - 1];
    if (name && before && before.point >= 0) lines.push(lines.pop() + ', ' + name);
    else if (name) lines.push(t('play.share.said.offer', {side: side(x.side), points: name}));
    else if (numbered(x.word!)) lines.push(t('play.share.said.number', {side: side(x.side), n: Number(x.word)}));
    else lines.push(t(`play.share.said.${x.word as 'swap'}`, {side: side(x.side)}));
  });
  const words = ask?.words ?? [];
  return h(
    'section.card.stack.play-share',
    {'aria-label': titled(share.titles, lang)},
    h('h2', titled(share.titles, lang)),
    ask && h('p', answering(ctx, game, s)),
    answer &&
      words.length > 0 &&
      h(
        'div.btns.play-answers',
        words.map(w =>
          button(
            numbered(w)
              ? w
              : w === 'swap' || w === 'stay'
                ? t(`play.share.word.${w as 'swap'}`, {side: side(w === 'swap' ? 1 - ask!.side : ask!.side)})
                : t(`play.share.word.${w as 'more'}`),
            () => answer(w),
            {props: {'data-word': w}},
          ),
        ),
      ),
    lines.length > 0 &&
      h(
        'ul.plain.small.muted',
        lines.map(x => h('li', x)),
      ),
    h(
      'details',
      {open: !!ask && !share.said.length},
      h('summary', t('play.share.how')),
      h('p.small', titled(share.howto, lang)),
    ),
  );
}
