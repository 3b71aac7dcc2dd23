// The end of a game that both sides have to agree about: what is dead, whose land it is, and what that makes.
// i18n: play.doubt.*
import type {Game, Session} from '../api';
import type {Context} from '../app';
import {fmt, h} from '../dom';
import {titled} from '../i18n';
import {type Laid, counted} from '../judge/draw';
import {button} from '../ui';

// laid is what is drawn over the board: the count as it is marked, or the one that both sides agreed about.
export function laid(game: Game, s: Session): Laid {
  const {count, result, position} = s;
  if (count) return counted(count.land, count.groups, position.pieces);
  if (!result?.land) return {};
  const owner = (p: number) => game.geometry.pieces[position.pieces[p]! - 1]?.owner;
  const dead = game.sides.map((_, side) => ({
    side,
    points: (result.dead ?? []).filter(p => owner(p) === side),
    fate: 'dead' as const,
    sure: true,
  }));
  return counted(result.land, dead, position.pieces);
}

// flip is what to say of the group on a point so that it becomes the other of dead and alive; null where there is none.
export function flip({count, version}: Session, p: number): {points: number[]; dead: boolean; version: number} | null {
  const group = count?.groups.find(g => g.points.includes(p));
  return group ? {points: [p], dead: group.fate !== 'dead', version} : null;
}

// countPanel tells the count, and asks whether it stands.
export function countPanel(
  {t, lang}: Context,
  game: Game,
  s: Session,
  agree: () => void,
  resume: () => void,
): HTMLElement {
  const {totals, proposed, doubt} = s.count!,
    [a = 0, b = 0] = totals,
    f = fmt(lang),
    side = (i: number) => titled(game.sides[i]?.titles, lang),
    engine = s.players.some(x => x.level > 0);
  return h(
    'section.card.play-count',
    {'aria-label': t('play.count')},
    h(
      'h2',
      a === b ? t('play.draw') : t('play.wonPoints', {side: side(a > b ? 0 : 1), points: f.number(Math.abs(a - b))}),
    ),
    h(
      'p.play-score',
      totals.map((n, i) =>
        h(
          'span',
          h('i.side-mark', {'data-side': game.sides[i]?.name, role: 'img', 'aria-label': side(i)}),
          h('b', f.number(n)),
        ),
      ),
    ),
    h('p', t('play.countHow')),
    doubt && h('p.muted.small', t(`play.doubt.${doubt}`)),
    engine && !proposed && h('p.muted.small', t('play.countOther')),
    h(
      'div.row',
      button(t('play.agree'), agree, {kind: 'primary', icon: 'check'}),
      button(t('play.resume'), resume, {icon: 'play'}),
    ),
  );
}
