// Texts in five languages. How to add one:
//
// - A text has a key "page.name" in every file of web/i18n, one key a line, the lines sorted by key.
// - {name} in a text is replaced by the parameter of that name. Numbers are written as the language has them.
// - A text that depends on a number n has the keys x.one and x.other and is asked for by its stem with the parameter n.
//   Chinese, Japanese and Korean have one form only: both keys hold the same text there.
// - Keys are checked by the compiler: t takes no key that en.json lacks. A key that is put together is typed by a
//   template, t(`prefs.theme.${theme}`), and the file that does so says it in a comment for the test that looks for
//   unused keys: `i18n: prefs.theme.*`
import type en from '../i18n/en.json';
import type {Game} from './api';
import {fmt} from './dom';

export const langs = ['en', 'zh-Hant', 'zh-Hans', 'ja', 'ko'] as const;
export type Lang = (typeof langs)[number];

// Names of the languages in themselves: a reader who is lost in a foreign one must find the way home.
export const langNames: Record<Lang, string> = {
  en: 'English',
  'zh-Hant': '繁體中文',
  'zh-Hans': '简体中文',
  ja: '日本語',
  ko: '한국어',
};

type Plain = keyof typeof en;
type Stem<K> = K extends `${infer S}.other` ? S : never;
export type TextKey = Plain | Stem<Plain>;
export type Translate = (key: TextKey, params?: Record<string, string | number>) => string;

// choose returns the language of a wish such as zh-TW, or null if we do not speak it.
export function choose(wish: string): Lang | null {
  const w = wish.toLowerCase();
  if (/^(zh|yue|cmn)\b/.test(w)) return /hant|tw|hk|mo|^yue/.test(w) && !w.includes('hans') ? 'zh-Hant' : 'zh-Hans';
  return langs.find(l => w === l || w.startsWith(l + '-')) ?? null;
}

// language returns the preferred language, else the first of the browser's that we speak, else English.
export function language(preferred: string, wishes: readonly string[] = navigator.languages): Lang {
  for (const w of [preferred, ...wishes]) {
    const l = w && choose(w);
    if (l) return l;
  }
  return 'en';
}

// load fetches the texts of a language. The names of the files carry hashes, so that the browser keeps them for good;
// the shell tells them in <meta name="qipu:i18n">.
export async function load(lang: Lang): Promise<Translate> {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="qipu:i18n"]');
  const files = JSON.parse(meta?.content || '{}') as Partial<Record<Lang, string>>;
  const reply = await fetch(files[lang] ?? `/i18n/${lang}.json`);
  if (!reply.ok) throw new Error(`texts of ${lang}: ${reply.status}`);
  document.documentElement.lang = lang;
  return translator(lang, (await reply.json()) as Record<string, string>);
}

// translator makes t from a table. A key that is missing shows as itself: ugly, but never an empty button.
export function translator(lang: Lang, texts: Readonly<Record<string, string>>): Translate {
  const rules = new Intl.PluralRules(lang);
  return (key, params) => {
    let text = texts[key];
    const n = params?.['n'];
    if (text === undefined && typeof n === 'number') text = texts[`${key}.${rules.select(n)}`] ?? texts[`${key}.other`];
    if (text === undefined) return key;
    if (!params) return text;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const v = params[name];
      return v === undefined ? whole : typeof v === 'number' ? fmt(lang).number(v) : v;
    });
  };
}

// titled picks a title from a table by language that the server sent, as for games and sides.
export function titled(
  titles: Readonly<Partial<Record<Lang, string>>> | undefined,
  lang: Lang,
  otherwise = '',
): string {
  return titles?.[lang] ?? titles?.['en'] ?? otherwise;
}

// kindName names a kind of game with its board.
export const kindName = (g: Game, lang: Lang, variant = g.variant): string =>
  titled(g.titles, lang, g.family) + (variant && ' ' + variant);

// gameName names a kind of game such as weiqi:9x9 in the reader's language: "Go 9x9". The server lists the usual kinds
// and those of the library; others are called by their family.
export function gameName(games: readonly Game[], spec: string, lang: Lang): string {
  const [family, variant = ''] = spec.split(/:(.*)/s),
    g = games.find(x => x.spec === spec) ?? games.find(x => x.family === family);
  return g ? kindName(g, lang, g.spec === spec ? g.variant : variant) : spec;
}
