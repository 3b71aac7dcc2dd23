// The moves as a list that reads like a book: the main line in columns, variations below the move that they replace,
// comments where they belong. Blocks are not nested in the document, however deep the variations are.
import type {FullRecord, Game} from '../api';
import {type Child, h, on} from '../dom';
import {icon} from '../icons';
import type {Translate} from '../i18n';
import {type Line, numbered} from './model';

export interface TreeView {
  node: HTMLElement;
  show(at: number, veiled: boolean): void;
}

const deepest = 6; // deeper variations are indented no further: the column is narrow

export function tree(
  t: Translate,
  record: FullRecord,
  line: Line,
  game: Game | undefined,
  go: (node: number) => void,
): TreeView {
  const links = new Map<number, HTMLElement>();
  const blocks: HTMLElement[] = [];
  const name = (i: number) => game?.sides[i]?.name ?? '';

  function move(i: number, depth: number, force: boolean): Child {
    const n = line.node(i);
    if (!n.move) return null;
    const number = numbered(game, record.turn, n),
      pair = game?.moving && n.side === 1;
    const link = h(
      'a',
      {
        class: 'mv' + (n.fault ? ' bad' : ''),
        href: line.hash(i) || '#0',
        'data-n': i,
        'data-side': game?.moving ? null : name(n.side),
        tabindex: -1,
        title: n.fault ?? null,
      },
      (!pair || force || (depth > 0 && !game)) && h('small', number),
      h('span.san', n.move, n.quality),
      n.fault && icon('warn'),
    );
    if (pair && !depth) link.classList.add('second');
    links.set(i, link);
    return link;
  }

  const words = (i: number, depth: number): Child => {
    const n = line.node(i),
      lines: Child[] = [];
    if (n.fault && i > 0) lines.push(h('span.fault', n.fault));
    if (n.comment) lines.push(n.comment);
    if (!lines.length) return null;
    // A comment on its own node, without a move, must be reachable too.
    const note = h(
      depth ? 'span' : 'p',
      {class: 'note', 'data-n': i},
      lines.map((x, k) => [k > 0 && ' ', x]),
    );
    if (!n.move) links.set(i, note);
    return note;
  };

  // What is still to be written: a line from a node on, after the lines before it on the stack.
  const stack: {from: number; depth: number}[] = [{from: 0, depth: 0}];
  for (let job = stack.pop(); job; job = stack.pop()) {
    const {depth} = job,
      block = h('div', {class: depth ? 'line var' : 'line main', vars: {'--deep': String(Math.min(depth, deepest))}});
    let force = true;
    for (let i: number | undefined = job.from; i !== undefined; i = line.kids[i]![0]) {
      const text = words(i, depth);
      for (const c of [move(i, depth, force), text]) if (c instanceof Node) block.append(c, depth ? ' ' : '');
      force = !!text;
      const all: readonly number[] = line.kids[line.parent(i)] ?? [];
      if (all.length > 1 && all[0] === i) {
        const rest = line.kids[i]![0];
        if (rest !== undefined) stack.push({from: rest, depth});
        for (const v of all.slice(1).reverse()) stack.push({from: v, depth: depth + 1});
        break;
      }
    }
    if (block.firstChild) blocks.push(block);
  }
  const {result, winner} = record.summary;
  if (result) blocks.at(-1)?.append(h('span.mv.end', h('b', winner === 2 ? t('records.result.draw') : result)));

  const node = h(
    'div',
    {
      class: 'tree ' + (game?.moving ? 'by-pair' : 'by-ply'),
      role: 'group',
      'aria-label': t('record.moves'),
      onclick: (e: MouseEvent) => {
        if (e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
        const hit = (e.target as Element).closest<HTMLElement>('[data-n]');
        if (!hit) return;
        e.preventDefault(); // the address is replaced, not added to the history
        go(Number(hit.dataset['n']));
      },
    },
    blocks,
    !links.size && h('p.muted', t('record.noMoves')),
    record.truncated && h('p.muted.small', t('record.truncated')),
  );

  // One move of the list is a stop of the Tab key: the one that is shown, and at the start the first.
  const [first] = links.values();
  first?.setAttribute('tabindex', '0');
  let now: HTMLElement | undefined,
    veils: HTMLElement[] = [];
  // Only the list scrolls, never the page under the reader's eyes.
  const reveal = () => {
    if (!now) {
      node.scrollTop = 0;
      return;
    }
    const a = node.getBoundingClientRect(),
      b = now.getBoundingClientRect();
    if (a.height && (b.top < a.top + 30 || b.bottom > a.bottom - 30))
      node.scrollTop += b.top - a.top - (a.height - b.height) / 2;
  };
  // The list gets its height after the first move is shown, and another one when a comment comes or goes. A reader who
  // scrolls is left alone until the next move.
  let follow = true;
  new ResizeObserver(() => {
    if (follow) reveal();
  }).observe(node);
  for (const type of ['wheel', 'pointerdown'])
    on(
      node,
      type,
      () => {
        follow = false;
      },
      undefined,
      {passive: true},
    );
  return {
    node,
    show(at, veiled) {
      const next = links.get(at);
      // What comes behind this mark is hidden from those who guess. Nobody else has it: the siblings behind it are
      // many.
      for (const x of veils) x.classList.remove('veil');
      veils = !veiled ? [] : next ? [next, next.parentElement!] : [node];
      for (const x of veils) x.classList.add('veil');
      if (next === now) return;
      now?.classList.remove('on');
      now?.removeAttribute('aria-current');
      (now ?? first)?.setAttribute('tabindex', '-1');
      now = next;
      follow = true;
      now?.classList.add('on');
      now?.setAttribute('aria-current', 'true');
      (now ?? first)?.setAttribute('tabindex', '0');
      if (node.isConnected) reveal();
    },
  };
}
