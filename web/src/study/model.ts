// What somebody writes on a record, without the document: changes that wait to be sent, in order and also over a
// reload; and what a click on the board means for a sign.
import type {Mark, StudyEdit, StudyEdits} from '../api';

export type Sign = NonNullable<Mark['kind']>;

export const signs = ['triangle', 'square', 'circle', 'cross', 'letter', 'number', 'arrow', 'region'] as const;
export type SignTool = (typeof signs)[number];
export const glyphs = ['!!', '!', '!?', '?!', '?', '??'] as const;
export const colours = ['green', 'red', 'blue', 'yellow'] as const;
export type Colour = (typeof colours)[number];

// Keep is where changes lie that the server has not answered for.
export interface Keep {
  load(): readonly StudyEdits[];
  save(list: readonly StudyEdits[]): void;
}

// Outbox has what is still to be sent. Each batch goes under a name of its own, so that it is written once however
// often it is sent; what is said of one thing again before it went replaces what waits.
export class Outbox {
  readonly page: string;
  #list: StudyEdits[];
  #sent = 0;
  #going = false; // the first is on its way

  constructor(
    readonly keep: Keep,
    page: string,
  ) {
    this.page = page;
    this.#list = [...keep.load()];
  }

  get waiting(): number {
    return this.#list.length;
  }

  get first(): StudyEdits | undefined {
    return this.#list[0];
  }

  // add has a change wait that was made on a revision.
  add(edit: StudyEdit, seen: number): void {
    const last = this.#list.at(-1),
      free = last && !(this.#going && this.#list.length === 1) && last.page === this.page ? last : undefined,
      same = free?.edits.length === 1 && free.edits[0]!.do === 'comment' && free.edits[0]!;
    if (same && edit.do === 'comment' && same.node === edit.node) same.text = edit.text ?? '';
    else this.#list.push({edits: [{...edit}], seen, page: this.page, sent: `${this.page}.${++this.#sent}`});
    this.keep.save(this.#list);
  }

  // begin takes the first on its way; end puts it away, or with again has it wait longer.
  begin(): StudyEdits | undefined {
    if (this.#going) return undefined;
    this.#going = this.#list.length > 0;
    return this.#list[0];
  }

  end(again: boolean): void {
    if (!this.#going) return;
    this.#going = false;
    if (!again) this.#list.shift();
    this.keep.save(this.#list);
  }
}

// newPage is a name that no other open page has.
export function newPage(random: () => number = Math.random): string {
  let s = '';
  while (s.length < 10) s += Math.floor(random() * 36).toString(36);
  return 'p-' + s;
}

// nextLabel is the first letter, or the first number, that no label on the board has.
export function nextLabel(kind: 'letter' | 'number', marks: readonly Mark[]): string {
  const used = new Set(marks.filter(m => m.kind === 'label').map(m => m.text));
  for (let i = 0; ; i++) {
    const s = kind === 'number' ? String(i + 1) : i < 26 ? String.fromCharCode(65 + i) : 'A' + i;
    if (!used.has(s)) return s;
  }
}

// Put is what a click does: a change, or the first of two points.
export interface Put {
  edit?: StudyEdit;
  from?: number;
}

// put is a click with a sign in hand: it takes one away that stands there. Arrows and regions want two points.
export function put(
  tool: SignTool,
  colour: Colour,
  node: string,
  point: number,
  from: number | null,
  marks: readonly Mark[],
  name: (p: number) => string,
): Put {
  const edit = (there: boolean, sign: NonNullable<StudyEdit['sign']>, points: string, text = ''): Put => ({
    edit: {do: there ? 'unsign' : 'sign', node, sign, points, ...(text && !there && {text})},
  });
  if (tool === 'arrow' || tool === 'region') {
    if (from === null) return {from: point};
    if (tool === 'arrow' && from === point) return {};
    const there = marks.some(m => m.kind === tool && m.point === from && (m.to ?? 0) === point);
    return edit(there, tool, `${name(from)}:${name(point)}`, colour);
  }
  if (tool === 'letter' || tool === 'number')
    return edit(
      marks.some(m => m.kind === 'label' && m.point === point),
      'label',
      name(point),
      nextLabel(tool, marks),
    );
  return edit(
    marks.some(m => m.kind === tool && m.point === point),
    tool,
    name(point),
  );
}
