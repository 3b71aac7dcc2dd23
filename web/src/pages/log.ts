// What was changed in the library, by whom and when, with the way back from each; and what is in the trash.
import '../common';
import type {Change, TrashedRecord} from '../api';
import type {Context, Opener} from '../app';
import {type Child, dots, fmt, h} from '../dom';
import {gameName} from '../i18n';
import {nameOf} from '../records/headers';
import {withQuery} from '../router';
import {undo} from '../undo';
import {button, empty, endless, select, sure, tabs} from '../ui';
// i18n: log.op.*

const ops = [
  'import',
  'add',
  'delete',
  'restore',
  'edit',
  'results',
  'tag',
  'untag',
  'rename-tag',
  'drop-tag',
  'collect',
  'uncollect',
  'create-collection',
  'rename-collection',
  'drop-collection',
  'save-query',
  'rename-query',
  'drop-query',
  'names',
  'undo-names',
  'sources',
  'several',
  'undo',
] as const;
type Kind = (typeof ops)[number];

const opName = ({t}: Context, op: string): string => (ops.includes(op as Kind) ? t(`log.op.${op as Kind}`) : op);

export const open: Opener = (ctx, url) => {
  const {t} = ctx;
  const read = (u: URL) => ({
    op: u.searchParams.get('op') ?? '',
    tab: u.searchParams.get('tab') === 'trash' ? 'trash' : 'changes',
  });
  let now = read(url);
  const to = (change: Record<string, string | null>) => ctx.go(withQuery(new URL(location.href), change), 'replace');
  const again = () => {
    changes.reset();
    trash.reset();
  };
  const changes = endless<Change>(t, ctx.signal, {
    async load(cursor, signal) {
      const r = await ctx.call(
        'GET /journal',
        {query: {limit: 50, ...(now.op && {op: now.op}), ...(cursor && {before: +cursor})}},
        signal,
      );
      return {items: r.changes, next: r.next ? String(r.next) : undefined};
    },
    render: c => changeRow(ctx, c, again),
    below: (n, more) => !n && !more && empty('clock', t('log.none'), t('log.noneText')),
  });
  const names = ctx.games().catch(() => []);
  const trash = endless<TrashedRecord>(t, ctx.signal, {
    async load(cursor, signal) {
      const [r, games] = await Promise.all([
        ctx.call('GET /trash', {query: {limit: 50, ...(cursor && {before: +cursor})}}, signal),
        names,
      ]);
      const items = r.records.map(x => ({...x, game: gameName(games, x.game, ctx.lang)}));
      return {items, next: r.next ? String(r.next) : undefined};
    },
    render: x => trashRow(ctx, x, again),
    below: (n, more) => !n && !more && empty('remove', t('log.trashNone'), t('log.trashText')),
  });
  const kind = select(
    t('log.kind'),
    [{value: '', label: t('log.all')}, ...ops.map(value => ({value: value as string, label: opName(ctx, value)}))],
    now.op,
    op => to({op}),
  );
  const wipe = button(
    t('log.empty'),
    () =>
      void sure(t, t('log.empty'), t('log.emptySure'), t('log.empty'))
        .then(async yes => {
          if (!yes) return;
          const done = await ctx.call('DELETE /trash');
          ctx.toast(t('records.deleted', {n: done.records}), 'success');
          again();
        })
        .catch((err: unknown) => ctx.fail(err)),
    {icon: 'remove', kind: 'danger', props: {hidden: true}},
  );
  ctx.api.may('empty-trash').then(
    may => {
      wipe.hidden = !may;
    },
    () => undefined,
  );
  const sheet = tabs(
    t('log.title'),
    [
      {
        id: 'changes',
        label: t('log.title'),
        panel: h('div.stack', h('div.row', kind), h('section.card.flush.log', changes.node)),
      },
      {
        id: 'trash',
        label: t('log.trash'),
        panel: h(
          'div.stack',
          h('div.row.between', h('p.muted', t('log.trashText')), wipe),
          h('section.card.flush.log', trash.node),
        ),
      },
    ],
    now.tab,
    tab => to({tab: tab === 'trash' ? tab : null}),
  );
  again();
  return {
    title: t('log.title'),
    node: h(
      'div.page',
      h(
        'div.head',
        h('h1', t('log.title')),
        h('a.btn.quiet', {href: '/cleanup', 'data-needs': 'edit'}, t('cleanup.title')),
      ),
      sheet.node,
    ),
    update(next) {
      const before = now;
      now = read(next);
      sheet.select(now.tab);
      kind.value = now.op;
      if (before.op !== now.op) changes.reset();
    },
  };
};

// about tells what a change was about: names, files, headers.
function about(ctx: Context, c: Change): string {
  const {name, into, from, fields, value, names, edit} = c.args as Record<string, unknown>;
  if (edit === 'dismiss') return ctx.t('cleanup.gone', {n: c.count});
  const texts = (v: unknown, word: (x: unknown) => string = String) => {
    const list = Array.isArray(v) ? v.map(x => word(x)) : [];
    return list.slice(0, 3).join(ctx.t('board.comma')) + (list.length > 3 ? ' …' : '');
  };
  const what = [name, texts(names), texts(from), texts(fields, x => nameOf(ctx, undefined, String(x)))];
  const become = typeof into === 'string' && into ? into : typeof value === 'string' ? value || '–' : '';
  return what.filter(Boolean).join(' ') + (become && ` → ${become}`);
}

function changeRow(ctx: Context, c: Change, again: () => void): HTMLElement {
  const {t, lang} = ctx,
    f = fmt(lang);
  const name =
    c.op === 'undo' ? t(c.again ? 'log.again' : 'log.undone', {what: opName(ctx, c.of ?? '')}) : opName(ctx, c.op);
  const count: Child =
    c.count > 0 &&
    (c.query
      ? h('a', {href: '/records?' + new URLSearchParams({q: c.query})}, t('records.count', {n: c.count}))
      : c.op === 'delete' || c.of === 'delete'
        ? t('records.count', {n: c.count})
        : null);
  const redo = c.op === 'undo' && !c.again;
  return h(
    'div',
    {class: 'list-row' + (c.undoneBy ? ' undone' : '')},
    h(
      'span.grow',
      h('span', h('b', name), ' ', h('span.wrap', about(ctx, c))),
      h('br'),
      h(
        'small.muted',
        dots(
          `${c.id}`,
          f.time(c.at),
          c.who && (c.byName || t('log.gone')),
          c.undoes && t('log.of', {id: String(c.undoes)}),
        ),
        count && [' · ', count],
        c.undoneBy && ` · ${t('log.by', {id: String(c.undoneBy)})}`,
      ),
      (c.left ?? []).map(x => h('small.muted.left', x)),
    ),
    !c.undoneBy &&
      button(t(redo ? 'log.redo' : 'players.undo'), () => void undo(ctx, c.id, again), {
        icon: redo ? 'redo' : 'undo',
        kind: 'quiet',
        props: {'data-needs': 'edit'},
      }),
  );
}

function trashRow(ctx: Context, x: TrashedRecord, again: () => void): HTMLElement {
  const {t, lang} = ctx,
    f = fmt(lang);
  const who = [x.first, x.second].map(n => n || t('records.unknownPlayer')).join(' – ');
  return h(
    'div.list-row',
    h(
      'span.grow',
      h('b', who),
      h('br'),
      h('small.muted', dots(x.game, x.date && f.date(x.date), x.event)),
      h('br'),
      h(
        'small.muted',
        dots(t('log.deleted', {time: f.time(x.at)}), t('log.until', {date: f.date(x.until.slice(0, 10))})),
      ),
    ),
    button(
      t('log.restore'),
      () =>
        void ctx.call('POST /trash/restore', {body: {ids: [x.id]}}).then(
          () => {
            ctx.toast(t('log.restored'), 'success', {label: t('log.look'), run: () => ctx.go(`/records/${x.id}`)});
            again();
          },
          (err: unknown) => ctx.fail(err),
        ),
      {icon: 'undo', kind: 'quiet', props: {'data-needs': 'edit'}},
    ),
  );
}
