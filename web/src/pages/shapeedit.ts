// The editor of shapes: a board of cells with the symbols on keys, the fields, the text that all of it is, and what
// lint says of it. The text is the one truth, and it is in the address.
// i18n: shapes.field.*, shapes.resize.*
import '../common';
import type {Game, ShapeDetail, ShapeIndex, ShapeReport} from '../api';
import type {Context, Opener, Page} from '../app';
import {Board} from '../board';
import {Problem, latest} from '../client';
import {debounce, fill, h, on} from '../dom';
import {langNames, langs} from '../i18n';
import {type Key, standard} from '../keys';
import {refill} from '../records/row';
import {withQuery} from '../router';
import {chip, explain, field, iconButton, linkButton, missing, segmented, select, sure} from '../ui';
import {cellName, cellTile, goodTile, goodsOf, signOf, stateOf, symbols} from '../shapes/draw';
import {findings} from '../shapes/findings';
import {indexOf, purposeName, shapeGame, shapeLink, termName} from '../shapes/tags';
import {type Block, type Edge, type Field, drawn, fresh, good, maxSide, put, read, resize, write} from '../shapes/text';

type Tool = number | 'ours' | 'theirs'; // a number is a place among the symbols

export const open: Opener = async (ctx, url, params) => {
  const {t} = ctx,
    id = params['id'] ?? '';
  try {
    const [game, index, detail] = await Promise.all([
      shapeGame(ctx),
      indexOf(ctx),
      id ? ctx.call('GET /shapes/{id}', {path: {id}}) : null,
    ]);
    return editor(ctx, url, game, index, detail);
  } catch (err) {
    if (!(err instanceof Problem) || (err.status !== 404 && err.status !== 422)) throw err;
    return {
      title: t('shapes.missing'),
      node: missing(
        'board',
        t('shapes.missing'),
        t('shapes.missingText', {id}),
        h('a.btn.primary', {href: '/shapes'}, t('nav.shapes')),
      ),
    };
  }
};

function editor(ctx: Context, address: URL, game: Game, index: ShapeIndex, detail: ShapeDetail | null): Page {
  const {t, lang, prefs} = ctx,
    stored = detail?.text ?? '';
  const startOf = (u: URL) =>
    u.searchParams.get('text') ?? (stored || write(drawn(u.searchParams.get('d') ?? '') ?? fresh()));
  let text = startOf(address),
    block: Block = read(text) ?? fresh(),
    drawable = true,
    tool: Tool = 0,
    erasing = false;
  const past: string[] = [],
    future: string[] = [];
  let stroke = ''; // what the last change was part of, so that a stroke or a word is undone as one

  const state = () =>
    stateOf(
      t,
      game,
      {...block, urgency: Number(block.fields['urgency']) || 2, avoid: purposes().includes('avoid')},
      true,
    );
  const board = new Board(state(), {
    t,
    lang,
    announce: x => ctx.announce(x),
    keys: 'cursor',
    mode: 'paint',
    freeB: true,
    wheel: false,
    twoTap: prefs.get('twoTap'),
    animate: false,
    say,
    onPaint: (p, c) => {
      if (c.button === 2) return edit(put(block, p, 15), c.first ? '' : 'stroke');
      if (typeof tool === 'string') {
        if (c.first) edit(good(block, p, tool));
        return;
      }
      // A stroke that begins on what it would put there takes it away: a second click is the way back.
      if (c.first)
        erasing = block.cells[p] === symbols[tool]![1] && !block.ours.includes(p) && !block.theirs.includes(p);
      edit(put(block, p, erasing ? 15 : symbols[tool]![1]), c.first ? '' : 'stroke');
    },
    onKey: (e, at) => {
      const i = /^[1-8]$/.test(e.key) ? +e.key - 1 : -1;
      if (i >= 0) {
        pick(i);
        edit(put(block, at, symbols[i]![1]));
      } else if (e.key === 'g' || e.key === 'e') {
        pick(e.key === 'g' ? 'ours' : 'theirs');
        edit(good(block, at, e.key === 'g' ? 'ours' : 'theirs'));
      } else if (e.key === 'Delete' || e.key === 'Backspace') edit(put(block, at, 15));
      else return false;
      ctx.announce(say(at));
      return true;
    },
  });
  on<FocusEvent>(board.node, 'blur', () => {
    stroke = '';
  });

  const check = latest(ctx.signal, (signal, body: string) =>
    ctx.call('POST /shapes/check', {body: {text: body}}, signal),
  );
  const tools = h('div.palette', {
    role: 'toolbar',
    'aria-label': t('search.palette'),
    onkeydown: (e: KeyboardEvent) => {
      const all = [...tools.querySelectorAll<HTMLElement>('button')],
        by = ({ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1} as Record<string, number>)[e.key];
      if (!by) return;
      e.preventDefault(); // one stop for Tab, arrows inside
      const to = (all.indexOf(document.activeElement as HTMLElement) + by + all.length) % all.length;
      all[to]!.click();
      tools.querySelectorAll<HTMLElement>('button')[to]?.focus();
    },
  });
  const sizes = h('div.shape-sizes', {role: 'group', 'aria-label': t('shapes.size')}),
    said = h('section.card', {'aria-label': t('shapes.lint')}),
    acts = h('div.row'),
    undoing = h('span.row.tight');
  const area = h('textarea.code.shape-source', {
    rows: 16,
    spellcheck: 'false',
    autocapitalize: 'off',
    'aria-label': t('shapes.text'),
    oninput: () => commit(area.value, 'type', 'text'),
  });
  const inputs = new Map<string, HTMLInputElement | HTMLTextAreaElement>();
  const input = (name: string, get: () => string, set: (v: string) => void, props = {}) => {
    const node = h('input', {
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      ...props,
      oninput: () => set(node.value),
    });
    inputs.set(name, node);
    on(node, 'change', () => {
      stroke = '';
    });
    getters.set(name, get);
    return node;
  };
  const getters = new Map<string, () => string>();
  const plain = (name: Field, hint?: string, props = {}) =>
    field(
      t(`shapes.field.${name}` as 'shapes.field.note'),
      input(
        name,
        () => block.fields[name] ?? '',
        v => set(name, v),
        props,
      ),
      hint,
    );
  const named = (i: number) => (block.fields['name'] ?? '').split('|')[i]?.trim() ?? '';
  const rename = (i: number, v: string) => {
    const all = langs.map((_, k) => (k === i ? v.replaceAll('|', '/') : named(k)));
    set('name', all.some(x => x.trim()) ? all.join(' | ').replace(/[\s|]+$/, '') : '');
  };
  const terms = h('div.row.tight'),
    purposeBox = h('div.row.tight', {role: 'group', 'aria-label': t('shapes.purpose')});
  const urgency = segmented(
    t('shapes.urgency'),
    [1, 2, 3, 4].map(n => ({value: String(n), label: `${n} ${t(`shapes.urgency.${n as 1}`)}`})),
    block.fields['urgency'] ?? '2',
    v => set('urgency', v),
  );
  const idBox = input(
    'id',
    () => block.id,
    v =>
      edit(
        {
          ...block,
          id: v
            .trim()
            .toLowerCase()
            .replace(/[^a-z0-9-]+/g, '-'),
        },
        'id',
      ),
    {required: true, maxlength: 80, autocapitalize: 'off', readonly: !!detail, class: 'code'},
  );
  const form = h(
    'section.card.shape-form',
    h('h2', t('shapes.facts')),
    field(t('shapes.field.id'), idBox, t('shapes.field.idHint')),
    h('div.field', h('span.label', t('shapes.terms')), terms),
    h(
      'details',
      {open: !detail},
      h('summary', t('shapes.names')),
      h('p.small.muted', t('shapes.namesHint')),
      langs.map((l, i) =>
        field(
          langNames[l],
          input(
            'name.' + l,
            () => named(i),
            v => rename(i, v),
            {lang: l},
          ),
        ),
      ),
    ),
    h('div.field', h('span.label', t('shapes.purpose')), purposeBox),
    h('div.field', h('span.label', t('shapes.urgency')), urgency.node),
    h(
      'details',
      h('summary', t('shapes.more')),
      plain('place', t('shapes.field.placeHint'), {maxlength: 2, inputmode: 'numeric'}),
      plain('overrides', t('shapes.field.overridesHint')),
      plain('alias', t('shapes.field.aliasHint')),
      plain('source'),
    ),
    plain('note'),
  );
  const node = h(
    'div.page.wide.shape-edit',
    h('div.head', h('h1', detail ? t('shapes.editTitle', {id: detail.shape.id}) : t('shapes.new')), acts),
    h(
      'div.shape-desk',
      h(
        'div.stack.shape-stage',
        h('div.board-and-palette', board.node, tools),
        h('div.row.between', sizes, undoing),
        h('p.small.muted', t('shapes.keysHint')),
        said,
      ),
      form,
      h('section.card.shape-textual', h('h2', t('shapes.text')), h('p.small.muted', t('shapes.textHint')), area),
    ),
  );
  show();
  void lint(text);

  function say(p: number): string {
    const g = goodsOf(t, {...block, urgency: Number(block.fields['urgency']) || 2}).get(p);
    return [
      t('shapes.at', {column: (p % block.size.w) + 1, row: Math.floor(p / block.size.w) + 1}),
      cellName(t, block.cells[p] ?? 15),
      ...(g ? [g.title] : []),
    ].join(', ');
  }
  function purposes(): string[] {
    return (block.fields['purpose'] ?? '').split(/\s+/).filter(Boolean);
  }
  function termList(): string[] {
    return (block.fields['terms'] ?? '').split(/\s+/).filter(Boolean);
  }
  function set(name: Field, value: string): void {
    edit({...block, fields: {...block.fields, [name]: value}}, name);
  }

  // Changes.

  function edit(next: Block, part = ''): void {
    commit(write(next), part);
  }

  function commit(to: string, part = '', from: 'text' | 'board' = 'board'): void {
    if (to === text) return;
    if (!part || part !== stroke) past.push(text);
    if (past.length > 300) past.shift();
    future.length = 0;
    stroke = part;
    take(to, from);
  }

  function take(to: string, from: 'text' | 'board' | 'url'): void {
    text = to;
    const next = read(to);
    drawable = !!next;
    if (next) block = next;
    if (from !== 'url') keep();
    later();
    show(from === 'text');
  }

  function swap(a: string[], b: string[]): void {
    const to = a.pop();
    if (to === undefined) return;
    b.push(text);
    stroke = '';
    take(to, 'board');
  }

  // Browsers bound how often the address may change.
  const keep = debounce(() => {
    const to = withQuery(address, {text: text === stored ? null : text, d: null});
    address = new URL(to, location.href);
    ctx.go(to, 'replace');
  }, 300);

  const later = debounce(() => void lint(text), 250);

  async function lint(asked: string): Promise<void> {
    try {
      const r = await check(asked);
      if (r && asked === text) report(r);
    } catch (err) {
      const {title, text: why} = explain(t, err);
      if (!ctx.signal.aborted) fill(said, h('h2', t('shapes.lint')), h('p', title, ' ', why));
    }
  }

  function report(r: ShapeReport): void {
    const bad = r.findings.filter(f => f.weight === 'error').length;
    fill(
      said,
      h('h2', t('shapes.lint')),
      h(
        'p.muted.small',
        {role: 'status'},
        r.shape ? t('shapes.checked', {n: r.shapes, pictures: r.shape.pictures}) : t('shapes.notRead'),
      ),
      r.findings.length ? findings(ctx, r.findings, block.id) : h('p.good-news', t('shapes.lintClean')),
    );
    said.dataset['errors'] = String(bad);
  }

  function pick(to: Tool): void {
    tool = to;
    palette();
  }

  async function save(): Promise<void> {
    keep.cancel();
    if (!block.id) {
      idBox.focus();
      return ctx.toast(t('shapes.needsID'), 'error');
    }
    try {
      const d = await ctx.call('PUT /shapes/{id}', {path: {id: block.id}, body: {text}});
      ctx.toast(t('shapes.saved', {id: d.shape.id}), 'success');
      ctx.go(shapeLink(d.shape.id));
    } catch (err) {
      ctx.fail(err);
    }
  }

  async function remove(): Promise<void> {
    if (
      !detail ||
      !(await sure(t, t('shapes.delete'), t('shapes.deleteSure', {id: detail.shape.id}), t('shapes.delete')))
    )
      return;
    try {
      await ctx.call('DELETE /shapes/{id}', {path: {id: detail.shape.id}});
      ctx.toast(t('shapes.deleted', {id: detail.shape.id}), 'success');
      ctx.go('/shapes');
    } catch (err) {
      ctx.fail(err);
    }
  }

  // Showing.

  function palette(): void {
    const tile = (to: Tool, label: string, sign: SVGSVGElement, key: string) =>
      h(
        'button.tile',
        {
          'aria-pressed': tool === to,
          tabindex: tool === to ? 0 : -1,
          'aria-label': label,
          title: `${label} (${key})`,
          'aria-keyshortcuts': key,
          onclick: () => pick(to),
        },
        sign,
        h('kbd', {'aria-hidden': 'true'}, key),
      );
    refill(
      tools,
      symbols.map(([, cell], i) =>
        tile(i, `${cellName(t, cell)} ${signOf(cell)}`, cellTile(t, game, cell), String(i + 1)),
      ),
      tile('ours', t('shapes.good.0'), goodTile(t, game, {urgency: 4, side: 0}), 'G'),
      tile('theirs', t('shapes.good.1'), goodTile(t, game, {urgency: 4, side: 1}), 'E'),
    );
  }

  function show(typed = false): void {
    board.set(state());
    node.style.setProperty('--aspect', String(block.size.w / block.size.h));
    if (!typed && area.value !== text) area.value = text;
    area.setAttribute('aria-invalid', String(!drawable));
    for (const [name, box] of inputs) {
      const v = getters.get(name)!();
      if (box !== document.activeElement && box.value !== v) box.value = v;
    }
    urgency.set(block.fields['urgency'] ?? '2');
    const have = termList(),
      rest = index.terms.filter(x => !have.includes(x.id));
    refill(
      terms,
      have.map(id =>
        chip(t, termName(index, lang, id), {remove: () => set('terms', have.filter(x => x !== id).join(' '))}),
      ),
      select(
        t('shapes.addTerm'),
        [
          {value: '', label: t('shapes.addTerm')},
          ...rest.map(x => ({value: x.id, label: termName(index, lang, x.id)})),
        ],
        '',
        v => {
          if (v) set('terms', [...have, v].join(' '));
        },
      ),
    );
    const chosen = purposes();
    refill(
      purposeBox,
      index.purposes.map(({word}) =>
        chip(t, purposeName(index, lang, word), {
          pressed: chosen.includes(word),
          run: () =>
            set(
              'purpose',
              index.purposes
                .map(x => x.word)
                .filter(x => (x === word ? !chosen.includes(x) : chosen.includes(x)))
                .join(' '),
            ),
        }),
      ),
    );
    const line = (edge: Edge, by: 1 | -1) =>
      iconButton(
        t(`shapes.resize.${edge}${by > 0 ? 'More' : 'Less'}` as 'shapes.resize.topMore'),
        by > 0 ? 'plus' : 'minus',
        () => edit(resize(block, edge, by)),
        {
          disabled:
            by > 0
              ? (edge === 'left' || edge === 'right' ? block.size.w : block.size.h) >= maxSide
              : (edge === 'left' || edge === 'right' ? block.size.w : block.size.h) <= 1,
        },
      );
    refill(
      sizes,
      h('span', `${block.size.w} × ${block.size.h}`),
      (['top', 'right', 'bottom', 'left'] as const).map(e =>
        h(
          'span.shape-side',
          h('span.small.muted', {'aria-hidden': 'true'}, {top: '↑', right: '→', bottom: '↓', left: '←'}[e]),
          line(e, 1),
          line(e, -1),
        ),
      ),
    );
    refill(
      undoing,
      iconButton(t('search.undo'), 'undo', () => swap(past, future), {disabled: !past.length}),
      iconButton(t('search.redo'), 'redo', () => swap(future, past), {disabled: !future.length}),
    );
    refill(
      acts,
      !index.writable && h('span.muted', t('shapes.readOnly')),
      detail?.shape.layer === 'library' &&
        index.writable &&
        h('button.btn.danger', {onclick: () => void remove()}, t('shapes.delete')),
      linkButton(t('ui.cancel'), detail ? shapeLink(detail.shape.id) : '/shapes', 'close', 'quiet'),
      h('button.btn.primary', {onclick: () => void save(), disabled: !index.writable || !drawable}, t('shapes.save')),
    );
    if (!tools.childElementCount) palette();
  }

  const keys: Key[] = [
    {
      ...standard(t, 'symbols', e => pick(+e.key - 1)),
      keys: ['1', '2', '3', '4', '5', '6', '7', '8'],
      label: t('shapes.key.symbols'),
    },
    {keys: 'g', label: t('shapes.good.0'), run: () => pick('ours')},
    {keys: 'e', label: t('shapes.good.1'), run: () => pick('theirs')},
    standard(t, 'undo', () => swap(past, future)),
    standard(t, 'redo', () => swap(future, past)),
    standard(t, 'cursor', () => board.focus()),
    {keys: 'Ctrl+s', label: t('shapes.save'), run: () => void save()},
  ];
  // Ctrl+S is wanted while somebody types too.
  on<KeyboardEvent>(node, 'keydown', e => {
    if ((e.ctrlKey || e.metaKey) && e.key === 's' && !e.defaultPrevented) {
      e.preventDefault();
      void save();
    }
  });
  return {
    title: detail ? t('shapes.editTitle', {id: detail.shape.id}) : t('shapes.new'),
    node,
    keys,
    leave: () => {
      keep.cancel();
      later.cancel();
      board.close();
    },
    update(to) {
      if (to.href === address.href) return;
      address = to;
      const now = startOf(to);
      if (now !== text) {
        past.push(text);
        future.length = 0;
        stroke = '';
        take(now, 'url');
      }
    },
  };
}
