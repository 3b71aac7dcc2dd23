// The sheet above a record, as the page has it: what is written goes out in order and is shown when the server has
// answered; what others write comes by a stream. Without a connection changes wait, also over a reload.
import type {StudyEdit, StudyEdits, StudySheet} from '../api';
import type {Context} from '../app';
import {Problem} from '../client';
import {recall, remember} from '../store';
import {Outbox, newPage} from './model';

export type State = 'saved' | 'saving' | 'offline';

export interface Acts {
  show(sheet: StudySheet, mine: boolean): void; // mine: it was changed here, and its last node is to be shown
  state(s: State): void;
}

export class Sheet {
  #now: StudySheet;
  readonly #box: Outbox;
  readonly #path: {id: number};
  #following = false;

  constructor(
    readonly ctx: Context,
    sheet: StudySheet,
    readonly notation: () => string | undefined,
    readonly acts: Acts,
  ) {
    this.#now = sheet;
    this.#path = {id: sheet.record.summary.id};
    const name = `sheet.${this.#path.id}.${sheet.of}`;
    this.#box = new Outbox(
      {
        load: () => recall<{list: StudyEdits[]}>(name, {list: []}).list,
        save: list => remember(name, {list}),
      },
      newPage(),
    );
    if (this.#box.waiting) void this.#send();
    addEventListener('online', () => void this.#send(), {signal: ctx.signal});
    this.follow();
  }

  get now(): StudySheet {
    return this.#now;
  }

  // take shows a sheet that was read elsewhere, in another notation.
  take(sheet: StudySheet): void {
    this.#now = sheet;
  }

  write(edit: StudyEdit): void {
    this.#box.add(edit, this.#now.revision);
    void this.#send();
  }

  async #send(): Promise<void> {
    const batch = this.#box.begin();
    if (!batch) return;
    this.acts.state('saving');
    let again = false;
    try {
      const sheet = await this.ctx.api.call(
        'POST /records/{id}/sheet',
        {path: this.#path, query: {of: this.#of(), notation: this.notation()}, body: batch},
        this.ctx.signal,
      );
      this.#now = sheet;
      this.acts.show(sheet, true);
    } catch (err) {
      again = this.ctx.signal.aborted || !(err instanceof Problem) || err.status === 0 || err.status >= 500;
      if (!again) this.ctx.fail(err);
    } finally {
      this.#box.end(again);
    }
    if (again) return this.acts.state('offline');
    this.acts.state(this.#box.waiting ? 'saving' : 'saved');
    if (this.#box.waiting) void this.#send();
  }

  #of(): string {
    return this.#now.of || 'library';
  }

  // follow shows what others write, as it comes.
  follow(): void {
    if (this.#following) return;
    this.#following = true;
    const revision = ({revision}: {revision: number}) => {
      if (revision > this.#now.revision && !this.#box.waiting) void this.#read();
    };
    void this.ctx.api
      .events(`/records/${this.#path.id}/sheet/events`, {of: this.#of()}, {revision}, this.ctx.signal)
      .catch(() => undefined);
  }

  async #read(): Promise<void> {
    try {
      const sheet = await this.ctx.api.call(
        'GET /records/{id}/sheet',
        {path: this.#path, query: {of: this.#of(), notation: this.notation()}},
        this.ctx.signal,
      );
      if (sheet.revision <= this.#now.revision) return;
      this.#now = sheet;
      this.acts.show(sheet, false);
    } catch {
      /* the next event asks again */
    }
  }
}
