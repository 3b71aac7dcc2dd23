// One thing that has a name: all its names, what it is, how it fared, boards on which it stands and others on which it
// does not.
import '../common';
import type {Game, Name, NameBoard, NameDetail} from '../api';
import type {Context, Opener} from '../app';
import {Problem} from '../client';
import {type Child, fmt, h} from '../dom';
import {kindName, langNames, langs, titled} from '../i18n';
import {standard} from '../keys';
import {labButton, labSign} from '../lab/link';
import {section} from '../insights/section';
import {called, coined, large, nameLink, ownerBar, sideMark, small, told} from '../names/draw';
import {found} from '../names/found';
import {searchLink} from '../router';
import {copyButton, linkButton, missing} from '../ui';

// i18n: names.kind.*, shapes.layer.*, ending.result.*

export const open: Opener = async (ctx, _url, params) => {
  const {t, lang} = ctx,
    id = params['id'] ?? '',
    games = await ctx.games(),
    game = games.find(g => g.usual && g.family === params['game']);
  const none = () => ({
    title: t('names.missing'),
    node: missing(
      'tag',
      t('names.missing'),
      t('names.missingText', {id}),
      h('a.btn.primary', {href: '/names'}, t('nav.names')),
    ),
  });
  if (!game) return none();
  let detail: NameDetail;
  try {
    detail = await ctx.call('GET /names/{id}', {path: {id}, query: {game: game.spec}});
  } catch (err) {
    if (!(err instanceof Problem) || (err.status !== 404 && err.status !== 422)) throw err;
    return none();
  }
  const {name: n, line} = detail,
    name = called(n.names, lang, n.id),
    search = searchLink(n.query, game.spec),
    list = (kind = '') => '/names?' + new URLSearchParams({g: game.spec, ...(kind && {kind})}).toString();
  const explore = '/explore?' + new URLSearchParams({g: game.spec, m: line}).toString();
  const searched = n.kind !== 'mate'; // behind a mate there is nothing to search
  const board = n.board ?? detail.boards.find(b => b.match) ?? detail.examples[0];
  const node = h(
    'div.page.wide.name-page',
    h(
      'nav.row',
      {'aria-label': t('names.where')},
      h('a', {href: list()}, `${t('nav.names')}: ${kindName(game, lang)}`),
      ' › ',
      h('a', {href: list(n.kind)}, t(`names.kind.${n.kind}`)),
    ),
    h(
      'div.head',
      h('h1', name),
      h(
        'div.row',
        linkButton(t('shapes.occurs'), search, 'search', 'primary'),
        line && linkButton(t('names.explore'), explore, 'explore'),
        (line || board) && searched && labButton(t, game, line || board!.position),
      ),
    ),
    h(
      'div.shape-main',
      h(
        'div.stack',
        board && figure(ctx, games, game, board),
        line && h('p.code.name-line', line),
        n.note && h('p', n.note),
      ),
      h(
        'div.stack',
        facts(ctx, game, n),
        detail.ending && truth(ctx, detail.ending),
        fared(ctx, n),
        section(ctx, t('insights.with'), t('insights.withText'), async () =>
          (await import('../insights/alike')).goesWith(ctx, game, n.id, n.query),
        ),
        found(ctx, detail.findings, game.spec),
        detail.boards.length > 0 &&
          h(
            'section.card',
            h('h2', t('shapes.checks')),
            h('p.muted.small', t('names.checksText')),
            h(
              'div.name-boards',
              detail.boards.map(b => check(ctx, games, game, b, searched)),
            ),
          ),
        detail.examples.length > 0 &&
          h(
            'section.card',
            h('h2', t('shapes.examples')),
            h(
              'div.name-boards',
              detail.examples.map(b => example(ctx, games, game, b, searched)),
            ),
          ),
        detail.cases.length > 0 &&
          h(
            'section.card',
            h('h2', t('names.cases')),
            h(
              'ul',
              detail.cases.map(x =>
                h(
                  'li',
                  h('a', {href: nameLink(game.family, x.id)}, called(x.names, lang, x.id)),
                  x.count && h('small.muted', ' ', t('names.games', {n: x.count.games})),
                ),
              ),
            ),
          ),
        detail.text &&
          h(
            'section.card',
            h('h2', t('names.definition')),
            h('pre.code.shape-text', {tabindex: 0}, detail.text),
            h(
              'div.row',
              copyButton(t, t('shapes.copyText'), () => detail.text),
            ),
          ),
      ),
    ),
  );
  return {
    title: name,
    node,
    keys: [
      {...standard(t, 'searchHere', () => ctx.go(search)), label: t('shapes.occurs')},
      ...(line ? [{keys: 'e', label: t('names.explore'), run: () => ctx.go(explore)}] : []),
    ],
  };
};

const figure = (ctx: Context, games: readonly Game[], game: Game, b: NameBoard): HTMLElement =>
  h(
    'figure.shape-large',
    large(ctx, games, game, b),
    b.roles.length > 0 && h('figcaption.muted.small', ctx.t('names.ringsText')),
  );

// owner says whose it is.
const owner = (ctx: Context, game: Game, side: number): Child =>
  side >= 0 && [sideMark(ctx, game, side), h('span', titled(game.sides[side]?.titles, ctx.lang))];

const check = (ctx: Context, games: readonly Game[], game: Game, b: NameBoard, searched: boolean): HTMLElement =>
  h(
    'figure',
    {'data-match': String(b.match)},
    told(ctx, games, game, b),
    h(
      'figcaption',
      h(
        'span.row.tight',
        h('span', {class: 'tag ' + (b.match ? 'yes' : 'no')}, ctx.t(b.match ? 'shapes.yes' : 'shapes.no')),
        b.match && owner(ctx, game, b.side),
        searched && labSign(ctx.t, game, b.position, ctx.t(b.match ? 'shapes.yes' : 'shapes.no')),
      ),
      b.why && h('small.muted', b.why),
    ),
  );

const example = (ctx: Context, games: readonly Game[], game: Game, b: NameBoard, searched: boolean): HTMLElement =>
  h(
    'div.name-case',
    h(
      'a.name-example',
      {href: b.record ? `/records/${b.record}?names=1#${b.ply ?? 0}` : null},
      small(ctx, games, game, b),
      h('span.row.tight', owner(ctx, game, b.side)),
      h('span', b.title || `#${b.record}`),
      h('small.muted', ctx.t('shapes.ply', {n: b.ply ?? 0})),
    ),
    searched && labSign(ctx.t, game, b.position, b.title || `#${b.record}`),
  );

function facts({t}: Context, game: Game, n: Name): HTMLElement {
  const fact = (what: string, ...of: Child[]): Child => [h('dt', what), h('dd', of)],
    ours = () => [' ', h('small.tag', t('names.coined'))];
  return h(
    'section.card',
    h('h2', t('shapes.facts')),
    h(
      'dl.facts',
      fact('id', h('code', n.id)),
      langs.map(l => n.names[l] && fact(langNames[l], h('span', {lang: l}, n.names[l]), coined(n, l) && ours())),
      n.vi && fact('Tiếng Việt', h('span', {lang: 'vi'}, n.vi), coined(n, 'vi') && ours()),
      n.aliases.length > 0 && fact(t('shapes.aliases'), n.aliases.join(' · ')),
      n.parent && fact(t('names.parent'), h('a', {href: nameLink(game.family, n.parent)}, n.parent)),
      fact(t('shapes.origin'), t(`shapes.layer.${n.layer}`)),
      n.source && fact(t('shapes.source'), n.source),
    ),
    n.coined.length > 0 && h('p.muted.small', t('names.coinedText')),
  );
}

// truth is what a table says of all positions of an ending.
function truth({t, lang}: Context, e: NonNullable<NameDetail['ending']>): HTMLElement {
  const f = fmt(lang),
    row = (name: string, c: typeof e.first): Child =>
      h(
        'tr',
        h('th', {scope: 'row'}, name),
        [c.won, c.drawn, c.lost].map(n => h('td.num', f.rate(n / Math.max(1, c.legal), 2))),
        h('td.num', c.longest > 0 ? t('ending.plies', {n: c.longest}) : '–'),
      );
  return h(
    'section.card',
    h('h2', t('ending.truth')),
    h('p.muted.small', t('ending.truthText')),
    h(
      'table.ending-truth',
      h(
        'thead',
        h(
          'tr',
          h('td'),
          (['won', 'drawn', 'lost'] as const).map(x => h('th', {scope: 'col'}, t(`ending.result.${x}`))),
          h('th', {scope: 'col'}, t('ending.longest')),
        ),
      ),
      h('tbody', row(t('ending.first'), e.first), row(t('ending.second'), e.second)),
    ),
    h('p.muted.small', t('ending.practice')),
  );
}

function fared(ctx: Context, {count: c}: Name): HTMLElement {
  const {t, lang} = ctx,
    f = fmt(lang),
    known = !!c && c.won + c.drawn + c.lost > 0;
  return h(
    'section.card',
    h('h2', t('shapes.evidence')),
    c
      ? h(
          'p',
          t('names.games', {n: c.games}),
          known && [' · ', t('names.score', {rate: f.rate(c.score, 1), lo: f.rate(c.low, 1), hi: f.rate(c.high, 1)})],
        )
      : h('p.muted', t('names.uncounted')),
    known && ownerBar(ctx, c),
  );
}
