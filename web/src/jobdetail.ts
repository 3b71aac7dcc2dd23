// One import: how far it is, what became of the records, and every record that was refused or marked.
import type {Fault, Game, Job, JobCounts} from './api';
import type {Context} from './app';
import {type Child, fill, fmt, h} from './dom';
import {gameName} from './i18n';
import {follow, found, goes, jobActions, jobBar, jobFacts, outcome} from './jobs';
import {withQuery} from './router';
import {undo} from './undo';
import {button, column, dataTable, empty, endless, linkButton, segmented, skeleton, trouble} from './ui';
// i18n: import.count.*, import.severity.*, import.col.*, import.kind.*

const severities = ['', 'rejected', 'marked', 'note'] as const;
type Severity = (typeof severities)[number];
const counted = [
  'new',
  'duplicates',
  'fuller',
  'twins',
  'marked',
  'rejected',
  'skipped',
] as const satisfies (keyof JobCounts)[];
const by = ['byFormat', 'byGame', 'byEncoding', 'byFault'] as const satisfies (keyof JobCounts)[];
const shown = ['file', 'record', 'move', 'offset', 'severity', 'kind', 'reason'] as const satisfies (keyof Fault)[];
const pageSize = 200;

export interface Detail {
  node: HTMLElement;
  update(url: URL): void;
}

export function detail(ctx: Context, job: number, url: URL, signal: AbortSignal): Detail {
  const {t, lang} = ctx,
    f = fmt(lang);
  const severityOf = (u: URL): Severity => severities.find(s => s === u.searchParams.get('severity')) ?? '';
  let severity = severityOf(url),
    last: Job | undefined,
    told = -1;
  const top = h('section.card', {'aria-live': 'off'}, skeleton(5)),
    counts = h('div.grid.counts');
  const rows = h('tbody'),
    total = h('span.muted', {role: 'status'});
  const fetchFaults = (cursor: string | undefined, sig: AbortSignal, limit = pageSize) =>
    ctx.call(
      'GET /jobs/{id}/faults',
      {path: {id: job}, query: {limit, ...(cursor && {cursor}), ...(severity && {severity})}},
      sig,
    );
  const list = endless<Fault>(t, signal, {
    wrap: rows,
    async load(cursor, sig) {
      const r = await fetchFaults(cursor, sig);
      told = r.total;
      if (!severity) total.textContent = t('import.faults', {n: r.total}); // which is that of all
      return {items: r.faults, next: r.next};
    },
    render: x => faultRow(ctx, x),
    below(n, more) {
      if (severity) total.textContent = more ? '' : t('import.faults', {n});
      return !n && !more && empty('check', t(last && goes(last) ? 'import.noFaultsYet' : 'import.noFaults'));
    },
  });
  const head = shown.map(c => column(t(`import.col.${c}`), /record|move|offset/.test(c) ? 'num' : ''));
  const seg = segmented(
    t('import.severity'),
    severities.map(value => ({value, label: t(`import.severity.${value || 'all'}`)})),
    severity,
    v => ctx.go(withQuery(url, {severity: v}), 'replace'),
  );
  const csv = button(t('import.csv'), () => void download().catch((err: unknown) => ctx.fail(err)), {icon: 'download'});
  const faults = h(
    'section.card.flush.faults',
    h(
      'div.row.between.faults-head',
      h('div.row', h('h2', t('import.faultsTitle')), total),
      h('div.row', seg.node, csv),
    ),
    h('div.scroll-x', dataTable(t('import.faultsTitle'), head, rows)),
    list.end,
  );

  const show = (j: Job) => {
    const before = last,
      same = before?.state === j.state;
    last = j;
    bar.job(j);
    fill(title, j.title || t(`import.source.${j.source}`));
    state.textContent = t(`import.state.${j.state}`);
    state.dataset['state'] = j.state;
    words.textContent = goes(j) ? '' : outcome(ctx, j);
    if (!same)
      fill(
        acts,
        !goes(j) &&
          !j.dryRun &&
          j.counts.records > 0 &&
          linkButton(t('home.searchThem'), found(j), 'search', 'primary'),
        !goes(j) &&
          !!j.change &&
          button(t('log.undoImport'), () => void undo(ctx, j.change!, () => undefined), {
            icon: 'undo',
            props: {'data-needs': 'edit'},
          }),
        jobActions(ctx, j, go, () => ctx.go('/import', 'replace')),
      );
    fill(facts, jobFacts(ctx, j));
    if (!before) fill(top, h('div.row.between', title, state), facts, bar.node, words, acts, fileList(ctx, j));
    fill(counts, tables(j.counts));
    // The list was asked for while there were fewer, or none.
    if (
      (told === 0 && j.faults > 0 && !severity) ||
      (before && goes(before) && !goes(j) && (told <= 0 || told !== j.faults))
    ) {
      told = -1;
      list.reset();
    }
  };
  const title = h('h2.job-title'),
    state = h('span.tag'),
    facts = h('small.muted'),
    words = h('p.job-words'),
    acts = h('div.row'),
    bar = jobBar(ctx);
  const go = (j: Job) =>
    void follow(ctx, j, show, signal).then(
      ended => {
        if (ended && goes(j)) ctx.announce(outcome(ctx, ended));
      },
      err => ctx.fail(err),
    );

  const names = ctx.games().catch(() => []);
  let games: readonly Game[] = [];
  void names.then(gs => {
    games = gs;
    if (last) show(last);
  });
  const tables = (c: JobCounts): Child => [
    table(
      t('import.became'),
      counted.filter(k => c[k] > 0 || k === 'new').map(k => [t(`import.count.${k}`), c[k]]),
    ),
    by.map(k => {
      const rows = Object.entries(c[k]).sort((a, b) => b[1] - a[1]);
      return (
        rows.length > 0 &&
        table(
          t(`import.count.${k}`),
          rows.map(([name, n]) => [
            k === 'byGame' ? gameName(games, name, lang) : k === 'byFault' ? kindText(ctx, name) : name,
            n,
          ]),
        )
      );
    }),
  ];
  const table = (caption: string, rows: readonly (readonly [string, number])[]) =>
    h(
      'section.card',
      h(
        'table.data',
        h('caption', caption),
        h(
          'tbody',
          rows.map(([name, n]) => h('tr', h('td', name), h('td.num', f.number(n)))),
        ),
      ),
    );

  // Every fault is asked for, page by page, whatever the table shows.
  const download = async () => {
    csv.disabled = true;
    try {
      const columns = ['number', ...shown] as const,
        lines = [columns.join()];
      let cursor: string | undefined;
      do {
        const r = await fetchFaults(cursor, signal, 1000);
        for (const x of r.faults) lines.push(columns.map(c => cell(x[c])).join());
        cursor = r.next || undefined;
      } while (cursor);
      // the mark has spreadsheets read it as Unicode
      const href = URL.createObjectURL(new Blob(['\ufeff', lines.join('\r\n'), '\r\n'], {type: 'text/csv'}));
      h('a', {href, download: `import-${job}.csv`}).click();
      setTimeout(() => URL.revokeObjectURL(href), 60000);
    } finally {
      csv.disabled = false;
    }
  };

  ctx.call('GET /jobs/{id}', {path: {id: job}}, signal).then(go, err => {
    if (!signal.aborted) fill(node, back, trouble(t, err));
  });
  const back = h('a', {href: '/import'}, '← ', t('import.all'));
  const node = h('div.stack', back, top, counts, faults);
  return {
    node,
    update(to) {
      url = to;
      const s = severityOf(to);
      if (s === severity) return;
      severity = s;
      seg.set(s);
      list.reset();
    },
  };
}

// A cell of CSV. Texts that a spreadsheet would take for a formula are quoted by an apostrophe.
function cell(v: string | number): string {
  if (typeof v === 'number') return String(v);
  const text = /^[=+\-@\t\r]/.test(v) ? "'" + v : v;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function faultRow(ctx: Context, x: Fault): HTMLElement {
  const {t, lang} = ctx,
    f = fmt(lang),
    n = (v: number) => h('td.num', v > 0 ? f.number(v) : '');
  return h(
    'tr',
    h('td.code', x.file),
    n(x.record),
    n(x.move),
    n(x.offset),
    h('td', h('span.tag', {'data-severity': x.severity}, t(`import.severity.${x.severity}`))),
    h('td', kindText(ctx, x.kind)),
    h('td', x.reason),
  );
}

// kindText returns the word for a kind of fault; the server may know kinds that have none.
function kindText(ctx: Context, kind: string): string {
  const key = `import.kind.${kind}` as 'import.kind.syntax',
    text = ctx.t(key);
  return text === key ? kind : text;
}

// The server names a bounded number of files.
function fileList(ctx: Context, j: Job): HTMLElement | false {
  const {t, lang} = ctx,
    f = fmt(lang);
  return (
    j.files.length > 0 &&
    h(
      'details',
      h('summary', t('import.files')),
      h(
        'ul.files',
        j.files.map(x => h('li', h('span.code', x.name), ' ', h('small.muted', f.bytes(x.size)))),
        j.fileCount > j.files.length && h('li.muted', t('import.filesMore', {n: j.fileCount - j.files.length})),
      ),
    )
  );
}
