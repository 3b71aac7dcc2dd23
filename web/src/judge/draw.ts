// Life and death on a board of Go: whose every point is, what is dead, in seki or unclear, the groups by number, and a
// step of the reasons.
// i18n: judge.status.*, judge.rule.*, judge.method.*, judge.left.*
import type {JudgeMethod, JudgedGroup, JudgedMove, JudgedStep, JudgedString, Judgement, SettledGroup} from '../api';
import type {Context} from '../app';
import {type BoardState, type Decor, both} from '../core';
import {fmt, h} from '../dom';
import {titled} from '../i18n';
import type {Shape} from '../scene';

export type Laid = Pick<BoardState, 'under' | 'over'>;
export interface Look {
  groups: boolean;
  influence: boolean;
}

// said is a text of a table whose keys the server names; what no language has yet is told as the server does.
function said({t}: Context, table: 'rule' | 'method' | 'left', name: string, otherwise: string): string {
  const key = `judge.${table}.${name}`,
    text = t(key as 'judge.rule.sr');
  return text === key ? otherwise : text;
}
export const ruleText = (ctx: Context, s: JudgedStep): string => said(ctx, 'rule', s.rule, s.text);
// leftText says what a move that is left is for.
export const leftText = (ctx: Context, m: JudgedMove): string => said(ctx, 'left', m.kind, m.kind);
export const methodText = (ctx: Context, m: JudgeMethod): string => said(ctx, 'method', m.name, m.name);

// statusText puts what is said of stones into words.
export const statusText = (
  {t}: Context,
  s: Pick<JudgedString | JudgedGroup, 'status' | 'unclear' | 'proved'>,
): string =>
  t(`judge.status.${s.status}`) + (s.unclear ? ` (${t('judge.unclear')})` : s.proved ? ` (${t('judge.proved')})` : '');

// sideName is the name of a side of Go.
export type Named = (side: number) => string;
export const namedBy =
  (ctx: Context, sides: readonly {titles: Parameters<typeof titled>[0]}[]): Named =>
  side =>
    titled(sides[side]?.titles, ctx.lang);

// stringText names a string and says what becomes of it.
export function stringText(ctx: Context, name: Named, s: JudgedString): string {
  const {t, lang} = ctx;
  return (
    t('judge.string', {side: name(s.side), point: s.name, n: s.points.length}) +
    ': ' +
    statusText(ctx, s) +
    (s.unclear && s.chance > 0 && s.chance < 1 ? `, ${t('judge.chance', {rate: fmt(lang).rate(s.chance)})}` : '')
  );
}

// proves tells whether a judgement claims nothing but what is proved: then there is no count.
export const proves = (j: Judgement): boolean => j.methods.find(m => m.name === j.method)?.proof ?? false;

// scoreText puts the count into words, or how much is proved.
export function scoreText({t, lang}: Context, name: Named, j: Judgement): string {
  const {
    total: [a = 0, b = 0],
  } = j.score;
  if (proves(j)) return t('judge.provedPoints', {n: j.owner.filter(Boolean).length, all: j.owner.length});
  return a === b
    ? t('judge.draw')
    : t('judge.wins', {side: name(a > b ? 0 : 1), points: fmt(lang).number(Math.abs(a - b))});
}

// scoreLine tells the count, and where it is not to be trusted.
export const scoreLine = (ctx: Context, name: Named, j: Judgement): HTMLElement =>
  j.guess && (j.early || j.strings.some(s => s.unclear)) ? guessLine(ctx, name, j.guess) : countLine(ctx, name, j);

// guessLine tells what the net guesses while something is unclear, where a count would mean little.
function guessLine({t, lang}: Context, name: Named, {win, lead, spread}: NonNullable<Judgement['guess']>): HTMLElement {
  const {number, rate} = fmt(lang),
    first = lead >= 0;
  return h(
    'p.life-score',
    h('b', t('judge.leads', {side: name(first ? 0 : 1), points: number(Math.abs(lead)), spread: number(spread)})),
    ' ',
    t('judge.guessed', {rate: rate(first ? win : 1 - win)}),
  );
}

// worthLine tells what the chances of the method are worth, where something is unclear.
export function worthLine({t, lang}: Context, j: Judgement): HTMLElement | false {
  const m = j.methods.find(m => m.name === j.method),
    {number, rate} = fmt(lang);
  return (
    !!m?.strings &&
    (j.early || j.strings.some(s => s.unclear)) &&
    h(
      'p.muted.small',
      t('judge.worth', {error: rate(m.error ?? 0, 1), wrong: rate(m.wrong ?? 0, 1), n: number(m.strings)}),
    )
  );
}

const countLine = (ctx: Context, name: Named, j: Judgement): HTMLElement =>
  h(
    'p.life-score',
    !proves(j) && j.score.total[0] !== j.score.total[1] && [h('b', j.score.text), ' '],
    scoreText(ctx, name, j),
    j.early && h('span.muted.small', ctx.t('judge.early')),
  );

// stringAt finds the string with a stone on a point.
export const stringAt = (j: Judgement, p: number): JudgedString | undefined =>
  j.pieces[p] ? j.strings.find(s => s.points.includes(p)) : undefined;

const path = (cls: string, d: string): Shape[] => (d ? [{tag: 'path', attrs: {class: cls, d}}] : []);

// tiles are squares of a size around points: one path, so that those that touch do not darken each other.
const tiles =
  (cls: string, points: readonly number[], half: (p: number) => number): Decor =>
  at =>
    path(
      cls,
      points
        .map(p => {
          const {x, y} = at(p),
            r = Math.round(half(p) * 10) / 10;
          return `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;
        })
        .join(''),
    );

// stripes tell that it is open whose points these are.
const stripes =
  (points: readonly number[]): Decor =>
  at =>
    path(
      'open',
      points
        .map(p => {
          const {x, y} = at(p);
          return `M${x - 20} ${y}l20-20M${x - 20} ${y + 20}l40-40M${x} ${y + 20}l20-20`;
        })
        .join(''),
    );

const signs = {cross: 'M-7-7l14 14m0-14l-14 14', rhomb: 'M0-11l11 11l-11 11l-11-11z'};

// stones draws the signs of one string on its stones. With numbers there is room for a sign at the rim alone.
function stones(
  title: string,
  s: Pick<JudgedString, 'side' | 'points' | 'status' | 'unclear'>,
  proofs: boolean,
  number: string,
): Decor {
  const dead = s.status === 'dead',
    seki = s.status === 'seki',
    alive = proofs && s.status === 'alive';
  return at => [
    {
      tag: 'g',
      attrs: {class: `life s${s.side} ${s.status}${s.unclear ? ' unclear' : ''}`},
      kids: [
        ...(title ? [{tag: 'title' as const, attrs: {}, text: title}] : []),
        ...s.points.map((p): Shape => ({
          tag: 'g',
          attrs: {transform: `translate(${at(p).x} ${at(p).y})`},
          kids: [
            ...(dead ? [{tag: 'circle' as const, attrs: {class: 'fade', r: 19.6}}] : []),
            ...(number
              ? [
                  {
                    tag: 'text' as const,
                    attrs: {class: 'number', dy: '.355em', 'font-size': number.length > 2 ? 15 : 19},
                    text: number,
                  },
                ]
              : dead
                ? path('cross', signs.cross)
                : seki
                  ? path('rhomb', signs.rhomb)
                  : alive
                    ? [{tag: 'circle' as const, attrs: {class: 'sure', r: 5}}]
                    : []),
            ...(number && (dead || seki)
              ? [
                  {
                    tag: 'g' as const,
                    attrs: {transform: 'translate(-12.5 -12.5)scale(.6)'},
                    kids: [
                      {tag: 'circle' as const, attrs: {class: 'disc', r: 14}},
                      ...path(`on-disc`, dead ? signs.cross : signs.rhomb),
                    ],
                  },
                ]
              : []),
            ...(s.unclear
              ? [
                  {tag: 'circle' as const, attrs: {class: 'disc', cx: 12.5, cy: -12.5, r: 8.5}},
                  {
                    tag: 'text' as const,
                    attrs: {class: 'ask', x: 12.5, y: -12.5, dy: '.355em', 'font-size': 14},
                    text: '?',
                  },
                ]
              : []),
          ],
        })),
      ],
    },
  ];
}

// owned tints what belongs to each side, with small squares where no stone stands.
const owned = (land: readonly (readonly number[])[], pieces: readonly number[]): Decor[] =>
  land.flatMap((points, side) => [
    tiles(`area own${side}`, points, () => 20),
    tiles(
      `point own${side}`,
      points.filter(p => !pieces[p]),
      () => 5,
    ),
  ]);

// counted lays a count over its board: the land of both sides, and what becomes of stones that do not simply live.
export const counted = (
  land: readonly (readonly number[])[],
  groups: readonly Pick<SettledGroup, 'side' | 'points' | 'fate' | 'sure'>[],
  pieces: readonly number[],
): Laid => ({
  under: both(...owned(land, pieces)),
  over: both(
    ...groups
      .filter(g => g.fate !== 'alive' || !g.sure)
      .map(({side, points, fate, sure}) => stones('', {side, points, status: fate, unclear: !sure}, false, '')),
  ),
});

// drawn lays a judgement over its board: tints and small squares for territory, or how far influence reaches; signs on
// stones.
export function drawn(ctx: Context, name: Named, j: Judgement, look: Look): Laid {
  const proofs = proves(j),
    dead = new Set(j.strings.filter(s => s.status === 'dead').flatMap(s => s.points));
  const free = (owner: number) => j.owner.flatMap((o, p) => (o === owner && (!j.pieces[p] || dead.has(p)) ? [p] : []));
  const neutral = free(3); // where most of the board is, it goes without saying
  const value = look.influence ? j.influence : j.early ? j.guess?.first.map(x => 2 * x - 1) : undefined;
  const leans = (side: number) =>
    value?.flatMap((v, p) => ((!j.pieces[p] || dead.has(p)) && (side ? v < -0.02 : v > 0.02) ? [p] : [])) ?? [];
  const under = value
    ? [0, 1].map(side => tiles(`lean own${side}`, leans(side), p => 3 + 15 * Math.sqrt(Math.abs(value[p]!))))
    : owned([free(1), free(2)], j.pieces);
  return {
    under: both(
      ...under,
      tiles('fill', j.fills, () => 7),
      // What is shaded by chances is open everywhere.
      stripes(j.early && j.guess ? [] : j.open.filter(p => !j.pieces[p] || dead.has(p))),
      tiles('dame', neutral.length * 4 < j.owner.length ? neutral : [], () => 4),
    ),
    over: both(
      ...j.strings.map(s => stones(stringText(ctx, name, s), s, proofs, look.groups ? String(s.group + 1) : '')),
    ),
  };
}

// replayed shows how far the reasons have come: what the step is about is lit, or what is pointed at in the graph, and
// strings have the status that was found so far.
export function replayed(
  ctx: Context,
  name: Named,
  j: Judgement,
  steps: readonly JudgedStep[],
  asked: JudgedString | undefined,
  pointed: readonly number[],
): Laid {
  const last = steps.at(-1),
    now = new Map<number, JudgedStep['status']>();
  for (const s of steps) if (s.status !== 'unknown') for (const i of s.strings) now.set(i, s.status);
  const about = last?.strings.flatMap(i => j.strings[i]?.points ?? []) ?? [];
  const found = [...now].flatMap(([i, status]) => (j.strings[i] ? [{...j.strings[i], status, unclear: false}] : []));
  return {
    under: pointed.length
      ? tiles('lit rest', pointed, () => 20)
      : both(
          tiles('lit', about, () => 20),
          tiles('lit rest', last?.points.filter(p => !about.includes(p)) ?? [], () => 20),
        ),
    over: both(...found.map(s => stones(stringText(ctx, name, s), s, true, '')), at =>
      (asked?.points ?? []).map(p => ({tag: 'circle', attrs: {class: 'asked', cx: at(p).x, cy: at(p).y, r: 17.5}})),
    ),
  };
}
