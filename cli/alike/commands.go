// Package alike has the commands of mining that tell what is alike, and trees.
package alike

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/index"
	room "qipu/mine/alike"
)

// Commands returns the commands, which stand below "mine".
func Commands(a *cli.App) []*cobra.Command {
	m := &miner{a}
	return []*cobra.Command{m.treeCommand(), m.clusterCommand(), m.likeCommand(), m.styleCommand()}
}

type miner struct{ *cli.App }

// memory is how much of it mining may take before garbage is collected more often.
const memory = 1 << 30

// ask opens what asks a library, with a bar of progress.
func (m *miner) ask(ctx context.Context, do func(l *qipu.Library, r *room.Room, p room.Progress) error) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory))
	return m.Reading(ctx, func(l *qipu.Library) error {
		bar := m.NewProgress("games", 0)
		defer bar.Close()
		err := do(l, room.New(l.Records(), l.Search(), l.Players()), bar.Games)
		if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return cli.ErrInterrupted
		}
		return err
	})
}

// kind returns the kind of game that is meant: that of the flag, or the one that the
// library has.
func (m *miner) kind(ctx context.Context, l *qipu.Library, spec string) (*index.Kind, error) {
	if spec != "" {
		if _, err := m.Game(spec); err != nil {
			return nil, err
		}
		return l.Records().Kind(spec)
	}
	var most index.Tally
	kinds := 0
	err := l.Records().View(ctx, func(v index.View) error {
		for _, t := range v.Tally() {
			if t.Games > 0 {
				kinds++
			}
			if t.Games > most.Games {
				most = t
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case most.Kind == nil:
		return nil, errors.New("the library has no games: qipu import reads some")
	case kinds > 1:
		return nil, cli.Usagef("the library has games of %d kinds: say which by --game, as in --game %s", kinds, most.Kind.Rules.Info().Name)
	}
	return most.Kind, nil
}

// notes says what was left out.
func (m *miner) notes(left []string) {
	for i, text := range left {
		left[i] = "left out: " + text
	}
	m.Notes(left)
}
