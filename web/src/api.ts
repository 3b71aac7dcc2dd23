// The types of the API, written by package server/typescript from its OpenAPI
// document. Not for editing: change the API, then have its tests write this anew.

export interface Advice {
  /** What players of records would play, by local patterns alone, the likeliest first */
  likely: LikelyMove[];
  /** The most urgent first */
  points: AdvicePoint[];
}

export interface AdvicePoint {
  /** Shapes say to keep away from it */
  avoid: boolean;
  /** Of the point */
  name: string;
  /** Row by row from the top left */
  point: number;
  /** The shapes that speak of it, those that people wrote first; not all, where there are many */
  reasons: AdviceReason[];
  /** No shape speaks for it that conditions let stand */
  refused: boolean;
  /** Who should play there: 0 the first side, 1 the second */
  side: number;
  /** The highest of its reasons that stand; of all where none stands */
  urgency: number;
}

export interface AdviceReason {
  /** It speaks against the point */
  avoid: boolean;
  names: Names;
  /** What it is good for there */
  purposes: string[];
  /** The condition that it does not meet; empty where it stands */
  refused: string;
  /** Its id */
  shape: string;
  /** The points that the shape covers, row by row from the top left */
  stones: number[];
  /** The shape is that of the other side: to play here is to take its point */
  theirs: boolean;
  /** As the shape says */
  urgency: number;
}

export interface Answer {
  /** The board that occurrences are counted of, as it was drawn */
  board?: Diagram;
  /** By the sides as drawn, where the board was also looked for with the sides exchanged */
  drawn?: Score;
  /** Milliseconds that it took */
  elapsed: number;
  /** How often the next move was outside the region */
  elsewhere: number;
  /** How often no move came in the region any more */
  ended: number;
  /** The query is about likeness, and ranks by it */
  fuzzy: boolean;
  /** The kind of game that the board of the query is of, as a spec; empty where several were asked */
  game: string;
  /** How many games were found */
  games: number;
  /** The games by what the parameter by says: the largest groups first, years by year */
  groups: Group[];
  /** How many groups there are */
  groupsOf: number;
  /** What may have been meant otherwise */
  hints: string[];
  /** How often the board occurs in them; -1 where the query has none */
  hits: number;
  /** All kinds of game that were asked */
  kinds: string[];
  /** A query for boards that are alike, where none was found */
  like: string;
  /** What was played next in the region, the most frequent first */
  moves: NextMove[];
  /**
   * The name of the board, where the query is nothing but one: under which it is saved, else one that
   * describes it
   */
  name: string;
  /** The cursor of the next page; empty where there is none */
  next: string;
  /** How many games were searched */
  of: number;
  /**
   * The same from the view of the side that had what the query names; absent where it names nothing of that
   * sort
   */
  owner?: Score;
  /** Not all of the library was asked */
  partial: boolean;
  /** Of the player whom the query names */
  player?: PlayerScore;
  /** The query as it was read, written in the usual form */
  query: string;
  /** A page of the games */
  rows: Hit[];
  /** The name is one under which it is saved */
  saved: boolean;
  /** By the sides that they had */
  score: Score;
  /** Hits tell a ply */
  timed: boolean;
}

export interface BookChoice {
  /** The book has a move */
  found: boolean;
  /** What it gives away against the best move */
  loss: number;
  move: Move;
  /** Which value decided */
  why: 'human' | 'exact' | 'engine' | 'results' | '';
}

export interface BookEdit {
  /** The kind of game, as a spec */
  game: string;
  /** The position */
  line: string;
  /** Why */
  note?: string;
  /** For the side to move; absent to take it back */
  value?: number;
}

export interface BookEntry {
  /** How many positions of the book lie below it */
  below: number;
  /** That reached it */
  games: number;
  /** How far to trust the engine's value: A to F, empty without one */
  grade: string;
  /** The book has the position */
  known: boolean;
  /** By side: how many lines one has to know by heart from here */
  lines: number[];
  /** The best first: by X, else E, else R, else by games */
  moves: BookMove[];
  /** The deepest named opening on the way */
  opening: Opening;
  position: Position;
  /** Of these games */
  score: Score;
  /** How many games a move needs for its results to count */
  threshold: number;
  /**
   * What values are counted in, for a game the same everywhere: the lead in discs in Othello, in all others
   * the share of a win from 0 to 1
   */
  unit: 'discs' | 'share';
  /** For the side to move */
  values: BookValues;
}

export interface BookInfo {
  /** Of the statistics on disk */
  bytes: number;
  /** Positions with a person's value */
  edited: number;
  /** The kind of game, as a spec */
  game: string;
  /** That are folded into it */
  games: number;
  /** From all of them */
  moves: number;
  /** That it has statistics of */
  positions: number;
  /** Positions with an engine's value */
  searched: number;
  /** Positions with an exact value */
  solved: number;
}

export interface BookMove {
  /** In which it was played here */
  games: number;
  /** What it gives away against the best move, by the value that decides */
  loss?: number;
  move: Move;
  /** The same by language */
  names?: Names;
  /** The name of the opening that the move makes; empty where it makes none */
  opening: string;
  /** Games that reach the position behind it by any order of moves */
  reached: number;
  /** Of the games that played it here */
  score: Score;
  /** Of the games here that played it */
  share: number;
  /** For the side that makes the move */
  values: BookValues;
}

export interface BookValues {
  /** Results and search disagree by more than six discs: worth a look */
  apart: boolean;
  /** From an engine's search, by minimax */
  e?: number;
  /** And at most */
  eHigh?: number;
  /** Of the search that decided */
  eLevel: number;
  /** What is known of it at least */
  eLow?: number;
  /** What a person set, which outranks E */
  human?: number;
  /** What the person said */
  note: string;
  /** From results of games, by minimax over moves with enough of them */
  r?: number;
  /** Exact: read to the end of the game */
  x?: number;
}

export interface Caption {
  at: Spot;
  height: number;
  text: string;
  turn: number;
}

export interface Changed {
  /** That are otherwise now */
  changed: number;
  /** That were selected */
  records: number;
}

export interface CheckReport {
  /** Milliseconds that it took */
  elapsed: number;
  /** Nothing is wrong */
  ok: boolean;
  /** What is wrong, in words */
  problems: string[];
}

export interface Comparison {
  a: Score;
  b: Score;
  /** The rate of b less that of a */
  difference: number;
  /** Its upper bound */
  high: number;
  /** Its 95 % interval */
  low: number;
  /** The chance of a difference at least as large where there is none */
  p: number;
  /** The scores are those of the players whom the queries name */
  player: boolean;
  /** Games that both have, of which p knows nothing */
  shared: number;
}

export interface Completion {
  /** What it replaces, in UTF-16 units from the start */
  from: number;
  /** How it is shown, where that is not the text */
  label: string;
  /** What it is */
  note: string;
  /** What to put in */
  text: string;
  /** Where it ends */
  to: number;
}

export interface Completions {
  /** The likeliest first */
  items: Completion[];
}

export interface Condition {
  /** Alternatives, of which one must be met */
  any: Condition[];
  /**
   * The field that it asks about, where it is a plain one: text for words, named for a saved query, board and
   * the like for a further board
   */
  field: string;
  /** It must not hold */
  negated: boolean;
  /** The sign between field and value */
  op: ':' | '=' | '<' | '<=' | '>' | '>=' | '';
  /** As the query has it */
  text: string;
  /** What it is compared with */
  value: string;
}

export interface ConvertInputBody {
  /** Of the file, where it is known */
  name?: string;
  /** Of the moves, where the format takes several */
  notation?: string;
  /** Records in any format that is text */
  text: string;
  /** The format */
  to: string;
}

export interface Converted {
  /** The text is base64 of bytes */
  binary: boolean;
  /** What was wrong with the records */
  faults: Fault[];
  /** The format that it is in */
  format: string;
  /** How many were written */
  records: number;
  /** The records; in base64 where the format is no text */
  text: string;
}

export interface Diagram {
  /** Where it may lie */
  anchor: 'floating' | 'corner' | 'side' | 'centre' | 'fixed' | 'whole';
  /** What each cell may be, in the language of diagrams: X . * x [Rr.] */
  cells: string[];
  /** Where it lies as it is drawn: its left column on the board; -1 where that is open */
  column: number;
  /** Width of the board */
  columns: number;
  /** The edges of the board that it touches as drawn: top, right, bottom, left */
  edges: string[];
  /** From this ply on */
  from: number;
  /** The least likeness, of a fuzzy one; 0 for others */
  min: number;
  /** Turned and mirrored pictures count */
  mirror: boolean;
  /** Moves that must have followed */
  next: string;
  /** Its options as the query has them */
  options: string[];
  /** The cells as a position would have them: the number of the piece where just one is possible, else 0 */
  pieces: number[];
  /** Its top row on the board; -1 where that is open */
  row: number;
  /** Height of the board */
  rows: number;
  /** With the sides exchanged, too */
  swap: boolean;
  /** The diagram as the query has it */
  text: string;
  /** Up to this ply; -1 for no bound */
  to: number;
  /** The side to move; -1 for either */
  turn: number;
  /** How it is written */
  word: 'board' | 'position' | 'line' | 'fuzzy';
}

export interface Difference {
  /** In the board as drawn */
  column: number;
  /** And from its top */
  row: number;
  /** What is otherwise, in words */
  text: string;
}

export interface ExplainedPart {
  /** Blocks of lines to read */
  blocks: number;
  /** Lines that the index lets through */
  candidates: number;
  /** The kind of game, as a spec */
  game: string;
  /** Lines that there are */
  lines: number;
  /** Ways in which the board lies */
  placements: number;
  /** What the index is asked */
  plan: string;
  /** What is asked of it */
  query: string;
}

export interface Explanation {
  /** What may be meant otherwise */
  hints: string[];
  /** One for each kind of game */
  parts: ExplainedPart[];
  /** As it was understood */
  query: string;
}

export interface Explored {
  /** Milliseconds that it took */
  elapsed: number;
  /** Games that reach it */
  games: number;
  /** Occurrences of the position */
  hits: number;
  /** What was played, the most frequent first */
  moves: NextMove[];
  /** Cursor of the next page; empty at the end */
  next: string;
  /** Games that there are of this kind */
  of: number;
  /** Names that the headers of these games give the opening, the most frequent first */
  openings: Opening[];
  /** Not everything could be looked at */
  partial: boolean;
  position: Position;
  /** A query for the same games */
  query: string;
  /** A page of the games */
  rows: Hit[];
  score: Score;
}

export interface Facet {
  /** What the groups have in common */
  by: string;
  /** The field of the query language that narrows to one of the groups */
  field: string;
  /** The largest first, years by year */
  groups: Group[];
  /** There are more than are listed */
  more: boolean;
}

export interface Facets {
  /** In the order in which they were asked for */
  facets: Facet[];
}

export interface Fault {
  /** What stands there, short; may be empty */
  excerpt: string;
  /** The file, as the user knows it */
  file: string;
  /** A short stable word for what is wrong */
  kind: string;
  /** From 1; 0 where the file has no lines */
  line: number;
  /** Of the move, from 1; 0 where it is about none */
  move: number;
  /** In the list, from 1 */
  number: number;
  /** Bytes before the place */
  offset: number;
  /** What is wrong, in words */
  reason: string;
  /** Of the record in the file, from 1; 0 where it is about the file */
  record: number;
  /** Whether the record was left out, is there with a mark, or only notable */
  severity: 'note' | 'marked' | 'rejected';
}

export interface Faults {
  /** The cursor behind this page, for a list that still grows */
  at: string;
  /** In the order in which they were met */
  faults: Fault[];
  /** The cursor of the next page; empty where there is none yet */
  next: string;
  /** Of all severities */
  total: number;
}

export interface Field {
  /** Other words for it, of any language */
  aliases: string[];
  /** How it is used */
  example: string;
  /** What it is about */
  meaning: string;
  /** It is true of moments, and not of games */
  moment: boolean;
  /** What it is called in queries */
  name: string;
  /** By language */
  names: { [name: string]: string };
  /** It is also asked of one side, as in rating.black */
  sided: boolean;
  /** The kind of value */
  value: 'text' | 'number' | 'date' | 'rank' | 'side' | 'word' | 'name' | 'game' | 'board';
  /** Those that there are, where they are few */
  values: string[];
}

export interface FieldError {
  /** What is wrong with it */
  detail: string;
  /** Where: query, path, header or body, and the name */
  field: string;
}

export interface FormatInfo {
  /** Of its files */
  extensions: string[];
  /** The families of games that it holds */
  games: string[];
  /** What parameters call it */
  name: string;
  /** What people call it */
  title: string;
  /** It can be written, and not only read */
  writes: boolean;
}

export interface FullRecord {
  /** When it came into the library */
  added: string;
  /** Who wrote the record */
  author: string;
  /** Those that it is in */
  collections: string[];
  /** Of the text of its file */
  encoding: string;
  /** What is wrong with the record */
  faults: string[];
  /** In which it was read */
  format: string;
  /** Formats that it can be had in */
  formats: string[];
  /** The encoding was guessed */
  guessed: boolean;
  /** As the record has them */
  headers: Header[];
  /** Games that belong to it */
  links: Link[];
  /** Plies of the main line */
  main: number;
  /** The tree, parents before children; the first is the root */
  nodes: Node[];
  /** The book or site that it is from */
  origin: string;
  /** The rules that its headers name */
  ruleset: string;
  /** Where it was found */
  sources: Source[];
  /** The pieces at the root; empty where the record cannot be played */
  start: number[];
  summary: Summary;
  /** Those that it has */
  tags: string[];
  /** Time limits as written */
  time: string;
  /** The tree is larger than is sent; the main line is whole */
  truncated: boolean;
  /** The side that moves first */
  turn: number;
}

export interface Game {
  /** Other words that mean the game */
  aliases: string[];
  /** The game without its variant */
  family: string;
  /** Formats that can write it */
  formats: string[];
  /** Everything that drawing the board needs */
  geometry: Geometry;
  /**
   * Outlines of the characters on pieces and board, as SVG path data in units of a thousandth of the line
   * height, y downwards from the baseline; the middle is at 500,-360
   */
  glyphs: { [name: string]: string };
  /** Pieces move from point to point; otherwise they are placed */
  moving: boolean;
  /** Ways to write moves; the first is the usual one */
  notations: Notation[];
  /** How many games of it the library has */
  records: number;
  /** The first mover first */
  sides: Side[];
  /** What to send as the parameter game */
  spec: string;
  /** The pieces of the start position */
  start: number[];
  /** The name of the game */
  titles: Names;
  /** The pictures of a position that keep the rules, as symmetries are named */
  turns: string[];
  /** The board that the game is usually played on */
  usual: boolean;
  /** What distinguishes it from the plain game; empty for that */
  variant: string;
}

export interface GameCount {
  /** The kind of game, as a spec */
  game: string;
  /** How many there are */
  records: number;
}

export interface GameResult {
  /** How many positions of it are new in the book */
  fresh: number;
  /** The library had a game of the same moves before */
  known: boolean;
  /** What ended it */
  reason: 'board' | 'resigned' | 'time';
  /** The number of the record in the library; 0 where it was not kept */
  record: number;
  /** What each side has on the board; empty where games are not counted */
  score: number[];
  /** As records have it */
  text: string;
  /** The side; -1 for none */
  winner: number;
}

export interface Games {
  /** Every kind of game on every board that is usual or that the library has games of */
  games: Game[];
}

export interface Geometry {
  cells: boolean;
  columns: string[];
  dots: Spot[];
  labels: Labels;
  lines: Segment[];
  pieces: Look[];
  rows: string[];
  size: Size;
  texts: Caption[];
  theme: Theme;
  ticks: Spot[];
}

export interface GraphEdge {
  /** The first contains the second; else they are neighbours */
  directed: boolean;
  /** The number of a vertex, from 0 */
  from: number;
  /** The number of the other */
  to: number;
}

export interface GraphVertex {
  /** Found alive */
  alive: boolean;
  /** Found dead */
  dead: boolean;
  /** Black stones, white stones or empty points */
  kind: 'BS' | 'WS' | 'ES';
  /** As in BS1, WS2, ES3 */
  name: string;
  /** The points that it stands for */
  points: number[];
}

export interface Group {
  /** Occurrences of the board in its games */
  hits: number;
  /** Empty where it is not known */
  key: string;
  score: Score;
}

export interface Header {
  /** As the record has it */
  name: string;
  /** As the record has it */
  value: string;
}

export interface Hit {
  /** Of a fuzzy query */
  differences: Difference[];
  /** The point of the last move on it; -1 for none */
  last: number;
  /** Of a fuzzy query; else 0 */
  likeness: number;
  /** The move that was played then; empty at the end, and where no boards were asked for */
  next: string;
  /** How often the board occurs in the game */
  occurrences: number;
  /** Pieces more than asked for, of a fuzzy query */
  others: number;
  /** The board at that ply, or at the end; empty where no boards were asked for */
  pieces: number[];
  /** Of the first occurrence; -1 where the query is about games alone */
  ply: number;
  record: Summary;
  /** Where it lies */
  region?: Region;
  /** With the sides exchanged */
  swapped: boolean;
  /** Takes the board as drawn to this occurrence */
  symmetry: string;
  /** In a line beside the main one */
  variation: boolean;
}

export interface Job {
  /** Of all files */
  bytes: number;
  /** The records come into it; empty for none */
  collection: string;
  counts: JobCounts;
  /** When it was sent */
  created: string;
  /** Only checks: nothing is stored */
  dryRun: boolean;
  /** Overrides what files declare */
  encoding: string;
  /** When it came to its end; absent before */
  ended?: string;
  /** Why it failed */
  error: string;
  /** Entries in the list of faults */
  faults: number;
  /** How many there are */
  fileCount: number;
  /** The first of them */
  files: JobFile[];
  /** What to do about it */
  hint: string;
  /** Its number */
  id: number;
  /** Links that were left out because they lead out of the import root */
  outside: number;
  progress: Progress;
  /** How often it was begun or gone on with */
  runs: number;
  /** Where its records come from */
  source: 'upload' | 'paste' | 'sample' | 'path';
  /** When it ran first; absent before */
  started?: string;
  /** How far it has come */
  state: 'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  /** What it is called */
  title: string;
  /** Checks the moves of all lines */
  variations: boolean;
}

export interface JobCounts {
  /** Files by the encoding of their text */
  byEncoding: { [name: string]: number };
  /** Faults by their kind */
  byFault: { [name: string]: number };
  /** Files by their format */
  byFormat: { [name: string]: number };
  /** Records by their game */
  byGame: { [name: string]: number };
  /** Records of games that were there */
  duplicates: number;
  /** Took the place of shorter or poorer ones */
  fuller: number;
  /** Keep the rules to the end */
  legal: number;
  /** Kept with a mark */
  marked: number;
  /** Games that were not there */
  new: number;
  /** Records that were read */
  records: number;
  /** Records or files that could not be read */
  rejected: number;
  /** Files of no known format */
  skipped: number;
  /** Same moves, other headers: both kept */
  twins: number;
  /** Files that were read before */
  unchanged: number;
}

export interface JobFile {
  /** As the user knows it */
  name: string;
  /** Bytes */
  size: number;
}

export interface Jobs {
  /** The last first */
  jobs: Job[];
}

export interface JudgeMethod {
  /** What to send as the method */
  name: string;
  /** What it says is never wrong, and it says nothing of the rest */
  proof: boolean;
  /** In one line, in English */
  summary: string;
}

export interface JudgeRequest {
  /** Tell what is left to play */
  endgame?: boolean;
  /** The kind of game, as a spec; Go on 19x19 if empty */
  game?: string;
  /** Tell how the board is drawn */
  geometry?: boolean;
  /** Tell how strongly each point leans to a side */
  influence?: boolean;
  /** Moves from the start in any notation, or a position text, or a position text, the word moves and moves */
  line?: string;
  /** One of the methods; the weighed verdict if empty */
  method?: string;
  /** A node of the tree of the record instead, where it is not 0 */
  node?: number;
  /** How many moves a searching method may try on the whole board; 0 for a usual number */
  nodes?: number;
  /** Of the main line of the record; -1 or nothing for the end */
  ply?: number;
  /** A record of the library instead, where it is not 0 */
  record?: number;
  /** How to count; by the rules of the position if empty */
  scoring?: 'area' | 'territory' | '';
  /** Tell all steps */
  trace?: boolean;
  /** A point of a string: its steps are told, with their graphs */
  why?: string;
}

export interface JudgedEnd {
  /** Neutral points between living stones of both sides */
  dame: number[];
  /**
   * Moves that change the count, or are needed: those of the first side before those of the second, the most
   * valuable first
   */
  moves: JudgedMove[];
  /** Points of areas whose border no single move closes: there the game is not over */
  open: number[];
  /** Nothing but neutral points is left */
  over: boolean;
}

export interface JudgedGroup {
  /** As many eyes as the method sees, in halves */
  eyes: number;
  /** The status of all of its strings is proved */
  proved: boolean;
  /** Whose it is */
  side: number;
  /** What becomes of it */
  status: 'unknown' | 'alive' | 'dead' | 'seki';
  /** How many stones it has */
  stones: number;
  /** The numbers of its strings, from 0 */
  strings: number[];
  /** Some of its strings are unclear */
  unclear: boolean;
}

export interface JudgedMove {
  /** What it is for */
  kind: 'border' | 'ko' | 'fill-ko' | 'take' | 'save' | 'reinforce';
  /** Of the point */
  name: string;
  /** Row by row from the top left */
  point: number;
  /** Whose move it is */
  side: number;
  /** The numbers of the strings that are taken or saved, from 0 */
  strings: number[];
  /** What it is worth to who plays it, in points */
  value: number;
}

export interface JudgedScore {
  /** Empty points that count for nobody */
  dame: number;
  /** Points for the second side in return for handicap stones */
  handicap: number;
  /** Points for the second side */
  komi: number;
  /** Stones taken by each side, with the dead stones of the other */
  prisoners: number[];
  /** What is counted */
  scoring: 'area' | 'territory';
  /** Stones that stay on the board */
  stones: number[];
  /** Points surrounded, those under dead stones among them */
  territory: number[];
  /** As records write it: B+3.5, W+10, Draw */
  text: string;
  /** The sum of each side */
  total: number[];
}

export interface JudgedStep {
  /** A number that belongs to the rule: eyes in halves, liberties */
  count: number;
  /** The string graph after the step, with the method that has one */
  graph?: StringGraph;
  /** Its place among all steps, from 0 */
  number: number;
  /** The points that it rests on */
  points: number[];
  /** The code of the rule */
  rule: string;
  /** Whose stones it is about */
  side: number;
  /** What the strings are from here on; unknown where that is left open */
  status: 'unknown' | 'alive' | 'dead' | 'seki';
  /** The numbers of the strings that it is about, from 0 */
  strings: number[];
  /** What the rule says, in English */
  text: string;
}

export interface JudgedString {
  /** How likely it is to stay on the board, from 0 to 1 */
  chance: number;
  /** The number of its group, from 0 */
  group: number;
  /** The point of its first stone */
  name: string;
  /** Of its stones, row by row */
  points: number[];
  /** The status holds whatever is played, as far as the method defines that */
  proved: boolean;
  /** Whose it is */
  side: number;
  /** What becomes of it; unknown where the method says nothing */
  status: 'unknown' | 'alive' | 'dead' | 'seki';
  /** The numbers of the steps that the status rests on, from 0 */
  steps: number[];
  /** The status is the better guess of two */
  unclear: boolean;
}

export interface Judgement {
  /** There are more steps than are told */
  cut: boolean;
  /** So much is unclear that the game is not over, and the score a guess */
  early: boolean;
  /** Milliseconds that judging took */
  elapsed: number;
  /** What is left to play, where it was asked for */
  endgame?: JudgedEnd;
  /** Points of territory that their owner has to fill in the end, lest stones be taken */
  fills: number[];
  /** The game with its rule set and komi, as a spec */
  game: string;
  /** Everything that drawing the board needs, where it was asked for */
  geometry?: Geometry;
  /** Strings that live or die together */
  groups: JudgedGroup[];
  /**
   * How strongly each point leans to a side, from 1 for the first to -1 for the second, where it was asked
   * for
   */
  influence?: number[];
  /** The method that judged */
  method: string;
  /** The methods that there are, the one that claims least first */
  methods: JudgeMethod[];
  /** Points whose owner hangs on a string that is unclear */
  open: number[];
  /** Whose each point is: 0 where nothing is said, 1 the first side, 2 the second, 3 nobody */
  owner: number[];
  /** What stands on each point: 0 for nothing, else the number of the piece */
  pieces: number[];
  /** What follows from it, by the rules of the position */
  score: JudgedScore;
  /** The rules that were applied, in their order; none where they were not asked for */
  steps: JudgedStep[];
  /** Stones that are connected along lines and are taken together, by their first stone, row by row */
  strings: JudgedString[];
  /** The position text */
  text: string;
}

export interface Labelling {
  /** Names to put on them */
  add?: string[];
  /** The kind of game that the query means, where it does not say */
  game?: string;
  /** The records; or else */
  ids?: number[];
  /** a query for them */
  query?: string;
  /** Names to take off them */
  remove?: string[];
  /** The query looks into the lines beside the main ones, too */
  variations?: boolean;
}

export interface Labels {
  bottom: string[];
  left: string[];
  right: string[];
  top: string[];
}

export interface Library {
  /** Records by the kind of game */
  byGame: GameCount[];
  /** On disk */
  bytes: number;
  /** How many there are */
  collections: number;
  /** Formats of records that can be read */
  formats: FormatInfo[];
  /** Rises with every change */
  generation: number;
  /** Who else writes to it, where it is not writable */
  holder: string;
  /** Files on the server may be imported by their path */
  importRoot: boolean;
  /** Bytes that one upload may have */
  maxUpload: number;
  /** Of the folder */
  name: string;
  /** Games that the engine has played against itself, and that come with the program */
  played: number;
  /** How many there are */
  records: number;
  /** Games of the demo set */
  sample: number;
  /** Queries with a name */
  saved: number;
  /** How many there are */
  tags: number;
  /** Changes need a token */
  token: boolean;
  /** Of the program */
  version: string;
  /** Records can be added */
  writable: boolean;
}

export interface LikelyMove {
  /** Of the point */
  name: string;
  /** Row by row from the top left */
  point: number;
  /** Of the players who would play it: probability */
  share: number;
}

export interface Link {
  /** The number of the other record */
  id: number;
  /** What they have in common */
  why: string;
}

export interface Look {
  edge: string;
  fill: string;
  glyph: string;
  ink: string;
  letters: string;
  names: Names;
  owner: number;
  simplified: string;
  swap: number;
  symbol: string;
}

export interface Mark {
  /** first and second are points that count for a side */
  kind: 'circle' | 'square' | 'triangle' | 'cross' | 'label' | 'first' | 'second';
  /** Where it is */
  point: number;
  /** Of a label */
  text: string;
}

export interface Mistake {
  /** Where, in UTF-16 units from the start of the text, as browsers count */
  at: number;
  /** What to write instead */
  hint: string;
  /** Of what is wrong, in UTF-16 units */
  length: number;
  /** What is wrong */
  message: string;
}

export interface Move {
  /** The point it starts from; -1 for one that places a piece, and for a pass */
  from: number;
  /** Who plays it */
  side: number;
  /** In the notation that was asked for */
  text: string;
  /** The point it ends on; -1 for a pass */
  to: number;
}

export interface MoveValue {
  /** The game was read to its end */
  exact: boolean;
  /** What both sides do best then, the move first */
  line: Move[];
  move: Move;
  /** For the side that makes it */
  value: number;
}

export interface Name {
  /** Other names */
  aliases: string[];
  /** A board on which it stands */
  board?: NameBoard;
  /** The languages in which its name is a transliteration of ours, and not attested */
  coined: ('en' | 'zh-Hant' | 'zh-Hans' | 'ja' | 'ko' | 'vi')[];
  /** How it fared in the records of the library; absent while that is being counted */
  count?: NameCount;
  /** One of its kind in the game; queries take it too */
  id: string;
  /** What it is */
  kind: 'mate' | 'structure' | 'opening' | 'code';
  /** Where it is kept: what the library keeps can be changed */
  layer: 'shipped' | 'folder' | 'library';
  names: Names;
  /** What a player should know */
  note: string;
  /** The id of a wider one that this is a case of; empty for none */
  parent: string;
  /** What finds it in records */
  query: string;
  /** Where definition and names are from */
  source: string;
  /** In Vietnamese; empty for none */
  vi: string;
}

export interface NameAt {
  /** One of its kind in the game */
  id: string;
  /** What it is */
  kind: 'mate' | 'structure' | 'opening' | 'code';
  names: Names;
  /** What finds it in records */
  query: string;
  /** The pieces in their parts */
  roles: NameRole[];
  /** Whose it is: 0 the first side, 1 the second; -1 for both, as with openings */
  side: number;
}

export interface NameBoard {
  /** It stands here; a counter-example has false */
  match: boolean;
  /** How many of its moves have been played */
  ply?: number;
  /** As text, with the side to move */
  position: string;
  /** The number of the record that it is from; 0 for none */
  record?: number;
  /** The pieces that have a part in it */
  roles: NameRole[];
  /** Whose it is: 0 the first side, 1 the second */
  side: number;
  /** Players and date, where it is from a record */
  title?: string;
  /** In words */
  why: string;
}

export interface NameCount {
  /** Without a winner */
  drawn: number;
  /** That have it */
  games: number;
  /** The upper bound */
  high: number;
  /** By the same side */
  lost: number;
  /** The lower bound of the score at 95 % */
  low: number;
  /** Of the games with a result: wins and half of the draws */
  score: number;
  /** By the side that had it; by the first side where it is of both */
  won: number;
}

export interface NameDetail {
  /** Its fixtures: boards on which it stands, and others on which it does not */
  boards: NameBoard[];
  /** Narrower ones, of which this is the parent */
  cases: Name[];
  /** Boards of records of the library, the first that were found */
  examples: NameBoard[];
  /** The moves of an opening that has a line; empty for others */
  line: string;
  name: Name;
  /** The definition as it is written in files, or of a code the ways to it; empty for others */
  text: string;
}

export interface NameGroup {
  /** What they are */
  kind: 'mate' | 'structure' | 'opening' | 'code';
  /** How many there are */
  names: number;
}

export interface NameList {
  /** All that the game has */
  kinds: NameGroup[];
  /** Of this page */
  names: Name[];
  /** Cursor of the next page; empty on the last */
  next: string;
  /** The index of names is complete; else names are looked for by reading games */
  ready: boolean;
  /** That fit the filters */
  total: number;
}

export interface NameRole {
  /** The point as the game writes it */
  at: string;
  /** As the definition calls it; empty for a stone of a picture */
  name: string;
  /** What stands there, as in the geometry; 0 for nothing */
  piece: number;
  /** Row by row from the top left */
  point: number;
}

export interface NameRow {
  /** Games under this name */
  games: number;
  /** As records spell it */
  name: string;
}

export interface Named {
  /** When it was made */
  created: string;
  /** Records that have it */
  games: number;
  /** What it is called */
  name: string;
  /** What its owner says of it */
  note: string;
}

export interface NamedList {
  /** By name */
  items: Named[];
}

export interface NamedOpening {
  /** That reached its position */
  games: number;
  /** Its line, which names it in addresses */
  id: string;
  /** Its moves */
  line: string;
  names: Names;
  /** The opening that it goes on from; empty for none */
  parent: string;
  /** How many they are */
  ply: number;
  /** Of these games */
  score: Score;
  /** Of its position, for the side to move */
  values: BookValues;
}

export interface Names {
  en: string;
  ja: string;
  ko: string;
  'zh-Hans': string;
  'zh-Hant': string;
}

export interface NamesAt {
  /** Mates, then openings, codes and structures */
  names: NameAt[];
}

export interface NewJob {
  /** Read files that are known, too */
  again?: boolean;
  /** The records come into it; made where there is none */
  collection?: string;
  /** Only check: store nothing */
  dryRun?: boolean;
  /** Overrides what files declare */
  encoding?: string;
  /** What to call the text */
  name?: string;
  /** Files below the import root of the server */
  paths?: string[];
  /** The games that the engine has played against itself */
  played?: boolean;
  /** The demo set */
  sample?: boolean;
  /** Records as text */
  text?: string;
  /** What to call the import */
  title?: string;
  /** Check the moves of all lines */
  variations?: boolean;
}

export interface NewName {
  /** What it is to be called */
  name: string;
  /** What to say of it */
  note?: string;
}

export interface NewSession {
  /** The kind of game, as a spec */
  game: string;
  /** How strong the engine is */
  level?: number;
  /** Where it begins: moves from the start, a position text, or both */
  line?: string;
  /** A clock for both sides; 0 for none */
  minutes?: number;
  /** The person's name in the record */
  name?: string;
  /** The engine thinks for itself from the first move on */
  noBook?: boolean;
  /** Begin behind this named opening; random for any, xot for a random start of eight moves */
  opening?: string;
  /** The other person's, where both sides are people */
  opponent?: string;
  /** Gained with every move */
  seconds?: number;
  /** Makes the engine's choices repeatable; 0 for chance */
  seed?: number;
  /** The side that the person plays; both where two people play */
  side?: 'first' | 'second' | 'random' | 'both';
  /** What the engine plays from the book: what is best, or what people play as often as they do */
  style?: 'best' | 'human';
}

export interface NextMove {
  /** Where it ends: in the region, from its left; -1 for a pass */
  column: number;
  /** How often it was played */
  count: number;
  /** How often it was the very next move; otherwise it came after play elsewhere */
  direct: number;
  /** In how many games */
  games: number;
  /** Where it comes from: in the region, from its left; -1 where a piece is placed, or comes from outside */
  left: number;
  /** Its points are those of the board where the region lies on it as drawn, else -1 */
  move: Move;
  /** How many games reach the position behind it by any order of moves; -1 where that is not counted */
  reached: number;
  /** And from its top */
  row: number;
  /** Of the games */
  score: Score;
  /** And its row */
  top: number;
}

export interface Node {
  /** What the move or set-up changed against the board of the parent: point and piece, by turns */
  changes: number[];
  /** What the record says here */
  comment?: string;
  /** Why the rules refuse it */
  fault?: string;
  /** The point that the piece came from; -1 for none */
  from: number;
  /** Signs on points; may be absent */
  marks?: Mark[];
  /** In the notation that was asked for; empty where it is no move */
  move: string;
  /** The number of the node it follows; -1 for the root */
  parent: number;
  /** Steps from the start: moves, passes and set-ups, as hits count them */
  ply: number;
  /** What the annotator says of the move: !! ! !? ?! ? ?? */
  quality?: string;
  /** Who played it; -1 where it is no move */
  side: number;
  /** The point that it came to; -1 for none */
  to: number;
  /** The side to move behind it */
  turn: number;
}

export interface Notation {
  /** What parameters call it */
  name: string;
  /** What it looks like */
  summary: string;
}

export interface Occurrence {
  /** Moves before it */
  ply: number;
  /** Where it lies; absent where the query has no board with a place */
  region?: Region;
  /** With the sides exchanged */
  swapped: boolean;
  /** Takes the board as drawn there */
  symmetry: string;
  /** In a line beside the main one */
  variation: boolean;
}

export interface Occurrences {
  /** Those of the main line first, and then by ply */
  hits: Occurrence[];
}

export interface Opening {
  /** Its number in the books */
  code: string;
  /** How many games of the answer have it in their headers */
  games: number;
  /** What it is called */
  name: string;
  /** The name by language, where the rules of the game know it */
  names?: Names;
}

export interface Openings {
  /** Shorter lines first */
  openings: NamedOpening[];
}

export interface Perft {
  /** Moves of each line */
  depth: number;
  /** The count below each move */
  moves: PerftMove[];
  /** Lines in all */
  nodes: number;
}

export interface PerftMove {
  /** The first move of the lines */
  move: string;
  /** Lines that begin with it */
  nodes: number;
}

export interface PieceWeight {
  /** The pieces, as options of a fuzzy board name them */
  letters: string;
  /** What one of them counts */
  weight: number;
}

export interface PlayMove {
  /** In any notation of the game; pass where one must */
  move: string;
  /** That of the session which the move is meant for; 0 for any */
  version?: number;
}

export interface Player {
  /** As the record has it */
  name: string;
  /** As in 9p or 3d; empty where unknown */
  rank: string;
  /** 0 where unknown */
  rating: number;
  /** Empty where unknown */
  team: string;
}

export interface PlayerDetail {
  /** Records by the kind of game */
  games: GameCount[];
  /** All names that the book has */
  known: string[];
  /** Under which the player is listed */
  name: string;
  /** Names in the library, with their games */
  names: NameRow[];
  /** The most frequent first */
  openings: Group[];
  /** For the player's games */
  query: string;
  /** By opponent: First are the player's wins */
  rivals: Group[];
  score: Score;
  /** By the year */
  years: Group[];
}

export interface PlayerEdit {
  /** Tell what would happen, and change nothing */
  dryRun?: boolean;
  /** Take names that neither the library nor the book has */
  force?: boolean;
  /** The name to list them under */
  into?: string;
  /** The names that it is about */
  names: string[];
  /** What to do with them */
  op: 'merge' | 'split' | 'rename';
}

export interface PlayerEdited {
  /** Who they are listed as now; empty in lists */
  after: string;
  /** When it was said */
  at: string;
  /** Who they were listed as before; empty in lists */
  before: string[];
  /** 0 of a dry run */
  id: number;
  /** The name that the player is listed under */
  into: string;
  /** The names that it is about */
  names: string[];
  /** What was said of them */
  op: string;
  /** It was taken back */
  undone: boolean;
}

export interface PlayerEdits {
  /** The last first */
  edits: PlayerEdited[];
}

export interface PlayerRow {
  /** Other names in the library */
  aliases: string[];
  /** Games of the player */
  games: number;
  /** That the player is listed under */
  name: string;
  /** First are the player's wins */
  score: Score;
}

export interface PlayerScore {
  /** As the query names the player */
  name: string;
  score: Score;
}

export interface Players {
  /** Cursor of the next page; empty at the end */
  next: string;
  /** In the order that was asked for */
  players: PlayerRow[];
  /** How many fit */
  total: number;
}

export interface Position {
  /** The board in plain letters, as terminals show it */
  board: string;
  /** The kind of game, as a spec */
  game: string;
  /** The moves that are possible now */
  legal: Move[];
  /**
   * How it came about, in a form that the parameter line takes: moves from the start, or a position text, or
   * both
   */
  line: string;
  /** The moves of the line */
  moves: Move[];
  /** The opening, where the rules of the game know it */
  opening: Opening;
  /** How it ended, in words; empty while it goes on */
  outcome: string;
  /** The game has ended */
  over: boolean;
  /** What stands on each point: 0 for nothing, else the number of the piece */
  pieces: number[];
  /** How many moves the line has */
  ply: number;
  /** The position text, a dialect of FEN */
  text: string;
  /** The side to move */
  turn: number;
}

export interface Problem {
  /** A short stable word for the kind of the problem */
  code?: string;
  /** What happened */
  detail?: string;
  /** Which parts of the request are at fault */
  errors?: FieldError[];
  /** What to do next */
  hint?: string;
  /** The id of the request in the log of the server */
  requestId?: string;
  /** HTTP status */
  status: number;
  /** The meaning of the status */
  title: string;
  /** Always about:blank: the code tells the kind of the problem */
  type: string;
}

export interface Progress {
  /** Read so far, packed as they are */
  bytes: number;
  /** Seconds */
  elapsed: number;
  /** Seconds that it will still take; -1 where that is not known */
  eta: number;
  /** Read so far, those in archives too */
  files: number;
  /** Records a second */
  rate: number;
  /** Read so far */
  records: number;
  /** Bytes of all files */
  total: number;
}

export interface Read {
  /** The text is longer than what was looked at */
  cut: boolean;
  /** Of records; the first of them */
  faults: Fault[];
  /** The first of the records; its id is 0 */
  first?: Summary;
  /** Of records */
  format: string;
  /** Kinds of game that it may be of, as specs, the likeliest first */
  games: string[];
  /** Of a position or moves: as the parameter line takes it, in the first of the games */
  line: string;
  /** Records with a move that breaks the rules */
  marked: number;
  /** The board of it: of records the end of the first */
  preview?: Position;
  /** What is wrong with the query */
  problem: string;
  /** Of a query, and of words */
  query: string;
  /** How many */
  records: number;
  /** Records that cannot be read */
  rejected: number;
  /** The first of the games leaves no doubt */
  sure: boolean;
  /** What the text is taken for */
  what: 'records' | 'position' | 'moves' | 'query' | 'words' | 'nothing';
}

export interface ReadInputBody {
  /** Of the file, where it is known */
  name?: string;
  /** What was pasted */
  text: string;
}

export interface Records {
  /** Milliseconds that it took */
  elapsed: number;
  /** How many there are */
  games: number;
  /** What may be meant otherwise */
  hints: string[];
  /** Cursor of the next page; empty at the end */
  next: string;
  /** As it was understood */
  query: string;
  /** In the order that was asked for */
  records: Hit[];
  score: Score;
}

export interface Reference {
  /** Where a board may lie */
  anchors: string[];
  /** What can be asked for */
  fields: Field[];
  /** What games can be grouped by */
  groups: string[];
  /** Orders of hits */
  sorts: string[];
}

export interface Region {
  /** Of its left edge, from 0 */
  column: number;
  /** Its width */
  columns: number;
  /** Of its upper edge, from 0 */
  row: number;
  /** Its height */
  rows: number;
}

export interface Removal {
  /** How many records are meant to go: where it is another number, none is deleted */
  expect: number;
  /** The kind of game that the query means, where it does not say */
  game?: string;
  /** The records; or else */
  ids?: number[];
  /** a query for them */
  query?: string;
  /** The query looks into the lines beside the main ones, too */
  variations?: boolean;
}

export interface Review {
  /** It has ended, with all moves or with as many as there was time for; otherwise it goes on */
  done: boolean;
  /** The kind of game, as a spec */
  game: string;
  /** By side: what was lost in all */
  losses: number[];
  /** Of the line, in its order */
  moves: ReviewMove[];
  /**
   * What values are counted in, for a game the same everywhere: the lead in discs in Othello, in all others
   * the share of a win from 0 to 1
   */
  unit: 'discs' | 'share';
}

export interface ReviewMove {
  /** The best line instead, where it is another */
  best: Move[];
  /** Both values are solved */
  exact: boolean;
  /** What it gave away, for the side that made it */
  loss: number;
  /** How bad it is */
  mark: '' | 'inaccuracy' | 'mistake' | 'blunder';
  /** That was played */
  move: Move;
  /** From 1 */
  ply: number;
  /** Of the position behind it, for the first side */
  value: number;
}

export interface SaveQuery {
  /** The kind of game that it means, where it does not say */
  game?: string;
  /** What to say of it */
  note?: string;
  /** In the query language */
  query: string;
  /** Take the name from another query that has it */
  replace?: boolean;
}

export interface Saved {
  board?: Diagram;
  /** A name that describes its board */
  described: string;
  /** The kind of game, as a spec; may be empty */
  game: string;
  /** That the last search found */
  games: number;
  /** Occurrences that it found last */
  hits: number;
  /** Empty for one that a search noted */
  name: string;
  /** What its owner says of it */
  note: string;
  /** In the query language */
  query: string;
  /** When it was asked last */
  used: string;
}

export interface SavedList {
  /** Cursor of the next page; empty at the end */
  next: string;
  /** Those with a name first, by it, then the others, the one used last first */
  queries: Saved[];
}

export interface Score {
  /** Games without a winner */
  draws: number;
  /** Won by the first side */
  first: number;
  /** How many there are */
  games: number;
  /** Its upper bound */
  high?: number;
  /** The 95 % interval around it */
  low?: number;
  /** The share of points that the first side made, a draw counting half; absent where no result is known */
  rate?: number;
  /** The mean rating of those who chose so; 0 where none is known */
  rating: number;
  /** Won by the second side */
  second: number;
  /** The earliest date, as well as it is known */
  since: string;
  /** The latest date */
  until: string;
}

export interface Segment {
  from: Spot;
  to: Spot;
}

export interface Session {
  /** Where there is one */
  clock?: SessionClock;
  /** Names it in addresses */
  id: string;
  /** Where the engine's last move is from: book, or empty */
  note: string;
  /** The deepest named opening of the line */
  opening: Opening;
  /** The side that just had to pass; -1 where none had */
  passed: number;
  /** By side */
  players: SessionSide[];
  /** With the moves that are possible where it is a person's turn, and none otherwise */
  position: Position;
  /** Once the game is over */
  result?: GameResult;
  /** Whose turn it is; yours is that of any person */
  state: 'yours' | 'thinking' | 'over';
  /** Why the engine does not move; empty where all is well */
  trouble: string;
  /** A move can be taken back */
  undo: boolean;
  /** Rises with every change */
  version: number;
}

export interface SessionClock {
  /** Milliseconds by side */
  left: number[];
  /** The side whose time runs; -1 for none */
  running: number;
}

export interface SessionRow {
  /** When the last move was made */
  changed: string;
  /** The kind of game, as a spec */
  game: string;
  /** Names it in addresses */
  id: string;
  /** Of the engine */
  level: number;
  /** The moves so far, in a form that the parameter line takes */
  line: string;
  /** The game has ended */
  over: boolean;
  /** How many moves were made */
  ply: number;
  /** The person's side; -1 where people play both */
  side: number;
}

export interface SessionSide {
  /** Pieces on the board */
  count: number;
  /** Of the engine; 0 for a person */
  level: number;
  /** As the record has it */
  name: string;
}

export interface Sessions {
  /** The one that changed last first */
  sessions: SessionRow[];
}

export interface Shape {
  /** Other names */
  aliases: string[];
  /** The points are to be kept away from */
  avoid: boolean;
  /** Row by row, the sum of what may be there: 1 empty, 2 own, 4 enemy, 8 outside the board */
  cells: number[];
  /** What records say of it */
  evidence?: ShapeEvidence;
  /** One of its kind in the base */
  id: string;
  /** Where it is kept: one of the library can be changed */
  layer: 'shipped' | 'folder' | 'library';
  /** Its own, or those of its main term */
  names: Names;
  /** What else is worth knowing */
  note: string;
  /** Where it comes from */
  origin: 'hand' | 'paper' | 'mined' | 'user';
  /** The good points of own, as indices of cells */
  ours: number[];
  /** Ids of shapes, or term:id, whose advice this one replaces */
  overrides: string[];
  /** How many orientations look different: computed */
  pictures: number;
  /** Two digits, the lines of the middle point; empty for anywhere */
  place: string;
  /** Words, as in the list of all purposes */
  purposes: string[];
  size: Size;
  /** The same in words */
  source: string;
  /** Ids, the main one first */
  terms: string[];
  /** Those of the enemy */
  theirs: number[];
  /** 4 urgent, 3 important, 2 ordinary, 1 special cases */
  urgency: number;
}

export interface ShapeCheck {
  /** 1 empty, 2 own, 4 enemy, 8 outside the board */
  cells: number[];
  /** Whether the shape stands there */
  match: boolean;
  size: Size;
  /** Where the good points lie, as indices of cells */
  spots: number[];
}

export interface ShapeDetail {
  /** Its fixtures */
  checks: ShapeCheck[];
  /** What lint says of it */
  findings: ShapeFinding[];
  /** In the field form of the paper; empty where that has no form for it */
  paper: string;
  /** What finds it in the records */
  query: string;
  shape: Shape;
  /** As it is written in files */
  text: string;
}

export interface ShapeEvidence {
  /** Places where it stood and was played */
  examples: ShapeExample[];
  /** How often own then played a good point of its own */
  ours: number;
  /** Of the times it stood, those in which the side with the good points played one */
  rate: number;
  /** How often it stood: stretches of moves */
  seen: number;
  /** The diagram was changed since this was counted */
  stale: boolean;
  /** How often the enemy played one of its */
  theirs: number;
}

export interface ShapeExample {
  /** Of the record, in its source */
  file: string;
  /** Moves played before the good point */
  ply: number;
  /** Its number, where the library has the record and a single shape was asked for */
  record?: number;
  /** Players and date, as far as they are known */
  title: string;
}

export interface ShapeFinding {
  /** That it is about; empty for none */
  file: string;
  /** Of the shape; empty for a fault of a file */
  id: string;
  /** identical, implied, contradictory, unreachable, unnamed, fixture, override, evidence or syntax */
  kind: string;
  /** There, counted from 1 */
  line: number;
  /** Of the other shape of a pair */
  other: string;
  /** In words, with what to do */
  text: string;
  /** How bad it is */
  weight: 'error' | 'warning';
}

export interface ShapeIndex {
  /** How many were found in records */
  mined: number;
  /** How many the library has added or changed */
  own: number;
  /** All that there are */
  purposes: ShapePurpose[];
  /** In the order of the base */
  terms: ShapeTerm[];
  /** Shapes in all */
  total: number;
  /** How many shapes are special, ordinary, important, urgent */
  urgencies: number[];
  /** Shapes can be changed, by whoever may write */
  writable: boolean;
}

export interface ShapePurpose {
  names: Names;
  /** How many have it */
  shapes: number;
  /** That filters take */
  word: string;
}

export interface ShapeQuestion {
  /** Indices of cells that are right */
  answer: number[];
  /** Find the point that one must not play */
  avoid: boolean;
  /** 1 empty, 2 own, 4 enemy, 8 outside the board */
  cells: number[];
  /** Its id */
  shape: string;
  size: Size;
}

export interface ShapeQuestions {
  /** In the order to be asked */
  questions: ShapeQuestion[];
}

export interface ShapeReport {
  /** What it found; nothing where all is well */
  findings: ShapeFinding[];
  /** How long it took */
  millis: number;
  /** As it was understood, where a text was asked about */
  shape?: Shape;
  /** How many were looked at */
  shapes: number;
  /** How many findings there are: of very many, not all are told */
  total: number;
}

export interface ShapeTerm {
  /** Other names */
  aliases: string[];
  /** Whether it names the move or the stones */
  form: 'move' | 'shape';
  /** One of its kind in the base */
  id: string;
  names: Names;
  /** What else is worth knowing */
  note: string;
  /** That its shapes usually have */
  purposes: string[];
  /** How many are sorted under it */
  shapes: number;
}

export interface ShapeText {
  /** Blocks as in files of shapes */
  text: string;
}

export interface Shapes {
  /** Cursor of the next page; empty on the last */
  next: string;
  /** Of this page */
  shapes: Shape[];
  /** That fit the filters */
  total: number;
}

export interface Side {
  /** What queries call it */
  name: string;
  titles: Names;
}

export interface Size {
  h: number;
  w: number;
}

export interface Source {
  /** The file, as the user knows it */
  file: string;
  /** Of the record in the file, from 1 */
  number: number;
  /** Of its first byte in the file */
  offset: number;
}

export interface SplitTerms {
  /** Put together they are the title */
  pieces: TermPart[];
  /** The part of the text that names an opening */
  title: string;
}

export interface Spot {
  x: number;
  y: number;
}

export interface StringGraph {
  /** What touches what */
  edges: GraphEdge[];
  /** Strings, empty areas and what reductions made of them */
  vertices: GraphVertex[];
}

export interface Summary {
  /** Number of the opening in the books */
  code: string;
  /** As well as it is known: a day, month, year or span */
  date: string;
  /** As the record has it */
  event: string;
  /** The kind of game, as a spec */
  game: string;
  /** Stones; 0 for none */
  handicap: number;
  /** The number of the record */
  id: number;
  /** Empty where it is not known */
  komi: string;
  /** A move in it breaks the rules */
  marked: boolean;
  /** What the record calls it */
  opening: string;
  /** As the record has it */
  place: string;
  /** The first mover first; always two */
  players: Player[];
  /** Moves of the main line */
  plies: number;
  /** In the usual short form; empty where it is not known */
  result: string;
  /** As the record has it */
  round: string;
  /** The side that won; 2 for a draw, -1 where it is not known */
  winner: number;
}

export interface Term {
  /** Other names */
  aliases: string[];
  /** That have it in their titles or comments */
  games: number;
  /** One of its kind in the game */
  id: string;
  /** opening, tactic, place, move or piece */
  kind: string;
  /** The id of the name in the catalogue that it stands for; empty for none */
  name: string;
  names: Names;
  /** What a reader should know */
  note: string;
  /** What finds these */
  query: string;
}

export interface TermPart {
  /** Whose part of the title it stands in: 0 the first side, 1 the second, -1 unknown */
  side: number;
  /** The id of its term; empty for what is none */
  term: string;
  /** As it stands there */
  text: string;
}

export interface Terms {
  /** The most frequent first */
  terms: Term[];
  /** Terms that fit the filter */
  total: number;
  /** For an expert to define, the most frequent first */
  unknown: UnknownTerm[];
}

export interface Theme {
  board: string;
  line: string;
  mark: string;
}

export interface Tree {
  /** The most frequent first */
  children: Tree[];
  /** Of the root: how many moves deep the tree may go; less than was asked for where there are very many games */
  depth?: number;
  /** Of the root: what fewer games have is left out; more than was asked for where the tree would be too large */
  least?: number;
  /** Of the root, none: its text is empty */
  move: Move;
  score: Score;
}

export interface Trend {
  /** By what factor the odds change in ten years */
  change: number;
  /** Whether the share rises or falls */
  direction: 'rising' | 'falling' | 'steady' | 'unknown';
  /** Its upper bound */
  high: number;
  /** Its 95 % interval */
  low: number;
  /** In their order */
  years: Year[];
}

export interface Understood {
  /** The first board of it, where it is one of the conditions that all must be met */
  board?: Diagram;
  /** The other conditions, of which all must be met */
  conditions: Condition[];
  /** The kind of game that it is about; empty where it may be several */
  game: string;
  /** What may be meant otherwise */
  hints: string[];
  /** What is wrong with it; then nothing else is told */
  problem?: Mistake;
  /** The query in the usual form */
  text: string;
}

export interface UnknownTerm {
  /** How often it stands there */
  count: number;
  /** Where it stands in a text */
  example: string;
  /** That have it */
  games: number;
  /** As it was first written */
  text: string;
}

export interface Values {
  /** Plies that were read */
  depth: number;
  /** The best move is solved */
  exact: boolean;
  /** The best first */
  moves: MoveValue[];
  /** Positions that were looked at */
  nodes: number;
  /** How sure the reading is, in per cent; absent where the engine cannot tell */
  selectivity?: number;
  /**
   * What values are counted in, for a game the same everywhere: the lead in discs in Othello, in all others
   * the share of a win from 0 to 1
   */
  unit: 'discs' | 'share';
}

export interface Weights {
  /** What a point counts that must be empty */
  empty: number;
  /** What two pieces on one line count */
  line: number;
  /** The least likeness where a query names none */
  min: number;
  /** The share that a piece keeps which stands a step away */
  moved: number;
  /** One for each kind of piece */
  pieces: PieceWeight[];
  /** The share of the likeness that attack, protection and the like make up */
  relation: number;
}

export interface Year {
  /** Games of the query */
  games: number;
  /** Its upper bound */
  high: number;
  /** Its lower bound */
  low: number;
  /** Games of that year in all */
  of: number;
  /** Of the first side */
  rate: number;
  /** Games with a result */
  rated: number;
  /** Of the one in the other */
  share: number;
  /** Of the games */
  year: number;
}

/** Every operation of the API: what it takes and what it answers. */
export interface Operations {
  /** What the shapes of the base say of a position of Go, and what is likely to be played */
  'GET /advice': {
    path: { [name: string]: never };
    query: {
      /** Moves to take back first */
      back?: number | undefined;
      /** The kind of game, as a spec */
      game: string;
      /** How many of the likeliest moves to tell */
      likely?: number | undefined;
      /**
       * Moves from the start in any notation, or a position text, or a position text, the word moves and
       * moves; empty for the start
       */
      line?: string | undefined;
      /** A move to play on it: in any notation, or by the names of its points, as in e3-e4 */
      play?: string | undefined;
      /** How many shapes of each point to tell, those that people wrote first */
      reasons?: number | undefined;
      /** Tell the points as well that conditions refuse, and why */
      refused?: boolean | undefined;
      /** For whom points are looked for: both sides, one, or the one to move */
      side?: 'both' | 'first' | 'second' | 'turn' | undefined;
    };
    body: undefined;
    reply: Advice;
  };
  /** What the book knows of a position and its moves: results, an engine's values, exact ones */
  'GET /book': {
    path: { [name: string]: never };
    query: {
      /** Moves to take back first */
      back?: number | undefined;
      /** The kind of game, as a spec */
      game: string;
      /**
       * Moves from the start in any notation, or a position text, or a position text, the word moves and
       * moves; empty for the start
       */
      line?: string | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** A move to play on it: in any notation, or by the names of its points, as in e3-e4 */
      play?: string | undefined;
      /** How many games a move needs for its results to count */
      threshold?: number | undefined;
    };
    body: undefined;
    reply: BookEntry;
  };
  /** A move that the book would play */
  'GET /book/choice': {
    path: { [name: string]: never };
    query: {
      /** Moves to take back first */
      back?: number | undefined;
      /** How many discs the move may give away for variety */
      budget?: number | undefined;
      /** The kind of game, as a spec */
      game: string;
      /**
       * Moves from the start in any notation, or a position text, or a position text, the word moves and
       * moves; empty for the start
       */
      line?: string | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** A move to play on it: in any notation, or by the names of its points, as in e3-e4 */
      play?: string | undefined;
      /** Makes the choice repeatable; 0 for chance */
      seed?: number | undefined;
      /** What is best, or what people play as often as they do */
      style?: 'best' | 'human' | undefined;
      /** How many games a move needs for its results to count */
      threshold?: number | undefined;
    };
    body: undefined;
    reply: BookChoice;
  };
  /** How large the book of a game is */
  'GET /book/info': {
    path: { [name: string]: never };
    query: {
      /** The kind of game, as a spec */
      game: string;
    };
    body: undefined;
    reply: BookInfo;
  };
  /** Set what a position is worth, which outranks the engine, or take that back */
  'POST /book/values': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: BookEdit;
    reply: BookEntry;
  };
  /** Collections and how many records they hold */
  'GET /collections': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: NamedList;
  };
  /** Make a collection */
  'POST /collections': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: NewName;
    reply: Named;
  };
  /** Put the records of a selection into collections, or take them out */
  'POST /collections/records': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: Labelling;
    reply: Changed;
  };
  /** Rename a collection, or change its note */
  'PUT /collections/{name}': {
    path: {
      /** The name that it has */
      name: string;
    };
    query: { [name: string]: never };
    body: NewName;
    reply: undefined;
  };
  /** Forget a collection; its records stay */
  'DELETE /collections/{name}': {
    path: {
      /** The name that it has */
      name: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: undefined;
  };
  /** Write records in another format; nothing is stored */
  'POST /convert': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: ConvertInputBody;
    reply: Converted;
  };
  /** A picture of a position */
  'GET /draw.svg': {
    path: { [name: string]: never };
    query: {
      /** Moves to take back first */
      back?: number | undefined;
      /** Names of columns and rows around the board */
      coordinates?: boolean | undefined;
      /** Dark surroundings, of a picture */
      dark?: boolean | undefined;
      /** Turned around */
      flip?: boolean | undefined;
      /** The kind of game, as a spec */
      game: string;
      /** Mark the moves that are possible */
      legal?: boolean | undefined;
      /**
       * Moves from the start in any notation, or a position text, or a position text, the word moves and
       * moves; empty for the start
       */
      line?: string | undefined;
      /** Number the moves that were played */
      numbers?: boolean | undefined;
      /** A move to play on it: in any notation, or by the names of its points, as in e3-e4 */
      play?: string | undefined;
      /** A rectangle to mark, of a picture */
      region?: string | undefined;
      /** Simplified characters on pieces, of a picture */
      simplified?: boolean | undefined;
      /** Stones and Chinese characters instead of letters, of a text */
      unicode?: boolean | undefined;
      /** In pixels, of a picture; 0 leaves it to the page */
      width?: number | undefined;
    };
    body: undefined;
    reply: string;
  };
  /** A position in letters, as terminals show it */
  'GET /draw.txt': {
    path: { [name: string]: never };
    query: {
      /** Moves to take back first */
      back?: number | undefined;
      /** Names of columns and rows around the board */
      coordinates?: boolean | undefined;
      /** Dark surroundings, of a picture */
      dark?: boolean | undefined;
      /** Turned around */
      flip?: boolean | undefined;
      /** The kind of game, as a spec */
      game: string;
      /** Mark the moves that are possible */
      legal?: boolean | undefined;
      /**
       * Moves from the start in any notation, or a position text, or a position text, the word moves and
       * moves; empty for the start
       */
      line?: string | undefined;
      /** Number the moves that were played */
      numbers?: boolean | undefined;
      /** A move to play on it: in any notation, or by the names of its points, as in e3-e4 */
      play?: string | undefined;
      /** A rectangle to mark, of a picture */
      region?: string | undefined;
      /** Simplified characters on pieces, of a picture */
      simplified?: boolean | undefined;
      /** Stones and Chinese characters instead of letters, of a text */
      unicode?: boolean | undefined;
      /** In pixels, of a picture; 0 leaves it to the page */
      width?: number | undefined;
    };
    body: undefined;
    reply: string;
  };
  /** What was played in a position, how it went, and how many games reach each next one */
  'GET /explore': {
    path: { [name: string]: never };
    query: {
      /** Whoever is to move */
      anyTurn?: boolean | undefined;
      /** Moves to take back first */
      back?: number | undefined;
      /** Tell the board of every game at the ply of the hit, and the move behind it */
      boards?: boolean | undefined;
      /** Of the page: next of the answer before */
      cursor?: string | undefined;
      /** Only the position as it is, neither turned nor mirrored */
      exact?: boolean | undefined;
      /** The kind of game, as a spec */
      game: string;
      /** Tell the moves that are possible, whether they were played or not */
      legal?: boolean | undefined;
      /** Games a page */
      limit?: number | undefined;
      /**
       * Moves from the start in any notation, or a position text, or a position text, the word moves and
       * moves; empty for the start
       */
      line?: string | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** Tell what the headers of the games call the opening */
      openings?: boolean | undefined;
      /** Answer without servers of the library that cannot be reached; the answer says so */
      partial?: boolean | undefined;
      /** A move to play on it: in any notation, or by the names of its points, as in e3-e4 */
      play?: string | undefined;
      /** The other way round */
      reverse?: boolean | undefined;
      /**
       * The order of the games; else the most like first for a fuzzy query, and that of the library for
       * others
       */
      sort?: 'store' | 'occurrences' | 'date' | 'rating' | 'likeness' | '' | undefined;
      /** With the sides exchanged, too */
      swap?: boolean | undefined;
      /** Look into the lines beside the main ones, too */
      variations?: boolean | undefined;
      /** A query: only its games count */
      within?: string | undefined;
    };
    body: undefined;
    reply: Explored;
  };
  /** The games that a query finds, how they went, and what was played next */
  'GET /find': {
    path: { [name: string]: never };
    query: {
      /** Tell the board of every game at the ply of the hit, and the move behind it */
      boards?: boolean | undefined;
      /** Leave out what was played next */
      brief?: boolean | undefined;
      /** Group the games by it */
      by?: 'year' | 'player' | 'event' | 'opening' | 'code' | 'place' | 'result' | 'length' | 'collection' | 'tag' | '' | undefined;
      /** Of the page: next of the answer before */
      cursor?: string | undefined;
      /** The kind of game that is meant, as in go, weiqi:9x9, xiangqi; else what the query says */
      game?: string | undefined;
      /** Groups at most */
      groups?: number | undefined;
      /** In which the name of the board is told; that of the terms of the game if empty */
      language?: 'en' | 'zh-Hant' | 'zh-Hans' | 'ja' | 'ko' | '' | undefined;
      /** Games a page */
      limit?: number | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** Answer without servers of the library that cannot be reached; the answer says so */
      partial?: boolean | undefined;
      /** A query; empty for all games */
      q?: string | undefined;
      /** The other way round */
      reverse?: boolean | undefined;
      /**
       * The order of the games; else the most like first for a fuzzy query, and that of the library for
       * others
       */
      sort?: 'store' | 'occurrences' | 'date' | 'rating' | 'likeness' | '' | undefined;
      /** Look into the lines beside the main ones, too */
      variations?: boolean | undefined;
    };
    body: undefined;
    reply: Answer;
  };
  /** The rates of two queries side by side */
  'GET /find/compare': {
    path: { [name: string]: never };
    query: {
      /** A query */
      a: string;
      /** Another */
      b: string;
      /** The kind of game that both mean, where they do not say */
      game?: string | undefined;
    };
    body: undefined;
    reply: Comparison;
  };
  /**
   * The same as a stream of events: tick (counts so far), page (the first rows), answer, or problem; then it
   * ends
   */
  'GET /find/events': {
    path: { [name: string]: never };
    query: {
      /** Tell the board of every game at the ply of the hit, and the move behind it */
      boards?: boolean | undefined;
      /** Leave out what was played next */
      brief?: boolean | undefined;
      /** Group the games by it */
      by?: 'year' | 'player' | 'event' | 'opening' | 'code' | 'place' | 'result' | 'length' | 'collection' | 'tag' | '' | undefined;
      /** Of the page: next of the answer before */
      cursor?: string | undefined;
      /** The kind of game that is meant, as in go, weiqi:9x9, xiangqi; else what the query says */
      game?: string | undefined;
      /** Groups at most */
      groups?: number | undefined;
      /** In which the name of the board is told; that of the terms of the game if empty */
      language?: 'en' | 'zh-Hant' | 'zh-Hans' | 'ja' | 'ko' | '' | undefined;
      /** Go on behind this event, as the header Last-Event-ID says */
      lastEventId?: string | undefined;
      /** Games a page */
      limit?: number | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** Answer without servers of the library that cannot be reached; the answer says so */
      partial?: boolean | undefined;
      /** A query; empty for all games */
      q?: string | undefined;
      /** The other way round */
      reverse?: boolean | undefined;
      /**
       * The order of the games; else the most like first for a fuzzy query, and that of the library for
       * others
       */
      sort?: 'store' | 'occurrences' | 'date' | 'rating' | 'likeness' | '' | undefined;
      /** Look into the lines beside the main ones, too */
      variations?: boolean | undefined;
    };
    body: undefined;
    reply: never;
    events: { [name: string]: unknown };
  };
  /** How a query would be answered, and what that would cost */
  'GET /find/explain': {
    path: { [name: string]: never };
    query: {
      /** The kind of game that is meant, as in go, weiqi:9x9, xiangqi; else what the query says */
      game?: string | undefined;
      /** Answer without servers of the library that cannot be reached; the answer says so */
      partial?: boolean | undefined;
      /** A query; empty for all games */
      q?: string | undefined;
      /** Look into the lines beside the main ones, too */
      variations?: boolean | undefined;
    };
    body: undefined;
    reply: Explanation;
  };
  /** The moves behind the board of a query, as a tree */
  'GET /find/tree': {
    path: { [name: string]: never };
    query: {
      /** Moves behind the board; fewer where there are very many games */
      depth?: number | undefined;
      /** The kind of game that is meant, as in go, weiqi:9x9, xiangqi; else what the query says */
      game?: string | undefined;
      /** Leave out what fewer games have */
      least?: number | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** Answer without servers of the library that cannot be reached; the answer says so */
      partial?: boolean | undefined;
      /** A query; empty for all games */
      q?: string | undefined;
      /** Look into the lines beside the main ones, too */
      variations?: boolean | undefined;
    };
    body: undefined;
    reply: Tree;
  };
  /** How the share of these games went over the years */
  'GET /find/trend': {
    path: { [name: string]: never };
    query: {
      /** The kind of game that is meant, as in go, weiqi:9x9, xiangqi; else what the query says */
      game?: string | undefined;
      /** Answer without servers of the library that cannot be reached; the answer says so */
      partial?: boolean | undefined;
      /** A query; empty for all games */
      q?: string | undefined;
      /** Look into the lines beside the main ones, too */
      variations?: boolean | undefined;
    };
    body: undefined;
    reply: Trend;
  };
  /** Kinds of game, their boards and how many records there are */
  'GET /games': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: Games;
  };
  /** Imports, the last first */
  'GET /jobs': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: Jobs;
  };
  /** Import the demo set, a text, or files below the import root */
  'POST /jobs': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: NewJob;
    reply: Job;
  };
  /** Import files; a form whose fields come before its files */
  'POST /jobs/upload': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: FormData;
    reply: Job;
  };
  /** An import */
  'GET /jobs/{id}': {
    path: {
      /** The number of the import */
      id: number;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: Job;
  };
  /** Forget an import; its records stay */
  'DELETE /jobs/{id}': {
    path: {
      /** The number of the import */
      id: number;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: undefined;
  };
  /** Stop an import; what is stored stays */
  'POST /jobs/{id}/cancel': {
    path: {
      /** The number of the import */
      id: number;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: Job;
  };
  /** An import as a stream of events (job) until it ends */
  'GET /jobs/{id}/events': {
    path: {
      /** The number of the import */
      id: number;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: never;
    events: { [name: string]: unknown };
  };
  /** Every record that was rejected or marked, with file, place and reason */
  'GET /jobs/{id}/faults': {
    path: {
      /** The number of the import */
      id: number;
    };
    query: {
      /** Of the page: next or at of the one before */
      cursor?: string | undefined;
      /** Only these */
      kind?: string | undefined;
      /** Faults a page */
      limit?: number | undefined;
      /** Only these */
      severity?: 'note' | 'marked' | 'rejected' | '' | undefined;
    };
    body: undefined;
    reply: Faults;
  };
  /** Go on with an import that was stopped or has failed */
  'POST /jobs/{id}/resume': {
    path: {
      /** The number of the import */
      id: number;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: Job;
  };
  /** Life and death on a board of Go: what becomes of every string, whose every point is, the score */
  'GET /judge': {
    path: { [name: string]: never };
    query: {
      /** Moves to take back first */
      back?: number | undefined;
      /** Tell what is left to play */
      endgame?: boolean | undefined;
      /** The kind of game, as a spec */
      game: string;
      /** Tell how the board is drawn */
      geometry?: boolean | undefined;
      /** Tell how strongly each point leans to a side */
      influence?: boolean | undefined;
      /**
       * Moves from the start in any notation, or a position text, or a position text, the word moves and
       * moves; empty for the start
       */
      line?: string | undefined;
      /** One of the methods; the weighed verdict if empty */
      method?: string | undefined;
      /** How many moves a searching method may try on the whole board; 0 for a usual number */
      nodes?: number | undefined;
      /** A move to play on it: in any notation, or by the names of its points, as in e3-e4 */
      play?: string | undefined;
      /** How to count; by the rules of the position if empty */
      scoring?: 'area' | 'territory' | '' | undefined;
      /** Tell all steps */
      trace?: boolean | undefined;
      /** A point of a string: its steps are told, with their graphs */
      why?: string | undefined;
    };
    body: undefined;
    reply: Judgement;
  };
  /** Life and death on a board that is too long for an address, or at a moment of a record */
  'POST /judge': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: JudgeRequest;
    reply: Judgement;
  };
  /** What the library has, and what may be done with it */
  'GET /library': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: Library;
  };
  /** Check the library, and tell whatever is wrong */
  'POST /library/check': {
    path: { [name: string]: never };
    query: {
      /** Unpack and play every record, too, and compare it with the tables */
      full?: boolean | undefined;
    };
    body: undefined;
    reply: CheckReport;
  };
  /** Make the tables for searching anew from the records */
  'POST /library/reindex': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: CheckReport;
  };
  /** What has a name on the boards of a game, and how it fared in the records */
  'GET /names': {
    path: { [name: string]: never };
    query: {
      /** Of the page: next of the answer before */
      cursor?: string | undefined;
      /** The kind of game, as a spec */
      game: string;
      /** What sort; empty for all */
      kind?: 'mate' | 'structure' | 'opening' | 'code' | '' | undefined;
      /** Names a page */
      limit?: number | undefined;
      /**
       * As the tables have them, by how many games have them, by the score of the side that had them, or by
       * name
       */
      order?: 'base' | 'count' | 'score' | 'name' | undefined;
      /** Words in names, other names, ids or notes; one that is called exactly so comes first */
      q?: string | undefined;
    };
    body: undefined;
    reply: NameList;
  };
  /** What has a name on a board: which pieces have which part */
  'GET /names/at': {
    path: { [name: string]: never };
    query: {
      /** Moves to take back first */
      back?: number | undefined;
      /** The kind of game, as a spec */
      game: string;
      /**
       * Moves from the start in any notation, or a position text, or a position text, the word moves and
       * moves; empty for the start
       */
      line?: string | undefined;
      /** A move to play on it: in any notation, or by the names of its points, as in e3-e4 */
      play?: string | undefined;
    };
    body: undefined;
    reply: NamesAt;
  };
  /** A name with all that is known of it */
  'GET /names/{id}': {
    path: {
      /** Its id, or a name in any language */
      id: string;
    };
    query: {
      /** The kind of game, as a spec */
      game: string;
    };
    body: undefined;
    reply: NameDetail;
  };
  /** The named openings of a game, with what the book knows of them */
  'GET /openings': {
    path: { [name: string]: never };
    query: {
      /** The kind of game, as a spec */
      game: string;
      /** How many games a move needs for its results to count */
      threshold?: number | undefined;
    };
    body: undefined;
    reply: Openings;
  };
  /** Count the lines of a depth, the proof of a move generator */
  'GET /perft': {
    path: { [name: string]: never };
    query: {
      /** Moves to take back first */
      back?: number | undefined;
      /** Small enough for some million lines */
      depth?: number | undefined;
      /** The kind of game, as a spec */
      game: string;
      /**
       * Moves from the start in any notation, or a position text, or a position text, the word moves and
       * moves; empty for the start
       */
      line?: string | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** A move to play on it: in any notation, or by the names of its points, as in e3-e4 */
      play?: string | undefined;
    };
    body: undefined;
    reply: Perft;
  };
  /** Players with their games and scores */
  'GET /players': {
    path: { [name: string]: never };
    query: {
      /** Of the page: next of the answer before */
      cursor?: string | undefined;
      /** Only players of this game, as a spec; without a size all sizes */
      game?: string | undefined;
      /** Players a page */
      limit?: number | undefined;
      /** Part of a name, in any script */
      q?: string | undefined;
      /**
       * The most games first, or by name; else those that fit the query best, and without one those with the
       * most games
       */
      sort?: 'games' | 'name' | '' | undefined;
    };
    body: undefined;
    reply: Players;
  };
  /** What was said about the names of players */
  'GET /players/edits': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: PlayerEdits;
  };
  /** Merge, split or rename players; records stay as they are */
  'POST /players/edits': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: PlayerEdit;
    reply: PlayerEdited;
  };
  /** Take back what was said about the names of players */
  'DELETE /players/edits/{id}': {
    path: {
      /** The number of the change */
      id: number;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: undefined;
  };
  /** A player: names, results, opponents, openings */
  'GET /players/{name}': {
    path: {
      /** One of the names of the player */
      name: string;
    };
    query: {
      /** Only games of this kind, as a spec; without a size all sizes */
      game?: string | undefined;
    };
    body: undefined;
    reply: PlayerDetail;
  };
  /** A position, the moves that are possible in it, and what a move makes of it */
  'GET /position': {
    path: { [name: string]: never };
    query: {
      /** Moves to take back first */
      back?: number | undefined;
      /** The kind of game, as a spec */
      game: string;
      /**
       * Moves from the start in any notation, or a position text, or a position text, the word moves and
       * moves; empty for the start
       */
      line?: string | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** A move to play on it: in any notation, or by the names of its points, as in e3-e4 */
      play?: string | undefined;
    };
    body: undefined;
    reply: Position;
  };
  /** Saved queries, and those that searches noted */
  'GET /queries': {
    path: { [name: string]: never };
    query: {
      /** Of the page: next of the answer before */
      cursor?: string | undefined;
      /** Queries a page */
      limit?: number | undefined;
    };
    body: undefined;
    reply: SavedList;
  };
  /** Note a query as one of the last searches */
  'POST /queries/note': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: SaveQuery;
    reply: undefined;
  };
  /** A saved query */
  'GET /queries/{name}': {
    path: {
      /** The name that it has */
      name: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: Saved;
  };
  /** Save a query under a name */
  'PUT /queries/{name}': {
    path: {
      /** The name that it has */
      name: string;
    };
    query: { [name: string]: never };
    body: SaveQuery;
    reply: Saved;
  };
  /** Forget a saved query */
  'DELETE /queries/{name}': {
    path: {
      /** The name that it has */
      name: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: undefined;
  };
  /** Rename a saved query, or give one that a search noted its first name */
  'POST /queries/{name}/rename': {
    path: {
      /** The name that it has */
      name: string;
    };
    query: { [name: string]: never };
    body: NewName;
    reply: undefined;
  };
  /** How a query is read: its board, its conditions, its mistakes */
  'GET /query': {
    path: { [name: string]: never };
    query: {
      /** The kind of game that is meant, as in go, weiqi:9x9, xiangqi; else what the query says */
      game?: string | undefined;
      /** Answer without servers of the library that cannot be reached; the answer says so */
      partial?: boolean | undefined;
      /** A query; empty for all games */
      q?: string | undefined;
      /** Look into the lines beside the main ones, too */
      variations?: boolean | undefined;
    };
    body: undefined;
    reply: Understood;
  };
  /** What may come next in a query that is being written */
  'GET /query/complete': {
    path: { [name: string]: never };
    query: {
      /** Where the cursor is, in UTF-16 units, as browsers count */
      at?: number | undefined;
      /** What is written so far */
      q?: string | undefined;
    };
    body: undefined;
    reply: Completions;
  };
  /** The fields of the query language, the orders and groups of answers */
  'GET /query/reference': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: Reference;
  };
  /** What the pieces of a game count in likeness */
  'GET /query/weights': {
    path: { [name: string]: never };
    query: {
      /** The kind of game, as a spec */
      game: string;
    };
    body: undefined;
    reply: Weights;
  };
  /** Tell what a text is: records, a position, moves, a query; nothing is stored */
  'POST /read': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: ReadInputBody;
    reply: Read;
  };
  /** The records of a query, or all of them */
  'GET /records': {
    path: { [name: string]: never };
    query: {
      /** Tell the board of every game at the ply of the hit, and the move behind it */
      boards?: boolean | undefined;
      /** Of the page: next of the answer before */
      cursor?: string | undefined;
      /** The kind of game that is meant, as in go, weiqi:9x9, xiangqi; else what the query says */
      game?: string | undefined;
      /** Games a page */
      limit?: number | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** Answer without servers of the library that cannot be reached; the answer says so */
      partial?: boolean | undefined;
      /** A query; empty for all games */
      q?: string | undefined;
      /** The other way round */
      reverse?: boolean | undefined;
      /**
       * The order of the games; else the most like first for a fuzzy query, and that of the library for
       * others
       */
      sort?: 'store' | 'occurrences' | 'date' | 'rating' | 'likeness' | '' | undefined;
      /** Look into the lines beside the main ones, too */
      variations?: boolean | undefined;
    };
    body: undefined;
    reply: Records;
  };
  /** Delete the records of a selection */
  'POST /records/delete': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: Removal;
    reply: Changed;
  };
  /** The records of a query as a file */
  'GET /records/export': {
    path: { [name: string]: never };
    query: {
      /** A format of records, or csv, or json for the headers */
      format: string;
      /** The kind of game that is meant, as in go, weiqi:9x9, xiangqi; else what the query says */
      game?: string | undefined;
      /** The records by their numbers, instead of a query */
      ids?: number[] | undefined;
      /** The first of them alone; 0 for all */
      limit?: number | undefined;
      /** Answer without servers of the library that cannot be reached; the answer says so */
      partial?: boolean | undefined;
      /** A query; empty for all games */
      q?: string | undefined;
      /** The other way round */
      reverse?: boolean | undefined;
      /**
       * Leave out records that the format cannot hold; how many is told by the trailer Qipu-Left-Out.
       * Otherwise nothing is sent then.
       */
      skip?: boolean | undefined;
      /** The order of the records of a query; else that of the library */
      sort?: 'store' | 'occurrences' | 'date' | 'rating' | 'likeness' | '' | undefined;
      /** Look into the lines beside the main ones, too */
      variations?: boolean | undefined;
    };
    body: undefined;
    reply: Blob;
  };
  /** The records of a query by what they have in common */
  'GET /records/facets': {
    path: { [name: string]: never };
    query: {
      /** Which; several are parted by commas; all if empty */
      by?: ('year' | 'player' | 'event' | 'opening' | 'code' | 'place' | 'result' | 'length' | 'collection' | 'tag')[] | undefined;
      /** The kind of game that is meant, as in go, weiqi:9x9, xiangqi; else what the query says */
      game?: string | undefined;
      /** Groups of each; years and lengths are all told */
      limit?: number | undefined;
      /** Answer without servers of the library that cannot be reached; the answer says so */
      partial?: boolean | undefined;
      /** A query; empty for all games */
      q?: string | undefined;
      /** Look into the lines beside the main ones, too */
      variations?: boolean | undefined;
    };
    body: undefined;
    reply: Facets;
  };
  /** A record with its tree of moves, comments and boards */
  'GET /records/{id}': {
    path: {
      /** The number of the record */
      id: number;
    };
    query: {
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
    };
    body: undefined;
    reply: FullRecord;
  };
  /** Delete a record */
  'DELETE /records/{id}': {
    path: {
      /** The number of the record */
      id: number;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: undefined;
  };
  /** A picture of a moment of a record */
  'GET /records/{id}/board.svg': {
    path: {
      /** The number of the record */
      id: number;
    };
    query: {
      /** Names of columns and rows around the board */
      coordinates?: boolean | undefined;
      /** Dark surroundings, of a picture */
      dark?: boolean | undefined;
      /** Turned around */
      flip?: boolean | undefined;
      /** A node of the tree instead, where it is not 0 */
      node?: number | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** Of the main line; -1 for the end */
      ply?: number | undefined;
      /** A rectangle to mark, of a picture */
      region?: string | undefined;
      /** Simplified characters on pieces, of a picture */
      simplified?: boolean | undefined;
      /** Stones and Chinese characters instead of letters, of a text */
      unicode?: boolean | undefined;
      /** In pixels, of a picture; 0 leaves it to the page */
      width?: number | undefined;
    };
    body: undefined;
    reply: string;
  };
  /** A moment of a record in letters */
  'GET /records/{id}/board.txt': {
    path: {
      /** The number of the record */
      id: number;
    };
    query: {
      /** Names of columns and rows around the board */
      coordinates?: boolean | undefined;
      /** Dark surroundings, of a picture */
      dark?: boolean | undefined;
      /** Turned around */
      flip?: boolean | undefined;
      /** A node of the tree instead, where it is not 0 */
      node?: number | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** Of the main line; -1 for the end */
      ply?: number | undefined;
      /** A rectangle to mark, of a picture */
      region?: string | undefined;
      /** Simplified characters on pieces, of a picture */
      simplified?: boolean | undefined;
      /** Stones and Chinese characters instead of letters, of a text */
      unicode?: boolean | undefined;
      /** In pixels, of a picture; 0 leaves it to the page */
      width?: number | undefined;
    };
    body: undefined;
    reply: string;
  };
  /** A record in a format */
  'GET /records/{id}/file': {
    path: {
      /** The number of the record */
      id: number;
    };
    query: {
      /** The format; that of the record if empty, or another where that cannot be written */
      format?: string | undefined;
    };
    body: undefined;
    reply: Blob;
  };
  /** Where the board of a query occurs in a record */
  'GET /records/{id}/hits': {
    path: {
      /** The number of the record */
      id: number;
    };
    query: {
      /** A query with a board */
      q: string;
      /** Look into the lines beside the main one, too */
      variations?: boolean | undefined;
    };
    body: undefined;
    reply: Occurrences;
  };
  /** Life and death at a moment of a record, counted by the rules that it names */
  'GET /records/{id}/judge': {
    path: {
      /** The number of the record */
      id: number;
    };
    query: {
      /** Tell what is left to play */
      endgame?: boolean | undefined;
      /** Tell how the board is drawn */
      geometry?: boolean | undefined;
      /** Tell how strongly each point leans to a side */
      influence?: boolean | undefined;
      /** One of the methods; the weighed verdict if empty */
      method?: string | undefined;
      /** A node of the tree instead, where it is not 0 */
      node?: number | undefined;
      /** How many moves a searching method may try on the whole board; 0 for a usual number */
      nodes?: number | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** Of the main line; -1 for the end */
      ply?: number | undefined;
      /** How to count; by the rules of the position if empty */
      scoring?: 'area' | 'territory' | '' | undefined;
      /** Tell all steps */
      trace?: boolean | undefined;
      /** A point of a string: its steps are told, with their graphs */
      why?: string | undefined;
    };
    body: undefined;
    reply: Judgement;
  };
  /** A moment of a record: its position, and the moves that are possible */
  'GET /records/{id}/position': {
    path: {
      /** The number of the record */
      id: number;
    };
    query: {
      /** A node of the tree instead, where it is not 0 */
      node?: number | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** Of the main line; -1 for the end */
      ply?: number | undefined;
    };
    body: undefined;
    reply: Position;
  };
  /** The bytes of a record as they were read */
  'GET /records/{id}/raw': {
    path: {
      /** The number of the record */
      id: number;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: Blob;
  };
  /**
   * What the engine thinks of a game, as a stream of events: move (one of a review, the last first) for each,
   * then review (the whole), or problem; then it ends
   */
  'GET /review': {
    path: { [name: string]: never };
    query: {
      /** The kind of game, as a spec */
      game?: string | undefined;
      /** Go on behind this event, as the header Last-Event-ID says */
      lastEventId?: string | undefined;
      /** How deep it reads; the server bounds the time */
      level?: number | undefined;
      /** The moves, as the parameter line has them elsewhere */
      line?: string | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** The number of a record; else give game and line */
      record?: number | undefined;
    };
    body: undefined;
    reply: never;
    events: { [name: string]: unknown };
  };
  /** Games that are being played */
  'GET /sessions': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: Sessions;
  };
  /** Begin a game against the engine, or between two people */
  'POST /sessions': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: NewSession;
    reply: Session;
  };
  /** A game that is being played, or was some days ago */
  'GET /sessions/{id}': {
    path: {
      /** Of the session */
      id: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: Session;
  };
  /** Forget a game; its record stays where it has become one */
  'DELETE /sessions/{id}': {
    path: {
      /** Of the session */
      id: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: undefined;
  };
  /** A game as a stream of events (session, a whole one each time) until it is over */
  'GET /sessions/{id}/events': {
    path: {
      /** Of the session */
      id: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: never;
    events: { [name: string]: unknown };
  };
  /** Make a move; the engine's reply comes as an event, or with the session a moment later */
  'POST /sessions/{id}/moves': {
    path: {
      /** Of the session */
      id: string;
    };
    query: { [name: string]: never };
    body: PlayMove;
    reply: Session;
  };
  /** Give the game up */
  'POST /sessions/{id}/resign': {
    path: {
      /** Of the session */
      id: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: Session;
  };
  /** What the engine thinks of a game, as far as it has come: ask again until it is done */
  'GET /sessions/{id}/review': {
    path: {
      /** Of the session */
      id: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: Review;
  };
  /** Take back the person's last move and what followed */
  'POST /sessions/{id}/undo': {
    path: {
      /** Of the session */
      id: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: Session;
  };
  /** Shapes of the knowledge base */
  'GET /shapes': {
    path: { [name: string]: never };
    query: {
      /** Of the page: next of the answer before */
      cursor?: string | undefined;
      /** Shapes a page */
      limit?: number | undefined;
      /**
       * By their main terms, by urgency, by how often records have them, by how often they were played, or by
       * name
       */
      order?: 'base' | 'urgency' | 'seen' | 'rate' | 'name' | undefined;
      /** Where they come from; empty for anywhere */
      origin?: 'hand' | 'paper' | 'mined' | 'user' | '' | undefined;
      /** A purpose by its word */
      purpose?: string | undefined;
      /** Words in names, other names, terms or notes */
      q?: string | undefined;
      /** A term by its id, or by a name in any language */
      term?: string | undefined;
      /** 4 urgent to 1 special cases; 0 for all */
      urgency?: number | undefined;
    };
    body: undefined;
    reply: Shapes;
  };
  /** Tell how a shape is understood and what is wrong with it; nothing is stored */
  'POST /shapes/check': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: ShapeText;
    reply: ShapeReport;
  };
  /** What the base of shapes is sorted by */
  'GET /shapes/index': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: ShapeIndex;
  };
  /** What is wrong with the base of shapes */
  'GET /shapes/lint': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: ShapeReport;
  };
  /** Tasks: find the good point */
  'GET /shapes/questions': {
    path: { [name: string]: never };
    query: {
      /** How many */
      n?: number | undefined;
      /** A purpose by its word; empty for all */
      purpose?: string | undefined;
      /** Makes the choice repeatable; 0 for chance */
      seed?: number | undefined;
      /** A term by its id, or by a name in any language; empty for all */
      term?: string | undefined;
    };
    body: undefined;
    reply: ShapeQuestions;
  };
  /** A shape with all that is known of it */
  'GET /shapes/{id}': {
    path: {
      /** Of the shape */
      id: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: ShapeDetail;
  };
  /** Keep a shape in the library */
  'PUT /shapes/{id}': {
    path: {
      /** Of the shape */
      id: string;
    };
    query: { [name: string]: never };
    body: ShapeText;
    reply: ShapeDetail;
  };
  /** Take a shape out of the library; one of the program that lies below it counts again */
  'DELETE /shapes/{id}': {
    path: {
      /** Of the shape */
      id: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: undefined;
  };
  /** Tags and how many records have them */
  'GET /tags': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: undefined;
    reply: NamedList;
  };
  /** Put tags on the records of a selection, or take them off */
  'POST /tags': {
    path: { [name: string]: never };
    query: { [name: string]: never };
    body: Labelling;
    reply: Changed;
  };
  /** Rename a tag */
  'PUT /tags/{name}': {
    path: {
      /** The name that it has */
      name: string;
    };
    query: { [name: string]: never };
    body: NewName;
    reply: undefined;
  };
  /** Take a tag off all records */
  'DELETE /tags/{name}': {
    path: {
      /** The name that it has */
      name: string;
    };
    query: { [name: string]: never };
    body: undefined;
    reply: undefined;
  };
  /** Words of the game in titles and comments of the records, and those that nobody has defined */
  'GET /terms': {
    path: { [name: string]: never };
    query: {
      /** The kind of game, as a spec */
      game: string;
      /** At most so many of each list */
      limit?: number | undefined;
      /** Words in their names */
      q?: string | undefined;
    };
    body: undefined;
    reply: Terms;
  };
  /** Take the title of a game apart into its terms */
  'GET /terms/split': {
    path: { [name: string]: never };
    query: {
      /** The kind of game, as a spec */
      game: string;
      /** A title, or what is known of the game in one line */
      text?: string | undefined;
    };
    body: undefined;
    reply: SplitTerms;
  };
  /** What the engine thinks of every move of a position */
  'GET /values': {
    path: { [name: string]: never };
    query: {
      /** Moves to take back first */
      back?: number | undefined;
      /** The kind of game, as a spec */
      game: string;
      /** How deep it reads; the server bounds the time */
      level?: number | undefined;
      /**
       * Moves from the start in any notation, or a position text, or a position text, the word moves and
       * moves; empty for the start
       */
      line?: string | undefined;
      /** How moves are written; the usual notation of the game if empty */
      notation?: string | undefined;
      /** A move to play on it: in any notation, or by the names of its points, as in e3-e4 */
      play?: string | undefined;
    };
    body: undefined;
    reply: Values;
  };
}
