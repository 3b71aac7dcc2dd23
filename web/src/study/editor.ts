// The pane in which one writes on a record: the comment of a move, what one thinks of it, signs for the board, the
// order of variations, and the way back. What is written is saved as one goes.
// i18n: study.sign.*, study.state.*, study.colour.*
import '../common';
import type {StudySheet} from '../api';
import type {Context} from '../app';
import {debounce, fill, fmt, h, on} from '../dom';
import {icon} from '../icons';
import {button, iconButton, segmented} from '../ui';
import {type Colour, type SignTool, colours, glyphs, put, signs} from './model';
import type {Sheet, State} from './sheet';

const faces: Record<SignTool, string> = {
  triangle: '△',
  square: '□',
  circle: '○',
  cross: '✕',
  letter: 'A',
  number: '1',
  arrow: '→',
  region: '▦',
};

export interface Editor {
  readonly node: HTMLElement;
  readonly tool: SignTool | null;
  show(sheet: StudySheet, node: number): void;
  state(s: State): void;
  flush(): void; // what is still being typed is saved now
  focus(): void;
  take(tool: SignTool | null): void;
  // put is a click with the sign in hand; it returns the first of two points.
  put(point: number, from: number | null, name: (p: number) => string): number | null;
}

const pause = 700; // ms that nobody types before a comment is saved

export function editor(ctx: Context, sheet: Sheet, picked: () => void): Editor {
  const {t} = ctx;
  let at = -1,
    tool: SignTool | null = null,
    colour: Colour = 'green',
    typed = false;
  const text = h('textarea.study-text', {rows: 3, maxlength: 60000, 'aria-label': t('study.comment')});
  text.placeholder = t('study.comment');
  const name = () => sheet.now.nodes[at] || 'r.0';
  const save = () => {
    later.cancel();
    if (!typed) return;
    typed = false;
    sheet.write({do: 'comment', node: name(), text: text.value});
  };
  const later = debounce(save, pause);
  on(text, 'input', () => {
    typed = true;
    later();
  });
  on(text, 'blur', save);
  on<KeyboardEvent>(text, 'keydown', e => {
    e.stopPropagation(); // the keys of the page are letters
    if (e.key === 'Escape') text.blur();
  });
  const glyphButtons = glyphs.map(g =>
    button(
      g,
      () => {
        const now = sheet.now.record.nodes[at]?.quality;
        save();
        sheet.write({do: 'glyph', node: name(), text: now === g ? '' : g});
      },
      {props: {'aria-pressed': 'false', class: 'btn small bare study-glyph'}},
    ),
  );
  const signButtons = signs.map(s =>
    button(faces[s], () => take(tool === s ? null : s), {
      props: {
        'aria-pressed': 'false',
        'aria-label': t(`study.sign.${s}`),
        title: t(`study.sign.${s}`),
        class: 'btn small bare study-sign',
      },
    }),
  );
  const palette = segmented<Colour>(
    t('study.colours'),
    colours.map(c => ({value: c, label: t(`study.colour.${c}`)})),
    colour,
    c => {
      colour = c;
    },
  );
  palette.node.hidden = true;
  const act = (what: 'promote' | 'main' | 'delete' | 'undo' | 'redo') => () => {
    save();
    sheet.write({do: what, ...(what !== 'undo' && what !== 'redo' && {node: name()})});
  };
  const undo = iconButton(t('study.undo'), 'undo', act('undo')),
    redo = iconButton(t('study.redo'), 'redo', act('redo')),
    promote = iconButton(t('study.promote'), 'up', act('promote')),
    main = iconButton(t('study.main'), 'first', act('main')),
    remove = iconButton(t('study.delete'), 'remove', act('delete'));
  const saved = h('span.muted.small', {role: 'status'}),
    by = h('p.muted.small'),
    trouble = h('div');
  function take(next: SignTool | null): void {
    tool = next;
    signs.forEach((s, i) => signButtons[i]!.setAttribute('aria-pressed', String(s === tool)));
    palette.node.hidden = tool !== 'arrow' && tool !== 'region';
    if (tool) ctx.announce(t('study.signHint', {sign: t(`study.sign.${tool}`)}));
    picked();
  }
  const node = h(
    'section.card.study-pane',
    {'aria-label': t('study.write')},
    text,
    h(
      'div.row',
      h('div.btns', {role: 'group', 'aria-label': t('study.glyphs')}, glyphButtons),
      undo,
      redo,
      promote,
      main,
      remove,
    ),
    h('div.row', h('div.btns', {role: 'group', 'aria-label': t('study.signs')}, signButtons), palette.node),
    h('div.row.between', by, saved),
    trouble,
  );
  return {
    node,
    get tool() {
      return tool;
    },
    put(point, from, called) {
      const marks = sheet.now.record.nodes[at]?.marks ?? [],
        done = put(tool!, colour, name(), point, from, marks, called);
      if (done.edit) sheet.write(done.edit);
      return done.from ?? null;
    },
    take,
    focus: () => text.focus(),
    flush: save,
    state(s) {
      fill(saved, s === 'offline' && icon('warn'), ' ', t(`study.state.${s}`));
    },
    show(now, i) {
      if (i !== at) save();
      at = i;
      const n = now.record.nodes[i];
      if (!typed) text.value = n?.comment ?? '';
      glyphs.forEach((g, k) => glyphButtons[k]!.setAttribute('aria-pressed', String(n?.quality === g)));
      const still = !n?.move;
      for (const b of [...glyphButtons, promote, main]) b.disabled = still;
      remove.disabled = i === 0;
      undo.disabled = !now.undo;
      redo.disabled = !now.redo;
      const w = now.written.find(x => x.node === i);
      fill(by, w && t('study.by', {name: w.by || t('study.owner'), when: fmt(ctx.lang).ago(w.at)}));
      const here = now.conflicts.filter(c => c.node === i);
      fill(
        trouble,
        here.length > 0 &&
          h(
            'ul.study-conflicts',
            here.map(c =>
              h(
                'li',
                icon('warn'),
                ' ',
                t(c.key === 'gone' ? 'study.kept' : 'study.conflict'),
                c.key !== 'gone' &&
                  h(
                    'ul',
                    c.values.map(v => h('li', `${v.by || t('study.owner')}: ${v.value}`)),
                  ),
              ),
            ),
          ),
        now.gone && h('p', icon('warn'), ' ', t('study.gone')),
        now.stale && h('p', icon('warn'), ' ', t('study.stale')),
      );
    },
  };
}
