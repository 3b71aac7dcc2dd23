// Two people at two screens: who sits where, the invitation, what one side asks the other for, and the next game.
// i18n: play.offered.*
import type {Game, Invitation, Session} from '../api';
import type {Context} from '../app';
import {type Child, h} from '../dom';
import {titled} from '../i18n';
import {recall, remember} from '../store';
import {button, copyButton, field} from '../ui';
import {chosen, choose, link} from './choices';

const many = 50; // seats that a browser remembers

// keep remembers the key of a seat, by which the client says who moves.
function keep(id: string, key: string | undefined): void {
  if (!key) return;
  const old = Object.entries(recall<Record<string, string>>('seats', {})).filter(([k]) => k !== id);
  remember('seats', Object.fromEntries([...old, [id, key]].slice(-many)));
}

export function seated(s: Session): Session {
  keep(s.id, s.seats?.key);
  return s;
}

export const free = (s: Session): boolean => !!s.seats && s.seats.taken.includes(false);
export const playsAt = (s: Session): number => s.seats?.you ?? -1;

// panel is what a game of two screens needs beside the board; null where that is nothing.
export function panel(
  ctx: Context,
  game: Game,
  s: Session,
  key: string, // of the invitation that somebody came by
  act: (what: () => Promise<Session>) => void,
): HTMLElement | null {
  const {t, lang} = ctx,
    {seats: at, id} = s;
  if (!at) return null;
  const card = (title: string, ...rest: Child[]) => h('section.card.stack.play-seats', h('h2', title), rest);
  if (s.state === 'over') return null;
  if (free(s) && at.you >= 0) return card(t('play.invite'), h('p', t('play.inviteText')), invitation(ctx, id));
  if (free(s) && key) {
    const name = h('input', {type: 'text', maxlength: 60, autocomplete: 'nickname', value: chosen().name});
    const sit = () =>
      act(async () => {
        choose({name: name.value.trim()});
        keep(id, key);
        const body = name.value.trim() ? {name: name.value.trim()} : {};
        return seated(await ctx.call('POST /sessions/{id}/sit', {path: {id}, body}));
      });
    return card(
      t('play.sit'),
      h('p', t('play.sitText', {side: titled(game.sides[at.taken.indexOf(false)]?.titles, lang)})),
      field(t('play.name'), name),
      h('div.row', button(t('play.sit'), sit, {kind: 'primary'})),
    );
  }
  if (at.you < 0) return card(t('play.watching'), h('p.muted', t('play.watchingText')));
  const offer = (what: 'draw' | 'undo') => () =>
    act(() => ctx.call('POST /sessions/{id}/offer', {path: {id}, body: {what}}));
  const decline = () => act(() => ctx.call('POST /sessions/{id}/decline', {path: {id}}));
  if (at.offer && at.by !== at.you)
    return card(
      t(`play.offered.${at.offer}`),
      h('div.row', button(t('play.accept'), offer(at.offer), {kind: 'primary'}), button(t('play.decline'), decline)),
    );
  if (at.offer) return card(t('play.asked'), h('div.row', button(t('ui.cancel'), decline)));
  return at.draws && s.position.ply > 0 && s.state === 'yours'
    ? h('div.row', button(t('play.offerDraw'), offer('draw'), {kind: 'quiet'}))
    : null;
}

// invitation shows the link and its picture. Another one would make the first worthless, so that it is remembered.
function invitation(ctx: Context, id: string): HTMLElement {
  const {t} = ctx,
    box = h('div.stack');
  const known = recall('invitation', {id: '', address: '', qr: ''});
  const show = (i: Pick<Invitation, 'address' | 'qr'>) =>
    box.replaceChildren(
      h('img.qr', {alt: t('me.qr'), src: 'data:image/svg+xml,' + encodeURIComponent(i.qr), width: 200, height: 200}),
      h('p', h('code.wrap', i.address)),
      h(
        'div.row',
        copyButton(t, t('me.copy'), () => i.address),
      ),
    );
  if (known.id === id) show(known);
  else
    ctx.call('POST /sessions/{id}/invite', {path: {id}}).then(
      i => {
        remember('invitation', {id, address: i.address, qr: i.qr});
        show(i);
      },
      (err: unknown) => ctx.fail(err),
    );
  return box;
}

// again is the button of the next game: it asks for one, or goes to the one that the other side has begun. Who watched
// goes there, too.
export function again(ctx: Context, s: Session): HTMLElement | false {
  const {t} = ctx,
    {next, you} = s.seats!;
  if (you < 0) return !!next && h('a.btn.primary', {href: link(s.position.game, next)}, t('play.rematchWatch'));
  const go = async () => {
    try {
      const key = recall<Record<string, string>>('seats', {})[s.id];
      let n = await ctx.call('POST /sessions/{id}/rematch', {path: {id: s.id}});
      keep(n.id, key);
      if (n.seats!.you < 0)
        n = seated(await ctx.call('POST /sessions/{id}/sit', {path: {id: n.id}, body: {name: s.players[you]!.name}}));
      ctx.go(link(n.position.game, n.id));
    } catch (err) {
      ctx.fail(err);
    }
  };
  return button(t(next ? 'play.rematchAccept' : 'play.rematch'), () => void go(), {kind: 'primary', icon: 'redo'});
}
