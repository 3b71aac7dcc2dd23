// What is known about a record: who, when, how it ended; where it comes from; the names that were put on it.
import type {FullRecord, Game} from '../api';
import type {Context} from '../app';
import {type Child, fill, fmt, h} from '../dom';
import {titled} from '../i18n';
import {icon} from '../icons';
import {section} from '../insights/section';
import {changed} from '../undo';
import {type Kind, label} from '../records/labels';
import {resultOf} from '../records/row';
import {plainValue} from '../search/model';
import {button, chip, iconButton} from '../ui';

// listed is the address of all records that have something in common with this one.
export const listed = (game: string, q: string): string => '/records?' + new URLSearchParams({g: game, q}).toString();

// players is the head of the page.
export function players(ctx: Context, r: FullRecord, game: Game | undefined): HTMLElement {
  const {t, lang} = ctx,
    s = r.summary;
  const player = (i: number): Child => {
    const p = s.players[i],
      side = game?.sides[i],
      won = s.winner === i;
    return h(
      'div',
      {class: 'rec-player' + (won ? ' won' : '')},
      h('i.rec-side', {
        'data-side': side?.name ?? '',
        role: 'img',
        'aria-label': titled(side?.titles, lang, side?.name),
      }),
      p?.name
        ? h('a', {href: listed(s.game, `player:${plainValue(p.name)}`)}, p.name)
        : h('span.muted', t('record.unnamed')),
      p && [
        p.rank && h('span.muted', p.rank),
        p.rating > 0 && h('span.muted.num', p.rating),
        p.team && h('span.muted.cut', p.team),
      ],
      won && h('span.tag', t('record.won')),
    );
  };
  const facts = [resultOf(ctx, s), s.date && fmt(lang).date(s.date), s.event, s.round].filter(Boolean);
  return h(
    'header.rec-head',
    h('h1.hidden', title(ctx, r, game)),
    player(0),
    player(1),
    facts.length > 0 && h('p.muted.small.cut', facts.join(' · ')),
  );
}

export function title(ctx: Context, r: FullRecord, game: Game | undefined): string {
  const names = r.summary.players.map(p => p.name || '?');
  return names.every(n => n === '?')
    ? r.summary.event || `${titled(game?.titles, ctx.lang, r.summary.game)} ${r.summary.id}`
    : names.join(' – ');
}

// about is everything else, below the moves.
export function about(ctx: Context, r: FullRecord, game: Game | undefined, edited: () => void): HTMLElement {
  const {t, lang} = ctx,
    s = r.summary,
    f = fmt(lang);
  const link = (field: string, v: string): Child => v && h('a', {href: listed(s.game, `${field}:${plainValue(v)}`)}, v);
  const rows: [string, Child][] = [
    [t('record.game'), [titled(game?.titles, lang, s.game), game?.variant && ` ${game.variant}`]],
    [t('record.result'), s.winner === 2 ? t('records.result.draw') : s.result],
    [t('record.date'), s.date && f.date(s.date)],
    [t('record.event'), link('event', s.event)],
    [t('record.round'), s.round],
    [t('record.place'), s.place],
    [t('record.opening'), (s.opening || s.code) && [link('opening', s.opening), s.code && h('span.tag', s.code)]],
    [t('record.komi'), s.komi],
    [t('record.handicap'), s.handicap > 0 && f.number(s.handicap)],
    [t('record.rules'), r.ruleset],
    [t('record.time'), r.time],
    [t('record.length'), t('record.plies', {n: r.main})],
    [t('record.author'), r.author],
    [t('record.origin'), r.origin],
    [
      t('record.format'),
      [
        r.format.toUpperCase(),
        r.encoding && ` · ${r.encoding}`,
        r.guessed && [' ', h('span.tag', t('record.guessed'))],
      ],
    ],
    [t('record.added'), f.time(r.added)],
  ];
  const has = (v: Child): boolean =>
    Array.isArray(v) ? v.some(has) : v !== '' && v !== null && v !== undefined && v !== false;
  return h(
    'div.stack',
    r.faults.length > 0 &&
      h(
        'section.card.rec-faults',
        h('h2', icon('warn'), ' ', t('record.faults')),
        h(
          'ul',
          r.faults.map(x => h('li', x)),
        ),
      ),
    h(
      'section.card',
      h(
        'div.row.between',
        h('h2', t('record.about')),
        button(
          t('headers.edit'),
          () =>
            void import('../records/headers')
              .then(m => m.editOne(ctx, s.id, game, edited))
              .catch((err: unknown) => ctx.fail(err)),
          {icon: 'edit', kind: 'quiet', props: {'data-needs': 'edit'}},
        ),
      ),
      h(
        'dl.facts',
        rows.filter(([, v]) => has(v)).map(([k, v]) => [h('dt', k), h('dd', v)]),
      ),
      labels(ctx, s.id, 'tag', r.tags),
      labels(ctx, s.id, 'collection', r.collections),
    ),
    r.links.length > 0 &&
      h(
        'section.card',
        h('h2', t('record.linked')),
        h(
          'ul.rec-list',
          r.links.map(l =>
            h(
              'li',
              h('a', {href: `/records/${l.id}`}, t('record.number', {id: String(l.id)})),
              ' ',
              h('span.muted', why(ctx, l.why)),
            ),
          ),
        ),
      ),
    section(ctx, t('insights.like'), t('insights.likeText'), async () =>
      (await import('../insights/alike')).likeGames(ctx, s.id),
    ),
    h(
      'section.card',
      h('h2', t('record.sources')),
      h(
        'ul.rec-list',
        r.sources.map(x =>
          h(
            'li',
            h('span.code', x.file),
            ' ',
            h('span.muted.small', t('record.placeInFile', {n: x.number, offset: f.number(x.offset)})),
          ),
        ),
      ),
    ),
    r.headers.length > 0 &&
      h(
        'details.card',
        h('summary', t('record.headers', {n: r.headers.length})),
        h(
          'dl.facts.code',
          r.headers.map(x => [h('dt', x.name), h('dd.pre', x.value)]),
        ),
      ),
  );
}

// why puts the reason of a link in words, where it is one that importing gives.
const reasons = {
  'same moves': 'same',
  'same moves, other comments': 'comments',
  'same moves, only one names the players': 'names',
  'one goes on where the other ends': 'longer',
} as const;
function why({t}: Context, reason: string): string {
  const known = reasons[reason as keyof typeof reasons];
  return known ? t(`record.why.${known}`) : reason; // i18n: record.why.*
}

// labels are the tags or the collections of the record; they are added and taken away at once.
function labels(ctx: Context, id: number, kind: Kind, list: readonly string[]): HTMLElement {
  const {t, api, signal} = ctx,
    box = h('div.row');
  // i18n: record.label.*
  const fresh = async () => {
    const r = await api.call('GET /records/{id}', {path: {id}}, signal);
    list = kind === 'tag' ? r.tags : r.collections;
    show();
    ctx.announce(`${t(`record.label.${kind}`)}: ${list.join(', ') || t('record.none')}`);
  };
  const remove = async (name: string) => {
    const done = await api.call(
      kind === 'tag' ? 'POST /tags' : 'POST /collections/records',
      {body: {ids: [id], remove: [name]}},
      signal,
    );
    changed(ctx, t('records.labelled', {n: done.changed, name}), done.change, () => run(fresh()));
    await fresh();
  };
  const add = () => label(ctx, kind, 'add', 1, {ids: [id]}, () => run(fresh()));
  const run = (work: Promise<void>) => {
    work.catch((err: unknown) => ctx.fail(err));
  };
  const show = () =>
    fill(
      box,
      h('span.muted', t(`record.label.${kind}`)),
      list.map(name =>
        chip(t, name, {run: () => ctx.go(listed('', `${kind}:${plainValue(name)}`)), remove: () => run(remove(name))}),
      ),
      iconButton(t(`record.label.${kind}.add`), 'plus', () => run(add()), {'data-needs': 'edit'}),
    );
  show();
  return box;
}
