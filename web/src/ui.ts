// Small widgets that the pages share. Each is reachable by keys and has a name for screen readers; none shows a
// tooltip, for what matters is written where it can be seen.
import type {Score} from './api';
import {Problem, aborted} from './client';
import {type Child, type Props, fill, fmt, h, id, on, seen} from './dom';
import type {Lang, Translate} from './i18n';
import {type Icon, icon} from './icons';

// button makes a button. A bare one shows its icon alone; the label is its name all the same.
export function button(
  label: string,
  run: (e: MouseEvent) => void,
  more: {icon?: Icon; kind?: 'primary' | 'quiet' | 'danger'; bare?: boolean; props?: Props} = {},
): HTMLButtonElement {
  return h(
    'button',
    {
      class: 'btn' + (more.kind ? ' ' + more.kind : '') + (more.bare ? ' bare' : ''),
      onclick: run,
      'aria-label': more.bare ? label : null,
      title: more.bare ? label : null,
      ...more.props,
    },
    more.icon && icon(more.icon),
    !more.bare && h('span', label),
  );
}

// iconButton is a quiet one that shows its icon alone.
export const iconButton = (
  label: string,
  sign: Icon,
  run: (e: MouseEvent) => void,
  props: Props = {},
): HTMLButtonElement => button(label, run, {icon: sign, kind: 'quiet', bare: true, props});

// linkButton is a link that looks like one.
export const linkButton = (label: string, href: string, sign: Icon, kind = ''): HTMLAnchorElement =>
  h('a', {class: 'btn ' + kind, href}, icon(sign), h('span', label));

export interface Dialog {
  node: HTMLDialogElement;
  done: Promise<string>;
  close(value?: string): void;
}

// dialog opens a modal one. With yes it has a button of that name, and done comes to 'yes' by it; '' if it was
// dismissed. The form may hold inputs: they are read from node after done.
export function dialog(
  t: Translate,
  what: {title: string; body: Child; yes?: string; kind?: 'danger'; wide?: boolean},
): Dialog {
  const title = id('dialog');
  const node = h(
    'dialog',
    {class: what.wide ? 'wide' : null, 'aria-labelledby': title},
    h(
      'form',
      {method: 'dialog'},
      h(
        'header',
        h('h2', {id: title}, what.title),
        iconButton(t('ui.close'), 'close', () => node.close('')),
      ),
      h('div.dialog-body', what.body),
      // Enter in a field is the first button that submits: Cancel must not be.
      what.yes &&
        h(
          'footer',
          button(t('ui.cancel'), () => node.close('')),
          h('button', {class: 'btn ' + (what.kind ?? 'primary'), type: 'submit', value: 'yes'}, what.yes),
        ),
    ),
  );
  on<MouseEvent>(node, 'click', e => {
    if (e.target === node) node.close('');
  }); // on the backdrop
  const back = document.activeElement;
  const done = new Promise<string>(end =>
    on(node, 'close', () => {
      node.remove();
      if (back instanceof HTMLElement && back.isConnected) back.focus();
      end(node.returnValue);
    }),
  );
  document.body.append(node);
  node.showModal();
  return {node, done, close: v => node.close(v ?? '')};
}

// sure asks before something that cannot be undone.
export async function sure(t: Translate, title: string, text: string, yes: string): Promise<boolean> {
  return (await dialog(t, {title, body: h('p', text), yes, kind: 'danger'}).done) === 'yes';
}

export interface Tab {
  id: string;
  label: Child;
  panel: HTMLElement;
}
export interface Tabs {
  node: HTMLElement;
  select(id: string): void;
  readonly selected: string;
}

// tabs shows one of several panels. Arrows move between tabs (one tab stop); changed is called when the user chooses.
export function tabs(label: string, list: readonly Tab[], selected: string, changed?: (id: string) => void): Tabs {
  const heads = list.map(x => {
    const head = h('button', {role: 'tab', id: id('tab'), class: 'tab', onclick: () => choose(x.id)}, x.label);
    x.panel.id ||= id('panel');
    head.setAttribute('aria-controls', x.panel.id);
    x.panel.setAttribute('role', 'tabpanel');
    x.panel.setAttribute('aria-labelledby', head.id);
    return head;
  });
  const select = (to: string) => {
    const i = Math.max(
      0,
      list.findIndex(x => x.id === to),
    );
    selected = list[i]?.id ?? '';
    list.forEach((x, j) => {
      x.panel.hidden = j !== i;
      heads[j]!.setAttribute('aria-selected', String(j === i));
      heads[j]!.tabIndex = j === i ? 0 : -1;
    });
  };
  const choose = (to: string) => {
    select(to);
    changed?.(to);
  };
  const head = h(
    'div.tabs',
    {
      role: 'tablist',
      'aria-label': label,
      onkeydown: (e: KeyboardEvent) => {
        const i = stepped(
          e,
          list.findIndex(x => x.id === selected),
          list.length,
        );
        if (i === null) return;
        choose(list[i]!.id);
        heads[i]!.focus();
      },
    },
    heads,
  );
  select(selected);
  return {
    node: h(
      'div.tabbed',
      head,
      list.map(x => x.panel),
    ),
    select,
    get selected() {
      return selected;
    },
  };
}

// stepped reads an arrow, Home or End as a new place in a row of n, or null; it takes the event.
export function stepped(e: KeyboardEvent, i: number, n: number): number | null {
  const to = (
    {ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: n - 1} as Record<
      string,
      number
    >
  )[e.key];
  if (to === undefined || !n) return null;
  e.preventDefault();
  return (to + n) % n;
}

// chip is a small thing that stands for a condition: pressed by run, taken away by remove.
export function chip(
  t: Translate,
  label: string,
  more: {run?: () => void; remove?: () => void; pressed?: boolean; icon?: Icon} = {},
): HTMLElement {
  const text = [more.icon && icon(more.icon), h('span', label)];
  return h(
    'span',
    {class: 'chip' + (more.pressed ? ' on' : '')},
    more.run ? h('button', {onclick: more.run, 'aria-pressed': more.pressed ?? null}, text) : h('span.chip-text', text),
    more.remove &&
      h('button.chip-x', {'aria-label': t('ui.removeChip', {name: label}), onclick: more.remove}, icon('close')),
  );
}

export interface Item {
  label: string;
  icon?: Icon;
  run?(): void;
  href?: string;
  download?: boolean;
  checked?: boolean;
  danger?: boolean;
  needs?: string; // what one must be allowed to do
  off?: boolean; // it says why it cannot be done
}

// menu is an icon that opens a list of commands, or with {icon} a button that does. Items are asked for at opening, so
// that they may depend on the state.
export function menu(label: string, items: () => readonly Item[], look: Icon | {icon: Icon}): HTMLElement {
  const box = h('div.menu', {role: 'menu', 'aria-label': label, hidden: true});
  const close = (focus: boolean) => {
    box.hidden = true;
    head.setAttribute('aria-expanded', 'false');
    if (focus) head.focus();
  };
  const all = () => [...box.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const show = () => {
    fill(
      box,
      items().map(x => {
        const props: Props = {
          role: x.checked === undefined ? 'menuitem' : 'menuitemradio',
          'aria-checked': x.checked ?? null,
          'aria-disabled': x.off ?? null,
          tabindex: -1,
          'data-needs': x.needs,
          class: 'item' + (x.danger ? ' danger' : '') + (x.off ? ' muted' : ''),
          onclick: () => {
            close(true);
            x.run?.();
          },
        };
        const text = [
          x.checked === undefined ? x.icon && icon(x.icon) : h('span.tick', x.checked && icon('check')),
          h('span', x.label),
        ];
        return x.href ? h('a', {...props, href: x.href, download: x.download ?? null}, text) : h('button', props, text);
      }),
    );
    box.hidden = false;
    head.setAttribute('aria-expanded', 'true');
    const r = box.getBoundingClientRect();
    box.classList.toggle('left', r.left < 4);
    box.classList.toggle('above', r.bottom > innerHeight && r.top > innerHeight / 2);
    (box.querySelector<HTMLElement>('[aria-checked=true]') ?? all()[0])?.focus();
  };
  const head = button(label, () => (box.hidden ? show() : close(false)), {
    ...(typeof look === 'string' ? {icon: look, bare: true, kind: 'quiet'} : look),
    props: {'aria-haspopup': 'menu', 'aria-expanded': 'false'},
  });
  return h(
    'div.menu-at',
    {
      onkeydown: (e: KeyboardEvent) => {
        if (e.key === 'Escape' && !box.hidden) {
          e.preventDefault();
          close(true);
          return;
        }
        if (box.hidden) {
          if (e.key === 'ArrowDown') {
            e.preventDefault();
            show();
          }
          return;
        }
        const list = all(),
          i = stepped(e, list.indexOf(document.activeElement as HTMLElement), list.length);
        if (i !== null) list[i]!.focus();
      },
      onfocusout: (e: FocusEvent) => {
        if (!box.hidden && !(e.currentTarget as Element).contains(e.relatedTarget as Node | null)) close(false);
      },
    },
    head,
    box,
  );
}

// toggle is a switch with its label.
export function toggle(label: string, checked: boolean, changed: (on: boolean) => void): HTMLLabelElement {
  return h(
    'label.toggle',
    h('input', {
      type: 'checkbox',
      role: 'switch',
      checked,
      onchange: (e: Event) => changed((e.target as HTMLInputElement).checked),
    }),
    h('span', label),
  );
}

export interface Segmented<V extends string> {
  node: HTMLElement;
  set(value: V): void;
}

// segmented chooses one of a few; it is a group of radio buttons, so the arrows work by themselves.
export function segmented<V extends string>(
  label: string,
  list: readonly {value: V; label: string; icon?: Icon}[],
  value: V,
  changed: (v: V) => void,
): Segmented<V> {
  const name = id('seg');
  const inputs = list.map(x =>
    h('input', {type: 'radio', name, value: x.value, checked: x.value === value, onchange: () => changed(x.value)}),
  );
  return {
    node: h(
      'div.seg',
      {role: 'radiogroup', 'aria-label': label},
      list.map((x, i) => h('label', inputs[i], x.icon && icon(x.icon), h('span', x.label))),
    ),
    set(v) {
      inputs.forEach((x, i) => {
        x.checked = list[i]!.value === v;
      });
    },
  };
}

// select is a labelled list of choices.
export function select<V extends string>(
  label: string,
  list: readonly {value: V; label: string}[],
  value: V,
  changed: (v: V) => void,
): HTMLSelectElement {
  return h(
    'select',
    {'aria-label': label, value, onchange: (e: Event) => changed((e.target as HTMLSelectElement).value as V)},
    list.map(x => h('option', {value: x.value}, x.label)),
  );
}

export interface Slider {
  node: HTMLElement;
  set(value: number): void;
}

// slider has a number beside it that may be typed. input is called while it moves, change when it is let go.
export function slider(
  label: string,
  range: {min: number; max: number; step?: number; value: number; unit?: string},
  input: (v: number) => void,
  change?: (v: number) => void,
): Slider {
  const {min, max, step: by = 1, value} = range;
  const make = (type: string, extra: Props) => h('input', {type, min, max, step: by, value, ...extra});
  const bar = make('range', {'aria-label': label}),
    number = make('number', {'aria-label': label, inputmode: 'decimal'});
  const show = (v: number) => {
    bar.value = number.value = String(v);
    bar.style.setProperty('--at', `${((v - min) / (max - min || 1)) * 100}%`);
  };
  const take = (from: HTMLInputElement, run?: (v: number) => void) => () => {
    const v = Math.min(max, Math.max(min, from.valueAsNumber));
    if (Number.isNaN(v)) return;
    if (from === bar) show(v);
    else bar.value = String(v);
    run?.(v);
  };
  for (const x of [bar, number]) {
    on(x, 'input', take(x, input));
    on(x, 'change', () => {
      show(Math.min(max, Math.max(min, Number.isNaN(x.valueAsNumber) ? bar.valueAsNumber : x.valueAsNumber)));
      change?.(bar.valueAsNumber);
    });
  }
  show(value);
  return {
    node: h('div.slider', h('span.slider-label', label), bar, h('span.slider-number', number, range.unit)),
    set: show,
  };
}

export interface Progress {
  node: HTMLElement;
  set(share: number | null, text?: string): void;
}

// progress shows a share between 0 and 1, or with null that the end is not known.
export function progress(label: string): Progress {
  const text = h('span.progress-text');
  const bar = h(
    'div.progress-bar',
    {role: 'progressbar', 'aria-label': label, 'aria-valuemin': 0, 'aria-valuemax': 100},
    h('i'),
  );
  const p: Progress = {
    node: h('div.progress', bar, text),
    set(share, words = '') {
      bar.classList.toggle('busy', share === null);
      if (share === null) bar.removeAttribute('aria-valuenow');
      else {
        bar.setAttribute('aria-valuenow', String(Math.round(share * 100)));
        bar.style.setProperty('--share', String(share));
      }
      if (words) bar.setAttribute('aria-valuetext', words);
      text.textContent = words;
    },
  };
  p.set(null);
  return p;
}

export const few = 10; // fewer games than this mean little

export const known = (s: Score): number => s.first + s.second + s.draws;

// resultBar shows how games went, as three parts that read as the sides; their names, such as black, give the colours.
// All of it is said in words too. With few games it is pale and without figures.
export function resultBar(
  t: Translate,
  lang: Lang,
  s: Score,
  sides: readonly [string, string],
  titles: readonly [string, string],
): HTMLElement {
  const n = known(s),
    f = fmt(lang),
    rare = n < few,
    span = s.low !== undefined && s.high !== undefined && {lo: s.low, hi: s.high};
  const share = (x: number) => f.rate(n ? x / n : 0);
  let words = t('ui.resultBar', {
    first: titles[0],
    a: share(s.first),
    draws: share(s.draws),
    second: titles[1],
    b: share(s.second),
    n,
  });
  if (span) words += ' ' + t('ui.interval', {lo: f.rate(span.lo), hi: f.rate(span.hi)});
  const part = (x: number, side: string) =>
    x > 0 && h('i', {'data-side': side, vars: {'flex-grow': String(x)}}, !rare && x / n >= 0.14 && share(x));
  return h(
    'div',
    {class: 'result' + (rare ? ' few' : ''), role: 'img', 'aria-label': words},
    part(s.first, sides[0]),
    part(s.draws, 'draw'),
    part(s.second, sides[1]),
    span && n > 0 && h('b', {vars: {'--lo': `${span.lo * 100}%`, '--hi': `${span.hi * 100}%`}}),
  );
}

export interface Paged {
  readonly end: HTMLElement;
  from(cursor: string | undefined | null): void;
}

// paged asks for the next page of a list whenever its end comes near, which it never does in a list that is not shown.
// show puts a page into the list and returns what stands below it then. A cursor is that of the last page, undefined
// before the first, null where nothing is wanted.
export function paged<P extends {next?: string | undefined}>(
  t: Translate,
  signal: AbortSignal,
  cursor: undefined | string | null,
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<P>,
  show: (page: P) => Child,
): Paged {
  const end = h('div.list-end');
  let run: AbortController | null = null;
  const more = async () => {
    if (cursor === null || run || signal.aborted) return;
    const mine = (run = new AbortController()),
      at = cursor;
    fill(end, skeleton(at ? 2 : 6));
    try {
      const page = await load(at, AbortSignal.any([signal, mine.signal]));
      if (run !== mine) return;
      cursor = page.next || null;
      fill(end, show(page));
    } catch (err) {
      if (run !== mine || aborted(err)) return;
      cursor = null; // until the user asks again: no storm of requests at a wall
      fill(
        end,
        trouble(t, err, () => from(at)),
      );
    }
    run = null;
    again();
  };
  const again = seen(end, () => void more(), signal);
  const from = (at: typeof cursor) => {
    run?.abort();
    run = null;
    cursor = at;
    if (at === undefined) void more();
    else again();
  };
  return {end, from};
}

export interface Endless {
  node: HTMLElement;
  end: HTMLElement;
  reset(): void;
}

// endless lists what comes page by page: the items in wrap, a feed of articles or rows, and what below says under them.
export function endless<T>(
  t: Translate,
  signal: AbortSignal,
  how: {
    load(cursor: string | undefined, signal: AbortSignal): Promise<{items: readonly T[]; next?: string | undefined}>;
    render(item: T, index: number): Node;
    wrap?: HTMLElement;
    below?(count: number, more: boolean): Child;
  },
): Endless {
  const list = how.wrap ?? h('div.list');
  let count = 0;
  const {end, from} = paged(t, signal, undefined, how.load, page => {
    list.append(...page.items.map(x => how.render(x, count++)));
    return how.below?.(count, !!page.next);
  });
  return {
    node: h('div.endless', list, end),
    end,
    reset() {
      count = 0;
      list.replaceChildren();
      from(undefined);
    },
  };
}

// A table of data: the columns are texts, or heads of their own. The caption is for those who hear the page.
export const column = (label: Child, cls?: string): HTMLElement => h('th', {scope: 'col', class: cls}, label);
export const rowHead = (...what: Child[]): HTMLElement => h('th', {scope: 'row'}, what);
export function dataTable(
  caption: string,
  columns: readonly (string | HTMLElement)[],
  ...parts: Child[]
): HTMLTableElement {
  return h(
    'table.data',
    h('caption.hidden', caption),
    h(
      'thead',
      h(
        'tr',
        columns.map(c => (typeof c === 'string' ? column(c) : c)),
      ),
    ),
    parts,
  );
}

// dropZone takes files by dropping (folders too) or by choosing. The shell takes drops elsewhere on the page.
export function dropZone(label: string, hint: string, taken: (files: File[]) => void): HTMLElement {
  const input = h('input.hidden', {
    type: 'file',
    multiple: true,
    onchange: () => {
      if (input.files?.length) taken([...input.files]);
      input.value = '';
    },
  });
  return h('label.drop', input, icon('import'), h('strong', label), h('span.muted', hint));
}

interface Entry {
  isFile: boolean;
  fullPath: string;
  file(done: (f: File) => void, fail: () => void): void;
  createReader?(): {readEntries(done: (es: Entry[]) => void, fail: () => void): void};
}

// filesOf returns the files of a drop or a paste; those in folders have their path as name. What cannot be read is left
// out.
export async function filesOf(data: DataTransfer): Promise<File[]> {
  // The items are only valid until the first wait.
  const roots = [...data.items]
    .map(i => i.webkitGetAsEntry?.() as Entry | null)
    .filter(e => e !== null && e !== undefined);
  const plain = [...data.files];
  if (!roots.some(e => !e.isFile)) return plain;
  const out: File[] = [];
  const walk = async (e: Entry): Promise<void> => {
    if (e.isFile) {
      const f = await new Promise<File | null>(done => e.file(done, () => done(null)));
      if (f) out.push(new File([f], e.fullPath.replace(/^\//, ''), {type: f.type, lastModified: f.lastModified}));
      return;
    }
    const reader = e.createReader!();
    for (;;) {
      // a reader gives at most a hundred at once
      const some = await new Promise<Entry[]>(done => reader.readEntries(done, () => done([])));
      if (!some.length) return;
      for (const x of some) await walk(x);
    }
  };
  for (const e of roots) await walk(e);
  return out;
}

// copyButton puts a text on the clipboard and says so on itself.
export function copyButton(
  t: Translate,
  label: string,
  text: () => string | Promise<string>,
  more: {bare?: boolean} = {},
): HTMLButtonElement {
  const b = button(
    label,
    async () => {
      let ok = true;
      try {
        await navigator.clipboard.writeText(await text());
      } catch {
        ok = false;
      }
      b.classList.toggle('done', ok);
      fill(
        b,
        icon(ok ? 'check' : 'warn'),
        (!more.bare || !ok) && h('span', {role: 'status'}, t(ok ? 'ui.copied' : 'ui.copyFailed')),
      );
      setTimeout(() => {
        b.classList.remove('done');
        fill(b, icon('copy'), !more.bare && h('span', label));
      }, 1600);
    },
    {icon: 'copy', ...more},
  );
  return b;
}

// empty says that there is nothing here, and what to do about it.
export function empty(sign: Icon, title: string, text?: Child, ...actions: Child[]): HTMLElement {
  return nothing(h('h2', title), sign, text, actions);
}

// missing is a whole page that says so.
export function missing(sign: Icon, title: string, text: Child, ...actions: Child[]): HTMLElement {
  return h('div.page', nothing(h('h1', title), sign, text, actions));
}

function nothing(title: HTMLElement, sign: Icon, text: Child, actions: readonly Child[]): HTMLElement {
  return h(
    'div.empty',
    icon(sign),
    title,
    text !== undefined && h('p', text),
    actions.length > 0 && h('div.row', actions),
  );
}

// skeleton stands where lines will be.
export function skeleton(lines: number): HTMLElement {
  return h(
    'div.skeleton',
    {'aria-hidden': 'true'},
    Array.from({length: lines}, () => h('i')),
  );
}

// field is a control under its label, with a hint and room for what is wrong with it.
export function field(label: string, control: HTMLElement, hint?: Child): HTMLElement {
  control.id ||= id('field');
  const hintId = hint !== undefined ? id('hint') : null;
  if (hintId) control.setAttribute('aria-describedby', hintId);
  return h('div.field', h('label', {for: control.id}, label), control, hintId && h('small.muted', {id: hintId}, hint));
}

// sentence makes one of what the server says in lower case. A first word that is more than letters is a name and stays.
export const sentence = (s: string): string =>
  s && (/^[a-z]+ /.test(s) ? s[0]!.toUpperCase() + s.slice(1) : s) + (/[.!?。！？]$/.test(s) ? '' : '.');

// explain puts an error in words: the title, what happened, and what to do next.
export function explain(t: Translate, err: unknown): {title: string; text: string} {
  if (!(err instanceof Problem))
    return {title: t('error.unexpected'), text: err instanceof Error ? err.message : String(err)};
  if (err.status === 0) return {title: t('error.offline'), text: t('error.offlineHint')};
  const parts = [err.detail || (err.errors[0]?.detail ?? ''), err.hint];
  return {
    title: err.title || t('error.unexpected'),
    text: parts
      .filter(x => x && x !== err.title)
      .map(sentence)
      .join(' '),
  };
}

// trouble shows an error in the place where its answer would have stood.
export function trouble(t: Translate, err: unknown, again?: () => void): HTMLElement {
  const {title, text} = explain(t, err);
  return h(
    'div.empty.trouble',
    {role: 'alert'},
    icon('warn'),
    h('h2', title),
    text && h('p.pre', text),
    again && button(t('ui.again'), again, {icon: 'redo'}),
  );
}

// asked fills a node with what is asked for, or with what went wrong and a way to ask again. It returns the node.
export function asked<N extends HTMLElement>(
  {t, signal}: {t: Translate; signal: AbortSignal},
  into: N,
  ask: () => Promise<Child>,
): N {
  const run = (): void =>
    void ask().then(
      got => fill(into, got),
      err => {
        if (!signal.aborted) fill(into, trouble(t, err, run));
      },
    );
  run();
  return into;
}
