// Preferences: what a reader wants to see on every page, kept in local storage of this browser. The state of a page is
// never kept here but in its URL, and where a link says something about the view the link wins: see view.

export interface Values {
  language: '' | 'en' | 'zh-Hant' | 'zh-Hans' | 'ja' | 'ko'; // '' follows the browser
  theme: 'system' | 'light' | 'dark';
  board: 'game' | 'plain' | 'contrast'; // colours of the board
  coordinates: boolean;
  pieces: 'traditional' | 'simplified' | 'symbols';
  // by game without its variant; the game's own choice where it has no entry
  notation: Readonly<Record<string, string>>;
  wheel: boolean; // the wheel over the board goes through the moves
  twoTap: 'auto' | 'on' | 'off'; // on small boards the first tap shows, the second plays
  animation: boolean;
  sound: boolean;
}

const defaults: Values = {
  language: '',
  theme: 'system',
  board: 'game',
  coordinates: true,
  pieces: 'traditional',
  notation: {},
  wheel: true,
  twoTap: 'auto',
  animation: true,
  sound: false,
};

// The choices of those that have some; also what a stored or linked value is checked by.
export const choices = {
  language: ['', 'en', 'zh-Hant', 'zh-Hans', 'ja', 'ko'],
  theme: ['system', 'light', 'dark'],
  board: ['game', 'plain', 'contrast'],
  pieces: ['traditional', 'simplified', 'symbols'],
  twoTap: ['auto', 'on', 'off'],
} as const;

const store = 'qipu.prefs';

export type PrefName = keyof Values;

export class Prefs {
  #values: Values;
  #listeners = new Set<(changed: ReadonlySet<PrefName>) => void>();

  constructor() {
    this.#values = read();
    // Another tab may change them.
    window.addEventListener('storage', e => {
      if (e.key === store) this.#take(read());
    });
  }

  get<K extends PrefName>(name: K): Values[K] {
    return this.#values[name];
  }

  set<K extends PrefName>(name: K, value: Values[K]): void {
    const next = {...this.#values, [name]: value};
    try {
      localStorage.setItem(store, JSON.stringify(next));
    } catch {
      /* private windows may refuse: the preference then lasts as long as the page */
    }
    this.#take(next);
  }

  // notation returns the wanted notation of a game such as weiqi:9x9, or undefined for the game's own.
  notation(game: string): string | undefined {
    return this.#values.notation[family(game)] || undefined;
  }

  setNotation(game: string, name: string): void {
    this.set('notation', {...this.#values.notation, [family(game)]: name});
  }

  reset(): void {
    try {
      localStorage.removeItem(store);
    } catch {
      /* as in set */
    }
    this.#take(defaults);
  }

  // on calls run after changes, until the signal is aborted.
  on(run: (changed: ReadonlySet<PrefName>) => void, signal?: AbortSignal): void {
    this.#listeners.add(run);
    signal?.addEventListener('abort', () => this.#listeners.delete(run));
  }

  // view returns the values for a page at url: parameters `coordinates` (on, off), `pieces`, `board` of the link win.
  view(url: URL): Values {
    const v = {...this.#values};
    const q = url.searchParams;
    const c = q.get('coordinates');
    if (c === 'on' || c === 'off') v.coordinates = c === 'on';
    const pieces = choices.pieces.find(x => x === q.get('pieces'));
    if (pieces) v.pieces = pieces;
    const board = choices.board.find(x => x === q.get('board'));
    if (board) v.board = board;
    return v;
  }

  #take(next: Values): void {
    const old = this.#values;
    this.#values = next;
    const changed = new Set(
      (Object.keys(defaults) as PrefName[]).filter(k => JSON.stringify(old[k]) !== JSON.stringify(next[k])),
    );
    if (changed.size) for (const run of [...this.#listeners]) run(changed);
  }
}

const family = (game: string) => game.split(':')[0]!;

// read takes what is stored as far as it has the right types: an older or a newer version may have written it.
function read(): Values {
  const out: Record<string, unknown> = {...defaults};
  try {
    const stored = JSON.parse(localStorage.getItem(store) ?? '{}') as Record<string, unknown>;
    for (const [k, d] of Object.entries(defaults)) {
      const v = stored[k],
        list: readonly unknown[] | undefined = choices[k as keyof typeof choices];
      if (typeof v === typeof d && v !== null && (!list || list.includes(v))) out[k] = v;
    }
  } catch {
    /* damaged or forbidden: the defaults do */
  }
  return out as unknown as Values;
}
