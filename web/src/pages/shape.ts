// One shape: its picture, all that is written of it, what records say, its fixtures, and the way to where it occurs.
import '../common';
import type {Shape, ShapeDetail, ShapeIndex} from '../api';
import type {Context, Opener} from '../app';
import {Problem} from '../client';
import {type Child, fmt, h} from '../dom';
import {langNames, langs} from '../i18n';
import {standard} from '../keys';
import {found} from '../names/found';
import {searchLink} from '../router';
import {copyButton, linkButton, missing} from '../ui';
import {called, cellName, goodsOf, large, legend, onBoard, signOf} from '../shapes/draw';
import {findings} from '../shapes/findings';
import {indexOf, purposeTags, shapeGame, shapeLink, termName, urgencyTag} from '../shapes/tags';

export const open: Opener = async (ctx, _url, params) => {
  const {t, lang} = ctx,
    id = params['id'] ?? '';
  const none = () => ({
    title: t('shapes.missing'),
    node: missing(
      'board',
      t('shapes.missing'),
      t('shapes.missingText', {id}),
      h('a.btn.primary', {href: '/shapes'}, t('nav.shapes')),
    ),
  });
  let detail: ShapeDetail;
  try {
    detail = await ctx.call('GET /shapes/{id}', {path: {id}});
  } catch (err) {
    if (!(err instanceof Problem) || (err.status !== 404 && err.status !== 422)) throw err;
    return none();
  }
  const {shape: s} = detail,
    main = s.terms[0];
  const [game, index, like] = await Promise.all([
    shapeGame(ctx),
    indexOf(ctx),
    main ? ctx.call('GET /shapes', {query: {term: main, limit: 500}}) : null,
  ]);
  const name = called(s.names, lang, s.id),
    list = like?.shapes ?? [],
    at = list.findIndex(x => x.id === s.id),
    before = list[at - 1],
    behind = at >= 0 ? list[at + 1] : undefined;
  const to = (x: Shape | undefined) => {
    if (x) ctx.go(shapeLink(x.id), 'replace');
  };
  const step = (x: Shape | undefined, label: string, sign: 'previous' | 'next') =>
    x ? linkButton(`${label}: ${called(x.names, lang, x.id)}`, shapeLink(x.id), sign, 'quiet') : null;
  const node = h(
    'div.page.wide.shape-page',
    h(
      'nav.row.between',
      {'aria-label': t('shapes.neighbours')},
      h(
        'span.row',
        h('a', {href: '/shapes'}, t('nav.shapes')),
        main && [
          ' › ',
          h('a', {href: '/shapes?' + new URLSearchParams({term: main}).toString()}, termName(index, lang, main)),
        ],
      ),
      h(
        'span.row',
        at >= 0 && h('span.muted', `${at + 1} / ${list.length}`),
        step(before, t('shapes.previous'), 'previous'),
        step(behind, t('shapes.next'), 'next'),
      ),
    ),
    h(
      'div.head',
      h('h1', name),
      h(
        'div.row',
        linkButton(t('shapes.occurs'), searchLink(detail.query, game.spec), 'search', 'primary'),
        linkButton(t('shapes.cameNext'), searchLink(detail.query, game.spec) + '&tab=moves', 'explore'),
        index.writable && linkButton(t('shapes.edit'), shapeLink(s.id) + '/edit', 'edit'),
      ),
    ),
    h(
      'div.shape-main',
      h(
        'div.stack',
        h('figure.shape-large', large(t, game, s)),
        h('div.row', urgencyTag(ctx, s.urgency, s.avoid), purposeTags(index, lang, s.purposes)),
        points(ctx, s),
        h('details.shape-signs', h('summary', t('shapes.legend')), legend(t, game)),
      ),
      h(
        'div.stack',
        facts(ctx, index, detail),
        evidence(ctx, s),
        found(ctx, detail.found, game.spec),
        detail.findings.length > 0 &&
          h('section.card', h('h2', t('shapes.lint')), findings(ctx, detail.findings, s.id)),
        detail.checks.length > 0 &&
          h(
            'section.card',
            h('h2', t('shapes.checks')),
            h('p.muted.small', t('shapes.checksText')),
            h(
              'div.shape-checks',
              detail.checks.map(c =>
                h(
                  'figure',
                  large(t, game, {...c, ours: c.match ? c.spots : [], urgency: s.urgency, avoid: s.avoid}),
                  h(
                    'figcaption',
                    h('span', {class: 'tag ' + (c.match ? 'yes' : 'no')}, t(c.match ? 'shapes.yes' : 'shapes.no')),
                  ),
                ),
              ),
            ),
          ),
        h(
          'section.card',
          h('h2', t('shapes.text')),
          h('pre.code.shape-text', {tabindex: 0}, detail.text),
          detail.paper && h('p.small', t('shapes.paper'), ' ', h('code', detail.paper)),
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
      {...standard(t, 'back', () => to(before)), label: t('shapes.previous')},
      {...standard(t, 'forward', () => to(behind)), label: t('shapes.next')},
      ...(index.writable ? [{keys: 'e', label: t('shapes.edit'), run: () => ctx.go(shapeLink(s.id) + '/edit')}] : []),
      {...standard(t, 'searchHere', () => ctx.go(searchLink(detail.query, game.spec))), label: t('shapes.occurs')},
    ],
  };
};

// points says in words what the good points are, and what the unusual cells mean.
function points({t}: Context, s: Shape): Child {
  const {w} = s.size,
    seen = onBoard(s),
    list = [...goodsOf(t, s)].map(([p, g]) =>
      h(
        'li',
        h('b', t('shapes.at', {column: (p % w) + 1 - seen.left, row: Math.floor(p / w) + 1 - seen.top})),
        ': ',
        g.title,
      ),
    );
  const odd = [...new Set(s.cells)].filter(c => signOf(c).length > 1);
  return [
    list.length ? h('ul.small', list) : h('p.small.muted', t('shapes.noPoints')),
    odd.length > 0 && h('p.small.muted', odd.map(c => `${signOf(c)} = ${cellName(t, c)}`).join('; ')),
  ];
}

function facts({t, lang}: Context, index: ShapeIndex, {shape: s}: ShapeDetail): HTMLElement {
  const fact = (name: string, ...what: Child[]): Child => [h('dt', name), h('dd', what)],
    ids = (list: readonly string[]) =>
      list.map((id, i) => [i > 0 && ', ', id.startsWith('term:') ? id : h('a', {href: shapeLink(id)}, id)]);
  return h(
    'section.card',
    h('h2', t('shapes.facts')),
    h(
      'dl.facts',
      fact('id', h('code', s.id)),
      langs.map(l => s.names[l] && fact(langNames[l], h('span', {lang: l}, s.names[l]))),
      s.aliases.length > 0 && fact(t('shapes.aliases'), s.aliases.join(' · ')),
      fact(
        t('shapes.terms'),
        s.terms.map((id, i) => [
          i > 0 && ', ',
          h('a', {href: '/shapes?' + new URLSearchParams({term: id}).toString()}, termName(index, lang, id)),
        ]),
      ),
      fact(t('shapes.pictures'), String(s.pictures)),
      s.place &&
        fact(
          t('shapes.place'),
          t('shapes.placeText', {
            row: s.place[0] === '0' ? '–' : s.place[0]!,
            column: s.place[1] === '0' ? '–' : s.place[1]!,
          }),
        ),
      s.overrides.length > 0 && fact(t('shapes.overrides'), ids(s.overrides)),
      fact(t('shapes.origin'), t(`shapes.origin.${s.origin}`), ' · ', t(`shapes.layer.${s.layer}`)),
      // i18n: shapes.layer.*
      s.source && fact(t('shapes.source'), s.source),
      s.note && fact(t('shapes.note'), s.note),
    ),
  );
}

function evidence({t, lang}: Context, s: Shape): HTMLElement {
  const e = s.evidence,
    f = fmt(lang);
  if (!e || !e.seen) return h('section.card', h('h2', t('shapes.evidence')), h('p.muted', t('shapes.noEvidence')));
  return h(
    'section.card',
    h('h2', t('shapes.evidence')),
    h(
      'p',
      t('shapes.seen', {n: e.seen}),
      s.ours.length > 0 && [' · ', t('shapes.ownPlayed', {n: e.ours, rate: f.rate(e.ours / e.seen)})],
      s.theirs.length > 0 && [' · ', t('shapes.enemyPlayed', {n: e.theirs, rate: f.rate(e.theirs / e.seen)})],
    ),
    e.stale && h('p.muted', t('shapes.stale')),
    e.examples.length > 0 && [
      h('h3', t('shapes.examples')),
      h(
        'ul',
        e.examples.map(x =>
          h(
            'li',
            x.record ? h('a', {href: `/records/${x.record}#${x.ply}`}, x.title || x.file) : x.title || x.file,
            ' ',
            h('small.muted', t('shapes.ply', {n: x.ply})),
          ),
        ),
      ),
    ],
  );
}
