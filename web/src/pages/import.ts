// Imports: what goes on, what was done, and how to begin one. With ?job=ID one import and everything that was wrong in
// it.
import '../common';
import type {Job, Library} from '../api';
import type {Context, Opener} from '../app';
import {aborted} from '../client';
import {fill, fmt, h, id, keyed} from '../dom';
import {detail} from '../jobdetail';
import {
  type Choice,
  type Comes,
  type Sending,
  follow,
  goes,
  jobActions,
  jobBar,
  jobFacts,
  loads,
  offerName,
  offered,
  onSending,
  outcome,
  readOnly,
  send,
  sending,
  start,
} from '../jobs';
import {paste} from '../paste';
import {type Progress, button, dropZone, empty, field, progress, skeleton, tabs, toggle, trouble} from '../ui';

const encodings = ['utf-8', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr', 'windows-1252'];

export const open: Opener = (ctx, url) => {
  const {t} = ctx;
  const choice: Choice = {collection: '', dryRun: false, encoding: ''};
  const desk = h('div.stack'),
    on = h('div.stack'),
    list = h('div.stack', skeleton(5)),
    one = h('div.stack');
  const node = h('div.page.wide.imports', h('div.head', h('h1', t('import.title'))), one, desk, on, list);
  let shown: string | undefined,
    stop: AbortController | undefined,
    updateOne: ((to: URL) => void) | undefined,
    toText = () => {
      /* once the card is there */
    };

  const sent = (s: Sending) =>
    s.done.then(
      job => {
        if (!url.searchParams.has('job')) ctx.go(`/import?job=${job.id}`);
      },
      (err: unknown) => (aborted(err) ? ctx.toast(t('import.stopped')) : ctx.fail(err)),
    );
  const upload = (files: readonly File[]) => {
    if (url.searchParams.has('job')) ctx.go('/import');
    void sent(send(ctx.api, files, choice));
  };
  const begin = async (what: Parameters<typeof start>[1]) => {
    const job = await start(ctx, {
      ...what,
      ...(choice.collection && {collection: choice.collection}),
      ...(choice.encoding && {encoding: choice.encoding}),
      ...(choice.dryRun && {dryRun: true}),
    });
    ctx.go(`/import?job=${job.id}`);
  };
  const fetched = async (source: string) => {
    const job = await ctx.call('POST /jobs/fetch', {
      body: {source, ...(choice.collection && {collection: choice.collection})},
    });
    ctx.go(`/import?job=${job.id}`);
  };
  const pasted = paste(ctx, text => begin({text}));

  // The uploads of other pages are shown, too.
  const bars = new Map<Sending, Progress>(),
    f = fmt(ctx.lang);
  const flow = () => {
    const now = sending(ctx.api);
    keyed(
      on,
      now,
      s => s.key,
      s => {
        const bar = progress(t('import.sending'));
        bars.set(s, bar);
        return h(
          'section.card.job',
          h(
            'div.row.between',
            h('strong', t('import.sendingFiles', {n: s.files.length})),
            button(t('ui.cancel'), s.cancel, {icon: 'close', kind: 'quiet'}),
          ),
          bar.node,
        );
      },
    );
    for (const s of now) {
      const sent = Math.min(s.sent, s.bytes),
        share = s.bytes ? sent / s.bytes : 0;
      bars.get(s)!.set(share, `${f.rate(share)} · ${f.bytes(sent)} / ${f.bytes(s.bytes)}`);
    }
  };
  onSending(flow, ctx.signal);
  for (const s of sending(ctx.api)) void sent(s);
  flow();

  const library = ctx.call('GET /library');
  const show = (to: URL) => {
    url = to;
    const job = to.searchParams.get('job') ?? '';
    desk.hidden = on.hidden = list.hidden = job !== '';
    one.hidden = job === '';
    if (job === shown) return updateOne?.(to);
    shown = job;
    stop?.abort();
    stop = new AbortController();
    const signal = AbortSignal.any([ctx.signal, stop.signal]);
    updateOne = undefined;
    if (job) {
      const d = detail(ctx, +job, to, signal);
      updateOne = d.update;
      fill(one, d.node);
    } else {
      fill(one);
      void showJobs(ctx, list, signal, library);
    }
  };
  void library
    .then(async lib => {
      if (!lib.writable) return void fill(desk, h('p.card', {role: 'note'}, readOnly(ctx, lib)));
      const fetch = (await ctx.api.may('fetch-records')) ? fetched : undefined;
      const card = starting(ctx, lib, await offered(ctx, lib), choice, {upload, begin, fetch, pasted: pasted.node});
      toText = card.text;
      fill(desk, card.node);
    })
    .catch((err: unknown) => fill(desk, trouble(t, err)));
  show(url);
  return {
    title: t('import.title'),
    node,
    update: show,
    drop(files, text) {
      if (files.length) upload(files);
      else if (text) {
        if (url.searchParams.has('job')) ctx.go('/import');
        toText();
        pasted.set(text);
      }
      return true;
    },
  };
};

interface Ways {
  fetch: ((source: string) => Promise<void>) | undefined; // for who may
  upload(files: readonly File[]): void;
  begin(what: Parameters<typeof start>[1]): Promise<void>;
  pasted: HTMLElement;
}

// starting is the card that begins imports.
function starting(
  ctx: Context,
  lib: Library,
  sets: readonly Comes[],
  choice: Choice,
  ways: Ways,
): {node: HTMLElement; text(): void} {
  const {t, lang} = ctx;
  const folder = h('input.hidden', {
    type: 'file',
    webkitdirectory: true,
    multiple: true,
    tabindex: -1,
    'aria-hidden': 'true',
    onchange: () => {
      if (folder.files?.length) ways.upload([...folder.files]);
      folder.value = '';
    },
  });
  const path = h('input.code', {spellcheck: 'false', autocomplete: 'off', placeholder: 'games/2024', required: true});
  const run = (what: Parameters<typeof start>[1]) => ways.begin(what).catch((err: unknown) => ctx.fail(err));
  const formats = lib.formats.map(f => f.title || f.name).join(', ');
  const list = [
    {
      id: 'files',
      label: t('import.files'),
      panel: h(
        'div.stack',
        dropZone(t('home.drop'), t('import.dropHint', {size: fmt(lang).bytes(lib.maxUpload)}), ways.upload),
        h(
          'div.row',
          folder,
          button(t('import.folder'), () => folder.click(), {icon: 'folder'}),
        ),
        formats && h('p.muted.small', t('import.formats', {list: formats})),
      ),
    },
    {id: 'text', label: t('import.text'), panel: h('div.stack', ways.pasted)},
  ];
  if (lib.importRoot) {
    list.push({
      id: 'path',
      label: t('import.path'),
      panel: h(
        'div',
        h(
          'form.stack',
          {
            onsubmit: (e: Event) => {
              e.preventDefault();
              void run({
                paths: path.value
                  .split(/[\n]/)
                  .map(s => s.trim())
                  .filter(Boolean),
              });
            },
          },
          field(t('import.pathLabel'), path, t('import.pathHint')),
          h('div.row', h('button.btn.primary', {type: 'submit'}, t('import.start'))),
        ),
      ),
    });
  }
  if (ways.fetch) {
    const fetch = ways.fetch;
    const from = h('input', {spellcheck: 'false', autocomplete: 'off', placeholder: 'lichess:NAME', required: true});
    list.push({
      id: 'net',
      label: t('import.net'),
      panel: h(
        'div',
        h(
          'form.stack',
          {
            onsubmit: (e: Event) => {
              e.preventDefault();
              fetch(from.value.trim()).catch((err: unknown) => ctx.fail(err));
            },
          },
          field(t('import.netLabel'), from, t('import.netHint')),
          h('p.muted.small', t('import.netText')),
          h('div.row', h('button.btn.primary', {type: 'submit'}, t('import.fetch'))),
        ),
      ),
    });
  }
  if (sets.length) {
    list.push({
      id: 'sample',
      label: t('import.sample'),
      panel: h(
        'div.stack',
        sets.map((x, i) => [
          h('p', t(x === 'sample' ? 'import.sampleText' : 'import.playedText')),
          h(
            'div.row',
            button(offerName(ctx, lib, x), () => void run(loads(ctx, x)), {
              icon: 'import',
              ...(!i && {kind: 'primary'}),
            }),
          ),
        ]),
      ),
    });
  }
  const known = h('datalist', {id: id('list')});
  const input = (set: (v: string) => void, more = {}) =>
    h('input', {autocomplete: 'off', oninput: (e: Event) => set((e.target as HTMLInputElement).value.trim()), ...more});
  ctx
    .call('GET /collections')
    .then(r =>
      fill(
        known,
        r.items.map(c => h('option', {value: c.name})),
      ),
    )
    .catch(() => {
      /* a name can be typed */
    });
  const sheet = tabs(t('import.title'), list, 'files');
  return {
    text: () => sheet.select('text'),
    node: h(
      'section.card',
      sheet.node,
      h(
        'details.choices',
        h('summary', t('import.options')),
        h(
          'div.grid',
          field(
            t('import.collection'),
            input(
              v => {
                choice.collection = v;
              },
              {list: known.id, maxlength: 200},
            ),
            t('import.collectionHint'),
          ),
          field(
            t('import.encoding'),
            h(
              'select',
              {
                onchange: (e: Event) => {
                  choice.encoding = (e.target as HTMLSelectElement).value;
                },
              },
              h('option', {value: ''}, t('import.encodingAuto')),
              encodings.map(value => h('option', {value}, value)),
            ),
            t('import.encodingHint'),
          ),
          h(
            'div',
            toggle(t('import.dryRun'), false, v => {
              choice.dryRun = v;
            }),
            h('small.muted', t('import.dryRunHint')),
          ),
        ),
        known,
      ),
    ),
  };
}

async function showJobs(
  ctx: Context,
  into: HTMLElement,
  signal: AbortSignal,
  library: Promise<Library>,
): Promise<void> {
  const {t} = ctx;
  try {
    const {writable} = await library;
    const {jobs} = (await ctx.api.may('list-jobs')) ? await ctx.call('GET /jobs', undefined, signal) : {jobs: []};
    if (signal.aborted) return;
    const again = () => {
      if (!signal.aborted) void showJobs(ctx, into, signal, library);
    };
    // Browsers have six lines to a server, and every job that is followed takes one. The oldest run first; when they
    // end, the list is asked for anew and the next ones are followed.
    const going = jobs.filter(goes),
      live = going.slice(-2);
    const ended = () => {
      if (going.length > live.length) again();
    };
    fill(
      into,
      jobs.length
        ? [
            h('h2', t('import.jobs')),
            jobs.map(j => jobCard(ctx, j, signal, again, live.includes(j) || !goes(j) ? ended : undefined)),
          ]
        : empty('import', t('import.none'), writable ? t('import.noneText') : undefined),
    );
  } catch (err) {
    if (!signal.aborted)
      fill(
        into,
        trouble(t, err, () => void showJobs(ctx, into, signal, library)),
      );
  }
}

// jobCard shows a job and follows it where ended is given, which is called at its end.
function jobCard(ctx: Context, job: Job, signal: AbortSignal, again: () => void, ended?: () => void): HTMLElement {
  const {t, lang} = ctx,
    bar = jobBar(ctx),
    words = h('p.muted'),
    acts = h('span.row'),
    state = h('span.tag'),
    badge = h('span.badge');
  let before = ''; // buttons stay while the state does: a click that a new one comes between would be lost
  const show = (j: Job) => {
    bar.job(j);
    words.textContent = goes(j) ? '' : outcome(ctx, j);
    words.hidden = goes(j);
    state.textContent = t(`import.state.${j.state}`);
    state.dataset['state'] = j.state;
    badge.textContent = fmt(lang).number(j.faults);
    badge.hidden = j.faults === 0;
    if (j.state !== before) fill(acts, jobActions(ctx, j, run, again));
    before = j.state;
  };
  const run = (j: Job) =>
    void follow(ctx, j, show, signal).then(
      end => {
        if (!end || !goes(j)) return;
        ctx.announce(`${end.title}: ${outcome(ctx, end)}`);
        ended?.();
      },
      err => ctx.fail(err),
    );
  if (ended) run(job);
  else show(job);
  return h(
    'section.card.job',
    {'aria-label': job.title},
    h(
      'div.row.between',
      h('a.job-title.cut', {href: `/import?job=${job.id}`}, job.title || t(`import.source.${job.source}`)),
      state,
    ),
    h('small.muted', jobFacts(ctx, job)),
    bar.node,
    h(
      'div.job-foot',
      words,
      h('div.row.end', h('a.btn.quiet', {href: `/import?job=${job.id}`}, t('import.details'), badge), acts),
    ),
  );
}
