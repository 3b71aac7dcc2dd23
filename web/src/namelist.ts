// The players or the events of the library: a list that is searched in any script, and what was said about their names.
import './common';
import type {EventRow, PlayerEdited, PlayerRow} from './api';
import type {Context, Opener} from './app';
import {debounce, fill, fmt, h} from './dom';
import {gameName} from './i18n';
import {icon} from './icons';
import {editDialog, type Named, playerBar, playerLink, undoEdit} from './players';
import {withQuery} from './router';
import {
  asked,
  button,
  column,
  dataTable,
  empty,
  endless,
  few,
  iconButton,
  linkButton,
  rowHead,
  segmented,
  select,
  tabs,
} from './ui';
// i18n: players.op.*, players.*, events.*

type Row = PlayerRow | EventRow;

// listOf opens the page of those or these.
export const listOf =
  (of: Named): Opener =>
  (ctx, url) => {
    const {t, lang} = ctx,
      f = fmt(lang);
    const wish = (u: URL) => ({
      q: u.searchParams.get('q') ?? '',
      game: u.searchParams.get('g') ?? '',
      sort: u.searchParams.get('sort') === 'name' ? ('name' as const) : ('games' as const),
      tab: u.searchParams.get('tab') === 'edits' ? 'edits' : 'list',
    });
    let now = wish(url);
    const to = (change: Record<string, string | null>) => ctx.go(withQuery(new URL(location.href), change), 'replace');
    const chosen = new Map<string, Row>(),
      boxes = new Map<string, HTMLInputElement>();
    const rows = h('tbody'),
      total = h('span.muted', {role: 'status'}),
      act = h('div.choice', {role: 'region', 'aria-label': t(`${of}.chosenLabel`), hidden: true}),
      edits = h('div.stack');
    const list = endless<Row>(t, ctx.signal, {
      wrap: rows,
      async load(cursor, signal) {
        const page = {
          query: {
            ...(now.q && {q: now.q}),
            ...(now.game && {game: now.game}),
            sort: now.sort,
            limit: 60,
            ...(cursor && {cursor}),
          },
        };
        const r =
          of === 'events'
            ? await ctx.call('GET /events', page, signal).then(e => ({...e, items: e.events as Row[]}))
            : await ctx.call('GET /players', page, signal).then(p => ({...p, items: p.players as Row[]}));
        total.textContent = t(`${of}.count`, {n: r.total});
        if (!cursor) ctx.announce(t(`${of}.count`, {n: r.total}));
        return {items: r.items, next: r.next};
      },
      render: p => row(p),
      below: (n, more) =>
        !n &&
        !more &&
        (now.q
          ? empty(of === 'events' ? 'flag' : 'players', t(`${of}.none`), t('players.noneText'))
          : empty(
              of === 'events' ? 'flag' : 'players',
              t(`${of}.nobody`),
              null,
              h('a.btn.primary', {href: '/import'}, t('nav.import')),
            )),
    });
    const reset = () => {
      boxes.clear();
      list.reset();
    };
    const row = (p: Row) => {
      const box = h('input', {
        type: 'checkbox',
        'aria-label': t('players.choose', {name: p.name}),
        checked: chosen.has(p.name),
        onchange: () => {
          if (box.checked) chosen.set(p.name, p);
          else chosen.delete(p.name);
          choosing();
        },
      });
      boxes.set(p.name, box);
      return h(
        'tr',
        h('td.picked', h('label', box)),
        rowHead(
          'query' in p
            ? h('a', {href: `/records?${new URLSearchParams({...(now.game && {g: now.game}), q: p.query})}`}, p.name)
            : playerLink(p.name, now.game),
          p.aliases.length > 0 && h('small.muted.aliases', p.aliases.join(' · ')),
        ),
        h('td', {class: 'num' + (p.games < few ? ' muted' : '')}, f.number(p.games)),
        'score' in p && h('td.how-far', playerBar(ctx, p.score)),
        h('td.num.muted.when', 'score' in p ? span(p.score.since, p.score.until) : span(p.since, p.until)),
      );
    };
    const choosing = () => {
      const all = [...chosen.values()];
      act.hidden = !all.length;
      fill(
        act,
        h('span.cut', t('players.chosen', {n: all.length}), ': ', all.map(p => p.name).join(', ')),
        all.length > 1 &&
          button(t('players.do.merge'), () => edit('merge'), {
            icon: 'link',
            kind: 'primary',
            props: {'data-needs': 'edit'},
          }),
        all.length === 1 &&
          button(t('players.do.rename'), () => edit('rename'), {
            icon: 'edit',
            kind: 'primary',
            props: {'data-needs': 'edit'},
          }),
        all.length === 1 &&
          all[0]!.aliases.length > 0 &&
          button(t('players.do.split'), () => edit('split'), {icon: 'players', props: {'data-needs': 'edit'}}),
        iconButton(t('players.chooseNone'), 'close', none),
      );
    };
    const none = () => {
      for (const b of boxes.values()) b.checked = false;
      chosen.clear();
      choosing();
    };
    const edit = (op: 'merge' | 'rename' | 'split') =>
      void editDialog(ctx, of, op, [...chosen.values()], changed).then(done => {
        if (done) {
          none();
          changed();
        }
      });
    const changed = () => {
      reset();
      showEdits(ctx, of, edits, changed);
    };

    const box = h('input', {
      type: 'search',
      'data-search': true,
      autofocus: true,
      value: now.q,
      'aria-label': t(`${of}.search`),
      placeholder: t(`${of}.searchHint`),
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: debounce(() => to({q: box.value.trim()}), 160),
    });
    const sort = segmented(
      t('players.sort'),
      [
        {value: 'games', label: t('players.byGames')},
        {value: 'name', label: t('players.byName')},
      ],
      now.sort,
      v => to({sort: v === 'name' ? v : null}),
    );
    const kinds = h('span');
    Promise.all([ctx.games(), ctx.call('GET /library')])
      .then(([gs, lib]) =>
        fill(
          kinds,
          select(
            t('players.game'),
            [
              {value: '', label: t('players.allGames')},
              ...lib.byGame.map(c => ({value: c.game, label: gameName(gs, c.game, lang)})),
            ],
            now.game,
            v => to({g: v}),
          ),
        ),
      )
      .catch(() => {
        /* the list does without */
      });
    const panel = h(
      'div.stack',
      h('div.row.players-head', h('div.players-search', icon('search'), box), kinds, sort.node, total),
      h(
        'section.card.flush.people',
        dataTable(
          t(`${of}.title`),
          [
            h('th.picked', h('span.hidden', t(`${of}.chosenLabel`))),
            t('players.name'),
            column(t('players.games'), 'num'),
            ...(of === 'players' ? [t('players.score')] : []),
            column(t('players.years'), 'num when'),
          ],
          rows,
        ),
        list.end,
      ),
      act,
    );
    const sheet = tabs(
      t(`${of}.title`),
      [
        {id: 'list', label: t(`${of}.title`), panel},
        {id: 'edits', label: t('players.edits'), panel: edits},
      ],
      now.tab,
      tab => to({tab: tab === 'list' ? null : tab}),
    );
    showEdits(ctx, of, edits, changed);
    return {
      title: t(`${of}.title`),
      node: h(
        'div.page.wide',
        h(
          'div.head',
          h('h1', t(`${of}.title`)),
          of === 'players'
            ? linkButton(t('events.title'), '/events', 'flag')
            : linkButton(t('cleanup.title'), '/cleanup', 'edit'),
        ),
        sheet.node,
      ),
      update(next) {
        const before = now;
        now = wish(next);
        sheet.select(now.tab);
        sort.set(now.sort);
        if (document.activeElement !== box) box.value = now.q;
        const picked = kinds.querySelector('select');
        if (picked) picked.value = now.game;
        if (before.q !== now.q || before.game !== now.game || before.sort !== now.sort) reset();
      },
    };
  };

// span writes the years of a score.
function span(since: string, until: string): string {
  const a = since.slice(0, 4),
    b = until.slice(0, 4);
  return a === b ? a : `${a}–${b}`;
}

function showEdits(ctx: Context, of: Named, into: HTMLElement, changed: () => void): void {
  const {t, lang} = ctx;
  const line = (e: PlayerEdited) =>
    h(
      'li',
      {class: 'list-row' + (e.undone ? ' undone' : '')},
      h(
        'span.grow',
        h('span.tag', t(`players.op.${e.op as 'merge'}`)),
        ' ',
        e.names.join(', '),
        e.into && [' → ', h('b', e.into)],
        h('br'),
        h('small.muted', fmt(lang).time(e.at), e.undone && ` · ${t('players.undone')}`),
      ),
      !e.undone &&
        button(
          t('players.undo'),
          () =>
            void undoEdit(ctx, of, e.id).then(ok => {
              if (ok) changed();
            }),
          {icon: 'undo'},
        ),
    );
  asked(ctx, into, async () => {
    const {edits} = await (of === 'events' ? ctx.call('GET /events/edits') : ctx.call('GET /players/edits'));
    return [
      h('p.muted', t('players.editsText')),
      edits.length ? h('ul.card.flush.list.plain', edits.map(line)) : empty('edit', t('players.noEdits')),
    ];
  });
}
