// The client of the API under /api/v1. Answers are cached by the browser: the server sends ETags, and fetch turns a 304
// into the stored answer by itself.
import {recall} from './store';
import type {paths} from './api';

const base = '/api/v1';
const tokenName = 'qipu.token';

// Problem is what the server refuses with (application/problem+json), or what the network did (status 0).
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    readonly detail = '',
    readonly hint = '',
    readonly errors: readonly {field: string; detail: string}[] = [],
  ) {
    super(detail || title);
    this.name = 'Problem';
  }
}

// aborted tells whether an error only says that nobody waits for the answer any more.
export const aborted = (err: unknown): boolean => err instanceof DOMException && err.name === 'AbortError';

// Op names an operation by its method and path, as in 'GET /records/{id}'.
type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
type Path = keyof paths;
export type Op = {
  [P in Path]: {[M in Method]: paths[P][M] extends {responses: object} ? `${Uppercase<M>} ${P}` : never}[Method];
}[Path];
type Operation<K> = K extends `${infer M} ${infer P extends Path}` ? paths[P][Lowercase<M> & Method] : never;

// Params are its parameters and its body: a parameter that may be left out may also be undefined, and a part that needs
// nothing may be left out whole.
type Loose<T> = {[N in keyof T]: {} extends Pick<T, N> ? T[N] | undefined : T[N]};
type Part<N extends string, T> = [T] extends [undefined]
  ? {[P in N]?: undefined}
  : {} extends T
    ? {[P in N]?: T}
    : {[P in N]: T};
type In<K, N extends 'path' | 'query'> = Operation<K> extends {parameters: {[P in N]?: infer T}} ? Loose<T> : undefined;
type Body<K> =
  Operation<K> extends {requestBody: {content: infer C}}
    ? C extends {'application/json': infer T}
      ? T
      : FormData // files, in parts
    : undefined;
export type Params<K extends Op> = Part<'path', In<K, 'path'>> & Part<'query', In<K, 'query'>> & Part<'body', Body<K>>;

// Reply is what it answers: JSON, text, or nothing. Streams are for events, and files for links.
type Replies<K> = Operation<K> extends {responses: infer R} ? R[keyof R & (200 | 201 | 202 | 204)] : never;
export type Reply<K extends Op> =
  Replies<K> extends {content: infer C}
    ? C extends {'application/json': infer T}
      ? T
      : C extends {'text/plain': string} | {'image/svg+xml': string}
        ? string
        : never
    : undefined;
type Args<K extends Op> =
  {} extends Params<K>
    ? [params?: Params<K> | undefined, signal?: AbortSignal]
    : [params: Params<K>, signal?: AbortSignal];

export type Query = Readonly<Record<string, unknown>>;

export interface Handlers {
  [event: string]: (data: never, id: string) => void;
}

export interface Upload {
  files?: readonly File[]; // sent as multipart/form-data, each as a part "file" under its relative name
  fields?: Record<string, string>; // further parts; they go first
  onProgress?(sent: number, total: number): void;
}

export class Client {
  // ask is called when the server wants a token, with the code of its refusal: it returns one, or null if the user
  // gives up.
  constructor(private readonly ask: (code: string) => Promise<{token: string; keep: boolean} | null>) {}
  #asking: Promise<boolean> | null = null;
  #may: Promise<readonly string[]> | null = null;

  get token(): string {
    try {
      return sessionStorage.getItem(tokenName) ?? localStorage.getItem(tokenName) ?? '';
    } catch {
      return '';
    }
  }

  // setToken keeps a token for this tab, or with keep for this browser; an empty one is forgotten.
  setToken(token: string, keep: boolean): void {
    this.#may = null;
    try {
      sessionStorage.removeItem(tokenName);
      localStorage.removeItem(tokenName);
      if (token) (keep ? localStorage : sessionStorage).setItem(tokenName, token);
      // by which the server knows pictures and links, which carry no token
      else document.cookie = 'qipu-reader=; path=/api; max-age=0';
    } catch {
      /* storage is forbidden: it is asked for again */
    }
  }

  // url returns the address of a resource, for links and pictures.
  url(path: string, query?: Query): string {
    const q = new URLSearchParams();
    for (const [k, v] of Object.entries(query ?? {})) {
      // A list is one value with commas, as the server reads it.
      if (v !== undefined && v !== null && v !== '') q.set(k, Array.isArray(v) ? v.join(',') : String(v));
    }
    const s = q.toString();
    return base + path + (s && '?' + s);
  }

  // call asks for one operation, such as call('GET /records/{id}', {path: {id}}, signal). It throws a Problem or, if
  // the signal was aborted, an AbortError.
  async call<K extends Op>(op: K, ...[params, signal]: Args<K>): Promise<Reply<K>> {
    const p = (params ?? {}) as {path?: Query; query?: Query; body?: unknown};
    const cut = op.indexOf(' ');
    const path = op
      .slice(cut + 1)
      .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(p.path?.[name] ?? '')));
    const init: RequestInit = {method: op.slice(0, cut)};
    const headers: Record<string, string> = {Accept: 'application/json'};
    // Who sits at a game of two screens says so by the key of the seat.
    const seat = path.startsWith('/sessions/') && recall<Record<string, string>>('seats', {})[String(p.path?.['id'])];
    if (seat) headers['Qipu-Seat'] = seat;
    if (p.body instanceof Blob || p.body instanceof FormData || typeof p.body === 'string') init.body = p.body;
    else if (p.body !== undefined) {
      init.body = JSON.stringify(p.body);
      headers['Content-Type'] = 'application/json';
    }
    const reply = await this.#fetch(this.url(path, p.query), init, headers, signal);
    if (reply.status === 204) return undefined as Reply<K>;
    const type = reply.headers.get('Content-Type') ?? '';
    return (/json/.test(type) ? await reply.json() : await reply.text()) as Reply<K>;
  }

  // events follows an event stream until the server ends it (then it returns), the signal is aborted (it returns too),
  // or the server refuses (it throws). A line that breaks is taken up again where it broke. EventSource is not used: it
  // can carry no token, tells no reasons, and begins anew after the end.
  async events(path: string, query: Query, handlers: Handlers, signal: AbortSignal): Promise<void> {
    let last = '',
      wait = 1000,
      tries = 0;
    for (;;) {
      try {
        const reply = await this.#fetch(
          this.url(path, query),
          {cache: 'no-store'},
          {Accept: 'text/event-stream', ...(last && {'Last-Event-ID': last})},
          signal,
        );
        let event = '',
          data: string[] = [];
        for await (const line of lines(reply.body!)) {
          if (signal.aborted) return; // what lay in the buffer is nobody's any more
          if (line === '') {
            if (data.length) handlers[event || 'message']?.(JSON.parse(data.join('\n')) as never, last);
            event = '';
            data = [];
            tries = 0;
            continue;
          }
          const m = /^(\w+): ?(.*)$/s.exec(line);
          if (m?.[1] === 'event') event = m[2]!;
          else if (m?.[1] === 'data') data.push(m[2]!);
          else if (m?.[1] === 'id') last = m[2]!;
          else if (m?.[1] === 'retry') wait = +m[2]! || wait;
        }
        return;
      } catch (err) {
        if (signal.aborted) return;
        // Only a broken network is worth another try; a handler's fault or a refusal is not.
        if (
          !(err instanceof TypeError || (err instanceof Problem && (err.status === 0 || err.status === 503))) ||
          ++tries > 6
        )
          throw err;
        await pause(wait * tries, signal);
        if (signal.aborted) return;
      }
    }
  }

  // may tells whether the user may ask for an operation, by its id. What one may not is not shown.
  async may(operation: string): Promise<boolean> {
    const all = await (this.#may ??= this.call('GET /me').then(me => me.operations)).catch((err: unknown) => {
      this.#may = null; // ask again next time
      throw err;
    });
    return all.includes(operation);
  }

  // owns tells whether the user is the owner of the library. What is the owner's alone is not asked for others, who
  // would be asked for a token that they do not need.
  owns(): Promise<boolean> {
    return this.may('list-people');
  }

  // analyses tells whether the user may have engines think about positions.
  async analyses(signal?: AbortSignal): Promise<boolean> {
    return (await this.call('GET /library', undefined, signal)).analyses;
  }

  // upload posts files and tells how far it is. XMLHttpRequest is the one that reports what was sent.
  async upload<T>(path: string, what: Upload, signal?: AbortSignal): Promise<T> {
    const form = new FormData();
    for (const [k, v] of Object.entries(what.fields ?? {})) form.append(k, v);
    for (const f of what.files ?? []) form.append('file', f, f.webkitRelativePath || f.name);
    for (;;) {
      const [status, text] = await this.#send(path, form, what, signal);
      if (status === 401 && (await this.#authorize(problem(status, text).code))) continue;
      if (status >= 200 && status < 300) return (text ? JSON.parse(text) : undefined) as T;
      throw problem(status, text);
    }
  }

  #send(path: string, form: FormData, what: Upload, signal?: AbortSignal): Promise<[number, string]> {
    return new Promise((done, fail) => {
      const x = new XMLHttpRequest();
      x.open('POST', this.url(path));
      x.setRequestHeader('Accept', 'application/json');
      if (this.token) x.setRequestHeader('Authorization', 'Bearer ' + this.token);
      x.upload.onprogress = e => what.onProgress?.(e.loaded, e.total);
      x.onload = () => done([x.status, x.responseText]);
      x.onerror = () => fail(offline());
      x.onabort = () => fail(new DOMException('aborted', 'AbortError'));
      signal?.addEventListener('abort', () => x.abort());
      if (signal?.aborted) x.abort();
      else x.send(form);
    });
  }

  async #fetch(
    url: string,
    init: RequestInit,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> {
    for (;;) {
      const token = this.token;
      let reply: Response;
      try {
        reply = await fetch(url, {
          ...init,
          headers: {...headers, ...(token && {Authorization: 'Bearer ' + token})},
          ...(signal && {signal}),
        });
      } catch (err) {
        throw aborted(err) ? err : offline();
      }
      if (reply.ok) return reply;
      const refused = problem(reply.status, await reply.text());
      if (reply.status === 401 && (await this.#authorize(refused.code))) continue;
      throw refused;
    }
  }

  // authorize asks for a token once, however many calls wait for it. Whoever logs in wrongly is not helped by one.
  #authorize(code: string): Promise<boolean> {
    if (code === 'wrong-key') return Promise.resolve(false);
    return (this.#asking ??= this.ask(code)
      .then(a => {
        if (a) this.setToken(a.token, a.keep);
        return a !== null;
      })
      .finally(() => {
        this.#asking = null;
      }));
  }
}

const offline = () => new Problem(0, 'offline', '');

function problem(status: number, text: string): Problem {
  try {
    const p = JSON.parse(text) as Partial<Problem>;
    return new Problem(status, p.code ?? '', p.title ?? '', p.detail, p.hint, p.errors ?? []);
  } catch {
    return new Problem(status, '', `${status}`, text.slice(0, 300));
  }
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader(),
    utf8 = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const {done, value} = await reader.read();
      if (done) return;
      const parts = (rest + utf8.decode(value, {stream: true})).split(/\r?\n/);
      rest = parts.pop()!;
      yield* parts;
    }
  } finally {
    reader.cancel().catch(() => {
      /* it has ended already */
    });
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>(done => {
    const timer = setTimeout(done, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        done();
      },
      {once: true},
    );
  });

// latest makes a function of which only the last call counts: the one before is aborted, and its promise comes to
// undefined. Other errors pass. `const find = latest(ctx.signal, (signal, q: string) => ctx.api.call('GET /find',
// {query: {q}}, signal))`.
export function latest<A extends unknown[], T>(
  outer: AbortSignal,
  run: (signal: AbortSignal, ...args: A) => Promise<T>,
): (...args: A) => Promise<T | undefined> {
  let last: AbortController | undefined;
  outer.addEventListener('abort', () => last?.abort());
  return async (...args) => {
    last?.abort();
    const mine = (last = new AbortController());
    if (outer.aborted) mine.abort();
    try {
      const v = await run(mine.signal, ...args);
      return mine.signal.aborted ? undefined : v;
    } catch (err) {
      if (mine.signal.aborted) return undefined;
      throw err;
    }
  };
}
