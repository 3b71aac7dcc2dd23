// Routes, links and history. The whole state of a page is its URL: query and hash are the page's own.

export interface Match<R> {
  route: R;
  params: Record<string, string>;
}

// match finds the route of a path. A pattern has ":name" for one segment: "/records/:id".
export function match<R extends {path: string}>(routes: readonly R[], path: string): Match<R> | null {
  const have = path.replace(/\/+$/, '').split('/');
  for (const route of routes) {
    const want = route.path.replace(/\/+$/, '').split('/');
    if (want.length !== have.length) continue;
    const params: Record<string, string> = {};
    const fits = want.every((w, i) => {
      if (!w.startsWith(':')) return w === have[i];
      try {
        params[w.slice(1)] = decodeURIComponent(have[i]!);
      } catch {
        return false;
      }
      return have[i] !== '';
    });
    if (fits) return {route, params};
  }
  return null;
}

// withQuery returns the path of a page with parameters set; null and '' take one away. Pages build their URLs by it:
// ctx.go(withQuery(url, {q: text, after: null}), 'replace').
export function withQuery(url: URL, change: Readonly<Record<string, string | number | null | undefined>>): string {
  const u = new URL(url);
  for (const [k, v] of Object.entries(change)) {
    if (v === null || v === undefined || v === '') u.searchParams.delete(k);
    else u.searchParams.set(k, String(v));
  }
  return u.pathname + u.search + u.hash;
}

// short gives parameters the names that pages know: in the interface they are written out, and whoever knows it writes
// addresses so.
export function short(url: URL): URL {
  const u = new URL(url);
  for (const [long, name] of [
    ['game', 'g'],
    ['session', 's'],
  ] as const) {
    const v = u.searchParams.get(long);
    if (v === null) continue;
    u.searchParams.delete(long);
    if (!u.searchParams.has(name)) u.searchParams.set(name, v);
  }
  return u;
}

interface State {
  scroll?: number;
}

export class Router {
  #late = 0; // timer of an address that the browser would not take yet

  // show is called for every address that comes to stand in the bar; y is where the reader was on that page, or null on
  // a new one.
  constructor(
    private readonly ours: (url: URL) => boolean,
    private readonly show: (url: URL, y: number | null) => void,
  ) {
    history.scrollRestoration = 'manual';
    addEventListener('popstate', e => show(short(new URL(location.href)), (e.state as State | null)?.scroll ?? 0));
    addEventListener('pagehide', () => this.#keep());
    // The place is kept while scrolling too: at popstate the old entry is no longer the current one. Browsers bound how
    // often the state may be replaced, so it waits for a pause.
    let timer = 0;
    addEventListener(
      'scroll',
      () => {
        clearTimeout(timer);
        timer = window.setTimeout(() => this.#keep(), 150);
      },
      {passive: true},
    );
    document.addEventListener('click', e => this.#click(e));
  }

  start(): void {
    const url = short(new URL(location.href));
    if (url.href !== location.href) this.#replace(url);
    this.show(url, (history.state as State | null)?.scroll ?? null);
  }

  go(to: string, how: 'push' | 'replace' = 'push'): void {
    const url = short(new URL(to, location.href));
    if (url.origin !== location.origin || !this.ours(url)) {
      location.assign(url);
      return;
    }
    const same = url.href === location.href;
    if (how === 'push' && !same) {
      clearTimeout(this.#late);
      this.#keep();
      history.pushState({} satisfies State, '', url);
      this.show(url, null);
    } else {
      this.#replace(url);
      this.show(url, same ? null : scrollY);
    }
  }

  // replace writes the address. Browsers refuse it if it comes too often, as when a key is held down in a game; the
  // page goes on all the same, and the last address is written a little later.
  #replace(url: URL): void {
    clearTimeout(this.#late);
    try {
      history.replaceState(history.state, '', url);
    } catch {
      this.#late = window.setTimeout(() => this.#replace(url), 1000);
    }
  }

  #keep(): void {
    try {
      history.replaceState({scroll: Math.round(scrollY)} satisfies State, '');
    } catch {
      /* too often: the last place does */
    }
  }

  // Plain clicks on links to our own pages stay in the app; everything else is the browser's, so that opening in a new
  // tab, downloads and the middle button work.
  #click(e: MouseEvent): void {
    if (e.defaultPrevented || e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
    const a = (e.target as Element).closest?.('a');
    if (
      !a ||
      !a.href ||
      typeof a.href !== 'string' ||
      a.target ||
      a.hasAttribute('download') ||
      a.origin !== location.origin
    )
      return;
    const url = new URL(a.href);
    if (!this.ours(url)) return;
    // A link to a place in this document, such as the skip link.
    if (
      url.hash &&
      url.pathname === location.pathname &&
      url.search === location.search &&
      document.getElementById(url.hash.slice(1))
    ) {
      e.preventDefault();
      const to = document.getElementById(url.hash.slice(1))!;
      to.scrollIntoView();
      to.focus();
      return;
    }
    e.preventDefault();
    this.go(url.href);
  }
}

// labLink is the address of the laboratory with a position in it: of a line, or of a moment of a record.
export const labLink = (at: {g: string; m: string} | {id: number; node: number} | {id: number; ply: number}): string =>
  '/lab?' + new URLSearchParams(Object.entries(at).map(([k, v]) => [k, String(v)])).toString();

// searchLink is the address of a search; without a game the query tells it.
export const searchLink = (q: string, g = ''): string => '/search?' + new URLSearchParams({...(g && {g}), q});
