// Whose opinion a review is, and what that is worth. Where no engine has earned one, there are facts instead: how often
// each move was played in the library, and how that went.
import type {Game, Opinion, Review, ReviewFact} from './api';
import type {Context} from './app';
import {fill, fmt, h} from './dom';
import {titled} from './i18n';
import {linkButton} from './ui';
import {cost, type Unit} from './value';

export type Told = Pick<Review, 'unit' | 'by' | 'facts'>;

// error is how wrong an engine is where it reads at least to a depth: the figure of the deepest reading that was
// measured and is not deeper. Without moves it is that of the shallowest.
export const error = (by: Opinion, depth = 0): Opinion['accuracy'][number] | undefined =>
  by.accuracy.findLast(a => a.depth <= depth) ?? by.accuracy[0];

export function opinion(ctx: Context, game: Game, go: (ply: number) => void): {node: HTMLElement; show(r: Told): void} {
  const {t, lang} = ctx,
    f = fmt(lang),
    node = h('div.review-by'),
    name = titled(game.titles, lang);
  const whose = ({engine, version}: Opinion) => `${engine} ${version}`.trim();

  const measured = (by: Opinion, unit: Unit) => {
    const e = error(by)!;
    return h(
      'p.muted.small',
      {title: by.measured},
      t(by.itself ? 'review.byItself' : 'review.by', {
        engine: whose(by),
        mean: cost(lang, unit, e.mean),
        most: cost(lang, unit, e.most),
      }),
    );
  };
  const row = (fact: ReviewFact) =>
    h(
      'li',
      h(
        'button',
        {onclick: () => go(fact.ply)},
        h('span.muted.num', fact.ply),
        h('b', fact.move.text),
        h(
          'span.cut',
          t('review.fact', {n: fact.played, of: f.number(fact.games)}),
          fact.usual && [' · ', t('review.usual', {move: fact.usual.text})],
        ),
      ),
    );
  return {
    node,
    show({unit, by, facts}) {
      fill(
        node,
        !by.engine
          ? null
          : by.accuracy.length
            ? measured(by, unit)
            : by.counts
              ? h('p.muted.small', t('review.byUnmeasured', {engine: whose(by)}))
              : [
                  h('p', t('review.nobody', {game: name})),
                  h('div.row', linkButton(t('review.addEngine'), '/settings', 'settings')),
                  facts.length
                    ? [h('h3', t('review.facts')), h('ol.review-list', facts.map(row))]
                    : h('p.muted', t('review.noFacts')),
                ],
      );
    },
  };
}
