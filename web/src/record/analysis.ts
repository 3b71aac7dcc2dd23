// What the engine thinks of a record. It begins when it is wanted: the server reads for a while.
import type {FullRecord, Game, Problem as Refusal, Review, ReviewMove} from '../api';
import type {Context} from '../app';
import {Problem} from '../client';
import {fill, h} from '../dom';
import {engineChoice} from '../engines';
import {reviewView} from '../review';
import {notationOf} from '../kinds';
import {button, trouble} from '../ui';
import {unitOf} from '../value';

// nobody is who thinks until the server has said who does.
const nobody: Review['by'] = {engine: '', version: '', counts: false, accuracy: [], measured: '', itself: false};

export interface Analysis {
  node: HTMLElement;
  start(): void;
  at(ply: number): void;
}

export function analysis(ctx: Context, record: FullRecord, game: Game, go: (ply: number) => void): Analysis {
  const {t} = ctx,
    view = reviewView(ctx, game, go),
    body = h('div.stack'),
    engine = engineChoice(ctx, () => {
      if (begun) run();
    });
  let begun = false,
    asking = new AbortController(); // of the review that goes on
  ctx.signal.addEventListener('abort', () => asking.abort());
  const listen = async (stop: AbortSignal): Promise<void> => {
    const all: ReviewMove[] = [],
      losses = [0, 0],
      unit = await unitOf(ctx, game.spec);
    let told: Pick<Review, 'by' | 'facts'> = {by: nobody, facts: []};
    const show = () => view.show({unit, moves: all, losses, done: false, by: told.by, facts: told.facts}, record.main);
    fill(body, view.node);
    show();
    await engine.ready;
    await ctx.api.events(
      '/review',
      {record: record.summary.id, notation: notationOf(ctx, game), engine: engine.value()},
      {
        by(r: Review) {
          told = r;
          show();
        },
        move(m: ReviewMove) {
          all.unshift(m); // the last comes first
          losses[m.move.side] = (losses[m.move.side] ?? 0) + Math.max(0, m.loss);
          show();
        },
        review: (r: Review) => view.show(r, record.main),
        problem(p: Refusal) {
          throw new Problem(p.status ?? 500, '', p.title ?? '', p.detail);
        },
      },
      stop,
    );
  };
  const run = (): void => {
    begun = true;
    asking.abort();
    const {signal} = (asking = new AbortController());
    listen(signal).catch((err: unknown) => {
      if (!signal.aborted && !ctx.signal.aborted) fill(body, trouble(t, err, run));
    });
  };
  engine.show(game);
  fill(body, h('p.muted', t('review.text')), h('div.row', button(t('review.start'), run, {icon: 'chart'})));
  return {
    node: h('section.card.review-card', h('div.row.between', h('h2', t('review.title')), engine.node), body),
    start: () => {
      if (!begun) run();
    },
    at: ply => view.at(ply),
  };
}
