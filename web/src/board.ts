// The board in the page. A Board owns its node and listens on it alone; a page
// hands it states and gets callbacks, and changes the state itself.
import {colours} from './colours';
import {
  type BoardState,
  type Region,
  type Spot,
  between,
  column,
  describe,
  describePoint,
  onBoard,
  pointAt,
  pointName,
  row,
  sameRegion,
} from './core';
import {type Contact, type Effect, type Gesture, type Mode, type Rules, Wheel, move, press, release} from './gesture';
import type {Translate} from './i18n';
import {type Fit, type Shape, clamped, definitions, fit, frame, layers, nearest, placing, scene, where} from './scene';

export type {Contact, Mode} from './gesture';

export interface BoardOptions {
  mode?: Mode | undefined; // what the main button does; 'point' if left out
  // keys: 'cursor' moves a cursor by arrows whenever the board has the focus;
  // 'none' leaves the arrows to the page until Enter or b is pressed on the
  // board, and again after Escape.
  keys?: 'cursor' | 'none' | undefined;
  wheel?: boolean | undefined; // calls onWheel; on if left out
  twoTap?: 'auto' | 'on' | 'off' | undefined;
  animate?: boolean | undefined; // slides pieces; on if left out
  t?: Translate | undefined; // without it nothing is announced
  lang?: string | undefined;
  facts?(): {turn?: string; last?: string}; // told with the board to those who cannot see it
  ghost?(point: number): number; // the piece shown under the pointer, 0 for none
  canPick?(point: number): boolean; // mode 'move': every piece if left out
  onPoint?(point: number, contact: Contact): void;
  onPick?(point: number | null): void; // set selected and legal
  onDrag?(from: number, to: number): void; // a move, by dragging or by two clicks
  onPaint?(point: number, contact: Contact & {first: boolean}): void; // first: begins a new stroke
  onRegion?(region: Region | null, done: boolean): void; // done: the pointer has let go
  onHover?(point: number | null): void;
  onWheel?(direction: 1 | -1): void; // 1 is forward
  onKey?(e: KeyboardEvent, cursor: number): boolean; // true if it was used; cursor mode only
  freeB?: boolean | undefined; // b is the page's, and enters no cursor
  announce?(text: string): void;
  say?(point: number): string; // what is announced of a point, where the board cannot know it
}

const ns = 'http://www.w3.org/2000/svg';

// element makes an SVG element of a shape.
export function element(s: Shape): SVGElement {
  const node = document.createElementNS(ns, s.tag);
  for (const name in s.attrs) node.setAttribute(name, String(s.attrs[name]));
  if (s.text !== undefined) node.textContent = s.text;
  for (const kid of s.kids ?? []) node.appendChild(element(kid));
  return node;
}

// define puts what a state refers to into the document, once for all boards.
export function define(s: BoardState): void {
  const first = s.geometry.pieces[0];
  if (!first) return;
  let sheet = document.getElementById('q-defs');
  if (!sheet) {
    const svg = element({tag: 'g', attrs: {id: 'q-defs'}});
    const root = document.createElementNS(ns, 'svg');
    root.setAttribute('class', 'board-defs');
    root.setAttribute('aria-hidden', 'true');
    root.setAttribute('width', '0');
    root.setAttribute('height', '0');
    root.append(svg);
    document.body.append(root);
    sheet = svg as unknown as HTMLElement;
  }
  const done = sheet.dataset['sets']?.split(' ') ?? [];
  const mark = `${first.fill}${first.ink}${s.geometry.cells}${s.geometry.pieces.length}${s.set ?? ''}`;
  if (done.includes(mark)) return;
  sheet.dataset['sets'] = [...done, mark].join(' ');
  for (const def of definitions(s)) if (!document.getElementById(String(def.attrs['id']))) sheet.append(element(def));
}

export class Board {
  readonly node: HTMLElement;
  readonly svg: SVGSVGElement;
  #options: BoardOptions;
  #state: BoardState;
  #drawn: BoardState | null = null; // what the layers show
  #layers = new Map<string, SVGElement>();
  #pieces = new Map<string, SVGElement>(); // of layer pieces, by key
  #top: SVGElement; // the piece in hand, the bubble
  #fit: Fit | null = null;
  #gesture: Gesture | null = null;
  #hover = -1;
  #pending = -1; // first of two taps
  #cursor = -1;
  #active = false; // the keys move the cursor
  #dropped = -1; // where a piece was let go: it need not slide there
  #touched = false; // the last pointer was a finger
  #wheel = new Wheel();
  #resize: ResizeObserver;

  constructor(state: BoardState, options: BoardOptions = {}) {
    this.#options = options;
    this.#state = state;
    this.node = document.createElement('div');
    this.node.className = 'board';
    this.node.tabIndex = 0;
    this.svg = document.createElementNS(ns, 'svg');
    this.svg.setAttribute('aria-hidden', 'true');
    for (const l of layers) {
      const g = document.createElementNS(ns, 'g');
      g.setAttribute('class', 'layer-' + l.name);
      this.#layers.set(l.name, g);
      this.svg.append(g);
    }
    this.#top = document.createElementNS(ns, 'g');
    this.svg.append(this.#top);
    this.node.append(this.svg);
    this.#listen();
    this.#resize = new ResizeObserver(() => {
      const was = this.node.offsetHeight;
      this.#layout();
      // Its own change of height must not be told in the same frame, which browsers report as an endless loop.
      if (this.node.offsetHeight === was) return;
      this.#resize.unobserve(this.node);
      requestAnimationFrame(() => {
        if (this.node.isConnected) this.#resize.observe(this.node);
      });
    });
    this.#resize.observe(this.node);
    this.#configure();
    this.#draw();
  }

  get state(): BoardState {
    return this.#state;
  }

  // set shows a state. Only layers whose part of the state differs are drawn.
  set(state: BoardState): void {
    const {w, h} = state.geometry.size,
      was = this.#state.geometry.size;
    if (w !== was.w || h !== was.h) {
      this.#pending = this.#hover = -1;
      this.#cursor = this.#active ? pointAt({w, h}, w >> 1, h >> 1) : -1;
    }
    this.#state = state;
    this.#draw();
  }

  update(part: Partial<BoardState>): void {
    this.set({...this.#state, ...part});
  }

  // configure changes some options.
  configure(part: Partial<BoardOptions>): void {
    if (part.mode && part.mode !== this.#options.mode) this.#gesture = null;
    this.#options = {...this.#options, ...part};
    this.#configure();
    this.#draw();
  }

  // cursor is the point that the keys have reached, or -1.
  get cursor(): number {
    return this.#active ? this.#cursor : -1;
  }

  focus(): void {
    this.node.focus({preventScroll: true});
  }

  // close stops watching the size; the listeners go with the node.
  close(): void {
    this.#resize.disconnect();
  }

  // refresh measures the room anew, which a page may change without changing the
  // width of the board.
  refresh(): void {
    this.#layout();
  }

  #configure(): void {
    const o = this.#options,
      active = !!(o.onPoint || o.onPick || o.onDrag || o.onPaint || o.onRegion || o.onKey);
    this.node.setAttribute('role', active ? 'application' : 'img');
    this.node.dataset['mode'] = o.mode ?? 'point';
    if (o.keys !== 'cursor' && !this.#active) this.#cursor = -1;
  }

  #rules(touch: boolean): Rules {
    const o = this.#options;
    return {
      mode: o.mode ?? 'point',
      regions: !!o.onRegion,
      reach: Math.min(0.6 * 40, (touch ? 22 : 11) / (this.#fit?.unit ?? 1)),
      canPick: p => (o.canPick ? o.canPick(p) : !!o.onDrag && !!this.#state.pieces[p]),
    };
  }

  // Drawing.

  #shown(): BoardState {
    const s = this.#state,
      o = this.#options,
      at = this.#pending >= 0 ? this.#pending : this.#hover;
    const piece = at >= 0 && !s.ghost && this.#gesture === null ? (o.ghost?.(at) ?? 0) : 0;
    return {
      ...s,
      ghost: s.ghost ?? (piece ? {at, piece} : undefined),
      cursor: s.cursor ?? (this.#active && this.#cursor >= 0 ? this.#cursor : undefined),
      handles: s.handles ?? !!o.onRegion,
    };
  }

  #draw(): void {
    const s = this.#shown(),
      old = this.#drawn;
    if (!old || old.geometry !== s.geometry || old.set !== s.set || old.glyphs !== s.glyphs) {
      define(s);
      for (const [name, value] of Object.entries(colours(s.geometry))) this.node.style.setProperty(name, value);
    }
    const placed = !old || placing.some(k => old[k] !== s[k]);
    for (const l of layers) {
      if (!placed && l.on.every(k => same(k, old[k], s[k]))) continue;
      const shapes = l.draw(s),
        node = this.#layers.get(l.name)!;
      if (l.name === 'pieces') this.#patch(node, shapes, !placed);
      else node.replaceChildren(...shapes.map(element));
    }
    this.#drawn = s;
    if (placed) this.#layout();
    this.#overlay();
    const {t} = this.#options;
    if (t && (placed || !same('pieces', old.pieces, s.pieces) || old.last !== s.last)) {
      this.node.setAttribute('aria-label', describe(s, t, this.#options.facts?.()));
    }
  }

  // patch keeps the pieces that stay and slides the one that has moved.
  #patch(node: SVGElement, shapes: readonly Shape[], steady: boolean): void {
    const old = this.#pieces,
      now = new Map<string, SVGElement>(),
      added: Shape[] = [];
    if (!steady) {
      node.replaceChildren();
      old.clear();
    }
    for (const s of shapes) {
      let e = old.get(s.key!);
      if (!e) {
        added.push(s);
        e = element(s);
        node.append(e);
      }
      old.delete(s.key!);
      now.set(s.key!, e);
    }
    const one = added[0];
    if (one && added.length === 1 && old.size && Number(one.key!.split('.')[0]) !== this.#dropped) {
      const kind = one.key!.split('.')[1],
        from = [...old.entries()].find(([key]) => key.split('.')[1] === kind)?.[1];
      if (from) this.#slide(now.get(one.key!)!, from);
    }
    if (steady && added.length > 1) this.#turn(added, old, now);
    this.#dropped = -1;
    for (const e of old.values()) e.remove();
    this.#pieces = now;
  }

  #slide(e: SVGElement, from: SVGElement): void {
    if (!this.#moves()) return;
    const at = (node: SVGElement, name: string): number =>
      Number(node.getAttribute(name) ?? node.getAttribute('c' + name));
    const d = (name: string): number => at(from, name) - at(e, name);
    e.animate([{transform: `translate(${d('x')}px,${d('y')}px)`}, {transform: 'none'}], {
      duration: 150,
      easing: 'ease-out',
    });
  }

  // turn lets discs that changed their side turn over, so that it is seen which they were.
  #turn(added: readonly Shape[], old: ReadonlyMap<string, SVGElement>, now: ReadonlyMap<string, SVGElement>): void {
    if (!this.#moves() || this.#state.geometry.pieces.length > 2) return;
    for (const s of added) {
      const [point, piece] = s.key!.split('.');
      if (!old.has(`${point}.${3 - Number(piece)}`)) continue;
      const e = now.get(s.key!)!;
      e.classList.add('turning');
      e.animate([{transform: 'scaleX(0)'}, {transform: 'none'}], {duration: 260, easing: 'ease-out'});
    }
  }

  #moves(): boolean {
    return this.#options.animate !== false && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  #layout(): void {
    const room = this.node.clientWidth;
    if (!room) {
      const f = frame(this.#state);
      this.svg.setAttribute('viewBox', `${f.x} ${f.y} ${f.w} ${f.h}`);
      return;
    }
    const most = parseFloat(getComputedStyle(this.node).maxHeight),
      s = this.#shown();
    const f = fit(s, room, most > 0 ? most : Infinity, window.devicePixelRatio || 1);
    this.#fit = f;
    this.svg.setAttribute('viewBox', `${f.box.x} ${f.box.y} ${f.box.w} ${f.box.h}`);
    this.svg.setAttribute('width', String(f.width));
    this.svg.setAttribute('height', String(f.height));
    for (const [name, v] of [
      ['grid-line', f.line],
      ['grid-edge', f.edge],
      ['name-size', f.label],
    ])
      this.svg.style.setProperty(`--${name}`, `${v}px`);
  }

  // overlay draws the piece in hand, and the bubble with the name of a point
  // that waits for the second tap.
  #overlay(): void {
    const g = this.#gesture,
      list: SVGElement[] = [],
      s = this.#state;
    for (const e of this.#pieces.values()) e.classList.remove('lifted');
    if (g?.kind === 'drag' && g.moved) {
      const e = this.#pieces.get(`${g.from}.${s.pieces[g.from]}`);
      if (e) {
        const copy = e.cloneNode() as SVGElement;
        // A finger hides what lies under it: the piece grows out from below.
        const k = g.contact.touch ? 1.7 : 1.08;
        copy.setAttribute('class', 'held');
        for (const name of ['x', 'y', 'cx', 'cy']) copy.removeAttribute(name);
        copy.setAttribute('transform', `translate(${g.at.x} ${g.at.y})scale(${k})`);
        e.classList.add('lifted');
        list.push(copy);
      }
    }
    const point = this.#pending >= 0 ? this.#pending : g?.kind === 'drag' && g.moved ? clamped(s, g.at.x, g.at.y) : -1;
    if (this.#pending >= 0) list.push(this.#bubble(point));
    else if (point >= 0 && s.legal?.includes(point)) {
      const w = where(s, point);
      list.push(element({tag: 'circle', attrs: {class: 'target', cx: w.x, cy: w.y, r: 20}}));
    }
    this.#top.replaceChildren(...list);
  }

  #bubble(point: number): SVGElement {
    const s = this.#state,
      w = where(s, point),
      k = 1 / (this.#fit?.unit ?? 1),
      b = this.#fit?.box ?? frame(s);
    const text = pointName(s.geometry, point),
      half = (12 + 5 * text.length) * k;
    const x = Math.max(b.x + half, Math.min(b.x + b.w - half, w.x)),
      up = w.y - 44 * k > b.y ? -1 : 1,
      y = w.y + up * 40 * k;
    return element({
      tag: 'g',
      attrs: {class: 'bubble'},
      kids: [
        {tag: 'circle', attrs: {class: 'pending', cx: w.x, cy: w.y, r: 21}},
        {tag: 'rect', attrs: {x: x - half, y: y - 14 * k, width: 2 * half, height: 28 * k, rx: 8 * k}},
        {tag: 'text', attrs: {x, y, dy: '.355em', 'font-size': 16 * k}, text},
      ],
    });
  }

  // Pointers.

  #place(e: {clientX: number; clientY: number}): Spot {
    return new DOMPoint(e.clientX, e.clientY).matrixTransform(this.svg.getScreenCTM()!.inverse());
  }

  #listen(): void {
    const on = <K extends keyof SVGElementEventMap>(type: K, run: (e: SVGElementEventMap[K]) => void): void =>
      this.svg.addEventListener(type, run as EventListener, {passive: false});
    on('pointerdown', e => this.#down(e));
    on('pointermove', e => this.#moved(e));
    on('pointerup', e => this.#up(e));
    on('pointercancel', () => this.#end());
    on('pointerleave', e => {
      if (e.pointerType !== 'touch') this.#hoverTo(-1);
    });
    on('contextmenu', e => e.preventDefault());
    on('wheel', e => this.#turned(e));
    // The page scrolls by touch unless the touch begins on a piece or a handle that it would move.
    on('touchstart', e => {
      if (e.touches.length === 1 && this.#gesture && this.#gesture.kind !== 'press' && e.cancelable) e.preventDefault();
    });
    this.node.addEventListener('keydown', e => this.#key(e));
    this.node.addEventListener('focus', () => {
      if (
        this.#options.keys === 'cursor' &&
        !this.node.classList.contains('pointing') &&
        this.node.matches(':focus-visible')
      )
        this.#enter();
    });
    this.node.addEventListener('blur', () => {
      this.node.classList.remove('pointing');
      if (this.#active) this.#leave();
    });
  }

  #down(e: PointerEvent): void {
    if (!e.isPrimary || e.button === 1) return;
    this.node.classList.add('pointing');
    this.focus();
    if (this.#active) this.#leave();
    if (e.pointerType !== 'touch') e.preventDefault();
    const touch = (this.#touched = e.pointerType === 'touch');
    // A pen or a Mac's mouse with Ctrl held means the second button.
    const button = e.button === 0 && e.ctrlKey ? 2 : e.button;
    const [g, effects] = press(this.#rules(touch), this.#state, this.#place(e), {button, shift: e.shiftKey, touch});
    this.#gesture = g;
    if (g) this.svg.setPointerCapture(e.pointerId);
    this.#run(effects);
    this.#draw();
  }

  #moved(e: PointerEvent): void {
    const at = this.#place(e),
      touch = (this.#touched = e.pointerType === 'touch');
    if (!this.#gesture) {
      if (!touch) this.#hoverTo(nearest(this.#state, at.x, at.y));
      return;
    }
    if (!e.isPrimary) return;
    const [g, effects] = move(this.#rules(touch), this.#state, this.#gesture, at);
    this.#gesture = g;
    this.#run(effects);
    this.#overlay();
  }

  #up(e: PointerEvent): void {
    const g = this.#gesture;
    if (!g || !e.isPrimary) return;
    this.#gesture = null;
    const effects = release(this.#rules(e.pointerType === 'touch'), this.#state, g, this.#place(e));
    this.#run(effects.filter(f => this.#confirmed(f)));
    this.#end();
  }

  #end(): void {
    this.#gesture = null;
    this.#draw();
  }

  // confirmed tells whether a tap counts: on small boards the first one only
  // shows where it would go.
  #confirmed(f: Effect): boolean {
    if ((f.do !== 'point' && f.do !== 'paint') || !f.contact.touch) return true;
    const small = 40 * (this.#fit?.unit ?? 1) < 26,
      {twoTap} = this.#options;
    if (twoTap === 'off' || (twoTap !== 'on' && !small) || this.#pending === f.point) {
      this.#pending = -1;
      return true;
    }
    this.#pending = f.point;
    this.#say(f.point);
    return false;
  }

  #run(effects: readonly Effect[]): void {
    const o = this.#options;
    for (const f of effects) {
      switch (f.do) {
        case 'point':
          o.onPoint?.(f.point, f.contact);
          break;
        case 'pick':
          o.onPick?.(f.point);
          break;
        case 'paint':
          o.onPaint?.(f.point, {...f.contact, first: f.first});
          break;
        case 'region':
          if (f.done || !sameRegion(f.region, this.#state.region)) o.onRegion?.(f.region, f.done);
          break;
        case 'drag':
          if (this.#top.querySelector('.held')) this.#dropped = f.to;
          o.onDrag?.(f.from, f.to);
      }
    }
  }

  #hoverTo(p: number): void {
    if (p === this.#hover) return;
    this.#hover = p;
    const rules = this.#rules(false);
    this.node.classList.toggle('pick', rules.mode === 'move' && p >= 0 && rules.canPick(p));
    this.#options.onHover?.(p < 0 ? null : p);
    if (this.#options.ghost) this.#draw();
  }

  #turned(e: WheelEvent): void {
    const o = this.#options;
    if (!o.onWheel || o.wheel === false || e.ctrlKey || e.shiftKey || !e.deltaY || this.#touched) return;
    e.preventDefault();
    const n = this.#wheel.turn(e.deltaY, e.deltaMode > 0, e.timeStamp);
    if (n) o.onWheel(n);
  }

  // Keys.

  #enter(): void {
    const s = this.#state,
      {size} = s.geometry;
    this.#active = true;
    if (this.#cursor < 0) this.#cursor = s.selected ?? s.last?.to ?? pointAt(size, size.w >> 1, size.h >> 1);
    this.node.classList.remove('pointing');
    this.#draw();
    this.#say(this.#cursor);
  }

  #leave(): void {
    this.#active = false;
    this.#draw();
  }

  #say(p: number): void {
    const {t, announce, lang} = this.#options;
    if (t && announce) announce(this.#options.say?.(p) ?? describePoint(this.#shown(), p, t, lang ?? 'en'));
  }

  #key(e: KeyboardEvent): void {
    if (e.target !== this.node || e.ctrlKey || e.metaKey || e.altKey) return;
    if (this.#pressed(e)) {
      e.preventDefault();
      e.stopPropagation();
    }
  }

  #pressed(e: KeyboardEvent): boolean {
    const o = this.#options;
    if (!this.#active) {
      const enters =
        e.key === 'Enter' || (e.key === 'b' && !o.freeB) || (o.keys === 'cursor' && e.key.startsWith('Arrow'));
      if (!enters || this.node.getAttribute('role') !== 'application') return false;
      this.#enter();
      return true;
    }
    switch (e.key) {
      case 'ArrowLeft':
        return this.#step(-1, 0, e.shiftKey);
      case 'ArrowRight':
        return this.#step(1, 0, e.shiftKey);
      case 'ArrowUp':
        return this.#step(0, -1, e.shiftKey);
      case 'ArrowDown':
        return this.#step(0, 1, e.shiftKey);
      case 'Enter':
      case ' ':
        return this.#click(e.shiftKey);
      case 'Escape':
        if (this.#state.selected !== undefined && o.onPick) o.onPick(null);
        else this.#leave();
        return true;
    }
    return o.onKey?.(e, this.#cursor) ?? false;
  }

  // step moves the cursor as it is seen. With Shift the region follows: from
  // the corner opposite to the cursor if it stands in one, else from the cursor.
  #step(dx: number, dy: number, extend: boolean): boolean {
    const s = this.#state,
      {size} = s.geometry,
      k = s.flip ? -1 : 1;
    const x = column(size, this.#cursor),
      y = row(size, this.#cursor),
      nx = x + k * dx,
      ny = y + k * dy;
    if (!onBoard(size, nx, ny)) return true;
    const next = pointAt(size, nx, ny),
      from = this.#cursor,
      r = s.region;
    this.#cursor = next;
    this.#draw();
    this.#say(next);
    if (extend && this.#options.onRegion) {
      // after the point: what the page says of the region is what is heard
      const corner = r && (x === r.left || x === r.right) && (y === r.top || y === r.bottom);
      const anchor = corner ? pointAt(size, x === r.left ? r.right : r.left, y === r.top ? r.bottom : r.top) : from;
      this.#options.onRegion(between(size, anchor, next), true);
    }
    return true;
  }

  // click does at the cursor what the main button does.
  #click(shift: boolean): boolean {
    const at = where(this.#state, this.#cursor),
      contact = {button: 0, shift, touch: false};
    const rules = {...this.#rules(false), regions: false};
    if (rules.mode === 'region') rules.mode = 'point';
    const [g, effects] = press(rules, this.#state, at, contact);
    this.#run(effects);
    if (g) this.#run(release(rules, this.#state, g, at));
    this.#say(this.#cursor);
    return true;
  }
}

// same compares two values of a member of the state. Positions are compared
// point by point, since pages make them anew for every move.
function same(k: keyof BoardState, a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!a || !b) return a === b;
  if (k === 'region') return sameRegion(a as Region, b as Region);
  if (k === 'ghost')
    return (
      (a as {at: number}).at === (b as {at: number}).at && (a as {piece: number}).piece === (b as {piece: number}).piece
    );
  if (k !== 'pieces' && k !== 'texts') return false;
  const x = a as ArrayLike<number | string>,
    y = b as ArrayLike<number | string>;
  if (x.length !== y.length) return false;
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
  return true;
}

// still returns a board that never changes, of the same shapes as a Board: for
// palettes and legends.
export function still(s: BoardState): SVGSVGElement {
  define(s);
  const f = frame(s),
    svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('class', 'board still');
  svg.setAttribute('viewBox', `${f.x} ${f.y} ${f.w} ${f.h}`);
  for (const [name, value] of Object.entries(colours(s.geometry))) svg.style.setProperty(name, value);
  for (const l of scene(s))
    if (l.shapes.length) {
      const g = document.createElementNS(ns, 'g');
      g.setAttribute('class', 'layer-' + l.name);
      g.append(...l.shapes.map(element));
      svg.append(g);
    }
  return svg;
}
