// The shell: header, navigation, live region, toasts, and the one page that is open. Pages know the shell by Context
// alone.
import type {Game} from './api';
import {Client, Problem, aborted} from './client';
import {fill, h, on} from './dom';
import {type Lang, type TextKey, type Translate, langNames, langs, language, load} from './i18n';
import {icon} from './icons';
import {type Key, find, keyText, names, typing} from './keys';
import {Prefs, type Values} from './prefs';
import {Router, match} from './router';
import {dialog, explain, field, filesOf, menu, trouble} from './ui';

export interface Context {
  readonly api: Client;
  readonly prefs: Prefs;
  readonly t: Translate;
  readonly lang: Lang;
  readonly signal: AbortSignal; // aborted when the page is left
  readonly call: Client['call']; // api.call, with the signal of the page where none is given
  // to another page, or to another state of this one: then page.update is called
  go(url: string, how?: 'push' | 'replace'): void;
  hand(files: File[]): void; // to the page that imports them, which is opened
  announce(text: string): void; // says it to screen readers, politely
  toast(text: string, kind?: 'info' | 'error' | 'success', action?: {label: string; run(): void}): void;
  fail(err: unknown): void; // shows what went wrong; an aborted request is nothing
  retitle(title: string): void; // the title of the page, once it is known better
  games(): Promise<Game[]>; // GET /games, asked once a session
  keys(): readonly Key[]; // all keys that work now
}

export interface Page {
  title: string;
  node: HTMLElement;
  // the URL has changed and the page stays; without it, or where it says false, the page is opened anew
  update?(url: URL): void | boolean;
  keys?: Key[];
  leave?(): void;
  drop?(files: File[], text?: string): boolean; // dropped or pasted; tells whether it was of use
}

export type Opener = (ctx: Context, url: URL, params: Record<string, string>) => Page | Promise<Page>;

// Load fetches the script of a page; the browser keeps it.
export type Load = () => Promise<{open: Opener}>;

export interface Route {
  path: string;
  load: Load;
}

// Drops are where things go that the open page has no use for: both pages get them by their own drop.
export interface Options {
  routes: readonly Route[];
  missing: Load;
  files: string;
  texts: string;
}

interface Open {
  route: Route | null;
  path: string;
  page: Page;
  stop: AbortController;
  url: URL;
}

const nav = [
  ['/search', 'search'],
  ['/explore', 'explore'],
  ['/play', 'play'],
  ['/names', 'names'],
  ['/shapes', 'shapes'],
  ['/learn', 'learn'],
  ['/records', 'records'],
  ['/import', 'import'],
  ['/players', 'players'],
  ['/insights', 'insights'],
] as const;
// i18n: nav.*, prefs.theme.*

// What a token is asked for, by the code of the refusal.
const tokenWhy: Partial<Record<string, TextKey>> = {
  'wrong-token': 'token.wrong',
  'read-token': 'token.whyOwner',
  'no-read-token': 'token.whyRead',
  'no-profile': 'token.whyProfile',
};

const themes = {light: '#f6f4ef', dark: '#171614'};

export class App {
  readonly #prefs = new Prefs();
  readonly #api = new Client(code => this.#askToken(code));
  readonly #router: Router;
  readonly #root: HTMLElement;
  readonly #main = h('main', {id: 'main', tabindex: -1});
  readonly #live = h('div.hidden', {role: 'status', 'aria-live': 'polite'});
  readonly #toasts = h('div.toasts');
  #t: Translate = key => key;
  #lang: Lang = 'en';
  #games: Promise<Game[]> | null = null;
  #open: Open | null = null;
  #turn = 0; // counts openings, so that a slow page does not appear over a newer one
  #hand: {path: string; files: File[]; text?: string} | null = null; // dropped, waiting for its page

  constructor(
    root: HTMLElement,
    private readonly options: Options,
  ) {
    this.#root = root;
    this.#router = new Router(
      url => match(options.routes, url.pathname) !== null,
      (url, y) => void this.#show(url, y),
    );
  }

  async start(): Promise<void> {
    this.#paint();
    await this.#speak();
    this.#prefs.on(changed => {
      if (changed.has('theme') || changed.has('animation') || changed.has('board')) this.#paint();
      if (changed.has('language'))
        void this.#speak().then(
          () => this.#again(),
          err => this.#fail(err),
        );
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#paint());
    on<KeyboardEvent>(document, 'keydown', e => this.#key(e));
    on<ClipboardEvent>(document, 'paste', e => {
      if (!typing(e.target) && e.clipboardData) this.#take(e, e.clipboardData);
    });
    let depth = 0;
    const over = (d: number) => {
      depth = Math.max(0, depth + d);
      document.body.classList.toggle('dragging', depth > 0);
    };
    const files = (e: DragEvent) => e.dataTransfer?.types.includes('Files') ?? false;
    on<DragEvent>(document, 'dragenter', e => {
      if (files(e)) over(1);
    });
    on<DragEvent>(document, 'dragleave', e => {
      if (files(e)) over(-1);
    });
    on<DragEvent>(document, 'dragover', e => {
      if (files(e)) e.preventDefault();
    });
    on<DragEvent>(document, 'drop', e => {
      over(-depth);
      if (!e.defaultPrevented && e.dataTransfer && (files(e) || !typing(e.target))) this.#take(e, e.dataTransfer);
    });
    // Who points at a link will want its page; the script of it is there before the click.
    for (const type of ['pointerover', 'focusin', 'touchstart'])
      on(document, type, e => this.#expect((e.target as Element).closest?.('a')), undefined, {passive: true});
    this.#router.start();
    this.#idle();
    this.#rights();
  }

  // rights has what the user may not do be hidden: controls say by data-needs what they are for.
  #rights(): void {
    for (const name of ['delete-records', 'upload'])
      this.#api.may(name).then(
        may => document.documentElement.classList.toggle('no-' + name, !may),
        () => undefined, // everything is shown, and the server refuses
      );
  }

  // idle fetches the scripts of the other pages once there is nothing else to do, one after the other, unless the
  // reader saves data.
  #idle(): void {
    if ((navigator as {connection?: {saveData?: boolean}}).connection?.saveData) return;
    const links = [...this.#root.querySelectorAll<HTMLAnchorElement>('.nav a')];
    const next = () => {
      const a = links.shift();
      if (a) {
        this.#expect(a);
        later();
      }
    };
    const later = () => setTimeout(() => (window.requestIdleCallback ?? setTimeout)(next), 2000);
    later();
  }

  #expect(a: HTMLAnchorElement | null | undefined): void {
    if (a?.origin === location.origin)
      match(this.options.routes, a.pathname)
        ?.route.load()
        .catch(() => {
          /* the click will tell */
        });
  }

  // paint tells the style sheet what the preferences are.
  #paint(): void {
    const theme = this.#prefs.get('theme'),
      root = document.documentElement;
    if (theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
    root.dataset['boardTheme'] = this.#prefs.get('board');
    root.dataset['motion'] = this.#prefs.get('animation') ? 'on' : 'off';
    const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
    for (const m of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      m.removeAttribute('media');
      m.content = dark ? themes.dark : themes.light;
    }
  }

  // speak loads the texts of the wanted language and draws the shell in it.
  async #speak(): Promise<void> {
    this.#lang = language(this.#prefs.get('language'));
    const t = (this.#t = await load(this.#lang));
    const header = h(
      'header.shell',
      h('a.brand', {href: '/', 'aria-label': t('nav.home')}, h('b', {lang: 'zh-Hant'}, '棋譜'), h('span', 'Qipu')),
      h(
        'nav.nav',
        {'aria-label': t('nav.label')},
        nav.map(([href, name]) =>
          h('a', {href, ...(name === 'import' && {'data-needs': 'send'})}, icon(name), h('span', t(`nav.${name}`))),
        ),
      ),
      h(
        'div.tools',
        menu(
          t('nav.language'),
          () =>
            langs.map(l => ({
              label: langNames[l],
              checked: l === this.#lang,
              run: () => this.#prefs.set('language', l),
            })),
          'language',
        ),
        menu(
          t('nav.theme'),
          () =>
            (['system', 'light', 'dark'] satisfies Values['theme'][]).map(v => ({
              label: t(`prefs.theme.${v}`),
              checked: v === this.#prefs.get('theme'),
              run: () => this.#prefs.set('theme', v),
            })),
          'light',
        ),
        (['me', 'help', 'settings'] as const).map(name =>
          h(
            'a.btn.quiet.bare',
            {href: '/' + name, 'aria-label': t(`nav.${name}`), title: t(`nav.${name}`)},
            icon(name),
          ),
        ),
      ),
    );
    this.#toasts.setAttribute('aria-label', t('ui.messages'));
    document.querySelector('body > .skip')?.remove(); // it was for the time before
    fill(
      this.#root,
      h('a.skip', {href: '#main'}, t('nav.skip')),
      header,
      this.#main,
      this.#live,
      this.#toasts,
      h('div.drop-veil', {'aria-hidden': 'true'}, icon('import'), h('strong', t('nav.drop'))),
    );
    this.#mark(new URL(location.href));
  }

  // mark shows where we are. Links between the pages about a kind of game keep the kind.
  #mark({pathname: path, searchParams}: URL): void {
    const g = searchParams.get('g');
    for (const a of this.#root.querySelectorAll<HTMLAnchorElement>('.nav a, .tools a')) {
      if (/^.(search|explore|play|names|learn|records)$/.test(a.pathname))
        a.search = g ? '?' + new URLSearchParams({g}).toString() : '';
      if (path === a.pathname || path.startsWith(a.pathname + '/')) a.setAttribute('aria-current', 'page');
      else a.removeAttribute('aria-current');
    }
  }

  // again opens the page that stands there once more, in the new language.
  #again(): void {
    this.#close();
    void this.#show(new URL(location.href), scrollY);
  }

  // retry is what the button of a page does that could not be opened. Browsers keep that a script could not be had.
  #retry(err: unknown): void {
    if (err instanceof Problem && err.code === 'script') location.reload();
    else this.#again();
  }

  #close(): void {
    const o = this.#open;
    this.#open = null;
    if (!o) return;
    o.stop.abort();
    try {
      o.page.leave?.();
    } catch (err) {
      console.error(err);
    }
  }

  async #show(url: URL, y: number | null): Promise<void> {
    const m = match(this.options.routes, url.pathname),
      now = this.#open;
    this.#mark(url);
    if (now?.page.update && m && now.route === m.route && now.path === url.pathname) {
      const state = url.href !== now.url.href;
      let stays: void | boolean = true;
      now.url = url;
      try {
        stays = now.page.update(url);
      } catch (err) {
        this.#fail(err);
      }
      if (stays !== false) {
        this.#title(now.page.title);
        if (state && y !== null) this.#scroll(y);
        this.#give();
        return;
      }
    }
    const first = this.#turn === 0,
      turn = ++this.#turn;
    this.#close();
    const stop = new AbortController();
    const slow = setTimeout(() => {
      if (turn === this.#turn) this.#main.setAttribute('aria-busy', 'true');
    }, 120); // no flicker where it is quick
    let page: Page;
    try {
      // A script that cannot be had is a broken network, or a server that has a newer client: both mend by loading the
      // page.
      const {open} = await (m?.route.load ?? this.options.missing)().catch((): never => {
        throw new Problem(0, 'script', '');
      });
      page = await open(this.#context(stop.signal), url, m?.params ?? {});
    } catch (err) {
      if (turn !== this.#turn) return;
      page = {
        title: this.#t('error.unexpected'),
        node: h(
          'div.page',
          h('h1.hidden', this.#t('error.unexpected')),
          trouble(this.#t, err, () => this.#retry(err)),
        ),
      };
    } finally {
      clearTimeout(slow);
    }
    if (turn !== this.#turn) {
      // somebody went on in the meantime
      stop.abort();
      page.leave?.();
      return;
    }
    this.#main.removeAttribute('aria-busy');
    this.#open = {route: m?.route ?? null, path: url.pathname, page, stop, url};
    fill(this.#main, page.node);
    this.#title(page.title);
    const place = y === null && url.hash ? document.getElementById(url.hash.slice(1)) : null;
    if (place) place.scrollIntoView();
    else this.#scroll(y ?? 0);
    const wanted = page.node.querySelector<HTMLElement>('[autofocus]');
    if (wanted && matchMedia('(pointer: fine)').matches)
      wanted.focus({preventScroll: true}); // on a phone the keyboard would hide the page
    else if (!first) this.#main.focus({preventScroll: true});
    if (!first) this.#announce(page.title);
    this.#give();
    const at = new URL(location.href);
    if (at.href !== url.href) void this.#show(at, null); // the URL went on while the page was opening
  }

  #title(title: string): void {
    document.title = title ? `${title} · Qipu` : 'Qipu';
  }

  // scroll goes to a place that may not be there before the page has loaded what it shows; the reader's own scrolling
  // ends it.
  #scroll(y: number): void {
    scrollTo(0, y);
    if (y === 0 || scrollY >= y - 1) return;
    const stop = new AbortController();
    const o = new ResizeObserver(() => {
      scrollTo(0, y);
      if (scrollY >= y - 1) stop.abort();
    });
    stop.signal.addEventListener('abort', () => o.disconnect());
    for (const type of ['wheel', 'touchstart', 'keydown', 'pointerdown', 'popstate'])
      on(window, type, () => stop.abort(), stop.signal);
    setTimeout(() => stop.abort(), 3000);
    o.observe(this.#main);
  }

  #context(signal: AbortSignal): Context {
    const app = this;
    return {
      api: this.#api,
      call: ((op: 'GET /library', params?: object, s = signal) => this.#api.call(op, params, s)) as Client['call'],
      prefs: this.#prefs,
      t: this.#t,
      lang: this.#lang,
      signal,
      go(url, how) {
        if (!signal.aborted) app.#router.go(url, how);
      },
      hand: files => {
        if (!signal.aborted) this.hand(this.options.files, files);
      },
      announce: text => this.#announce(text),
      toast: (text, kind, action) => this.#toast(text, kind, action),
      fail: err => {
        if (!signal.aborted) this.#fail(err);
      },
      retitle(title) {
        if (signal.aborted) return;
        if (app.#open) app.#open.page.title = title;
        app.#title(title);
      },
      games: () => this.#gameList(),
      keys: () => this.#keys(),
    };
  }

  #gameList(): Promise<Game[]> {
    return (this.#games ??= this.#api
      .call('GET /games')
      .then(r => r.games)
      .catch((err: unknown) => {
        this.#games = null; // ask again next time
        throw err;
      }));
  }

  #announce(text: string): void {
    this.#live.textContent = '';
    // A text that is the same as before would not be said again, so that it comes anew after a moment.
    setTimeout(() => {
      this.#live.textContent = text;
    }, 60);
  }

  #toast(text: string, kind: 'info' | 'error' | 'success' = 'info', action?: {label: string; run(): void}): void {
    const gone = () => {
      clearTimeout(timer);
      node.remove();
    };
    const node = h(
      'div',
      {class: 'toast ' + kind, role: kind === 'error' ? 'alert' : 'status'},
      icon(kind === 'error' ? 'warn' : kind === 'success' ? 'check' : 'info'),
      h('span.pre', text),
      action &&
        h(
          'button.btn.quiet',
          {
            onclick: () => {
              gone();
              action.run();
            },
          },
          action.label,
        ),
      h('button.btn.quiet.bare', {'aria-label': this.#t('ui.close'), onclick: gone}, icon('close')),
    );
    const timer = setTimeout(gone, kind === 'error' || action ? 12000 : 5000);
    on(node, 'pointerenter', () => clearTimeout(timer)); // who reads it keeps it
    on(node, 'focusin', () => clearTimeout(timer));
    [...this.#toasts.children].find(x => x.textContent!.startsWith(text))?.remove(); // said again, it is one
    while (this.#toasts.childElementCount > 3) this.#toasts.firstElementChild!.remove();
    this.#toasts.append(node);
  }

  #fail(err: unknown): void {
    if (aborted(err)) return;
    if (!(err instanceof Problem)) console.error(err);
    const {title, text} = explain(this.#t, err);
    this.#toast(text ? `${title}\n${text}` : title, 'error');
  }

  async #askToken(code: string): Promise<{token: string; keep: boolean} | null> {
    const t = this.#t;
    const input = h('input', {
      type: 'password',
      autocomplete: 'current-password',
      required: true,
      autofocus: true,
      spellcheck: 'false',
    });
    const keep = h('input', {type: 'checkbox'});
    const d = dialog(t, {
      title: t('token.title'),
      body: [
        h('p', t(tokenWhy[code] ?? 'token.why')),
        field(t('token.label'), input, t('token.hint')),
        h('label.check', keep, h('span', t('token.keep'))),
      ],
      yes: t('token.use'),
    });
    return (await d.done) === 'yes' && input.value.trim() ? {token: input.value.trim(), keep: keep.checked} : null;
  }

  #keys(): readonly Key[] {
    const t = this.#t;
    return [
      ...(this.#open?.page.keys ?? []),
      {keys: '/', label: t('keys.search'), run: () => this.#toSearch()},
      {
        keys: 'e',
        label: t('keys.explore'),
        run: () => this.#router.go(this.#root.querySelector<HTMLAnchorElement>('.nav a[href*="/explore"]')!.href),
      },
      {
        keys: 'c',
        label: t('keys.coordinates'),
        run: () => {
          const next = !this.#prefs.get('coordinates');
          this.#prefs.set('coordinates', next);
          this.#announce(t(next ? 'keys.coordinatesOn' : 'keys.coordinatesOff'));
        },
      },
      {
        keys: 'Ctrl+k',
        label: t('command.title'),
        run: () => void this.#command().catch((err: unknown) => this.#fail(err)),
      },
      {
        keys: '?',
        label: t('keys.help'),
        run: () => dialog(t, {title: t('keys.title'), body: keyTable(this.#keys(), t)}),
      },
    ];
  }

  // command opens the palette, whose script comes when it is wanted.
  async #command(): Promise<void> {
    const {palette} = await import('./command/palette');
    palette({
      t: this.#t,
      lang: this.#lang,
      api: this.#api,
      games: () => this.#gameList(),
      keys: () => this.#keys(),
      pages: () =>
        [...this.#root.querySelectorAll<HTMLAnchorElement>('header a[href]')].map(a => ({
          label: a.getAttribute('aria-label') ?? a.textContent.trim(),
          href: a.pathname + a.search,
        })),
      go: href => this.#router.go(href),
    });
  }

  #key(e: KeyboardEvent): void {
    const k = find(this.#keys(), e);
    if (!k) return;
    e.preventDefault();
    try {
      k.run(e);
    } catch (err) {
      this.#fail(err);
    }
  }

  // A page marks its search box by data-search.
  #toSearch(): void {
    const box = this.#main.querySelector<HTMLInputElement>('[data-search]');
    if (!box) return this.#router.go('/search');
    box.focus();
    box.select?.();
  }

  // take hands what was dropped or pasted to the open page, else to the page that is for it.
  #take(e: Event, data: DataTransfer): void {
    const text = data.getData('text/plain').trim();
    const isFiles = data.types.includes('Files');
    if (!isFiles && !text) return;
    e.preventDefault();
    const page = this.#open?.page;
    void filesOf(data)
      .then(files => {
        if (page && page === this.#open?.page && page.drop?.(files, isFiles ? undefined : text)) return;
        if (files.length) this.hand(this.options.files, files);
        else if (text && !isFiles) this.hand(this.options.texts, [], text);
      })
      .catch((err: unknown) => this.#fail(err));
  }

  // hand opens a page and gives it files or a text.
  hand(path: string, files: File[], text?: string): void {
    this.#hand = {path, files, ...(text !== undefined && {text})};
    if (location.pathname === path) this.#give();
    else this.#router.go(path);
  }

  #give(): void {
    const what = this.#hand,
      o = this.#open;
    if (!what || o?.path !== what.path) return;
    this.#hand = null;
    o.page.drop?.(what.files, what.text);
  }
}

// keyTable lists keys and what they do; the help page shows the same one.
export function keyTable(list: readonly Key[], t: Translate): HTMLElement {
  const shown = list.filter(
    (k, i) => !k.hidden && !list.slice(0, i).some(o => names(o).some(n => names(k).includes(n))),
  ); // a page's key hides the shell's
  return h(
    'table.keys',
    h(
      'tbody',
      shown.map(k =>
        h(
          'tr',
          h(
            'td',
            names(k).map((n, i) => [
              i > 0 && ' ',
              h(
                'span',
                keyText(n, t).map((p, j) => [j > 0 && '+', h('kbd', p)]),
              ),
            ]),
          ),
          h('th', {scope: 'row'}, k.label),
        ),
      ),
    ),
  );
}
