// The list that a record was opened from: where in the record its query is met, and the games beside this one.
import type {FullRecord, Game, Hit, Region as WireRegion} from '../api';
import type {Context} from '../app';
import {regionName} from '../core';
import {h} from '../dom';
import {withQuery} from '../router';
import {regionOf} from '../search/results';
import {iconButton} from '../ui';
import {type Line, type Place, nextPlace, placeAt} from './model';

// Moment is what the viewer shows now.
interface Moment {
  address: URL;
  line: Line;
  current: number;
}

export class Hits {
  readonly node: HTMLElement;
  #list: readonly Place[] = [];
  #count = h('b');

  constructor(
    private readonly ctx: Context,
    private readonly record: FullRecord,
    private readonly game: Game | undefined,
    private readonly now: () => Moment,
    private readonly stop: () => void, // playing
    private readonly say: (first: string) => void, // goes on to tell the move
  ) {
    const {t} = ctx;
    this.node = h(
      'span.btns.rec-hits',
      {role: 'group', 'aria-label': t('record.hits'), hidden: true},
      iconButton(t('record.previousHit'), 'previous', () => this.next(-1)),
      this.#count,
      iconButton(t('record.nextHit'), 'next', () => this.next(1)),
    );
  }

  // find asks where in this record the query is met. Without a board in it there are no places.
  async find(): Promise<void> {
    const q = this.now().address.searchParams.get('q');
    if (!q || !this.game) return;
    const found = await this.ctx
      .call('GET /records/{id}/hits', {path: {id: this.record.summary.id}, query: {q}})
      .catch(() => null); // the record can be read without
    this.#list = found?.hits.filter(x => !x.variation).map(x => ({ply: x.ply, region: this.#named(x.region)})) ?? [];
    this.show();
  }

  // show tells which of the hits is on the board.
  show(): void {
    const {address, line, current} = this.now(),
      at = placeAt(this.#list, line, current, address.searchParams.get('region'));
    this.node.hidden = !this.#list.length;
    this.#count.textContent = this.ctx.t('record.hit', {i: at < 0 ? '–' : at + 1, n: this.#list.length});
  }

  // next goes to the next place where the query is met, and draws the region there.
  next(by: 1 | -1): void {
    const {ctx} = this,
      {address, line, current} = this.now(),
      list = this.#list,
      i = nextPlace(list, line, current, address.searchParams.get('region'), by),
      x = list[i];
    if (!x) return ctx.toast(ctx.t(!list.length ? 'record.noHits' : by > 0 ? 'record.lastHit' : 'record.firstHit'));
    this.stop();
    const to = line.at(x.ply);
    line.visit(to);
    ctx.go(
      withQuery(new URL(address.pathname + address.search, location.href), {region: x.region}) + line.hash(to),
      'replace',
    );
    this.say(ctx.t('record.hit', {i: i + 1, n: list.length}));
  }

  // neighbour opens the game before or behind this one among those of the query. The list is asked for when it is
  // wanted.
  async neighbour(by: 1 | -1): Promise<void> {
    const {ctx, record} = this,
      q = this.now().address.searchParams,
      ask = {
        q: q.get('q') ?? '',
        game: q.get('g') ?? '',
        sort: (q.get('sort') ?? '') as '',
        reverse: q.get('rev') === '1',
        limit: 500,
      };
    try {
      let before: Hit | undefined,
        found = false,
        cursor = '';
      for (let pages = 0; pages < 20; pages++) {
        const list = await ctx.call('GET /records', {query: {...ask, cursor}});
        for (const x of list.records) {
          if (found) return this.#open(x);
          if (x.record.id === record.summary.id) {
            if (by < 0) return before ? this.#open(before) : ctx.toast(ctx.t('record.firstGame'));
            found = true;
          }
          before = x;
        }
        if (!(cursor = list.next)) break;
      }
      ctx.toast(ctx.t(found ? 'record.lastGame' : 'record.notListed'));
    } catch (err) {
      ctx.fail(err);
    }
  }

  #open(x: Hit): void {
    const {address} = this.now(),
      region = x.record.game === this.game?.spec ? this.#named(x.region) : null,
      to = new URL(withQuery(address, {region}), location.href);
    to.pathname = `/records/${x.record.id}`;
    to.hash = x.ply >= 0 ? String(x.ply) : '';
    this.ctx.go(to.pathname + to.search + to.hash, 'replace');
  }

  #named(r: WireRegion | undefined): string | null {
    return r && this.game ? regionName(this.game.geometry, regionOf(r)) : null;
  }
}
