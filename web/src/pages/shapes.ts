// The knowledge base of shapes: cards by term, narrowed down by what they are for, and what lint says of all of them.
import '../common';
import type {Game, Shape, ShapeIndex} from '../api';
import type {Context, Opener} from '../app';
import {debounce, fill, fmt, h} from '../dom';
import {icon} from '../icons';
import {withQuery} from '../router';
import {asked, button, empty, endless, linkButton, segmented, select, tabs} from '../ui';
import {called, legend, small} from '../shapes/draw';
import {findings} from '../shapes/findings';
import {
  indexOf,
  origins,
  purposeName,
  purposeTags,
  seenText,
  shapeLink,
  termName,
  urgencyTag,
  shapeGame,
} from '../shapes/tags';

const read = (u: URL) => {
  const q = u.searchParams,
    urgency = Number(q.get('u'));
  return {
    q: q.get('q') ?? '',
    term: q.get('term') ?? '',
    purpose: q.get('purpose') ?? '',
    urgency: urgency >= 1 && urgency <= 4 ? urgency : 0,
    origin: origins.find(o => o === q.get('from')) ?? ('' as const),
    tab: q.get('tab') === 'lint' ? 'lint' : 'list',
  };
};

export const open: Opener = async (ctx, url) => {
  const {t, lang} = ctx,
    f = fmt(lang),
    [game, index] = await Promise.all([shapeGame(ctx), indexOf(ctx)]);
  let now = read(url);
  const to = (change: Record<string, string | number | null>) =>
    ctx.go(withQuery(new URL(location.href), change), 'replace');
  const total = h('span.muted', {role: 'status'}),
    cards = h('div.shape-cards'),
    terms = h('nav.card.flush.shape-terms', {'aria-label': t('shapes.terms')}),
    lint = h('div.stack');
  let group = '';
  const list = endless<Shape>(t, ctx.signal, {
    wrap: cards,
    async load(cursor, signal) {
      const r = await ctx.call(
        'GET /shapes',
        {
          query: {
            ...(now.q && {q: now.q}),
            ...(now.term && {term: now.term}),
            ...(now.purpose && {purpose: now.purpose}),
            ...(now.urgency && {urgency: now.urgency}),
            ...(now.origin && {origin: now.origin}),
            limit: 48,
            ...(cursor && {cursor}),
          },
        },
        signal,
      );
      total.textContent = t('shapes.count', {n: r.total});
      if (!cursor) ctx.announce(t('shapes.count', {n: r.total}));
      return {items: r.shapes, next: r.next};
    },
    render(s) {
      const main = s.terms[0] ?? '',
        made = card(ctx, game, index, s);
      if (now.term || main === group) return made;
      group = main;
      const both = document.createDocumentFragment();
      both.append(h('h2', main ? termName(index, lang, main) : t('shapes.noTerm')), made);
      return both;
    },
    below: (n, more) =>
      !n &&
      !more &&
      empty(
        'search',
        t('shapes.none'),
        t('shapes.noneText'),
        button(t('shapes.all'), () => to({q: null, term: null, purpose: null, u: null, from: null})),
      ),
  });
  const box = h('input', {
    type: 'search',
    'data-search': true,
    value: now.q,
    'aria-label': t('shapes.find'),
    placeholder: t('shapes.find'),
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: debounce(() => to({q: box.value.trim()}), 160),
  });
  const term = select(
    t('shapes.term'),
    [
      {value: '', label: t('shapes.allTerms')},
      ...index.terms.map(x => ({value: x.id, label: `${called(x.names, lang, x.id)} · ${f.number(x.shapes)}`})),
    ],
    now.term,
    v => to({term: v}),
  );
  term.classList.add('shape-term');
  const purpose = select(
    t('shapes.purpose'),
    [
      {value: '', label: t('shapes.allPurposes')},
      ...index.purposes.map(x => ({
        value: x.word,
        label: `${purposeName(index, lang, x.word)} · ${f.number(x.shapes)}`,
      })),
    ],
    now.purpose,
    v => to({purpose: v}),
  );
  const origin = select(
    t('shapes.origin'),
    [
      {value: '', label: t('shapes.origin.all')},
      ...origins.map(value => ({value, label: t(`shapes.origin.${value}`)})),
    ],
    now.origin,
    v => to({from: v}),
  );
  const urgency = segmented(
    t('shapes.urgency'),
    [
      {value: '0', label: t('shapes.urgency.any')},
      ...[4, 3, 2, 1].map(n => ({value: String(n), label: `${n} ${t(`shapes.urgency.${n as 1}`)}`})),
    ],
    String(now.urgency),
    v => to({u: +v || null}),
  );

  function showTerms(): void {
    const row = (id: string, name: string, n: number) =>
      h(
        'a',
        {
          href: withQuery(new URL(location.href), {term: id, tab: null}),
          'aria-current': now.term === id ? 'true' : null,
        },
        h('span.cut', name),
        h('span.num.muted', f.number(n)),
      );
    fill(
      terms,
      h(
        'div.list',
        row('', t('shapes.allTerms'), index.total),
        index.terms.map(x => row(x.id, called(x.names, lang, x.id), x.shapes)),
      ),
    );
  }

  let linted = false;
  function showLint(): void {
    if (linted) return;
    linted = true;
    asked(ctx, lint, async () => {
      const r = await ctx.call('GET /shapes/lint'),
        said = t('shapes.lintDone', {
          n: r.shapes,
          ms: f.number(Math.max(1, r.millis)),
          findings: t('shapes.findings', {n: r.total}),
        });
      return [
        h('p.muted', {role: 'status'}, said),
        r.findings.length
          ? h('section.card', findings(ctx, r.findings))
          : empty('check', t('shapes.lintClean'), t('shapes.lintCleanText')),
      ];
    });
  }

  const head = h(
    'div.stack',
    h('p.muted', t('shapes.intro')),
    h(
      'div.row.shape-filters',
      h('div.players-search', icon('search'), box),
      term,
      purpose,
      origin,
      urgency.node,
      total,
    ),
  );
  const panel = h(
    'div.stack',
    head,
    h('details.shape-signs', h('summary', t('shapes.legend')), legend(t, game)),
    h('div.shape-cols', terms, h('div.stack', cards, list.end)),
  );
  const sheet = tabs(
    t('shapes.title'),
    [
      {id: 'list', label: t('shapes.title'), panel},
      {id: 'lint', label: t('shapes.lint'), panel: lint},
    ],
    now.tab,
    tab => to({tab: tab === 'list' ? null : tab}),
  );
  showTerms();
  if (now.tab === 'lint') showLint();
  return {
    title: t('shapes.title'),
    node: h(
      'div.page.wide.shapes',
      h(
        'div.head',
        h('h1', t('shapes.title')),
        h(
          'div.row',
          linkButton(t('shapes.learn'), '/learn/shapes', 'learn'),
          index.writable && linkButton(t('shapes.new'), '/shapes/new', 'plus', 'primary'),
        ),
      ),
      sheet.node,
    ),
    update(next) {
      const before = now;
      now = read(next);
      sheet.select(now.tab);
      if (now.tab === 'lint') showLint();
      urgency.set(String(now.urgency));
      term.value = now.term;
      purpose.value = now.purpose;
      origin.value = now.origin;
      if (document.activeElement !== box) box.value = now.q;
      const focused = terms.contains(document.activeElement);
      showTerms();
      if (focused) terms.querySelector<HTMLElement>('[aria-current]')?.focus({preventScroll: true});
      if (JSON.stringify({...before, tab: ''}) === JSON.stringify({...now, tab: ''})) return;
      group = '';
      list.reset();
    },
  };
};

// i18n: shapes.layer.*
function card(ctx: Context, game: Game, index: ShapeIndex, s: Shape): HTMLElement {
  const {t, lang} = ctx,
    name = called(s.names, lang, s.id),
    seen = seenText(ctx, s);
  return h(
    'a.card.shape-card',
    {href: shapeLink(s.id), 'data-id': s.id},
    h('span.shape-mini', small(t, game, s)),
    h('b', name),
    h(
      'span.row.tight',
      urgencyTag(ctx, s.urgency, s.avoid),
      purposeTags(index, lang, s.purposes),
      s.origin !== 'hand' && h('span.tag', t(`shapes.origin.${s.origin}`)),
      s.layer !== 'shipped' && s.origin !== 'user' && h('span.tag', t(`shapes.layer.${s.layer}`)),
    ),
    seen && h('small.muted', seen),
  );
}
