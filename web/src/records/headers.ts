// Headers of records corrected: those of one, with what the record says itself beside each, or one header of many.
// i18n: headers.rank*, headers.rating*, headers.team*
import '../common';
import type {Game, RecordEdit, RecordHeader} from '../api';
import type {Context} from '../app';
import {type Child, fill, h} from '../dom';
import {titled} from '../i18n';
import {button, dialog, field, segmented, select} from '../ui';
import {changed} from '../undo';

const verdicts = ['', 'first', 'second', 'draw', 'void', 'unfinished'] as const;
const main = ['first', 'second', 'result', 'date', 'event', 'round', 'place', 'komi', 'handicap', 'ruleset'];
const more = 'first-rank second-rank first-rating second-rating first-team second-team opening code source author time';
const texts = {
  result: 'record.result',
  date: 'record.date',
  event: 'record.event',
  round: 'record.round',
  place: 'record.place',
  komi: 'record.komi',
  handicap: 'record.handicap',
  ruleset: 'record.rules',
  opening: 'record.opening',
  code: 'records.by.code',
  source: 'record.origin',
  author: 'record.author',
  time: 'record.time',
} as const;

// side names a player: by colours where the game is known.
function side({t, lang}: Context, game: Game | undefined, i: 0 | 1): string {
  return titled(game?.sides[i]?.titles, lang) || t(i ? 'headers.second' : 'headers.first');
}

// nameOf names a header in words.
export function nameOf(ctx: Context, game: Game | undefined, name: string): string {
  const who = side(ctx, game, name.startsWith('second') ? 1 : 0);
  const part = /^(first|second)(?:-(rank|rating|team))?$/.exec(name);
  if (!part) return ctx.t(texts[name as keyof typeof texts]);
  return part[2] ? ctx.t(`headers.${part[2] as 'rank'}`, {who}) : ctx.t('headers.player', {who});
}

interface Control {
  node: HTMLElement;
  value(): string;
  set(v: string): void;
}

// control is where a header is written: a result is chosen, and how it came about typed behind it.
function control(ctx: Context, game: Game | undefined, name: string): Control {
  const {t} = ctx;
  const input = h('input', {
    type: 'text',
    maxlength: 1000,
    autocomplete: 'off',
    spellcheck: 'false',
    ...(name === 'date' && {placeholder: '1993-05-02'}),
  });
  if (name !== 'result')
    return {
      node: input,
      value: () => input.value.trim(),
      set(v) {
        input.value = v;
      },
    };
  const words: Record<string, string> = {
    '': t('records.result.unknown'),
    first: t('records.result.side', {side: side(ctx, game, 0)}),
    second: t('records.result.side', {side: side(ctx, game, 1)}),
    draw: t('records.result.draw'),
    void: t('headers.void'),
    unfinished: t('headers.unfinished'),
  };
  const verdict = select(
    t('record.result'),
    verdicts.map(value => ({value: value as string, label: words[value]!})),
    '',
    () => undefined,
  );
  input.placeholder = t('headers.how');
  input.setAttribute('aria-label', t('headers.how'));
  return {
    node: h('div.row.header-result', verdict, input),
    value: () => (verdict.value ? `${verdict.value} ${input.value}`.trim() : ''),
    set(v) {
      const [word = '', ...how] = v.split(' ');
      verdict.value = word;
      input.value = how.join(' ');
    },
  };
}

async function send(ctx: Context, body: RecordEdit, after: () => void): Promise<boolean> {
  try {
    const done = await ctx.call('POST /records/edit', {body});
    if (done.changed) changed(ctx, ctx.t('headers.done', {n: done.changed}), done.change, after);
    else ctx.toast(ctx.t('headers.same'));
    if (done.changed) after();
    return true;
  } catch (err) {
    ctx.fail(err);
    return false;
  }
}

// editOne corrects the headers of a record; after is called when they have changed, and when that is undone.
export async function editOne(ctx: Context, id: number, game: Game | undefined, after: () => void): Promise<void> {
  const {t} = ctx;
  const {headers} = await ctx.call('GET /records/{id}/headers', {path: {id}});
  const rows = headers.map(x => row(ctx, game, x));
  const of = (names: readonly string[]) => names.map(n => rows.find(r => r.name === n)?.node);
  const rest = rows.filter(r => !main.includes(r.name));
  const d = dialog(t, {
    title: t('headers.title'),
    wide: true,
    body: [
      h('p.muted', t('headers.text')),
      h('div.headers', of(main)),
      h(
        'details',
        {open: rest.some(r => r.edited)},
        h('summary', t('headers.more')),
        h(
          'div.headers',
          rest.map(r => r.node),
        ),
      ),
    ],
    yes: t('records.save'),
  });
  if ((await d.done) !== 'yes') return;
  const set: Record<string, string> = {},
    reset: string[] = [];
  for (const r of rows) r.take(set, reset);
  if (Object.keys(set).length + reset.length === 0) return;
  await send(ctx, {ids: [id], set, reset}, after);
}

function row(ctx: Context, game: Game | undefined, x: RecordHeader) {
  const {t} = ctx,
    c = control(ctx, game, x.name);
  let reset = false;
  c.set(x.value);
  const says = h('small.muted.header-says');
  const show = () => {
    const same = c.value() === x.original;
    fill(
      says,
      !same && [t('headers.was', {value: x.original || '–'}), ' '],
      !same &&
        button(
          t('headers.reset'),
          () => {
            c.set(x.original);
            reset = true;
            show();
          },
          {icon: 'undo', kind: 'quiet'},
        ),
    );
  };
  c.node.addEventListener('input', () => {
    reset = false;
    show();
  });
  show();
  const label = nameOf(ctx, game, x.name);
  const node = x.name === 'result' ? h('div.field', h('span.label', label), c.node) : field(label, c.node);
  node.append(says);
  return {
    name: x.name,
    edited: x.edited,
    node,
    take(set: Record<string, string>, resets: string[]) {
      const v = c.value();
      if (x.edited && (reset || v === x.original) && v === x.original) resets.push(x.name);
      else if (v !== x.value) set[x.name] = v;
    },
  };
}

// editMany corrects one header of all records that are meant.
export async function editMany(
  ctx: Context,
  n: number,
  selection: Pick<RecordEdit, 'ids' | 'query' | 'game'>,
  game: Game | undefined,
  after: () => void,
): Promise<boolean> {
  const {t} = ctx;
  let name = 'event',
    how: 'set' | 'reset' = 'set',
    c = control(ctx, game, name);
  const at = h('div', c.node);
  const show = () => {
    const node: Child =
      how === 'set' && (name === 'result' ? c.node : field(t('headers.value'), c.node, t('headers.valueHint')));
    fill(at, node);
  };
  const names = [...main, ...more.split(' ')];
  const d = dialog(t, {
    title: t('headers.title'),
    body: [
      h('p', t('records.meant', {n})),
      h('p.muted', t('headers.text')),
      field(
        t('headers.which'),
        select(
          t('headers.which'),
          names.map(value => ({value, label: nameOf(ctx, game, value)})),
          name,
          v => {
            name = v;
            c = control(ctx, game, v);
            show();
          },
        ),
      ),
      segmented(
        t('headers.how2'),
        [
          {value: 'set', label: t('headers.set')},
          {value: 'reset', label: t('headers.reset')},
        ],
        how,
        v => {
          how = v;
          show();
        },
      ).node,
      at,
    ],
    yes: t('records.save'),
  });
  show();
  if ((await d.done) !== 'yes') return false;
  const change = how === 'set' ? {set: {[name]: c.value()}} : {set: {}, reset: [name]};
  return send(ctx, {...selection, expect: n, ...change}, after);
}
