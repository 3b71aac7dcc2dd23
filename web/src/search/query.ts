// The query in words: the text itself with completion, and its conditions as chips that can be turned round, joined by
// "or", taken away and added.
import type {Condition, Field, Reference} from '../api';
import {latest} from '../client';
import {type Child, debounce, fill, h, id, on} from '../dom';
import type {Meant} from '../names/find';
import {queryBox} from '../records/querybox';
import {button, chip, menu, select} from '../ui';
import type {Desk} from './desk';
import {condition, conditionName, conditionText} from './model';

export interface QueryView {
  node: HTMLElement;
  show(): void;
}

export function query(desk: Desk, named: () => Promise<Reference>): QueryView {
  const {ctx} = desk,
    {t} = ctx;
  const box = queryBox(
    ctx,
    t('search.query'),
    t('search.queryHint'),
    (text, goesOn) => desk.ask(text, goesOn),
    true,
    40,
  );
  const chips = h('div.row.conditions');

  // The chips.
  const replace = (i: number, ...c: Condition[]) => {
    const list = [...desk.state.conditions];
    list.splice(i, 1, ...c);
    desk.restrict(list);
  };
  const negated = (c: Condition): Condition => {
    const bare = c.text.replace(/^(-|not\s+|!)\s*/i, '');
    return {
      ...c,
      negated: !c.negated,
      text: c.negated ? bare : /^[\w."]+[:=<>]|^"|^[\p{L}]+$/u.test(bare) ? '-' + bare : `not (${bare})`,
    };
  };
  const either = (a: Condition, b: Condition): Condition => ({
    text: '',
    negated: false,
    field: '',
    op: '',
    value: '',
    any: [a, b].flatMap(c => (c.any.length > 1 && !c.negated ? c.any : [c])),
  });

  // Names are told in the reader's language, and lead to the catalogue, once it has been asked about them.
  const meant = new Map<string, Meant | null>(),
    keyOf = (c: Condition) => (c.field === 'named' ? `${desk.state.game.spec} ${c.value}` : '');
  const spoken = (c: Condition): Condition => ({
    ...c,
    value: meant.get(keyOf(c))?.label ?? c.value,
    any: c.any.map(spoken),
  });
  function lookUp(c: Condition): void {
    c.any.forEach(lookUp);
    const key = keyOf(c),
      {game} = desk.state;
    if (!key || meant.has(key)) return;
    meant.set(key, null);
    void import('../names/find')
      .then(x => x.meant(ctx, game, c.value))
      .then(
        x => {
          if (x) {
            meant.set(key, x);
            shown = '';
            show();
          }
        },
        () => meant.delete(key),
      ); // the id does
  }

  function piece(c: Condition, i: number, fields: ReadonlyMap<string, string>): Child {
    const list = desk.state.conditions;
    const name = (x: Condition) => conditionName(t, fields, spoken(x)),
      label = name(c),
      entry = meant.get(keyOf(c));
    return h(
      'span',
      {class: 'condition' + (c.negated ? ' negated' : '')},
      chip(t, label, {...(entry && {icon: 'names', run: () => ctx.go(entry.href)}), remove: () => replace(i)}),
      menu(
        t('search.change', {name: label}),
        () => [
          {
            label: t(c.negated ? 'search.unnegate' : 'search.negate'),
            run: () => replace(i, negated({...c, text: conditionText(c)})),
          },
          ...list.flatMap((o, j) =>
            j !== i
              ? [
                  {
                    label: t('search.orWith', {name: name(o)}),
                    run: () =>
                      desk.restrict(
                        list.filter((_, k) => k !== j).map((x, k) => (k === (j < i ? i - 1 : i) ? either(c, o) : x)),
                      ),
                  },
                ]
              : [],
          ),
          ...(entry ? [{label: t('names.open'), icon: 'names' as const, href: entry.href}] : []),
          ...(c.any.length > 1 && !c.negated ? [{label: t('search.split'), run: () => replace(i, ...c.any)}] : []),
          {
            label: t('search.edit'),
            run: () => {
              const from = desk.state.text.indexOf(c.text);
              box.select(Math.max(0, from), from < 0 ? 0 : from + c.text.length);
            },
          },
        ],
        'down',
      ),
    );
  }

  // The builder: a field, a value with completion, and it is there.
  const adder = h('form.row.adder', {hidden: true});
  const datalist = h('datalist', {id: id('values')});
  const value = h('input', {
    type: 'text',
    required: true,
    list: datalist.id,
    'aria-label': t('search.value'),
    autocomplete: 'off',
    spellcheck: 'false',
  });
  let field = 'player',
    operator: Condition['op'] = ':';
  const suggest = latest(ctx.signal, (signal, q: string) =>
    ctx.call('GET /query/complete', {query: {q, at: q.length}}, signal),
  );
  on(
    value,
    'input',
    debounce(async () => {
      const found = await suggest(`${field}:"${value.value}`).catch(() => undefined);
      if (found)
        fill(
          datalist,
          found.items.slice(0, 10).map(c => h('option', {value: c.label || c.text})),
        );
    }, 80),
  );
  on(adder, 'submit', e => {
    e.preventDefault();
    const v = value.value.trim();
    if (!v) return;
    value.value = '';
    desk.restrict([...desk.state.conditions, condition(field, operator, v)]);
    value.focus();
  });
  const ranged = (f: Field | undefined) => !!f && /number|date|rank/.test(f.value);
  function fillAdder(r: Reference): void {
    const usable = r.fields.filter(f => !['board', 'side'].includes(f.value) && f.name !== 'ply' && f.name !== 'game');
    const now = usable.find(f => f.name === field);
    value.setAttribute('placeholder', now ? now.example.replace(/^[^:=<>]*[:=<>]+/, '').replace(/^"|"$/g, '') : '');
    if (!ranged(now) && operator !== ':' && operator !== '=') operator = ':';
    fill(
      adder,
      select(
        t('search.field'),
        usable.map(f => ({value: f.name, label: f.names[ctx.lang] ?? f.name})),
        field,
        v => {
          field = v;
          fillAdder(r);
          value.focus();
        },
      ),
      select(
        t('search.operator'),
        (ranged(now) ? ([':', '>=', '<='] as const) : ([':', '='] as const)).map(o => ({
          value: o,
          label: (
            {':': ranged(now) ? '=' : t('search.contains'), '=': t('search.equals'), '>=': '≥', '<=': '≤'} as Record<
              string,
              string
            >
          )[o]!,
        })),
        operator,
        v => {
          operator = v;
        },
      ),
      value,
      datalist,
      h('button.btn.primary', {type: 'submit'}, t('search.add')),
    );
  }
  const opener = button(
    t('search.addCondition'),
    async () => {
      adder.hidden = !adder.hidden;
      opener.setAttribute('aria-expanded', String(!adder.hidden));
      if (adder.hidden) return;
      try {
        fillAdder(await named());
        value.focus();
      } catch (err) {
        ctx.fail(err);
      }
    },
    {icon: 'plus', kind: 'quiet', props: {'aria-expanded': 'false'}},
  );

  let shown = '',
    fields: ReadonlyMap<string, string> = new Map();
  void named().then(
    r => {
      fields = new Map(r.fields.map(f => [f.name, f.names[ctx.lang] ?? f.name]));
      shown = '';
      show();
    },
    () => {
      /* the plain names do */
    },
  );
  function show(): void {
    box.set(desk.state.text);
    box.mistake(desk.mistake);
    const now = JSON.stringify(desk.state.conditions);
    if (now === shown) return;
    shown = now;
    desk.state.conditions.forEach(lookUp);
    fill(
      chips,
      desk.state.conditions.map((c, i) => piece(c, i, fields)),
      opener,
    );
  }
  const node = h('section.query-part', {'aria-label': t('search.query')}, box.node, chips, adder);
  return {node, show};
}
