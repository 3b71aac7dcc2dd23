// The library: all records, narrowed by a query that the facets help to write, with what can be done to many at once.
import '../common';
import type {Condition, Facet, Game, Hit, Records, Understood} from '../api';
import type {Context, Opener, Page} from '../app';
import {Problem, latest} from '../client';
import {fill, fmt, h} from '../dom';
import {kindName, titled} from '../i18n';
import {icon} from '../icons';
import {changed} from '../undo';
import {type By, facets} from '../records/facets';
import {type Kind, label, manage} from '../records/labels';
import {queryBox} from '../records/querybox';
import {type Sort, ordered, sorts} from '../kinds';
import {exports, gameRow, refill, scoreBar} from '../records/row';
import {searchLink} from '../router';
import {conditionName, conditionText, quoted} from '../search/model';
import {button, chip, copyButton, dialog, empty, endless, field, known, menu, select, trouble} from '../ui';

// i18n: records.sort.*

interface State {
  game: string;
  q: string;
  sort: Sort;
}

const read = (url: URL): State => ({
  game: url.searchParams.get('g') ?? '',
  q: url.searchParams.get('q') ?? '',
  sort: sorts.find(s => s === url.searchParams.get('sort')) ?? '',
});
function write(s: State): string {
  const q = new URLSearchParams();
  for (const [k, v] of [
    ['g', s.game],
    ['q', s.q],
    ['sort', s.sort],
  ] as const)
    if (v) q.set(k, v);
  return '/records' + (q.size ? '?' + q.toString() : '');
}

export const open: Opener = async (ctx, url) => library(ctx, await ctx.games(), url);

function library(ctx: Context, games: readonly Game[], url: URL): Page {
  const {t, lang} = ctx;
  let understood: Understood | null = null;
  let answer: Records | null = null;
  // Names of the fields in the reader's language; the plain ones do until they are there.
  let fieldNames: ReadonlyMap<string, string> = new Map();
  const picked = new Set<number>();
  let everything = false; // everything that the query finds is selected
  let lastPick = -1; // the row that was picked last: Shift picks from there
  let rowsShown: {id: number; box: HTMLInputElement}[] = [];
  const countPane = h('span.muted', {role: 'status'});
  const bar = h('div.records-bar');
  const chips = h('div.row.records-chips');
  const bulk = h('div.records-bulk', {role: 'region'});
  const tools = h('div.row');
  const listPane = h('div.card.flush');
  let state = read(url);
  const queryPart = queryBox(
    ctx,
    t('records.query'),
    t('records.queryHint'),
    (q, goesOn) => go({q}, goesOn ? 'replace' : 'push'),
    true,
  );
  const sidebar = facets(ctx, toggleCondition, (by, limit) => askFacets([by], limit).then(l => l[0]));
  const rows = endless<Hit>(t, ctx.signal, {
    load: async (cursor, signal) => {
      if (cursor === undefined) return {items: answer?.records ?? [], next: answer?.next};
      const r = await ctx.call('GET /records', {query: {...asked(), ...listing(), cursor}}, signal);
      return {items: r.records, next: r.next};
    },
    render: row,
    wrap: h('div.list.records-list', {role: 'list', onkeydown: walk}),
    below: (n, more) => !more && (n ? h('p.small.muted', t('records.end', {n})) : answer && nothing()),
  });
  const ask = latest(ctx.signal, async signal => {
    const u = await ctx.call('GET /query', {query: asked()}, signal);
    return u.problem
      ? {u, r: null}
      : {u, r: await ctx.call('GET /records', {query: {...asked(), ...listing()}}, signal)};
  });
  const narrowBy = latest(ctx.signal, signal => askFacets([...sidebar.names], 8, signal));
  const toggle = button(
    t('records.filters'),
    () => {
      const now = side.classList.toggle('open');
      toggle.setAttribute('aria-expanded', String(now));
    },
    {icon: 'filter', props: {'aria-expanded': 'false', class: 'btn facets-toggle'}},
  );
  const side = h('aside.records-side', {'aria-label': t('records.filters')}, sidebar.node);
  listPane.append(rows.node);
  bulk.hidden = listPane.hidden = true;
  const root = h(
    'div.page.wide.records',
    h('div.head', h('div.records-title', h('h1', t('records.title')), countPane), tools),
    h('div.records-query', queryPart.node, toggle),
    chips,
    h('div.records-cols', side, h('div.stack', bar, bulk, listPane)),
  );
  bulk.setAttribute('aria-label', t('records.selection'));
  void ctx.call('GET /query/reference').then(
    r => {
      fieldNames = new Map(r.fields.map(x => [x.name, x.names[lang] ?? x.name]));
      if (answer) controls();
    },
    () => {
      /* the plain names do */
    },
  );
  void show();

  function go(change: Partial<State>, how: 'push' | 'replace' = 'push'): void {
    ctx.go(write({...state, ...change}), how);
  }

  function update(url: URL): void {
    const s = read(url);
    if (write(s) === write(state)) return;
    state = s;
    unpick();
    void show();
  }

  // Asking.

  function asked(): {q: string; game: string} {
    return {q: state.q, game: state.game};
  }
  function listing() {
    return {boards: true, limit: 30, ...ordered(state.sort)};
  }
  async function askFacets(by: readonly By[], limit: number, signal = ctx.signal): Promise<Facet[]> {
    return (await ctx.call('GET /records/facets', {query: {...asked(), by: [...by], limit}}, signal)).facets;
  }

  function gameNow(): Game | null {
    return games.find(g => g.spec === state.game) ?? null;
  }

  async function show(): Promise<void> {
    const s = state;
    queryPart.set(s.q);
    listPane.classList.add('stale');
    try {
      const got = await ask();
      if (!got || s !== state) return;
      queryPart.mistake(got.u.problem ?? null);
      if (!got.r) return ctx.announce(got.u.problem!.message); // what was found before stays, pale
      understood = got.u;
      answer = got.r;
    } catch (err) {
      if (s !== state) return;
      listPane.classList.remove('stale');
      fill(
        bar,
        trouble(t, err, () => void show()),
      );
      return;
    }
    listPane.classList.remove('stale');
    listPane.hidden = false;
    rowsShown = [];
    controls();
    rows.reset();
    ctx.announce(t('records.announce', {n: answer.games}));
    try {
      const list = await narrowBy();
      if (list && s === state) sidebar.show(list, understood.conditions, gameNow());
    } catch (err) {
      ctx.fail(err);
    }
  }

  // The query.

  // compose writes the query anew from its parts, the board first.
  function compose(conditions: readonly Condition[]): string {
    const b = understood?.board;
    return [
      b && `${b.word}:${quoted(b.text)}${b.options.length ? `{${b.options.join(' ')}}` : ''}`,
      ...conditions.map(conditionText),
    ]
      .filter(Boolean)
      .join(' ');
  }

  function toggleCondition(c: Condition): void {
    const now = understood?.conditions ?? [],
      rest = now.filter(o => o.negated || o.field !== c.field || o.value !== c.value);
    // Of a span of years or lengths one is enough: a new one takes the place of the one before it.
    const kept =
      rest.length === now.length && /date|moves|result/.test(c.field)
        ? rest.filter(o => o.negated || o.field !== c.field)
        : rest;
    go({q: compose(rest.length === now.length ? [...kept, c] : rest)});
  }

  // Showing.

  function controls(): void {
    const f = fmt(lang),
      s = state,
      r = answer!,
      u = understood!,
      game = gameNow();
    // The plain name of a game means all of its boards.
    const boards = (g: Game) => games.reduce((n, o) => (o.family === g.family ? n + o.records : n), 0);
    const total = games.reduce((n, g) => n + g.records, 0);
    fill(countPane, t('records.count', {n: r.games}), s.q || s.game ? ` · ${t('records.of', {n: total})}` : '');
    refill(
      tools,
      select(
        t('records.game'),
        [
          {value: '', label: t('records.allGames')},
          ...games
            .filter(g => g.records || g.spec === s.game)
            .map(g => ({
              value: g.spec,
              label: `${kindName(g, lang)} · ${f.number(g.variant ? g.records : boards(g))}`,
            })),
        ],
        s.game,
        g => go({game: g}),
      ),
      button(
        t('records.manage'),
        () =>
          void manage(ctx).then(changed => {
            if (changed) void show();
          }),
        {icon: 'folder'},
      ),
      h(
        'a.btn.quiet.bare',
        {href: '/cleanup', 'aria-label': t('cleanup.title'), title: t('cleanup.title'), 'data-needs': 'edit'},
        icon('check'),
      ),
      h(
        'a.btn.quiet.bare',
        {href: '/log', 'aria-label': t('log.title'), title: t('log.title'), 'data-needs': 'edit'},
        icon('clock'),
      ),
    );
    refill(
      chips,
      u.board &&
        chip(t, t('records.board'), {icon: 'board', remove: () => go({q: u.conditions.map(conditionText).join(' ')})}),
      u.conditions.map(c =>
        chip(t, conditionName(t, fieldNames, c), {remove: () => go({q: compose(u.conditions.filter(o => o !== c))})}),
      ),
      u.conditions.length + (u.board ? 1 : 0) > 1 && button(t('records.clear'), () => go({q: ''}), {kind: 'quiet'}),
      u.hints.map(x => h('p.small.muted', x)),
    );
    if (!r.games && !s.q && !s.game) return void fill(bar); // nothing can be done to an empty library
    refill(
      bar,
      h(
        'label.check',
        h('input', {
          type: 'checkbox',
          checked: everything,
          indeterminate: !everything && picked.size > 0,
          disabled: !r.games,
          onchange: (e: Event) => ((e.target as HTMLInputElement).checked ? pickAll() : unpick()),
        }),
        h('span', t('records.selectAll')),
      ),
      game && known(r.score) > 0
        ? h(
            'div.records-score',
            scoreBar(ctx, game, r.score),
            r.score.rate !== undefined &&
              h(
                'small.muted',
                t('records.scores', {side: titled(game.sides[0]?.titles, lang), rate: f.rate(r.score.rate)}),
                ` (${f.rate(r.score.low ?? 0)}–${f.rate(r.score.high ?? 1)})`,
              ),
          )
        : h('span.records-score'),
      h(
        'div.row.records-order',
        select(
          t('records.order'),
          sorts.map(x => ({value: x, label: t(`records.sort.${x || 'usual'}`)})),
          s.sort,
          sort => go({sort}),
        ),
        h(
          'a.btn.quiet.bare',
          {href: searchLink(s.q, s.game), 'aria-label': t('records.inSearch'), title: t('records.inSearch')},
          icon('search'),
        ),
        copyButton(t, t('records.copyLink'), () => location.href, {bare: true}),
        exportMenu(() => asked()),
      ),
    );
    marks();
  }

  function row(x: Hit, i: number): HTMLElement {
    const id = x.record.id,
      q = new URLSearchParams();
    if (state.game) q.set('g', state.game);
    if (state.q) q.set('q', state.q);
    const box = h('input', {
      type: 'checkbox',
      checked: everything || picked.has(id),
      'aria-label': t('records.pick', {
        name: x.record.players.map(p => p.name || t('records.unknownPlayer')).join(' – '),
      }),
      onclick: (e: MouseEvent) => pick(i, box.checked, e.shiftKey),
    });
    rowsShown[i] = {id, box};
    const game = !state.game && games.find(g => g.spec === x.record.game);
    return h(
      'div.list-row.pick-row',
      {role: 'listitem'},
      h('label.pick', box),
      gameRow(
        ctx,
        games,
        x,
        `/records/${id}${q.size ? '?' + q.toString() : ''}${x.ply > 0 ? '#' + x.ply : ''}`,
        game && h('small.muted', kindName(game, lang)),
        x.ply > 0 && h('small.tag', t('records.ply', {n: x.ply})),
      ),
    );
  }

  // walk goes from row to row by arrows, and picks by x.
  function walk(e: KeyboardEvent): void {
    const links = [...listPane.querySelectorAll<HTMLElement>('.game-row')],
      i = links.indexOf(
        (e.target as Element).closest<HTMLElement>('.pick-row')?.querySelector('.game-row') ?? document.body,
      );
    if (i < 0 || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') links[i + (e.key === 'ArrowDown' ? 1 : -1)]?.focus();
    else if (e.key === 'x' || e.key === 'X') pick(i, !rowsShown[i]?.box.checked, e.shiftKey);
    else return;
    e.preventDefault();
  }

  function nothing(): HTMLElement {
    const {q, game} = state,
      u = understood;
    if (!q && !game)
      return empty(
        'import',
        t('records.empty'),
        t('records.emptyText'),
        h('a.btn.primary', {href: '/import'}, t('nav.import')),
        h('a.btn', {href: '/'}, t('records.toStart')),
      );
    const parts = u?.conditions ?? [];
    return empty(
      'search',
      t('records.nothing'),
      t('records.nothingText'),
      parts.length > 1 &&
        parts.map(c =>
          button(t('records.without', {name: conditionText(c)}), () => go({q: compose(parts.filter(o => o !== c))})),
        ),
      button(t('records.clear'), () => go({q: '', game: ''})),
    );
  }

  // Picking.

  function pick(i: number, on: boolean, range: boolean): void {
    if (everything) {
      // all but this one: from now on the rows that are shown count
      everything = false;
      for (const r of rowsShown) picked.add(r.id);
    }
    const from = range && lastPick >= 0 ? lastPick : i;
    for (let k = Math.min(from, i); k <= Math.max(from, i); k++) {
      const r = rowsShown[k];
      if (r)
        if (on) picked.add(r.id);
        else picked.delete(r.id);
    }
    lastPick = i;
    marks();
  }

  function pickAll(): void {
    if (!answer?.games) return;
    everything = true;
    picked.clear();
    marks();
    ctx.announce(t('records.selected', {n: answer.games}));
  }

  function unpick(): void {
    everything = false;
    picked.clear();
    lastPick = -1;
    marks();
  }

  function meant(): number {
    return everything ? (answer?.games ?? 0) : picked.size;
  }

  // selection is what a change is asked for: a query where all are meant, however many that are.
  function selectionNow(): {ids?: number[]; query?: string; game?: string} {
    if (!everything) return {ids: [...picked]};
    return {query: state.q || 'all', ...(state.game && {game: state.game})};
  }

  function marks(): void {
    const n = meant(),
      found = answer?.games ?? 0;
    for (const r of rowsShown) r.box.checked = everything || picked.has(r.id);
    const head = bar.querySelector<HTMLInputElement>('.check input');
    if (head) {
      head.checked = everything;
      head.indeterminate = !everything && n > 0;
    }
    bulk.hidden = n === 0;
    if (n === 0) return;
    const named = (kind: Kind, how: 'add' | 'remove') => ({
      label: t(`records.label.${kind}.${how}`),
      icon: kind === 'tag' ? ('tag' as const) : ('folder' as const),
      run: () => void label(ctx, kind, how, n, selectionNow(), () => void show()),
    });
    refill(
      bulk,
      h('b', t('records.selected', {n})),
      !everything && n < found && button(t('records.allOf', {n: found}), () => pickAll(), {kind: 'quiet'}),
      button(t('records.none'), () => unpick(), {kind: 'quiet'}),
      h('span.records-gap'),
      menu(
        t('records.labels'),
        () => [named('tag', 'add'), named('tag', 'remove'), named('collection', 'add'), named('collection', 'remove')],
        {icon: 'tag'},
      ),
      button(
        t('headers.edit'),
        () =>
          void import('../records/headers').then(async m => {
            if (await m.editMany(ctx, n, selectionNow(), gameNow() ?? undefined, () => void show())) unpick();
          }),
        {icon: 'edit', props: {'data-needs': 'edit'}},
      ),
      exportMenu(() => (everything ? asked() : {ids: [...picked]}), true),
      button(t('records.delete'), () => void remove(), {
        icon: 'remove',
        kind: 'danger',
        props: {'data-needs': 'edit'},
      }),
    );
  }

  // export offers the formats that hold every game that is meant, and tables of the headers.
  function exportMenu(what: () => Record<string, unknown>, named = false): HTMLElement {
    const game = gameNow();
    const kinds = game ? [game] : games.filter(g => g.records);
    const formats = kinds.map(g => g.formats).reduce((a, b) => a.filter(x => b.includes(x)), kinds[0]?.formats ?? []);
    return menu(t('records.export'), () => exports(ctx, formats, what()), named ? {icon: 'download'} : 'download');
  }

  // delete wants the number of records typed: everybody sees what becomes of it.
  async function remove(): Promise<void> {
    const n = meant(),
      selection = selectionNow();
    const input = h('input', {
      type: 'text',
      inputmode: 'numeric',
      required: true,
      autofocus: true,
      autocomplete: 'off',
      pattern: `\\s*${n}\\s*`,
    });
    const d = dialog(t, {
      title: t('records.deleteTitle', {n}),
      body: [h('p', t('records.deleteText')), field(t('records.deleteType', {number: String(n)}), input)],
      yes: t('records.delete'),
      kind: 'danger',
    });
    if (!(await d.done)) return; // the form has seen to it that it is the number
    try {
      const done = await ctx.call('POST /records/delete', {body: {...selection, expect: n}});
      changed(ctx, t('records.deleted', {n: done.changed}), done.change, () => void show());
      unpick();
      await show();
    } catch (err) {
      ctx.fail(err);
      if (err instanceof Problem && err.status === 409) await show(); // the library has changed
    }
  }

  return {
    title: t('records.title'),
    node: root,
    update,
    keys: [
      {keys: 'Ctrl+a', label: t('records.keyAll'), run: () => pickAll()},
      {keys: 'Escape', label: t('records.keyNone'), run: () => unpick()},
    ],
  };
}
