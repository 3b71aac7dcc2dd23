// The end of a game: who won, what became of it in the library, and what the engine thinks of it.
// i18n: play.reason.*, play.by.*
import type {Game, Session} from '../api';
import type {Context} from '../app';
import {dots, fmt, h, on} from '../dom';
import {engineChoice} from '../engines';
import {titled} from '../i18n';
import {moveNumber} from '../moves';
import {type ReviewView, reviewView} from '../review';
import {button, linkButton, trouble} from '../ui';
import {asked, choose, chosen, link, sideOf} from './choices';
import {again as next} from './seats';

export interface Result {
  node: HTMLElement;
  at(ply: number): void;
}

const pause = 700; // ms between two looks at a review that goes on

// outcome says in a sentence how a game ended.
export function outcome({t, lang}: Context, game: Game, s: Session): string {
  const r = s.result!,
    side = titled(game.sides[r.winner]?.titles, lang),
    [a, b] = r.score,
    points = /\+([\d.]+)$/.exec(r.text)?.[1];
  if (r.reason !== 'board') return t(`play.reason.${r.reason}`, {side});
  return dots(
    r.winner < 0
      ? t('play.draw')
      : a !== undefined && b !== undefined
        ? t('play.wonBy', {side, a: Math.max(a, b), b: Math.min(a, b)})
        : points
          ? t('play.wonPoints', {side, points: fmt(lang).number(Number(points))})
          : t('play.won', {side}),
    why(t, s.position.reason ?? ''),
  );
}

// why says by which rule a game has ended. That things were counted goes without saying; a word that only the game
// itself knows is told as it is.
function why(t: Context['t'], reason: string): string {
  if (reason === 'count' || reason === 'passes') return '';
  const key = 'play.by.' + reason.replaceAll(' ', '-'),
    text = t(key as 'play.by.mate');
  return text === key ? reason : text;
}

export function result(ctx: Context, game: Game, s: Session, go: (ply: number) => void): Result {
  const {t, lang} = ctx,
    r = s.result!,
    f = fmt(lang),
    mine = sideOf(s);
  const face =
    mine === 'both'
      ? ''
      : r.winner < 0
        ? t('play.you.draw')
        : t((r.winner === 0) === (mine === 'first') ? 'play.you.won' : 'play.you.lost');
  const again = async (swap: boolean) => {
    const level = Math.max(...s.players.map(p => p.level)) || chosen().level,
      side = !swap || mine === 'both' ? mine : mine === 'first' ? 'second' : 'first';
    choose({side, level});
    try {
      const next = await ctx.call('POST /sessions', {body: asked(game, {...chosen(), side, level})});
      ctx.go(link(next.position.game, next.id));
    } catch (err) {
      ctx.fail(err);
    }
  };
  // retry begins a game where a move was made that could have been better, for who made it.
  const retry = async (ply: number) => {
    const {line, moves} = s.position,
      level = Math.max(...s.players.map(p => p.level)) || chosen().level,
      side = mine === 'both' ? mine : moves[ply - 1]?.side ? 'second' : 'first';
    try {
      const at = await ctx.call('GET /position', {
        query: {game: s.position.game, line, back: s.position.ply - ply + 1},
      });
      const next = await ctx.call('POST /sessions', {
        body: asked(game, {...chosen(), side, level, opening: ''}, at.line),
      });
      ctx.go(link(next.position.game, next.id));
    } catch (err) {
      ctx.fail(err);
    }
  };
  const view: ReviewView = reviewView(ctx, game, go, {
      mine: mine === 'both' ? -1 : mine === 'first' ? 0 : 1,
      number: ply => moveNumber(s.position.moves, ply),
      retry: ply => void retry(ply),
    }),
    engine = engineChoice(ctx, () => void look()),
    review = h('div.play-review', view.node);
  const node = h(
    'section.card.play-result',
    {'aria-label': t('play.result')},
    h('div.row.between', h('h2', outcome(ctx, game, s)), face && h('span.tag', face)),
    r.score.length === 2 &&
      h(
        'p.play-score',
        {'aria-hidden': 'true'},
        r.score.map((n, i) => h('span', h('i.side-mark', {'data-side': game.sides[i]?.name}), h('b', f.number(n)))),
      ),
    h(
      'p',
      r.record > 0
        ? [
            t(r.known ? 'play.knownAs' : 'play.savedAs'),
            ' ',
            h('a', {href: `/records/${r.record}`}, t('record.number', {id: String(r.record)})),
            ' · ',
            t('play.fresh', {n: r.fresh}),
          ]
        : h('span.muted', t('play.notKept')),
    ),
    h(
      'div.row',
      s.seats ? next(ctx, s) : button(t('play.again'), () => void again(false), {kind: 'primary', icon: 'redo'}),
      !s.seats && mine !== 'both' && button(t('play.swap'), () => void again(true), {icon: 'flip'}),
      r.record > 0 && linkButton(t('play.analyse'), `/records/${r.record}?tab=review`, 'chart'),
    ),
    s.position.ply > 0 && [engine.node, review],
  );
  let looks = 0; // another engine may be asked while one is
  const look = async (): Promise<void> => {
    const mine = ++looks;
    review.replaceChildren(view.node);
    try {
      await engine.ready;
      for (;;) {
        const by = engine.value(),
          got = await ctx.call('GET /sessions/{id}/review', {path: {id: s.id}, query: by ? {engine: by} : {}});
        if (mine !== looks) return;
        view.show(got, s.position.ply);
        if (got.done || ctx.signal.aborted) return;
        await new Promise<void>(done => {
          const timer = setTimeout(done, pause);
          on(ctx.signal, 'abort', () => {
            clearTimeout(timer);
            done();
          });
        });
      }
    } catch (err) {
      if (!ctx.signal.aborted && mine === looks)
        review.replaceChildren(
          view.node,
          trouble(t, err, () => void look()),
        );
    }
  };
  engine.show(game);
  if (s.position.ply > 0) void look();
  return {node, at: ply => view.at(ply)};
}
