// A box for the query language with completion, which shows what is wrong with a query and where.
import type {Mistake} from '../api';
import type {Context} from '../app';
import {debounce, fill, h, id, on} from '../dom';
import {icon} from '../icons';
import {completing} from '../search/complete';
import {button, sentence} from '../ui';

export interface QueryBox {
  node: HTMLElement;
  set(text: string): void; // leaves the text alone while somebody writes in it
  mistake(m: Mistake | null): void;
  select(from: number, to: number): void;
}

// queryBox calls changed while somebody writes, wait milliseconds after a key; goesOn tells that it is the same piece
// of writing as at the call before. The key for searching leads to the box if search is set.
export function queryBox(
  ctx: Context,
  label: string,
  hint: string,
  changed: (text: string, goesOn: boolean) => void,
  search = false,
  wait = 250,
): QueryBox {
  const wrong = id('mistake'),
    note = h('div.mistake', {id: wrong, hidden: true});
  const box = h('textarea.code.query-text', {
    rows: 1,
    'aria-label': label,
    placeholder: hint,
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    enterkeyhint: 'search',
    'data-search': search ? '' : null,
    'aria-describedby': wrong,
  });
  let told = '',
    going = false;
  const tell = () => {
    soon.cancel();
    const text = box.value.trim();
    if (text === told) return;
    told = text;
    changed(text, going);
    going = true;
  };
  const end = () => {
    tell();
    going = false;
  };
  const grow = () => {
    box.style.setProperty('height', 'auto');
    box.style.setProperty('height', `${box.scrollHeight + 2}px`);
  };
  const written = () => {
    grow();
    soon();
  };
  const soon = debounce(tell, wait),
    list = completing(ctx, box, written);
  on(box, 'input', written);
  on(box, 'focus', grow);
  on(box, 'blur', end);
  on(window, 'resize', grow, ctx.signal);
  on<InputEvent>(box, 'beforeinput', e => {
    if (e.inputType === 'insertLineBreak') e.preventDefault();
  }); // Enter asks, whatever keyboard it comes from
  on<KeyboardEvent>(box, 'keydown', e => {
    if (e.isComposing || e.defaultPrevented) return; // the list has used it
    if (e.key === 'Escape') box.blur();
    if (e.key !== 'Enter') return;
    e.preventDefault(); // a form around it stays
    list.close();
    end();
  });
  const select = (from: number, to: number) => {
    box.focus();
    box.setSelectionRange(from, to);
  };
  return {
    node: h('div.narrow', h('div.query-box', icon('search'), box, list.popup), note),
    select,
    set(text) {
      if (text === box.value.trim() || (document.activeElement === box && box.value.trim() !== told)) return;
      box.value = told = text;
      requestAnimationFrame(grow);
    },
    mistake(m) {
      note.hidden = !m;
      box.setAttribute('aria-invalid', String(!!m));
      if (!m) return;
      const to = m.at + Math.max(m.length, 1);
      fill(
        note,
        h(
          'div.code',
          {'aria-hidden': 'true'},
          told.slice(0, m.at),
          h('mark', told.slice(m.at, to) || ' '),
          told.slice(to),
        ),
        h('p', h('strong', sentence(m.message)), ' ', sentence(m.hint)),
        button(ctx.t('search.showPlace'), () => select(m.at, to), {kind: 'quiet'}),
      );
    },
  };
}
