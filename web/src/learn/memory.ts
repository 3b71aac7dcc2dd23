// Mistakes come back: each after a while that grows with every time it was found right. They are kept by this browser.
import {recall, remember} from '../store';

interface Item { game: string; line: string; box: number; due: number }

const minute = 60_000, day = 1440 * minute;
const waits = [10 * minute, day, 3 * day, 7 * day, 21 * day]; // behind the last one it is known
const most = 500;

const all = (): Item[] => recall<{items: Item[]}>('learn', {items: []}).items;
const keep = (items: readonly Item[]) => remember('learn', {...recall('learn', {}), items: items.slice(-most)});

// due lists the positions of a game that are to be asked for now, those that wait longest first.
export const due = (game: string, now = Date.now()): string[] => all().filter(x => x.game === game && x.due <= now).sort((a, b) => a.due - b.due).map(x => x.line);

export const known = (game: string): number => all().filter(x => x.game === game).length;

// wrong and right say how an answer was. What was never wrong is not kept.
export function wrong(game: string, line: string): void {
  keep([...all().filter(x => x.game !== game || x.line !== line), {game, line, box: 0, due: Date.now() + waits[0]!}]);
}
export function right(game: string, line: string): void {
  const items = all(), item = items.find(x => x.game === game && x.line === line);
  if (!item) return;
  item.box++;
  item.due = Date.now() + (waits[item.box] ?? 0);
  keep(items.filter(x => x.box < waits.length));
}
