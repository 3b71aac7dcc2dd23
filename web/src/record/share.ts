// Taking a record along: to the clipboard, or as a file.
import type {FullRecord} from '../api';
import type {Context} from '../app';
import {h} from '../dom';
import {type Item, dialog, field} from '../ui';

// Formats that are no text: they can be saved, but nobody can paste them.
const binary = /^(xqf|wthor|wtb|renlib|lib|cbl|cbr|ccb|che|mxq|pos)$/i;

// put writes a text that is still to come on the clipboard. Some browsers want the promise itself, made while the
// button is pressed; where there is no clipboard, as on plain HTTP from another machine, the text is shown to be copied
// by hand.
export async function put(ctx: Context, text: Promise<string>): Promise<void> {
  const {t} = ctx;
  try {
    try {
      await navigator.clipboard.write([
        new ClipboardItem({'text/plain': text.then(s => new Blob([s], {type: 'text/plain'}))}),
      ]);
    } catch {
      await navigator.clipboard.writeText(await text);
    }
    ctx.toast(t('ui.copied'), 'success');
  } catch {
    const s = await text.catch((err: unknown) => {
      ctx.fail(err);
      return null;
    });
    if (s === null) return;
    const box = h('textarea.code', {readonly: true, rows: 12, value: s});
    const d = dialog(t, {title: t('record.copyByHand'), body: field(t('record.copyByHandText'), box)});
    box.select();
    await d.done;
  }
}

async function fetched(ctx: Context, url: string): Promise<string> {
  const token = ctx.api.token,
    reply = await fetch(url, {signal: ctx.signal, ...(token && {headers: {Authorization: 'Bearer ' + token}})});
  if (!reply.ok) throw new Error(ctx.t('record.noCopy'));
  return reply.text();
}

// png draws the picture of the server on a canvas, twice as fine as it is shown.
function png(url: string): Promise<Blob> {
  return new Promise((done, fail) => {
    const img = new Image();
    img.onerror = () => fail(new Error(url));
    img.onload = () => {
      const c = document.createElement('canvas'),
        k = 1200 / (img.naturalWidth || 1200);
      c.width = 1200;
      c.height = Math.round((img.naturalHeight || 1200) * k);
      c.getContext('2d')!.drawImage(img, 0, 0, c.width, c.height);
      c.toBlob(b => (b ? done(b) : fail(new Error(url))), 'image/png');
    };
    img.src = url;
  });
}

async function image(ctx: Context, url: string, name: string): Promise<void> {
  const made = png(url);
  try {
    await navigator.clipboard.write([new ClipboardItem({'image/png': made})]);
    ctx.toast(ctx.t('ui.copied'), 'success');
  } catch {
    save(await made.catch(() => null), name);
  }
}

function save(b: Blob | null, name: string): void {
  if (!b) return;
  const a = h('a', {href: URL.createObjectURL(b), download: name});
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

export interface Moment {
  node: number;
  flip: boolean;
  coordinates: boolean;
  simplified: boolean;
  region: string;
  notation: string | undefined;
  of?: string; // the sheet whose nodes are meant, and how much is written on it
  seen?: number;
}

// copies lists what can be had of a record at a moment.
export function copies(ctx: Context, record: FullRecord, now: Moment): Item[] {
  const {api, t} = ctx,
    {id} = record.summary,
    path = `/records/${id}`;
  const at = {...(now.node ? {node: now.node} : {ply: 0}), ...(now.of && {of: now.of, seen: now.seen})};
  const look = {...at, flip: now.flip || '', coordinates: now.coordinates, region: now.region};
  const svg = api.url(path + '/board.svg', {...look, simplified: now.simplified || ''});
  const pages = (phone: true | '') =>
    api.url(path + '/pages.pdf', {lang: document.documentElement.lang, phone, simplified: now.simplified || ''});
  const text = async (file: string, more: object = {}) => fetched(ctx, api.url(path + file, {...at, ...more}));
  const name = `qipu-${id}-${now.node}`;
  const formats = record.formats.filter(f => !binary.test(f));
  return [
    {label: t('record.copy.link'), icon: 'link', run: () => void put(ctx, Promise.resolve(location.href))},
    ...formats.slice(0, 4).map((format): Item => ({
      label: t('record.copy.format', {format: format.toUpperCase()}),
      icon: 'copy',
      run: () => void put(ctx, fetched(ctx, api.url(path + '/file', {format}))),
    })),
    {
      label: t('record.copy.fen'),
      icon: 'copy',
      run: () =>
        void put(
          ctx,
          text('/position').then(s => (JSON.parse(s) as {text: string}).text),
        ),
    },
    {
      label: t('record.copy.moves'),
      icon: 'copy',
      run: () =>
        void put(
          ctx,
          text('/position', {notation: now.notation}).then(s =>
            (JSON.parse(s) as {moves: {text: string}[]}).moves.map(m => m.text).join(' '),
          ),
        ),
    },
    ...(now.of
      ? [
          {
            label: t('study.export'),
            icon: 'download' as const,
            href: api.url(path + '/sheet/file', {of: now.of}),
            download: true,
          },
          {
            label: t('study.exportApart'),
            icon: 'download' as const,
            href: api.url(path + '/sheet/file', {of: now.of, apart: true}),
            download: true,
          },
        ]
      : []),
    {label: t('record.copy.ascii'), icon: 'text', run: () => void put(ctx, text('/board.txt', look))},
    {label: t('record.copy.png'), icon: 'board', run: () => void image(ctx, svg, name + '.png')},
    {label: t('record.copy.svg'), icon: 'board', run: () => void put(ctx, fetched(ctx, svg))},
    {
      label: t('record.save.png'),
      icon: 'download',
      run: () => {
        png(svg).then(
          b => save(b, name + '.png'),
          err => ctx.fail(err),
        );
      },
    },
    {label: t('record.save.svg'), icon: 'download', href: svg, download: true},
    {label: t('record.save.pages'), icon: 'download', href: pages(''), download: true},
    {label: t('record.save.phone'), icon: 'download', href: pages(true), download: true},
    {label: t('record.save.film'), icon: 'download', href: api.url(path + '/moves.gif', {width: 480}), download: true},
    ...record.formats.map((format): Item => ({
      label: t('record.save.format', {format: format.toUpperCase()}),
      icon: 'download',
      href: api.url(path + '/file', {format}),
      download: true,
    })),
    {label: t('record.save.raw'), icon: 'download', href: api.url(path + '/raw'), download: true},
  ];
}
