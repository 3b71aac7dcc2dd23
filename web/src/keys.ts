// The keyboard. A page lists its keys; the shell adds those that are the same everywhere and shows all of them on `?`.
// i18n: keys.name.*, keys.do.*
import type {Translate} from './i18n';

export interface Key {
  // as KeyboardEvent.key, with "Ctrl+", "Alt+", "Shift+" before it in this order: 'f', 'ArrowLeft', 'Shift+ArrowLeft',
  // 'Ctrl+z'
  keys: string | readonly string[];
  label: string; // what it does, translated
  run(e: KeyboardEvent): void;
  hidden?: boolean; // not in the help: a second name of a key that is there
}

// Letters are plain, because Shift is already in '?' or 'R'. Ctrl stands for Command on a Mac too.
export function keyName(e: KeyboardEvent): string {
  let k = e.key;
  // Layouts of other scripts give other letters for the same key: Korean ㄹ lies on F.
  if (k.length === 1 && k > '\x7f' && /^Key[A-Z]$/.test(e.code)) k = e.code.slice(3).toLowerCase();
  if (k === ' ') k = 'Space';
  const named = k.length > 1;
  return (
    (e.ctrlKey || e.metaKey ? 'Ctrl+' : '') +
    (e.altKey ? 'Alt+' : '') +
    (named && e.shiftKey ? 'Shift+' : '') +
    (named || e.shiftKey ? k : k.toLowerCase())
  );
}

// typing tells whether a key that is pressed in this element belongs to it.
export function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit|reset|file|color)$/.test(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

// Widgets that need these keys themselves: what Space and Enter press, and what arrows move in.
const presses = /^(Space|Enter)$/,
  moves = /^(Shift\+)?(Arrow\w+|Home|End|PageUp|PageDown)$/;
const pressed = 'button,a[href],summary,input,select',
  moved = 'input,[role=tablist],[role=menu],[role=listbox],[role=slider]';

// find returns the key of a list that an event means, or null: while somebody types, while a dialog is open, and where
// the focused widget needs the key itself.
export function find(list: readonly Key[], e: KeyboardEvent): Key | null {
  if (e.defaultPrevented || e.isComposing || typing(e.target) || document.querySelector('dialog[open]')) return null;
  const name = keyName(e),
    at = e.target as Element;
  if ((presses.test(name) && at.closest?.(pressed)) || (moves.test(name) && at.closest?.(moved))) return null;
  return list.find(k => names(k).includes(name)) ?? null;
}

// names returns the keys of an entry as a list.
export const names = (k: Key): readonly string[] => (typeof k.keys === 'string' ? [k.keys] : k.keys);

const signs: Record<string, string> = {ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓'};
const words = [
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'Space',
  'Enter',
  'Escape',
  'Delete',
  'Backspace',
  'Shift',
  'Ctrl',
  'Alt',
] as const;

// keyText writes one name of a key for people, in parts: ['Ctrl', 'Z'].
export function keyText(name: string, t: Translate): string[] {
  return name.split(/\+(?=.)/).flatMap(p => {
    if (signs[p]) return signs[p];
    const word = words.find(w => w === p);
    if (word) return t(`keys.name.${word}`);
    if (/^[A-Z]$/.test(p)) return [t('keys.name.Shift'), p];
    return /^[a-z]$/.test(p) ? p.toUpperCase() : p;
  });
}

// Keys that mean the same on every page with a board. The help lists all of them.
const table = {
  back: 'ArrowLeft',
  forward: 'ArrowRight',
  branchUp: 'ArrowUp',
  branchDown: 'ArrowDown',
  back10: 'PageUp',
  forward10: 'PageDown',
  start: 'Home',
  end: 'End',
  play: 'Space',
  flip: 'f',
  region: 'r',
  searchHere: 's',
  cursor: 'b',
  textBoard: 't',
  symbols: ['1', '2', '3', '4', '5', '6'],
  undo: 'Ctrl+z',
  redo: ['Ctrl+Z', 'Ctrl+y'],
  remove: ['Delete', 'Backspace'],
} as const satisfies Record<string, string | readonly string[]>;

export type Standard = keyof typeof table;
export const standards = Object.keys(table) as Standard[];

// standard makes the key of a known command: standard(t, 'flip', () => board.flip()).
export function standard(t: Translate, name: Standard, run: (e: KeyboardEvent) => void): Key {
  return {keys: table[name], label: t(`keys.do.${name}`), run};
}
