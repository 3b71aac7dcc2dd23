// What the command palette offers, without the document: entries from several sources, those that fit what was typed,
// the best first.
export interface Entry {
  kind: 'action' | 'page' | 'player' | 'name' | 'record';
  label: string;
  note?: string | undefined; // a key, or what else tells it apart
  href?: string | undefined;
  run?(): void;
}

const fold = (s: string): string => s.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

// fit tells how well a label fits what was typed: 0 not at all, the more the better. All words must begin a word of it,
// or stand in it; letters in their order are better than nothing.
export function fit(label: string, typed: string): number {
  const have = fold(label),
    words = fold(typed).split(/\s+/).filter(Boolean);
  if (!words.length) return 1;
  if (have.startsWith(words.join(' '))) return 4;
  if (words.every(w => have.split(/[\s,.-]+/).some(x => x.startsWith(w)))) return 3;
  if (words.every(w => have.includes(w))) return 2;
  const text = words.join('');
  let i = 0;
  for (const c of have) if (c === text[i]) i++;
  return text.length > 2 && i === text.length ? 1 : 0;
}

// ranked are the entries that fit, the best first; those of one rank stay in their order. What the server has found for
// the text fits in any case: it knows other names.
export function ranked(own: readonly Entry[], found: readonly Entry[], typed: string, most = 30): readonly Entry[] {
  return [
    ...own.map(e => ({e, n: fit(e.label, typed)})),
    ...found.map(e => ({e, n: Math.max(1.5, fit(e.label, typed))})),
  ]
    .filter(x => x.n > 0)
    .sort((a, b) => b.n - a.n)
    .slice(0, most)
    .map(x => x.e);
}
