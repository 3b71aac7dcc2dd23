// Sets of exercises that were made for others: by a query, handed on by their link, with how a class does.
import '../common';
import type {DrillClass, DrillSet} from '../api';
import type {Opener} from '../app';
import {fill, fmt, h} from '../dom';
import {kindName} from '../i18n';
import {toolGame} from '../kinds';
import {learnKinds} from '../learn/kinds';
import {button, copyButton, empty, field, linkButton, select} from '../ui';

export const open: Opener = async ctx => {
  const {t, lang} = ctx,
    f = fmt(lang),
    games = await ctx.games(),
    list = h('div.stack');
  let spec = toolGame(games, 'learn').spec;
  const name = h('input', {required: true, maxlength: 200}),
    query = h('input.code', {placeholder: 'player:胡榮華 result:win', spellcheck: 'false', maxlength: 4000}),
    state = h('p.muted', {role: 'status'}),
    go = h('button.btn.primary', {type: 'submit'}, t('drill.make'));
  const form = h(
    'form.stack',
    {
      onsubmit: (e: Event) => {
        e.preventDefault();
        go.disabled = true;
        fill(state, t('drill.making'));
        ctx
          .call('POST /drill/sets', {body: {name: name.value, query: query.value || 'all', game: spec}})
          .then(x => {
            fill(state, t('drill.made', {n: x.exercises}));
            return show();
          })
          .catch((err: unknown) => {
            fill(state);
            ctx.fail(err);
          })
          .finally(() => {
            go.disabled = false;
          });
      },
    },
    h(
      'div.learn-form',
      field(t('drill.setName'), name),
      field(
        t('explore.game'),
        select(
          t('explore.game'),
          games.filter(g => g.usual).map(g => ({value: g.spec, label: kindName(g, lang)})),
          spec,
          v => {
            spec = v;
          },
        ),
      ),
      field(t('drill.setQuery'), query),
    ),
    h('div.row', go),
    state,
  );

  async function pupils(x: DrillSet, into: HTMLElement): Promise<void> {
    const c: DrillClass = await ctx.call('GET /drill/sets/{id}/class', {path: {id: x.id}});
    fill(
      into,
      c.pupils.length
        ? h(
            'table.ending-truth',
            h(
              'thead',
              h(
                'tr',
                h('th', {scope: 'col'}, t('drill.pupil')),
                h('th', {scope: 'col'}, t('drill.done')),
                h('th', {scope: 'col'}, t('drill.share')),
              ),
            ),
            h(
              'tbody',
              c.pupils.map(p =>
                h(
                  'tr',
                  h('th', {scope: 'row'}, p.name),
                  h('td.num', `${p.done} / ${x.exercises}`),
                  h('td.num', p.done ? f.rate(p.right / p.done) : '–'),
                ),
              ),
            ),
          )
        : h('p.muted', t('drill.noPupils')),
    );
  }

  const row = (x: DrillSet): HTMLElement => {
    const klass = h('div');
    return h(
      'section.card.stack',
      h(
        'div.row.between',
        h('h2', h('a', {href: `/learn?set=${x.id}`}, x.name)),
        h('span.muted', t('drill.exercises', {n: x.exercises})),
      ),
      h('p.small.muted.code', x.query),
      h(
        'div.row',
        linkButton(t('drill.begin'), `/learn?set=${x.id}`, 'play', 'primary'),
        linkButton(t('drill.print'), `/learn/sets/${x.id}`, 'text'),
        copyButton(t, t('drill.copyLink'), () => new URL(`/learn?set=${x.id}`, location.href).href),
        x.own &&
          button(t('drill.class'), () => void pupils(x, klass).catch((err: unknown) => ctx.fail(err)), {
            icon: 'players',
          }),
        x.own &&
          button(
            t('drill.remove'),
            () =>
              void ctx
                .call('DELETE /drill/sets/{id}', {path: {id: x.id}})
                .then(show)
                .catch((err: unknown) => ctx.fail(err)),
            {icon: 'remove'},
          ),
      ),
      klass,
    );
  };

  async function show(): Promise<void> {
    const {sets} = await ctx.call('GET /drill/sets');
    fill(list, sets.length ? sets.map(row) : empty('learn', t('drill.noSets'), t('drill.noSetsText')));
  }
  await show();
  return {
    title: t('drill.sets'),
    node: h(
      'div.page.learn',
      learnKinds(t, 'sets'),
      h('h1', t('drill.sets')),
      h('section.card', h('h2', t('drill.makeTitle')), h('p.muted', t('drill.makeText')), form),
      list,
    ),
  };
};
