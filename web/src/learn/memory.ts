// Mistakes come back: each after a while that grows with every time it was found right. They are kept in decks, one for
// the openings of each game, one for shapes: by the server for who has a name there, else by this browser.
import type {Context} from '../app';
import {recall, remember} from '../store';

interface Item {
  game: string;
  line: string;
  box: number;
  due: number;
  task?: unknown;
} // game is the deck, line what is asked for in it

const minute = 60_000,
  day = 1440 * minute;
const waits = [10 * minute, day, 3 * day, 7 * day, 21 * day]; // behind the last one it is known
const most = 500;

let mine: Item[] | null = null, // of who has a name
  tell: (deck: string, key: string, right: boolean, task?: unknown) => void = () => undefined;

// load asks the server what comes back to who has a name. A page calls it before it asks for anything here.
export async function load(ctx: Context): Promise<void> {
  mine = null;
  tell = () => undefined;
  if (!(await ctx.call('GET /me')).id) return;
  mine = (await ctx.call('GET /me/boxes')).cards.map(c => ({
    game: c.deck,
    line: c.key,
    box: c.box,
    due: Date.parse(c.due),
    ...(c.task !== undefined && {task: c.task}),
  }));
  tell = (deck, key, right, task) =>
    void ctx
      .call('POST /me/boxes', {body: {deck, key, right, ...(task !== undefined && {task})}})
      .catch((err: unknown) => ctx.fail(err));
}

const all = (): Item[] => mine ?? recall<{items: Item[]}>('learn', {items: []}).items;
const keep = (items: readonly Item[]) => {
  if (mine) mine = [...items];
  else remember('learn', {...recall('learn', {}), items: items.slice(-most)});
};
const ripe = (deck: string, now: number): Item[] =>
  all()
    .filter(x => x.game === deck && x.due <= now)
    .sort((a, b) => a.due - b.due);

// due lists what is to be asked for now, those that wait longest first.
export const due = (deck: string, now = Date.now()): string[] => ripe(deck, now).map(x => x.line);

// tasks lists what was kept with them.
export const tasks = <T>(deck: string, now = Date.now()): T[] =>
  ripe(deck, now).flatMap(x => (x.task === undefined ? [] : [x.task as T]));

export const known = (deck: string): number => all().filter(x => x.game === deck).length;

// wrong and right say how an answer was. What was never wrong is not kept. A task is kept where the key alone does not
// tell it.
export function wrong(deck: string, key: string, task?: unknown): void {
  tell(deck, key, false, task);
  keep([
    ...all().filter(x => x.game !== deck || x.line !== key),
    {game: deck, line: key, box: 0, due: Date.now() + waits[0]!, ...(task !== undefined && {task})},
  ]);
}
export function right(deck: string, key: string): void {
  const items = all(),
    item = items.find(x => x.game === deck && x.line === key);
  if (!item) return;
  tell(deck, key, true);
  item.box++;
  item.due = Date.now() + (waits[item.box] ?? 0);
  keep(items.filter(x => x.box < waits.length));
}
