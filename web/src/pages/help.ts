// Help: a short guide, queries that run when they are clicked, the keys, and the fields of the query language.
// i18n: help.guide.*, help.example.*, keys.do.*
import '../common';
import {type Context, type Opener, keyTable} from '../app';
import {type Child, h} from '../dom';
import {titled} from '../i18n';
import {type Key, standard, standards} from '../keys';
import {offers} from '../offers';
import {searchLink} from '../router';
import {asked, dataTable, skeleton} from '../ui';

const guide = [
  ['search', '/search'],
  ['explore', '/explore'],
  ['play', '/play'],
  ['learn', '/learn'],
  ['judge', '/judge'],
  ['lab', '/lab'],
  ['records', '/records'],
  ['import', '/import'],
  ['share', ''],
] as const;

export const open: Opener = async ctx => {
  const {t, lang} = ctx;
  const [games, {help}] = await Promise.all([ctx.games().catch(() => []), offers(ctx.signal)]);
  const title = (name: string) => titled(games.find(g => g.family === name)?.titles, lang, name);
  // This page has none of these commands: they only stand in the table.
  const keys: Key[] = [...standards.map(name => standard(t, name, () => undefined)), ...ctx.keys()];
  return {
    title: t('help.title'),
    node: h(
      'div.page',
      h('h1', t('help.title')),
      h(
        'section.card',
        h('h2', t('help.guide')),
        h(
          'ol.stack',
          guide.map(([name, href]) =>
            h(
              'li',
              href ? h('a', {href}, t(`nav.${name as 'search'}`)) : h('strong', t('help.shareTitle')),
              ': ',
              t(`help.guide.${name}`),
            ),
          ),
        ),
      ),
      h(
        'section.card',
        h('h2', t('help.examples')),
        h('p.muted', t('help.examplesText')),
        h(
          'div.list',
          help.map(([name, game, q]) =>
            h(
              'a',
              {href: searchLink(q, game)},
              h(
                'span.stack',
                {vars: {gap: '1px', flex: '1'}},
                h('span', t(`help.example.${name as 'few'}`)),
                h('span.code.muted', q),
              ),
              h('span.tag', title(game)),
            ),
          ),
        ),
      ),
      h('section.card', {id: 'keys'}, h('h2', t('keys.title')), keyTable(keys, t), h('p.muted', t('help.mouse'))),
      h(
        'section.card',
        {id: 'fields'},
        h('h2', t('help.fields')),
        h('p.muted', t('help.fieldsText')),
        asked(ctx, h('div', skeleton(8)), () => fieldTable(ctx)),
      ),
    ),
  };
};

async function fieldTable({t, lang, api, signal}: Context): Promise<Child> {
  const {fields} = await api.call('GET /query/reference', {}, signal);
  return h(
    'div.scroll-x',
    dataTable(
      t('help.fields'),
      [t('help.field'), t('help.value'), t('help.meaning'), t('help.example')],
      h(
        'tbody',
        fields.map(f =>
          h(
            'tr',
            h('td', h('code', f.name), f.names[lang] && f.names[lang] !== f.name && h('div.muted', f.names[lang])),
            h('td.muted', f.value),
            h('td', f.meaning),
            h('td', h('a.code', {href: searchLink(f.example)}, f.example)),
          ),
        ),
      ),
    ),
  );
}
