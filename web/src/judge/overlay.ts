// Life and death over the board of the viewer: a script of its own, which comes when it is wanted.
import '../common';
import type {Game, Judgement} from '../api';
import type {Context} from '../app';
import {latest} from '../client';
import {debounce, dots, fill, h} from '../dom';
import {refill} from '../records/row';
import {linkButton, select, toggle, trouble} from '../ui';
import {type Laid, type Look, drawn, methodText, namedBy, scoreLine, scoreText, stringText} from './draw';

// Wish is what is to be shown, as the address of a page has it.
export interface Wish extends Look {
  id: number;
  node: number;
  method: string;
}
export interface Overlay {
  node: HTMLElement;
  show(w: Wish): void;
  laid(): Laid;
}

// wishOf reads an address: life and death is asked for in it as life=1.
export const wishOf = (q: URLSearchParams): Omit<Wish, 'id' | 'node'> => ({
  method: q.get('method') ?? '',
  groups: q.get('groups') === '1',
  influence: q.get('influence') === '1',
});

// momentOf is a moment of a record as it is asked for, and in the address of the page that tells more.
export const momentOf = (node: number) => (node ? {node} : {ply: 0});

const most = 12; // strings that are told one by one

export function overlay(
  ctx: Context,
  game: Game,
  draw: () => void,
  change: (c: Record<string, string | null>) => void,
): Overlay {
  const {t} = ctx,
    name = namedBy(ctx, game.sides);
  let now: Wish | null = null,
    judged: Judgement | null = null;
  const bar = h('div.row.hints-bar'),
    list = h('div.stack'),
    node = h('section.card.hints.life-pane', {'aria-label': t('judge.title')}, h('h2', t('judge.title')), bar, list);
  const ask = latest(ctx.signal, (signal, w: Wish) =>
    ctx.call(
      'GET /records/{id}/judge',
      {path: {id: w.id}, query: {...momentOf(w.node), method: w.method, influence: w.influence}},
      signal,
    ),
  );

  // Who steps through a game must not wait for what was said on the way.
  const later = debounce(() => void get(), 40);
  async function get(): Promise<void> {
    const w = now!;
    try {
      const j = await ask(w);
      if (!j || w !== now) return;
      judged = j;
      show(w);
      draw();
      ctx.announce(scoreText(ctx, name, j));
    } catch (err) {
      if (!ctx.signal.aborted)
        fill(
          list,
          trouble(t, err, () => void get()),
        );
    }
  }

  function show(w: Wish): void {
    const j = judged;
    if (!j) return;
    const told = j.strings.filter(s => s.status === 'dead' || s.status === 'seki' || s.unclear),
      at = new URLSearchParams({id: String(w.id), node: String(w.node), ...(w.method && {method: w.method})});
    refill(
      bar,
      select(
        t('judge.method'),
        j.methods.map(m => ({value: m.name, label: methodText(ctx, m)})),
        j.method,
        v => change({method: v}),
      ),
      toggle(t('judge.groups'), w.groups, on => change({groups: on ? '1' : null})),
      toggle(t('judge.influence'), w.influence, on => change({influence: on ? '1' : null})),
    );
    refill(
      list,
      scoreLine(ctx, name, j),
      told.length > 0 &&
        h(
          'ul.life-strings',
          told
            .slice(0, most)
            .map(s => h('li', h('a', {href: `/judge?${at.toString()}&why=${s.name}`}, stringText(ctx, name, s)))),
        ),
      told.length > most && h('p.muted.small', t('judge.more', {n: told.length - most})),
      h(
        'div.row',
        linkButton(t('judge.here'), `/judge?${at.toString()}`, 'judge', 'quiet small'),
        h(
          'span.muted.small',
          dots(t('judge.stringCount', {n: j.strings.length}), t('judge.groupCount', {n: j.groups.length})),
        ),
      ),
    );
  }

  return {
    node,
    laid: () => (judged && now ? drawn(ctx, name, judged, now) : {}),
    show(w) {
      const before = now;
      now = w;
      if (
        before &&
        before.id === w.id &&
        before.node === w.node &&
        before.method === w.method &&
        (before.influence || !w.influence)
      ) {
        // only the view differs
        if (before.groups === w.groups && before.influence === w.influence) return;
        show(w);
        return draw();
      }
      if (before && before.node !== w.node) judged = null; // what was said of another position
      later();
    },
  };
}
