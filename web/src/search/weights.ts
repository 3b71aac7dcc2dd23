// The drawer with what the pieces count in likeness. A weight that is changed becomes an option of the fuzzy board.
import {fill, h} from '../dom';
import {pieceName} from '../core';
import type {Desk} from './desk';

// The other options of likeness and what they may be at most.
const others = [
  ['moved', 1],
  ['line', 10],
  ['empty', 10],
  ['relation', 1],
] as const;
// i18n: search.weight.*

export function weights(desk: Desk): {node: HTMLElement; show(): void} {
  const {ctx} = desk,
    {t, lang} = ctx;
  const body = h('div.weights');
  const node = h('details', h('summary', t('search.weights')), body);
  let loaded = '';
  const value = (name: string) => desk.state.ed.extra.find(o => o.startsWith(name + ':'))?.slice(name.length + 1) ?? '';
  const change = (name: string, v: string) => {
    const {ed} = desk.state,
      extra = ed.extra.filter(o => !o.startsWith(name + ':'));
    desk.edit({extra: v === '' ? extra : [...extra, `${name}:${v}`], min: ed.min || 0.8});
  };
  const input = (name: string, label: string, usual: string, max: number) =>
    h(
      'label.field.small',
      h('span', label),
      h('input', {
        type: 'number',
        min: 0,
        max,
        step: max > 1 ? 1 : 0.05,
        placeholder: usual,
        value: value(name),
        'data-name': name,
        onchange: (e: Event) => change(name, (e.target as HTMLInputElement).value),
      }),
    );
  async function load(): Promise<void> {
    const {game} = desk.state;
    if (loaded === game.spec) return;
    loaded = game.spec;
    try {
      const w = await ctx.call('GET /query/weights', {query: {game: game.spec}});
      const g = game.geometry;
      fill(
        body,
        w.pieces.map(p => {
          // A weight is that of a kind, whoever has it.
          const names = [...p.letters].flatMap(c =>
            g.pieces.flatMap((l, i) => (l.letters.includes(c) ? pieceName(g, i + 1, lang) : [])),
          );
          return input(p.letters[0]!, [...new Set(names)].join(' · ') || p.letters, String(p.weight), 100);
        }),
        others.map(([name, max]) => input(name, t(`search.weight.${name}`), String(w[name]), max)),
      );
    } catch (err) {
      loaded = '';
      ctx.fail(err);
    }
  }
  node.addEventListener('toggle', () => {
    if (node.open) void load();
  });
  return {
    node,
    show() {
      if (node.open && loaded !== desk.state.game.spec) void load();
      for (const x of body.querySelectorAll('input'))
        if (x !== document.activeElement) x.value = value(x.dataset['name']!);
    },
  };
}
