// The few helpers with which every page builds its nodes. Text always becomes a text node, never markup, so data cannot
// become script.

export type Child = Node | string | number | null | undefined | false | readonly Child[];

type Value = string | number | boolean | null | undefined;

// Props are attributes by their HTML names. A function under a name that begins with "on" is a listener; `value`,
// `checked`, `disabled`, `selected`, `open`, `indeterminate` are set as properties, because their attributes are only
// initial values; `vars` are CSS custom properties or other style properties, set by script as the content security
// policy wants it. null, undefined and false leave an attribute out, true writes it empty; aria-* attributes write true
// and false as words.
export interface Props {
  [name: string]: Value | ((e: never) => void) | Record<string, string>;
  vars?: Record<string, string>;
}

const live = new Set(['value', 'checked', 'disabled', 'selected', 'open', 'indeterminate', 'muted']);

function apply(node: Element, props: Props | null | undefined): void {
  for (const [name, v] of Object.entries(props ?? {})) set(node, name, v);
}

// set writes one of Props on a node that already stands.
export function set(node: Element, name: string, v: Props[string]): void {
  if (typeof v === 'function') node.addEventListener(name.slice(2), v as EventListener);
  else if (v !== null && typeof v === 'object') {
    for (const [k, x] of Object.entries(v)) (node as HTMLElement).style.setProperty(k, x);
  } else if (live.has(name) && name in node)
    (node as unknown as Record<string, unknown>)[name] = v ?? (name === 'value' ? '' : false);
  else if (v === null || v === undefined) node.removeAttribute(name);
  else if (name.startsWith('aria-')) node.setAttribute(name, String(v));
  else if (v === false) node.removeAttribute(name);
  else node.setAttribute(name, v === true ? '' : String(v));
}

function append(node: Node, children: readonly Child[]): void {
  for (const c of children) {
    if (c === null || c === undefined || c === false) continue;
    if (Array.isArray(c)) append(node, c as readonly Child[]);
    else node.appendChild(c instanceof Node ? c : document.createTextNode(String(c)));
  }
}

type Tag = keyof HTMLElementTagNameMap;
type Tagged<S> = S extends Tag ? S : S extends `${infer T extends Tag}.${string}` ? T : never;

// h makes an HTML element of a tag with its classes, attributes if it has any, and what is in it: h('a.btn.primary',
// {href: '/search'}, 'Search').
export function h<S extends Tag | `${Tag}.${string}`>(
  what: S,
  ...rest: [Props, ...Child[]] | Child[]
): HTMLElementTagNameMap[Tagged<S>] {
  const [tag, ...classes] = what.split('.'),
    [first] = rest;
  const node = document.createElement(tag as Tagged<S>),
    props = isProps(first) ? first : null;
  if (classes.length) node.className = classes.join(' ');
  if (node instanceof HTMLButtonElement) node.type = 'button'; // one that submits says so
  append(node, (props ? rest.slice(1) : rest) as Child[]);
  apply(node, props); // after the children: the value of a <select> needs its options
  return node;
}

const isProps = (x: Props | Child): x is Props =>
  typeof x === 'object' && x !== null && !(x instanceof Node) && !Array.isArray(x);

// svg makes an SVG element.
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props?: Props | null,
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  append(node, children);
  apply(node, props);
  return node;
}

// dots puts what there is into one line.
export const dots = (...parts: (string | number | false | undefined)[]): string => parts.filter(Boolean).join(' · ');

// fill replaces what is in a node.
export function fill<T extends Node & ParentNode>(node: T, ...children: Child[]): T {
  node.replaceChildren();
  append(node, children);
  return node;
}

// on listens until the signal is aborted; pages give ctx.signal and need not clean up.
export function on<E extends Event = Event>(
  target: EventTarget,
  type: string,
  run: (e: E) => void,
  signal?: AbortSignal,
  more?: AddEventListenerOptions,
): void {
  target.addEventListener(type, run as EventListener, {...more, ...(signal && {signal})});
}

// id returns a name that no other node of this document has, for labels and aria references.
export const id = (() => {
  let n = 0;
  return (stem = 'q') => `${stem}-${++n}`;
})();

// keyed makes the children of parent those of items, in order. Nodes are kept for keys that stay, so that focus, scroll
// and images survive; update is called for them. Cost: one pass, one move for each node that is out of place.
export function keyed<T>(
  parent: Element,
  items: readonly T[],
  key: (item: T) => string,
  make: (item: T) => Element,
  update?: (node: Element, item: T) => void,
): void {
  const old = new Map<string, Element>();
  for (const c of [...parent.children]) {
    const k = (c as HTMLElement).dataset['key'];
    if (k === undefined || old.has(k)) c.remove();
    else old.set(k, c);
  }
  let at: Element | null = parent.firstElementChild;
  for (const item of items) {
    const k = key(item);
    let node = old.get(k);
    if (node) {
      old.delete(k);
      update?.(node, item);
    } else {
      node = make(item);
      (node as HTMLElement).dataset['key'] = k;
    }
    if (node === at) at = at.nextElementSibling;
    else parent.insertBefore(node, at);
  }
  for (const node of old.values()) node.remove();
}

// seen calls run whenever node comes within 600 pixels of the view: the end of an endless list. What it returns looks
// anew, since a node that is still in view after a change is not told of otherwise.
export function seen(node: Element, run: () => void, signal: AbortSignal): () => void {
  const o = new IntersectionObserver(
    es => {
      if (es.some(e => e.isIntersecting)) run();
    },
    {rootMargin: '600px'},
  );
  o.observe(node);
  on(signal, 'abort', () => o.disconnect());
  return () => {
    if (!signal.aborted) {
      o.unobserve(node);
      o.observe(node);
    }
  };
}

export interface Debounced<A extends unknown[]> {
  (...args: A): void;
  cancel(): void;
}

// debounce calls run once the calls have paused for ms.
export function debounce<A extends unknown[]>(run: (...args: A) => void, ms: number): Debounced<A> {
  let timer: number | undefined;
  const f = (...args: A) => {
    clearTimeout(timer);
    timer = window.setTimeout(run, ms, ...args);
  };
  f.cancel = () => clearTimeout(timer);
  return f;
}

// Format writes numbers and dates as a language has them.
export interface Format {
  number(n: number): string; // 118,876
  compact(n: number): string; // 119K
  rate(share: number, digits?: number): string; // 0.534 → 53%
  date(text: string): string; // '1998', '1998-03' or '1998-03-05'; anything else comes back as it is
  time(at: string | number | Date): string;
  ago(at: string | number | Date): string; // 3 minutes ago
  bytes(n: number): string;
  duration(seconds: number): string;
}

const formats = new Map<string, Format>(); // formatters are costly to make: about 50 µs each

// fmt returns the formatter of a language; it may be called in a loop.
export function fmt(lang: string): Format {
  let f = formats.get(lang);
  if (!f) formats.set(lang, (f = newFormat(lang)));
  return f;
}

function newFormat(lang: string): Format {
  const number = new Intl.NumberFormat(lang);
  const compact = new Intl.NumberFormat(lang, {notation: 'compact', maximumFractionDigits: 1});
  const rates = [0, 1].map(
    d => new Intl.NumberFormat(lang, {style: 'percent', minimumFractionDigits: d, maximumFractionDigits: d}),
  );
  const days: Intl.DateTimeFormatOptions[] = [
    {year: 'numeric'},
    {year: 'numeric', month: 'short'},
    {year: 'numeric', month: 'short', day: 'numeric'},
  ];
  const dates = days.map(d => new Intl.DateTimeFormat(lang, {...d, timeZone: 'UTC'}));
  const time = new Intl.DateTimeFormat(lang, {dateStyle: 'medium', timeStyle: 'short'});
  const ago = new Intl.RelativeTimeFormat(lang, {numeric: 'auto'});
  const unit = (u: string, n: number, d: number) =>
    new Intl.NumberFormat(lang, {
      style: 'unit',
      unit: u,
      unitDisplay: u.endsWith('byte') ? 'short' : 'narrow',
      maximumFractionDigits: d,
    }).format(n);
  return {
    number: n => number.format(n),
    compact: n => compact.format(n),
    rate: (x, digits = 0) => rates[digits ? 1 : 0]!.format(x),
    date(text) {
      const m = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text);
      if (!m) return text;
      const d = new Date(Date.UTC(+m[1]!, +(m[2] ?? 1) - 1, +(m[3] ?? 1)));
      return Number.isNaN(+d) ? text : dates[m[3] ? 2 : m[2] ? 1 : 0]!.format(d);
    },
    time: at => time.format(new Date(at)),
    ago(at) {
      const s = (+new Date(at) - Date.now()) / 1000;
      for (const [u, n] of [
        ['year', 31557600],
        ['month', 2629800],
        ['day', 86400],
        ['hour', 3600],
        ['minute', 60],
      ] as const) {
        if (Math.abs(s) >= n) return ago.format(Math.trunc(s / n), u);
      }
      return ago.format(Math.trunc(s), 'second');
    },
    bytes(n) {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
      let i = 0;
      while (n >= 1000 && i < units.length - 1) {
        n /= 1000;
        i++;
      }
      return unit(units[i]!, n, n < 10 && i > 0 ? 1 : 0);
    },
    duration(s) {
      if (s < 60) return unit('second', s, s < 10 ? 1 : 0);
      const m = Math.floor(s / 60);
      if (m < 60) return `${unit('minute', m, 0)} ${unit('second', Math.floor(s % 60), 0)}`;
      return `${unit('hour', Math.floor(m / 60), 0)} ${unit('minute', m % 60, 0)}`;
    },
  };
}
