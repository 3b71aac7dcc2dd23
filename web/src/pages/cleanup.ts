// Headers that may be put right: proposals by kind, each with what speaks for it and some records, accepted or
// dismissed one by one or all of a kind.
import '../common';
import type {Proposal, ProposalChoice, ProposalSample, ProposalsDone} from '../api';
import type {Context, Opener} from '../app';
import {type Child, dots, fill, fmt, h} from '../dom';
import {nameOf} from '../records/headers';
import {withQuery} from '../router';
import {button, empty, endless, segmented, select, sure} from '../ui';
import {changed} from '../undo';
// i18n: cleanup.kind.*, cleanup.reason.*, cleanup.text.*

const kinds = ['date', 'colours', 'result', 'text', 'name', 'team', 'event'] as const;
type Kind = (typeof kinds)[number];

export const open: Opener = (ctx, url) => {
  const {t, lang} = ctx,
    f = fmt(lang);
  const read = (u: URL) => ({
    kind: kinds.find(k => k === u.searchParams.get('kind')) ?? ('' as const),
    dismissed: u.searchParams.has('dismissed'),
  });
  let now = read(url);
  let total = 0;
  const to = (change: Record<string, string | null>) => ctx.go(withQuery(new URL(location.href), change), 'replace');
  const which = h('div.row'),
    all = h('div.row.between.cleanup-all');
  const list = endless<Proposal>(t, ctx.signal, {
    async load(cursor, signal) {
      const r = await ctx.call(
        'GET /cleanup',
        {query: {limit: 50, kind: now.kind, dismissed: now.dismissed, ...(cursor && {cursor})}},
        signal,
      );
      if (!cursor) head(r.kinds, r.total);
      return {items: r.proposals, next: r.next};
    },
    render: p => row(p),
    below: (n, more) =>
      !n &&
      !more &&
      (now.dismissed
        ? empty('check', t('cleanup.noneDismissed'))
        : empty('check', t('cleanup.none'), t('cleanup.noneText'))),
  });
  const again = () => list.reset();

  const head = (there: readonly {kind: string; proposals: number}[], n: number) => {
    total = n;
    fill(
      which,
      select(
        t('cleanup.kind'),
        [
          {value: '', label: `${t('cleanup.all')} · ${f.number(there.reduce((sum, k) => sum + k.proposals, 0))}`},
          ...kinds
            .filter(k => k === now.kind || there.some(x => x.kind === k))
            .map(k => ({
              value: k as string,
              label: `${t(`cleanup.kind.${k}`)} · ${f.number(there.find(x => x.kind === k)?.proposals ?? 0)}`,
            })),
        ],
        now.kind,
        kind => to({kind: kind || null}),
      ),
      segmented(
        t('cleanup.which'),
        [
          {value: 'open', label: t('cleanup.open')},
          {value: 'dismissed', label: t('cleanup.dismissed')},
        ],
        now.dismissed ? 'dismissed' : 'open',
        v => to({dismissed: v === 'dismissed' ? '1' : null}),
      ).node,
    );
    const kind = now.kind;
    fill(
      all,
      h('p.muted', kind ? t(`cleanup.text.${kind}`) : t('cleanup.choose')),
      kind !== '' &&
        !now.dismissed &&
        n > 0 &&
        h(
          'span.row',
          {'data-needs': 'edit'},
          button(t('cleanup.acceptAll', {n}), () => void bulk('accept', kind), {icon: 'check', kind: 'primary'}),
          button(t('cleanup.dismissAll'), () => void bulk('dismiss', kind), {kind: 'quiet'}),
        ),
    );
  };

  const run = async (what: 'accept' | 'dismiss', body: ProposalChoice): Promise<ProposalsDone | undefined> => {
    try {
      const done = await (what === 'accept'
        ? ctx.api.call('POST /cleanup/accept', {body})
        : ctx.api.call('POST /cleanup/dismiss', {body}));
      const text = what === 'accept' ? t('headers.done', {n: done.changed}) : t('cleanup.gone', {n: done.proposals});
      changed(ctx, text, done.change, again);
      return done;
    } catch (err) {
      ctx.fail(err);
      return undefined;
    }
  };
  const bulk = async (what: 'accept' | 'dismiss', kind: Kind) => {
    const label = what === 'accept' ? t('cleanup.acceptAll', {n: total}) : t('cleanup.dismissAll');
    if (!(await sure(t, label, t('cleanup.sure', {n: total}), label))) return;
    if (await run(what, {kind, expect: total})) again();
  };

  const row = (p: Proposal): HTMLElement => {
    const node = h(
      'div.list-row.proposal',
      h(
        'span.grow',
        h('span.wrap', said(t, p.before, p.spelt), h('span.muted', ' → '), h('b', p.after || t('cleanup.unknown'))),
        h(
          'small.muted',
          dots(t(`cleanup.kind.${p.kind}`), t(`cleanup.reason.${p.reason}`), t('records.count', {n: p.records})),
        ),
        p.samples.map(s => sample(ctx, s)),
      ),
      !now.dismissed &&
        h(
          'span.acts',
          {'data-needs': 'edit'},
          button(t('cleanup.accept'), () => void one('accept'), {icon: 'check'}),
          button(t('cleanup.dismiss'), () => void one('dismiss'), {kind: 'quiet'}),
        ),
    );
    const one = async (what: 'accept' | 'dismiss') => {
      if (await run(what, {ids: [p.id]})) {
        node.remove();
        ctx.announce(t('cleanup.left', {n: --total}));
      }
    };
    return node;
  };
  again();
  return {
    title: t('cleanup.title'),
    node: h(
      'div.page',
      h(
        'div.head',
        h('h1', t('cleanup.title')),
        h('a.btn.quiet', {href: '/events'}, t('events.title')),
        h('a.btn.quiet', {href: '/log'}, t('log.title')),
      ),
      h('p.muted', t('cleanup.intro')),
      which,
      all,
      h('section.card.flush.log', list.node),
    ),
    update(next) {
      now = read(next);
      again();
    },
  };
};

// said is what records say now: nothing is said as such, and that others of them say it otherwise.
const said = (t: Context['t'], before: string, spelt: number): Child => [
  before.replace(/[ –]/g, '') ? h('del', before) : h('span.muted', t('cleanup.unknown')),
  spelt > 1 && h('small.muted', ' ', t('cleanup.spelt', {n: spelt - 1})),
];

// sample is a record with what a proposal changes in it.
const sample = (ctx: Context, s: ProposalSample): HTMLElement =>
  h(
    'small.muted.left',
    h('a', {href: `/records/${s.id}`}, `#${s.id}`),
    ' ',
    s.changes.map((c, i) => [
      i > 0 && ctx.t('board.comma'),
      `${nameOf(ctx, undefined, c.field)}: ${c.before || '–'} → ${c.after || '–'}`,
    ]),
  );
