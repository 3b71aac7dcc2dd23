package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/library/ask"
	"qipu/query"
	"qipu/remedy"
	"qipu/remedy/shellwords"
	"qipu/retrieve"
	"qipu/store"
	"qipu/text"
)

// Ask asks the library, and tells what may have been meant otherwise.
func (a *App) Ask(ctx context.Context, l *qipu.Library, q *ask.Question) (*ask.Reply, error) {
	far := a.NewSearching()
	q.OnTick = far.Tick
	reply, err := l.Ask(ctx, q)
	far.Close()
	if err != nil {
		return nil, query.WithText(err, q.Text)
	}
	a.Notes(reply.Hints)
	if len(reply.Scanned) > 0 {
		a.Notes([]string{shellwords.Say(remedy.BuildNames.With(""))})
	}
	return reply, a.tellSaved(ctx, l, reply)
}

// tellSaved tells that a word was taken for the name of a saved query, and not
// looked for in the games.
func (a *App) tellSaved(ctx context.Context, l *qipu.Library, r *ask.Reply) error {
	word, alone := "", true
	query.Walk(r.Query, func(q query.Q) bool {
		switch q := q.(type) {
		case query.And:
		case query.Field:
			switch {
			case q.Name == "text" && word == "":
				word = q.Value
			case q.Name != "game":
				alone = false
			}
		default:
			alone = false
		}
		return alone
	})
	if word == "" || !alone {
		return nil
	}
	s, err := l.Notes().SavedQuery(ctx, text.Fold(word))
	switch {
	case errors.Is(err, store.ErrNoRow):
		return nil
	case err != nil:
		return err
	case s.Kind == "" || s.Kind == r.Kinds[0].Name:
		const most = 100
		a.Notes([]string{fmt.Sprintf("the saved query %s: %s", SavedName(&s), Shorten(strings.ReplaceAll(s.Query, "\n", "/"), most))})
	}
	return nil
}

// Notes tells what may have been meant otherwise.
func (a *App) Notes(hints []string) {
	for _, hint := range hints {
		fmt.Fprintf(a.Err, "note: %s\n", Printable(hint))
	}
}

// Order returns the order that is asked for: of a query about likeness, without
// another word, the most like first.
func (a *App) Order(ctx context.Context, l *qipu.Library, q *ask.Question, name string) (retrieve.Order, error) {
	if name != "" {
		return retrieve.ParseOrder(name)
	}
	p, err := l.Search().Prepare(ctx, q)
	if err != nil {
		return 0, query.WithText(err, q.Text)
	}
	return p.Order(), nil
}

// Remember keeps the board of a reply. That it cannot be kept, because somebody
// else writes to the library or nobody may, takes nothing from the answer.
func (a *App) Remember(ctx context.Context, l *qipu.Library, r *ask.Reply) {
	if r.Partial || ctx.Err() != nil {
		return
	}
	if err := l.Search().Remember(ctx, r); err != nil && a.ErrTerm {
		fmt.Fprintf(a.Err, "note: the board is not remembered: %v\n", err)
	}
}

// TakesGame adds --game to a command that asks a query.
func (a *App) TakesGame(cmd *cobra.Command, game *string) {
	a.GameFlag(cmd, game, "", "game, such as go, go:9x9, othello, xiangqi, renju (default: what the query says)")
}

// GameFlag adds --game to a command.
func (a *App) GameFlag(cmd *cobra.Command, game *string, usual, usage string) {
	cmd.Flags().StringVarP(game, "game", "g", usual, usage)
	_ = cmd.RegisterFlagCompletionFunc("game", func(cmd *cobra.Command, _ []string, text string) ([]string, cobra.ShellCompDirective) {
		return a.CompleteGames(cmd, nil, text)
	})
}

// Question makes a question of a query, and refuses a game that is unknown.
func (a *App) Question(text, spec string, r retrieve.Request) (*ask.Question, error) {
	if spec != "" {
		if _, err := a.Game(spec); err != nil {
			return nil, err
		}
	}
	return &ask.Question{Text: text, Game: spec, Request: r}, nil
}

// SavedName returns what a saved query is called: an automatic one by what
// describes it.
func SavedName(s *store.Saved) string {
	if s.Name == "" {
		return s.Described
	}
	return s.Name
}
