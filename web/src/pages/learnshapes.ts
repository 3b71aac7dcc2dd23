// Learn shapes: choose what to be asked for, and find the good points.
import '../common';
import type {ShapeQuestion} from '../api';
import type {Opener} from '../app';
import {fmt, h} from '../dom';
import {icon} from '../icons';
import {learnKinds} from '../learn/kinds';
import {due, known, load, tasks} from '../learn/memory';
import {deck, shapeQuiz, turned} from '../learn/shapequiz';
import {withQuery} from '../router';
import {called} from '../shapes/draw';
import {indexOf, purposeName, shapeGame} from '../shapes/tags';
import {button, empty, field, select, slider} from '../ui';

export const open: Opener = async (ctx, url) => {
  const {t, lang} = ctx,
    f = fmt(lang),
    q = url.searchParams,
    [game, index] = await Promise.all([shapeGame(ctx), indexOf(ctx), load(ctx)]);
  const term = index.terms.find(x => x.id === q.get('term'))?.id ?? '',
    purpose = index.purposes.find(x => x.word === q.get('purpose'))?.word ?? '';
  const count = Math.max(1, Math.min(50, Math.round(Number(q.get('n'))) || 10)),
    quiz = q.get('quiz') ?? '',
    home = withQuery(url, {quiz: null, seed: null});
  const title = t('learn.shapes'),
    to = (change: Record<string, string | number | null>, how: 'push' | 'replace' = 'replace') =>
      ctx.go(withQuery(new URL(location.href), change), how);
  if (quiz) {
    let list: ShapeQuestion[];
    if (quiz === 'mistakes') list = tasks<ShapeQuestion>(deck).map(turned);
    else
      list = (
        await ctx.call('GET /shapes/questions', {
          query: {
            ...(term && {term}),
            ...(purpose && {purpose}),
            n: count,
            seed: Math.abs(Math.round(Number(q.get('seed')))) || 1,
          },
        })
      ).questions;
    if (list.length) return {title, ...shapeQuiz(ctx, game, index, list, home)};
    return {
      title,
      node: h(
        'div.page',
        h('h1.hidden', title),
        quiz === 'mistakes'
          ? empty(
              'check',
              t('learn.done'),
              t('learn.shapes.noMistakes'),
              h('a.btn.primary', {href: home}, t('learn.shapes')),
            )
          : empty(
              'search',
              t('learn.shapes.none'),
              t('learn.shapes.noneText'),
              h('a.btn.primary', {href: home}, t('learn.shapes')),
            ),
      ),
    };
  }
  const begin = () => to({quiz: 1, seed: 1 + Math.floor(Math.random() * 1e9)}, 'push');
  const waiting = due(deck).length;
  const node = h(
    'div.page.learn',
    learnKinds(t, 'shapes'),
    h('h1', title),
    h(
      'section.card',
      h('p.muted', t('learn.shapes.text')),
      h(
        'form.stack',
        {
          onsubmit: (e: Event) => {
            e.preventDefault();
            begin();
          },
        },
        h(
          'div.learn-form',
          field(
            t('shapes.term'),
            select(
              t('shapes.term'),
              [
                {value: '', label: t('shapes.allTerms')},
                ...index.terms
                  .filter(x => x.shapes)
                  .map(x => ({value: x.id, label: `${called(x.names, lang, x.id)} · ${f.number(x.shapes)}`})),
              ],
              term,
              v => to({term: v}),
            ),
          ),
          field(
            t('shapes.purpose'),
            select(
              t('shapes.purpose'),
              [
                {value: '', label: t('shapes.allPurposes')},
                ...index.purposes
                  .filter(x => x.shapes)
                  .map(x => ({value: x.word, label: `${purposeName(index, lang, x.word)} · ${f.number(x.shapes)}`})),
              ],
              purpose,
              v => to({purpose: v}),
            ),
          ),
          slider(
            t('learn.shapes.count'),
            {min: 1, max: 50, value: count},
            () => {
              /* when it is let go */
            },
            v => to({n: Math.round(v) === 10 ? null : Math.round(v)}),
          ).node,
        ),
        h(
          'div.row',
          h('button.btn.primary', {type: 'submit', autofocus: true}, icon('play'), h('span', t('learn.begin'))),
          known(deck) > 0 &&
            button(t('learn.mistakes', {n: waiting}), () => to({quiz: 'mistakes'}, 'push'), {
              icon: 'redo',
              props: {disabled: !waiting},
            }),
        ),
      ),
    ),
  );
  return {title, node, update: next => (next.searchParams.get('quiz') ? false : undefined)};
};
