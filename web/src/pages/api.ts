// The OpenAPI document as a page: every operation with its parameters, its schemas, and a form that tries it.
import '../common';
import type {Context, Opener} from '../app';
import {aborted} from '../client';
import {type Child, fill, h} from '../dom';
import {copyButton, dataTable, field, rowHead, trouble} from '../ui';
// i18n: api.how.*

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  oneOf?: Schema[];
}
interface Param {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}
type Content = Record<string, {schema?: Schema}>;
interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Param[];
  requestBody?: {content: Content};
  responses?: Record<string, {description?: string; content?: Content}>;
}
interface Doc {
  info: {title: string; version: string; description?: string};
  tags?: {name: string; description?: string}[];
  paths: Record<string, Record<string, Operation>>;
  components?: {schemas?: Record<string, Schema>};
}
interface Entry extends Operation {
  method: string;
  path: string;
}

const base = '/api/v1',
  docURL = `${base}/openapi.json`;
const methods = ['get', 'post', 'put', 'patch', 'delete'];
const how = ['errors', 'cursors', 'etags', 'events', 'tokens'] as const;
const shownBytes = 1 << 16,
  triedFor = 6000; // of an answer that is tried: more is for programs

export const open: Opener = async ctx => {
  const {t} = ctx;
  const reply = await fetch(docURL, {signal: ctx.signal});
  if (!reply.ok) throw new Error(`${docURL}: ${reply.status}`);
  const doc = (await reply.json()) as Doc,
    groups = new Map<string, Entry[]>();
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const method of methods) {
      const op = item[method],
        tag = op?.tags?.[0] ?? '';
      if (op) groups.set(tag, [...(groups.get(tag) ?? []), {...op, method: method.toUpperCase(), path}]);
    }
  }
  const tags = [...groups.keys()].sort(),
    count = h('small.muted', {role: 'status'});
  const sections = tags.map(tag =>
    h(
      'section.stack',
      {id: `group-${tag}`, tabindex: -1},
      h('h2', tag),
      h(
        'div.card.flush',
        groups.get(tag)!.map(op => {
          // What is inside is made when it is looked at: the schemas of all would be thousands of nodes.
          const node = h(
            'details.op',
            {
              id: op.operationId,
              ontoggle: () => {
                if (!node.open) return;
                if (node.childElementCount === 1) node.append(operation(ctx, doc, op));
                history.replaceState(history.state, '', '#' + op.operationId);
              },
            },
            h(
              'summary',
              h('b.method', {'data-method': op.method}, op.method),
              ' ',
              h('code', op.path),
              ' ',
              h('span.muted', op.summary),
            ),
          );
          return node;
        }),
      ),
    ),
  );
  const box = h('input', {
    type: 'search',
    'data-search': true,
    'aria-label': t('api.filter'),
    placeholder: t('api.filter'),
    oninput: () => {
      const words = box.value.toLowerCase().split(/\s+/);
      let n = 0;
      for (const s of sections) {
        const before = n;
        for (const op of s.querySelectorAll<HTMLElement>('.op')) {
          const text = op.firstElementChild!.textContent!.toLowerCase();
          op.hidden = !words.every(w => text.includes(w));
          if (!op.hidden) n++;
        }
        s.hidden = n === before;
      }
      count.textContent = t('api.count', {n});
    },
  });
  const toHash = () => {
    const node = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (node instanceof HTMLDetailsElement) node.open = true;
    node?.scrollIntoView();
  };
  if (location.hash) setTimeout(toHash);
  return {
    title: t('api.title'),
    node: h(
      'div.page.wide.api',
      h(
        'div.head',
        h('h1', t('api.title')),
        h(
          'div.row',
          h('a.btn', {href: docURL, target: '_blank'}, t('api.json')),
          copyButton(t, t('api.copyURL'), () => location.origin + docURL),
        ),
      ),
      h('p', t('api.text', {version: doc.info.version}), ' ', h('span.muted', doc.info.description)),
      h(
        'div.api-body',
        h(
          'nav.api-nav',
          {'aria-label': t('api.groups')},
          box,
          count,
          h(
            'div.row',
            tags.map(tag =>
              h('a.btn.small.quiet', {href: `#group-${tag}`}, tag, h('span.badge', groups.get(tag)!.length)),
            ),
          ),
        ),
        h(
          'div.stack.api-list',
          h(
            'details.card',
            {open: !location.hash},
            h('summary', h('strong', t('api.how'))),
            h(
              'dl.how',
              how.map(x => [h('dt', t(`api.how.${x}`)), h('dd', t(`api.how.${x}Text`))]),
            ),
          ),
          sections,
        ),
      ),
    ),
    update: toHash,
  };
};

function operation(ctx: Context, doc: Doc, op: Entry): HTMLElement {
  const {t} = ctx,
    params = (op.parameters ?? []).filter(p => p.in !== 'header');
  const body = Object.entries(op.requestBody?.content ?? {})[0],
    ok = Object.entries(op.responses ?? {}).find(([code]) => /^2/.test(code));
  const answer = Object.entries(ok?.[1].content ?? {})[0];
  return h(
    'div.op-body.stack',
    op.description && h('p', op.description),
    params.length > 0 &&
      h(
        'div.scroll-x',
        dataTable(
          op.operationId,
          [t('api.name'), t('api.type'), t('api.meaning')],
          h(
            'tbody',
            params.map(p =>
              h(
                'tr',
                rowHead(h('code', p.name), p.required && h('span.muted', ` ${t('api.required')}`)),
                h('td', h('code', typeText(p.schema))),
                h('td', p.description, bounds(ctx, p.schema)),
              ),
            ),
          ),
        ),
      ),
    body && [h('h3', t('api.body'), ' ', h('small.muted', body[0])), schema(ctx, doc, body[1].schema, true)],
    answer
      ? [h('h3', t('api.reply'), ' ', h('small.muted', answer[0])), schema(ctx, doc, answer[1].schema, true)]
      : h('p.muted', t('api.noReply')),
    op.method === 'GET'
      ? trial(ctx, op, params)
      : curlLine(
          ctx,
          `curl -X ${op.method}${body ? sent(body[0]) : ''} -H "Authorization: Bearer $QIPU_TOKEN" ` +
            `'${location.origin}${base}${op.path}'`,
        ),
  );
}

// sent is the part of a curl line that sends a body of a type.
const sent = (type: string): string => ` -H 'Content-Type: ${type}' -d '${type.includes('json') ? '{…}' : '…'}'`;

const named = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

function typeText(s: Schema | undefined): string {
  if (!s) return '';
  if (s.$ref) return named(s.$ref);
  const type = (Array.isArray(s.type) ? s.type.filter(x => x !== 'null')[0] : s.type) ?? 'any';
  if (type === 'array') return `${typeText(s.items)}[]`;
  if (typeof s.additionalProperties === 'object') return `{ string: ${typeText(s.additionalProperties)} }`;
  return s.format && !/^(int|uint|double)/.test(s.format) ? `${type} (${s.format})` : type;
}

// bounds tells what else is known of a value.
function bounds(ctx: Context, s: Schema | undefined): Child {
  const {t} = ctx,
    list = s?.enum ?? s?.items?.enum;
  const words = [
    list && `${t('api.oneOf')} ${list.filter(x => x !== '').join(', ')}`,
    s?.default !== undefined && `${t('api.default')} ${JSON.stringify(s.default)}`,
    s?.minimum !== undefined && s.maximum !== undefined && `${s.minimum} – ${s.maximum}`,
    s?.examples?.[0] !== undefined && `${t('api.example')} ${String(s.examples[0])}`,
  ].filter(Boolean);
  return words.length > 0 && h('small.muted', ' ', words.join('; '));
}

// core returns what lists, maps and references are about.
function core(doc: Doc, s: Schema | undefined): Schema | undefined {
  for (;;) {
    const inner: Schema | undefined = s?.$ref
      ? doc.components?.schemas?.[named(s.$ref)]
      : (s?.items ?? (typeof s?.additionalProperties === 'object' ? s.additionalProperties : undefined));
    if (!inner) return s;
    s = inner;
  }
}

// schema shows the members of a type; those of members are folded, and made when they are opened.
function schema(ctx: Context, doc: Doc, s: Schema | undefined, unfolded = false): Child {
  const at = core(doc, s),
    name = h('code', typeText(s)),
    members = Object.entries(at?.properties ?? {}).filter(([k]) => k !== '$schema');
  if (!members.length) return name;
  const box = h(
    'details.schema',
    {
      ontoggle: () => {
        if (box.childElementCount > 1) return;
        box.append(
          h(
            'dl',
            members.map(([k, v]) => [
              h('dt', h('code', k), !at?.required?.includes(k) && '?'),
              h('dd', schema(ctx, doc, v), ' ', v.description, bounds(ctx, v)),
            ]),
          ),
        );
      },
    },
    h('summary', name),
  );
  box.open = unfolded;
  return box;
}

const curlLine = (ctx: Context, line: string): HTMLElement =>
  h(
    'div.curl',
    h('code', line),
    copyButton(ctx.t, ctx.t('api.copyCurl'), () => line, {bare: true}),
  );

// trial is the form that asks the server, and shows what came back.
function trial(ctx: Context, op: Entry, params: readonly Param[]): HTMLElement {
  const {t} = ctx,
    inputs = new Map<Param, HTMLInputElement | HTMLSelectElement>(),
    out = h('div.stack', {role: 'status'});
  const control = (p: Param) => {
    const s = p.schema,
      list = s?.enum ?? (s?.type === 'boolean' ? [true, false] : undefined);
    if (list && !s?.items)
      return h(
        'select',
        h('option', {value: ''}, '–'),
        list.filter(x => x !== '').map(x => h('option', {value: String(x)}, String(x))),
      );
    const example = p.in === 'path' ? (p.example ?? s?.examples?.[0] ?? (s?.type === 'integer' ? 1 : '')) : '';
    return h('input.code', {
      spellcheck: 'false',
      autocomplete: 'off',
      required: p.required ?? false,
      value: p.required && s?.examples?.[0] !== undefined ? String(s.examples[0]) : String(example),
      placeholder: String(s?.examples?.[0] ?? s?.default ?? ''),
    });
  };
  const url = () => {
    const query = new URLSearchParams();
    let path = op.path;
    for (const [p, input] of inputs) {
      const v = input.value.trim();
      if (p.in === 'path') path = path.replace(`{${p.name}}`, encodeURIComponent(v));
      else if (v) query.set(p.name, v);
    }
    return base + path + (query.size ? '?' + query : '');
  };
  const line = h('div');
  const retell = () => fill(line, curlLine(ctx, `curl '${location.origin}${url().replace(/'/g, '%27')}'`));
  let last: AbortController | undefined;
  const run = async () => {
    last?.abort();
    const stop = (last = new AbortController()),
      to = url(),
      since = performance.now();
    ctx.signal.addEventListener('abort', () => stop.abort(), {once: true});
    const timer = setTimeout(() => stop.abort(), triedFor);
    fill(out, h('p.muted', '…'));
    try {
      const reply = await fetch(to, {
        signal: stop.signal,
        headers: ctx.api.token ? {Authorization: 'Bearer ' + ctx.api.token} : {},
      });
      const ms = Math.round(performance.now() - since),
        type = reply.headers.get('Content-Type') ?? '',
        got = await read(reply);
      if (stop !== last) return;
      let text = got.text;
      if (!got.cut && /json/.test(type)) text = JSON.stringify(JSON.parse(text), null, 1);
      fill(
        out,
        h(
          'p',
          h('strong', `${reply.status} ${reply.statusText}`),
          ` · ${ms} ms · ${type}`,
          got.cut && [' · ', t('api.cut'), ' ', h('a', {href: to, target: '_blank'}, t('api.whole'))],
        ),
        h('pre.answer', {tabindex: 0, 'aria-label': t('api.reply')}, text),
      );
    } catch (err) {
      if (stop === last) fill(out, aborted(err) ? h('p.muted', t('api.slow')) : trouble(t, err));
    } finally {
      clearTimeout(timer);
    }
  };
  const form = h(
    'form.stack.trial',
    {
      oninput: retell,
      onsubmit: (e: Event) => {
        e.preventDefault();
        void run();
      },
    },
    h('h3', t('api.try')),
    params.length > 0 &&
      h(
        'div.grid',
        params.map(p => {
          const c = control(p);
          inputs.set(p, c);
          return field(p.name, c);
        }),
      ),
    line,
    h('div.row', h('button.btn.primary', {type: 'submit'}, t('api.send'))),
    out,
  );
  retell();
  return form;
}

// read takes an answer up to a bound, so that event streams and large files do no harm. What came until the time was up
// counts.
async function read(reply: Response): Promise<{text: string; cut: boolean}> {
  const reader = reply.body!.getReader(),
    utf8 = new TextDecoder();
  let text = '';
  try {
    while (text.length < shownBytes) {
      const {done, value} = await reader.read();
      if (done) return {text, cut: false};
      text += utf8.decode(value, {stream: true});
    }
    void reader.cancel();
  } catch (err) {
    if (!text || !aborted(err)) throw err;
  }
  return {text, cut: true};
}
