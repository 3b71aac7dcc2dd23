// Imports: what is being sent, how a job goes on, and the words for it. Uploads outlive the page that began them, so
// that somebody may look around while a large file travels.
// i18n: import.state.*, import.source.*
import type {Job, Library, NewJob} from './api';
import type {Context} from './app';
import type {Client} from './client';
import {type Child, dots, fmt, id} from './dom';
import {type Progress, button, iconButton, progress, sentence, sure} from './ui';

export interface Choice {
  collection: string;
  dryRun: boolean;
  encoding: string;
}

// Sending is an upload on its way.
export interface Sending {
  readonly key: string;
  readonly files: readonly File[];
  readonly bytes: number;
  sent: number;
  cancel(): void;
  readonly done: Promise<Job>; // rejected by a Problem, or by an AbortError where it was cancelled
}

// They belong to the client that sends them, not to a page.
const sendings = new WeakMap<Client, Set<Sending>>();
const changes = new EventTarget();

// sending lists the uploads on their way.
export const sending = (api: Client): Sending[] => [...(sendings.get(api) ?? [])];

// onSending calls run whenever an upload begins, advances or ends.
export const onSending = (run: () => void, signal: AbortSignal): void =>
  changes.addEventListener('change', run, {signal});

// send uploads files as one import.
export function send(api: Client, files: readonly File[], choice: Partial<Choice> = {}): Sending {
  const stop = new AbortController(),
    tell = () => changes.dispatchEvent(new Event('change'));
  const all = sendings.get(api) ?? new Set();
  sendings.set(api, all);
  const fields: Record<string, string> = {};
  if (choice.collection) fields['collection'] = choice.collection;
  if (choice.dryRun) fields['dryRun'] = 'true';
  if (choice.encoding) fields['encoding'] = choice.encoding;
  const warn = (e: BeforeUnloadEvent) => e.preventDefault(); // closing the window would cut it off
  const s: Sending = {
    key: id('sending'),
    files,
    bytes: files.reduce((n, f) => n + f.size, 0),
    sent: 0,
    cancel: () => stop.abort(),
    done: api
      .upload<Job>(
        '/jobs/upload',
        {
          files,
          fields,
          onProgress(n) {
            s.sent = n;
            tell();
          },
        },
        stop.signal,
      )
      .finally(() => {
        all.delete(s);
        removeEventListener('beforeunload', warn);
        tell();
      }),
  };
  all.add(s);
  addEventListener('beforeunload', warn);
  tell();
  return s;
}

// start begins an import of what the server has already, or of a text.
export const start = (ctx: Context, what: NewJob): Promise<Job> => ctx.call('POST /jobs', {body: what});

// goes tells whether a job is still on its way.
export const goes = (j: Job): boolean => j.state === 'uploading' || j.state === 'waiting' || j.state === 'running';

// follow calls changed with every news of a job, and returns how it ended, or undefined if the page was left before.
export async function follow(
  ctx: Context,
  job: Job,
  changed: (j: Job) => void,
  signal = ctx.signal,
): Promise<Job | undefined> {
  let last = job;
  changed(job);
  try {
    if (goes(job))
      await ctx.api.events(
        `/jobs/${job.id}/events`,
        {},
        {
          job: (j: Job) => {
            if (goes(j)) changed((last = j));
          },
        },
        signal,
      );
    // A stream ends with the job, but also with the server; what holds is what the job says of itself.
    while (goes(last)) {
      last = await ctx.call('GET /jobs/{id}', {path: {id: job.id}}, signal);
      changed(last);
      if (goes(last)) await new Promise(done => setTimeout(done, 1000));
    }
  } catch (err) {
    if (signal.aborted) return undefined;
    throw err;
  }
  return signal.aborted ? undefined : last;
}

// jobBar shows how far a job is, while it goes.
export function jobBar(ctx: Context): Progress & {job(j: Job): void} {
  const {t, lang} = ctx,
    f = fmt(lang),
    bar = progress(t('import.progress'));
  return {
    ...bar,
    job(j) {
      const p = j.progress;
      bar.node.hidden = !goes(j);
      if (j.state === 'waiting' || j.state === 'uploading') return bar.set(null, t(`import.state.${j.state}`));
      // What comes from the net comes first, and is read when all of it is there.
      if (p.pieces > 0 && !p.records)
        return bar.set(null, t('import.fetched', {n: p.pieces, size: f.bytes(p.fetched)}));
      const words = [
        t('import.read', {n: p.records}),
        p.rate > 0 && t('import.rate', {n: Math.round(p.rate)}),
        p.eta >= 0 && t('import.left', {time: f.duration(p.eta)}),
      ];
      bar.set(p.total > 0 ? Math.min(1, p.bytes / p.total) : null, words.filter(Boolean).join(' · '));
    },
  };
}

// outcome says in a sentence what became of the records.
export function outcome(ctx: Context, j: Job): string {
  if (j.state === 'held') return ctx.t('import.heldText');
  const {t} = ctx,
    c = j.counts;
  if (j.state === 'failed') return [j.error, j.hint].map(sentence).join(' ');
  const parts = [t('import.sum.new', {n: c.new})];
  if (c.twins) parts.push(t('import.sum.twins', {n: c.twins}));
  if (c.duplicates + c.fuller) parts.push(t('import.sum.known', {n: c.duplicates + c.fuller}));
  if (c.marked) parts.push(t('import.sum.marked', {n: c.marked}));
  if (c.rejected) parts.push(t('import.sum.rejected', {n: c.rejected}));
  if (c.skipped) parts.push(t('import.sum.skipped', {n: c.skipped}));
  return t(j.dryRun ? 'import.sumChecked' : 'import.sum', {list: parts.join(t('board.comma'))});
}

// Games that come with the program: the demo set, and those that the engine has played against itself.
export const comes = ['sample', 'played'] as const;
export type Comes = (typeof comes)[number];

// offered lists which of them are of use: once they were imported they are not, as long as there are games. Imports of
// both look alike but for the names of their files.
export async function offered(ctx: Context, lib: Library): Promise<Comes[]> {
  const sees = await ctx.api.may('list-jobs');
  if (!lib.writable || !(await ctx.api.may('start-job')) || (!sees && lib.records)) return [];
  const all = sees ? (await ctx.call('GET /jobs')).jobs : [];
  const done = all.filter(j => j.source === 'sample' && j.state === 'done' && !j.dryRun);
  const had = (played: boolean) => done.some(j => j.files.some(x => x.name.includes('selfplay')) === played);
  return comes.filter(x => lib[x] > 0 && (lib.records < lib[x] || !had(x === 'played')));
}

// readOnly tells why nothing can be added: another program writes to the library, or nobody can.
export const readOnly = ({t}: Context, lib: Library): string =>
  lib.holder ? t('home.readOnly', {who: lib.holder}) : t('home.readOnlyDisk');

// offerName is what the button says that loads them.
export const offerName = ({t}: Context, lib: Library, what: Comes): string =>
  what === 'sample' ? t('home.demo', {n: lib.sample}) : t('home.played', {n: lib.played});

// loads is the import of them. What has no name is called by its source, which both share.
export const loads = ({t}: Context, what: Comes): NewJob =>
  what === 'sample' ? {sample: true} : {played: true, title: t('import.played')};

// found returns the address of a search among the games of a job.
export const found = (j: Job): string =>
  '/search' +
  (j.collection ? '?q=' + encodeURIComponent(`collection:"${j.collection.replace(/[\\"]/g, '\\$&')}"`) : '');

// jobFacts tells where the records come from and where they go.
export function jobFacts(ctx: Context, j: Job): string {
  const {t, lang} = ctx,
    f = fmt(lang);
  return dots(
    t(`import.source.${j.source}`),
    f.ago(j.created),
    j.progress.total > 0 && f.bytes(j.progress.total),
    j.collection && t('import.into', {name: j.collection}),
    j.dryRun && t('import.dryRun'),
    j.byName && t('import.by', {name: j.byName}),
  );
}

// jobActions are what can be done with a job; news gets the job as it is then.
export function jobActions(ctx: Context, j: Job, news: (j: Job) => void, gone: () => void): Child {
  const {t} = ctx,
    path = {id: j.id};
  const act = (run: () => Promise<unknown>) => run().catch((err: unknown) => ctx.fail(err));
  if (goes(j))
    return button(t('ui.cancel'), () => void act(async () => news(await ctx.call('POST /jobs/{id}/cancel', {path}))), {
      icon: 'close',
      kind: 'quiet',
    });
  return [
    j.state === 'held' &&
      button(t('import.accept'), () => void act(async () => news(await ctx.call('POST /jobs/{id}/accept', {path}))), {
        icon: 'check',
        kind: 'primary',
        props: {'data-needs': 'edit'},
      }),
    j.state !== 'done' &&
      j.state !== 'held' &&
      button(t('import.resume'), () => void act(async () => news(await ctx.call('POST /jobs/{id}/resume', {path}))), {
        icon: 'play',
        kind: 'primary',
      }),
    iconButton(
      t('import.remove'),
      'remove',
      () =>
        void act(async () => {
          if (!(await sure(t, t('import.remove'), t('import.removeSure'), t('import.remove')))) return;
          await ctx.call('DELETE /jobs/{id}', {path});
          gone();
        }),
    ),
  ];
}
