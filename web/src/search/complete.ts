// Completion of the query language on a text box: the list is asked for while somebody writes, arrows choose, Enter or
// Tab takes.
import type {Completion} from '../api';
import type {Context} from '../app';
import {latest} from '../client';
import {debounce, fill, h, id, on} from '../dom';

export interface Completing {
  readonly popup: HTMLElement;
  close(): void;
}

// completing gives a box a list, which the page puts beside it. taken is called after an item was put in. Keys that the
// list uses are marked as handled.
export function completing(ctx: Context, box: HTMLInputElement | HTMLTextAreaElement, taken: () => void): Completing {
  const list = id('complete'),
    popup = h('ul.menu.completions', {
      id: list,
      role: 'listbox',
      hidden: true,
      'aria-label': ctx.t('search.completions'),
    });
  for (const [k, v] of [
    ['role', 'combobox'],
    ['aria-expanded', 'false'],
    ['aria-controls', list],
    ['aria-autocomplete', 'list'],
  ] as const)
    box.setAttribute(k, v);
  let items: readonly Completion[] = [],
    at = -1,
    of = ''; // the text that they are for
  const close = () => {
    offer.cancel();
    items = [];
    at = -1;
    popup.hidden = true;
    box.setAttribute('aria-expanded', 'false');
    box.removeAttribute('aria-activedescendant');
  };
  const ask = latest(ctx.signal, (signal, q: string, cursor: number) =>
    ctx.call('GET /query/complete', {query: {q, at: cursor}}, signal),
  );
  const offer = debounce(async () => {
    const asked = box.value,
      // the text can be written without help
      c = await ask(asked, box.selectionStart ?? box.value.length).catch(() => undefined);
    if (document.activeElement !== box || !c?.items.length) return close();
    items = c.items.slice(0, 12);
    of = asked;
    at = -1;
    // values of one field: their notes say nothing new
    const same = items.every(x => x.note === items[0]!.note) && items.length > 1;
    fill(
      popup,
      items.map((x, i) =>
        h(
          'li',
          {
            role: 'option',
            id: `${list}-${i}`,
            class: 'item',
            onpointerdown: (e: Event) => {
              e.preventDefault();
              take(i);
            },
          },
          h('span.code.cut', x.label || x.text),
          !same && x.note && h('small.muted', x.note),
        ),
      ),
    );
    popup.hidden = false;
    box.setAttribute('aria-expanded', 'true');
  }, 60);
  const take = (i: number) => {
    const c = items[i];
    if (!c || box.value.slice(0, c.from) !== of.slice(0, c.from)) return close(); // it was for another text
    // What was written since then belongs to the word.
    box.setRangeText(c.text, c.from, Math.max(c.from, c.to + box.value.length - of.length), 'end');
    close();
    taken();
    if (/[:"({]$/.test(c.text)) offer();
  };
  on(box, 'input', offer);
  on(box, 'blur', close);
  on<KeyboardEvent>(box, 'keydown', e => {
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (e.isComposing || (popup.hidden && !(e.key === ' ' && e.ctrlKey))) return;
    if (step) {
      at = at < 0 && step < 0 ? items.length - 1 : (at + step + items.length) % items.length;
      [...popup.children].forEach((x, j) => {
        x.setAttribute('aria-selected', String(j === at));
        if (j === at) x.scrollIntoView({block: 'nearest'});
      });
      box.setAttribute('aria-activedescendant', `${list}-${at}`);
    } else if ((e.key === 'Enter' || e.key === 'Tab') && at >= 0) take(at);
    else if (e.key === 'Escape') close();
    else if (e.key === ' ' && e.ctrlKey) offer();
    else return;
    e.preventDefault();
  });
  return {popup, close};
}
