// How far the librarian is, who values positions of the book in the background: the owner starts and pauses it.
// i18n: librarian.*
import type {BookLearning, Game} from '../api';
import type {Context} from '../app';
import {dots, fill, fmt, h} from '../dom';
import {engineChoice} from '../engines';
import {button, progress} from '../ui';

export interface LibrarianBox {
  node: HTMLElement;
  show(game: Game): void;
}

const busy = ['surveying', 'learning', 'waiting'];

// librarianBox tells changed when values may be others.
export function librarianBox(ctx: Context, changed: () => void): LibrarianBox {
  const {t, lang, signal} = ctx,
    f = fmt(lang);
  const bar = progress(t('librarian.title')),
    told = h('p.small.muted', {role: 'status'}),
    acts = h('div.row'),
    teacher = engineChoice(ctx, () => undefined);
  const node = h(
    'details.librarian',
    {hidden: true},
    h('summary', t('librarian.title')),
    told,
    bar.node,
    h('div.row', acts, teacher.node),
  );
  let game: Game | null = null,
    following = false;

  const act = (what: 'start' | 'pause', label: string) =>
    button(label, async () => {
      if (!game) return;
      try {
        draw(
          await ctx.call('POST /book/learning', {
            body: {game: game.spec, do: what, ...(teacher.value() && {engine: teacher.value()})},
          }),
        );
        void follow();
      } catch (err) {
        ctx.fail(err);
      }
    });

  function draw(s: BookLearning): void {
    const goes = busy.includes(s.phase);
    fill(
      told,
      s.problem
        ? t('librarian.failed', {why: s.problem})
        : dots(
            t(s.whole && s.phase === 'idle' ? 'librarian.games' : `librarian.phase.${s.phase}`) +
              (s.total
                ? ' ' +
                  t(s.whole ? 'librarian.farGames' : 'librarian.far', {
                    done: f.number(s.valued),
                    total: f.number(s.total),
                    level: s.level,
                    games: s.games,
                  })
                : ''),
            s.teacher && t('librarian.teacher', {engine: s.teacher}),
          ),
    );
    bar.node.hidden = !s.total && !goes;
    bar.set(s.total ? s.valued / s.total : null);
    teacher.node.classList.toggle('off', goes); // who teaches is chosen before
    fill(
      acts,
      goes ? act('pause', t('librarian.pause')) : act('start', t(s.whole ? 'librarian.startGames' : 'librarian.start')),
    );
  }

  // follow looks again as long as something is being done.
  async function follow(): Promise<void> {
    if (following || !game) return;
    following = true;
    try {
      for (let last = -1; game && !signal.aborted;) {
        const s: BookLearning = await ctx.call('GET /book/learning', {query: {game: game.spec}}, signal);
        draw(s);
        if (last >= 0 && s.searched !== last) changed();
        last = s.searched;
        if (!busy.includes(s.phase)) break;
        await new Promise(go => setTimeout(go, 2000));
      }
    } catch {
      // the next look at the book asks again
    } finally {
      following = false;
    }
  }

  const owner = ctx.api.owns().catch(() => false);
  return {
    node,
    show(g) {
      if (g === game) return;
      game = g;
      teacher.show(g);
      void owner.then(mine => {
        node.hidden = !mine;
        if (mine) void follow();
      });
    },
  };
}
