// The programs that the owner has named, for those who may have them think: a choice among them and our own engine,
// which stays chosen for each family of games.
// i18n: engines.which
import type {Game} from './api';
import type {Context} from './app';
import {fill, h} from './dom';
import {recall, remember} from './store';
import {select} from './ui';

const kept = () => recall<{engines: Record<string, string>}>('analysis', {engines: {}});

export interface EngineChoice {
  node: HTMLElement; // hidden where there is nothing to choose
  show(game: Game): void;
  value(): string; // '' for our own engine
  ready: Promise<void>; // once the programs for the game that was shown last are known
}

export function engineChoice(ctx: Context, changed: () => void): EngineChoice {
  const {t, signal} = ctx,
    node = h('span.engine-choice', {hidden: true}),
    may = ctx.api.analyses(signal).catch(() => false);
  let game: Game | null = null,
    names: readonly string[] = [];
  const value = () => {
    const name = (game && kept().engines[game.family]) ?? '';
    return names.includes(name) ? name : '';
  };
  function draw(): void {
    node.hidden = !names.length;
    fill(
      node,
      h('small.muted', {'aria-hidden': 'true'}, t('engines.which')),
      select(
        t('engines.which'),
        ['', ...names].map(name => ({value: name, label: name || 'Qipu'})),
        value(),
        name => {
          if (game) remember('analysis', {...kept(), engines: {...kept().engines, [game.family]: name}});
          changed();
        },
      ),
    );
  }
  async function ask(of: Game): Promise<void> {
    names = [];
    try {
      if (!(await may)) return;
      const {engines} = await ctx.call('GET /engines', {query: {game: of.spec}}, signal);
      if (of !== game) return;
      names = engines.filter(e => !e.silent).map(e => e.name); // all who choose here want values
    } catch {
      /* our own engine does */
    }
    draw();
  }
  const choice: EngineChoice = {
    node,
    value,
    ready: Promise.resolve(),
    show(g) {
      if (g === game) return;
      game = g;
      choice.ready = ask(g);
    },
  };
  return choice;
}
