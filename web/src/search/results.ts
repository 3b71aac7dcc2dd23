// What was found: counts, how the games went, and the list of hits, which begins while the search still counts.
import type {Answer, Hit, Region as WireRegion, Score} from '../api';
import {type Geometry, type Region, regionName, sameRegion, wholeBoard} from '../core';
import {type Child, dots, fill, fmt, h, keyed} from '../dom';
import {icon} from '../icons';
import {titled} from '../i18n';
import {playerBar} from '../players';
import {type Kind, label} from '../records/labels';
import {notationOf} from '../kinds';
import {boardOf, exports, playersOf, resultOf, scoreBar} from '../records/row';
import {labLink} from '../router';
import {copyButton, dialog, empty, field, menu, paged, select} from '../ui';
import {type Desk, orders} from './desk';
import {boardText, conditionText} from './model';

export const regionOf = (r: WireRegion): Region => ({
  left: r.column,
  top: r.row,
  right: r.column + r.columns - 1,
  bottom: r.row + r.rows - 1,
});

// nearby is what a small board of a hit shows: on a large board of stones the region with some room around it, so that
// the shape can be read.
function nearby(g: Geometry, r: Region): Region | undefined {
  const wide = 13,
    span = (low: number, high: number, n: number): [number, number] => {
      const size = Math.min(n, Math.max(wide, high - low + 5)),
        from = Math.max(0, Math.min(n - size, Math.round((low + high + 1 - size) / 2)));
      return [from, from + size - 1];
    };
  if (g.pieces.length > 2 || g.size.w < wide + 4) return undefined;
  const [left, right] = span(r.left, r.right, g.size.w),
    [top, bottom] = span(r.top, r.bottom, g.size.h);
  return {left, right, top, bottom};
}

export interface ResultsView {
  head: HTMLElement;
  list: HTMLElement;
  show(): void;
}

// i18n: search.sort.*
export const sorts = ['', 'date', '-date', 'occurrences', 'rating', 'likeness'] as const;

export function results(desk: Desk): ResultsView {
  const {ctx} = desk,
    {t, lang} = ctx,
    f = fmt(lang);
  const count = h('h2.count'),
    facts = h('span.muted.small'),
    bars = h('div.stack.bars'),
    note = h('div.hints');
  const tools = h('div.row.tight'),
    none = h('div');
  const head = h(
    'section.summary',
    {'aria-label': t('search.found'), hidden: true},
    h('div.row.between', h('div', count, facts), tools),
    bars,
    note,
    none,
  );
  const rows = h('div.hits', {
    role: 'list',
    onkeydown: (e: KeyboardEvent) => {
      const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0,
        all = [...rows.querySelectorAll('a.hit')] as HTMLAnchorElement[],
        i = all.indexOf(document.activeElement as HTMLAnchorElement);
      if (!step || i < 0) return;
      e.preventDefault();
      all[i + step]?.focus();
    },
  });
  const order = h('div.row.between.order', {hidden: true});

  const meant = () => ({query: desk.state.text, game: desk.state.game.spec});
  const mark = (kind: Kind) => label(ctx, kind, 'add', desk.found?.games ?? 0, meant(), () => undefined);
  const correct = async () =>
    (await import('../records/headers')).editMany(
      ctx,
      desk.found?.games ?? 0,
      meant(),
      desk.state.game,
      () => undefined,
    );
  fill(
    tools,
    copyButton(t, t('search.copyLink'), () => location.href, {bare: true}),
    menu(
      t('search.more'),
      () => [
        {label: t('search.save'), icon: 'save', run: () => void save(desk)},
        {label: t('search.tag'), icon: 'tag', needs: 'edit', run: () => void mark('tag')},
        {label: t('search.collect'), icon: 'folder', needs: 'edit', run: () => void mark('collection')},
        {label: t('headers.edit'), icon: 'edit', needs: 'edit', run: () => void correct()},
        ...exports(ctx, desk.state.game.formats, desk.params()),
      ],
      'more',
    ),
  );

  const href = (x: Hit): string => {
    const q = new URLSearchParams({g: desk.state.game.spec, q: desk.state.text});
    if (x.region) q.set('region', regionName(desk.state.game.geometry, regionOf(x.region)));
    return `/records/${x.record.id}?${q.toString()}${x.ply >= 0 ? '#' + x.ply : ''}`;
  };

  function hit(x: Hit): HTMLElement {
    const r = x.record,
      game = desk.games.find(g => g.spec === r.game) ?? desk.state.game,
      g = game.geometry;
    const region = x.region ? regionOf(x.region) : null,
      whole = sameRegion(region, wholeBoard(g.size));
    const board = boardOf(ctx, game, x, {region: whole ? null : region, crop: region ? nearby(g, region) : undefined});
    const where: Child[] = [
      x.ply >= 0 && h('span.tag', t('search.ply', {n: x.ply})),
      x.next && h('span.tag', '→ ', x.next),
      x.swapped &&
        h(
          'span.tag',
          {title: t('search.swapped')},
          h('span', {'aria-hidden': 'true'}, '−'),
          h('span.hidden', t('search.swapped')),
        ),
      x.likeness > 0 && h('span.tag.like', f.rate(x.likeness)),
      x.occurrences > 1 &&
        h('span.tag', {title: t('search.occurrences', {n: x.occurrences})}, '×', f.number(x.occurrences)),
      x.variation && h('span.tag', t('search.inVariation')),
    ];
    return h(
      'div',
      {role: 'listitem'},
      h(
        'a.hit',
        {href: href(x)},
        board && h('span.hit-board', board),
        h(
          'span.hit-text',
          playersOf(ctx, game, r),
          h(
            'span.muted.small.cut',
            h('b', resultOf(ctx, r), ' '),
            dots(r.date && f.date(r.date), r.event || r.opening),
          ),
          h('span.row.tight', where),
          x.differences.length > 0 &&
            h(
              'span.muted.small',
              x.differences
                .slice(0, 3)
                .map(d => d.text)
                .join('; '),
              x.differences.length > 3 && ' …',
            ),
        ),
      ),
      game.lab &&
        board &&
        h(
          'a.btn.quiet.bare.hit-lab',
          {
            href: labLink({id: r.id, ply: x.ply}),
            'aria-label': `${t('lab.here')}: ${dots(...r.players.map(p => p.name), r.date && f.date(r.date))}`,
            title: t('lab.here'),
          },
          icon('lab'),
        ),
    );
  }

  // Pages behind the first come when the end of the list comes near.
  let more: readonly Hit[] = [],
    of: Answer | null = null,
    bare: Answer | null = null;
  // all that a row shows and another query may change
  const key = (x: Hit) => JSON.stringify([x.record.id, x.ply, x.next, x.swapped, x.occurrences, x.likeness, x.region]);
  const draw = () => {
    const seenKeys = new Set<string>();
    keyed(
      rows,
      [...(desk.found?.rows ?? []), ...more].filter(x => !seenKeys.has(key(x)) && !!seenKeys.add(key(x))),
      key,
      hit,
      (n, x) => {
        n.querySelector('a')!.href = href(x);
      },
    );
  };
  const {end, from} = paged(
    t,
    ctx.signal,
    null,
    (cursor, signal) =>
      ctx.call(
        'GET /find',
        {query: {...desk.params(), ...listing(desk), ...(cursor && {cursor}), brief: true}},
        signal,
      ),
    a => {
      more = [...more, ...a.rows];
      draw();
      return ended(a, rows.childElementCount);
    },
  );
  const ended = (a: Answer, n: number) => !a.next && h('p.muted.small', t('search.end', {n})),
    list = h('div', order, rows, end);

  const line = (name: string, s: Score, what: HTMLElement) =>
    h(
      'div.bar-line',
      h(
        'span.small.muted',
        name,
        s.rate !== undefined && [
          ' ',
          h('b', f.rate(s.rate, 1)),
          s.low !== undefined && s.high !== undefined && ` (${f.rate(s.low)}–${f.rate(s.high)})`,
        ],
      ),
      what,
    );

  function show(): void {
    const x = desk.found,
      a = x?.answer ?? null,
      {game} = desk.state;
    head.hidden = !x;
    list.hidden = !x;
    head.classList.toggle('stale', !!x?.stale);
    list.classList.toggle('stale', !!x?.stale);
    if (!x || x.stale) from(null); // the pages behind the first belong to the query that was asked
    count.classList.toggle('running', !!x && !a);
    if (!x) {
      of = null;
      more = [];
      rows.replaceChildren();
      return;
    }
    fill(count, !a && '≥ ', t('search.games', {n: x.games}));
    fill(
      facts,
      x.hits > 0 && x.hits !== x.games && [t('search.hits', {n: x.hits}), ' · '],
      a && t('search.of', {n: a.of, ms: f.number(Math.max(1, Math.round(a.elapsed)))}),
      a?.cut
        ? [' · ', t('search.cut', {looked: f.number(a.cut.looked), lines: f.number(a.cut.lines)})]
        : a?.partial && [' · ', t('search.partial')],
    );
    if (a !== of) {
      // also while a new search runs: its first rows may come before the last ones are gone
      of = a;
      more = [];
      fill(none);
      from(a?.next || null);
      if (a) {
        const sides = game.sides.map(s => titled(s.titles, lang, s.name));
        fill(
          bars,
          a.score.games > 0 && line(t('search.scoreOf', {side: sides[0]!}), a.score, scoreBar(ctx, game, a.score)),
          a.drawn &&
            a.drawn.games > 0 &&
            (a.drawn.first !== a.score.first || a.drawn.second !== a.score.second) &&
            line(
              t('search.scoreDrawn', {side: sides[0]!}),
              a.drawn,
              scoreBar(ctx, game, a.drawn, [
                t('search.drawnAs', {side: sides[0]!}),
                t('search.drawnAs', {side: sides[1]!}),
              ]),
            ),
          a.owner &&
            a.owner.games > 0 &&
            (a.owner.first !== a.score.first || a.owner.second !== a.score.second) &&
            line(t('search.scoreOwner'), a.owner, playerBar(ctx, a.owner)),
          a.player &&
            a.player.score.games > 0 &&
            line(t('search.scoreOf', {side: a.player.name}), a.player.score, playerBar(ctx, a.player.score)),
        );
        fill(
          note,
          a.name && h('p.small.cut', icon('tag'), ' ', h('b', {title: a.name}, a.name)),
          a.hints.map(s => h('p.small.muted', s)),
        );
        fill(
          order,
          h('span.muted.small', a.timed ? t('search.firstEach') : ''),
          a.games > 1 &&
            select(
              t('search.sort'),
              sorts
                .filter(s => s !== 'likeness' || a.fuzzy)
                .map(s => ({value: s, label: t(`search.sort.${s || 'usual'}`)})),
              ((desk.view.reverse ? '-' : '') + desk.view.sort) as (typeof sorts)[number],
              v => desk.look({sort: orders.find(s => s === v.replace('-', '')) ?? '', reverse: v.startsWith('-')}),
            ),
        );
        order.hidden = !a.games;
        fill(end, a.games > 0 && ended(a, a.rows.length));
      } else fill(end);
    }
    // What to leave out is known only when the query was read, which may be after it was answered. It stands above the
    // tabs, for all of them are empty then.
    if (a && !a.games && !x.stale && !desk.reading && bare !== a) {
      bare = a;
      fill(none, nothing(desk, a));
    }
    draw();
  }
  return {head, list, show};
}

// listing is how hits are asked for.
export const listing = (desk: Desk) => ({
  limit: 30,
  boards: true,
  ...(desk.view.sort && {sort: desk.view.sort}),
  ...(desk.view.reverse && {reverse: true}),
  notation: notationOf(desk.ctx, desk.state.game),
  language: desk.ctx.lang,
});

// nothing is what stands there when no game was found: likeness, and what to leave out, each with what it would find.
function nothing(desk: Desk, a: Answer): HTMLElement {
  const {ctx} = desk,
    {t, lang} = ctx,
    {conditions, ed, game} = desk.state,
    f = fmt(lang);
  const board = boardText(game, ed),
    parts = [...(board ? [board] : []), ...conditions.map(conditionText)];
  const name = (i: number) => (i === 0 && board ? t('search.theBoard') : parts[i]!);
  // The most alike that there is: the first of these that finds something.
  const rest = parts.slice(1),
    like = !a.like
      ? []
      : !board || ed.min
        ? [{label: t('search.tryLike'), q: a.like}]
        : [0.95, 0.9, 0.85, 0.8, 0.7]
            .map(min => ({
              label: `${t('search.tryLike')} ≥ ${f.rate(min)}`,
              q: [boardText(game, {...ed, min}), ...rest].join(' '),
            }))
            .concat({label: t('search.tryLike'), q: a.like});
  const offers: {label: string; q: string}[] = [];
  if (parts.length > 1)
    parts.forEach((_, i) =>
      offers.push({label: t('search.drop', {name: name(i)}), q: parts.filter((_, j) => j !== i).join(' ')}),
    );
  if (parts.length > 2) parts.forEach((p, i) => offers.push({label: t('search.only', {name: name(i)}), q: p}));
  const into = h('div.row');
  const gone = () => desk.found?.answer !== a || desk.found.stale;
  async function offer(o: {label: string; q: string}): Promise<boolean> {
    const r = await ctx.call('GET /find', {query: {...desk.params(), q: o.q, limit: 1, brief: true}}).catch(() => null);
    if (gone() || !r?.games) return gone();
    into.append(
      h('button.btn', {onclick: () => desk.ask(o.q)}, h('span', o.label), h('span.badge', f.number(r.games))),
    );
    return true;
  }
  void (async () => {
    for (const o of like) if (await offer(o)) break;
    for (const o of offers.slice(0, 12)) if ((await offer(o)) && gone()) return;
    // Words may belong to another game.
    const r =
      board || a.board
        ? null
        : await ctx.call('GET /find', {query: {q: desk.state.text, limit: 1, brief: true}}).catch(() => null);
    const other = desk.games.find(g => g.spec === r?.rows[0]?.record.game);
    if (!gone() && r && other && other !== game)
      into.append(
        h(
          'a.btn',
          {href: desk.link(desk.state.text, other.spec)},
          h('span', t('search.inGame', {game: titled(other.titles, lang)})),
          h('span.badge', f.number(r.games)),
        ),
      );
  })();
  return empty('search', t('search.nothing'), t(a.board ? 'search.nothingHint' : 'search.nothingWords'), into);
}

// save names the query: a pattern gets a name of the reader's own.
async function save(desk: Desk): Promise<void> {
  const {ctx} = desk,
    {t} = ctx,
    a = desk.found?.answer;
  const name = h('input', {
      type: 'text',
      required: true,
      maxlength: 200,
      autofocus: true,
      value: a?.saved ? a.name : '',
    }),
    note = h('textarea', {rows: 2, maxlength: 4000});
  const d = dialog(t, {
    title: t('search.save'),
    body: [
      a?.name && h('p.muted', t('search.describedAs', {name: a.name})),
      field(t('search.name'), name, t('search.nameHint')),
      field(t('search.note'), note),
    ],
    yes: t('search.saveIt'),
  });
  if ((await d.done) !== 'yes' || !name.value.trim()) return;
  try {
    const n = name.value.trim();
    await ctx.call('PUT /queries/{name}', {
      path: {name: n},
      body: {query: desk.state.text, game: desk.state.game.spec, ...(note.value.trim() && {note: note.value.trim()})},
    });
    ctx.toast(t('search.saved', {name: n}), 'success');
  } catch (err) {
    ctx.fail(err);
  }
}
