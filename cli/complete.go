package cli

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"qipu"
	"qipu/query"
)

// Completion is what cobra asks for words that an argument or a flag may be.
type Completion = func(cmd *cobra.Command, args []string, last string) ([]string, cobra.ShellCompDirective)

// CompleteQuery completes the last word of a query. What the arguments before
// it say counts, but only the last one can be changed.
func (a *App) CompleteQuery(cmd *cobra.Command, args []string, last string) ([]string, cobra.ShellCompDirective) {
	before := ""
	if len(args) > 0 {
		before = strings.Join(args, " ") + " "
	}
	whole := before + last
	var list []string
	for _, s := range query.Complete(whole, len(whole), &completer{app: a, ctx: cmd.Context()}) {
		if from := s.From - len(before); from >= 0 && from <= len(last) {
			list = append(list, last[:from]+s.Text+"\t"+s.Help)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// CompleteQueryFlag completes a flag whose value is a query.
func (a *App) CompleteQueryFlag(cmd *cobra.Command, _ []string, last string) ([]string, cobra.ShellCompDirective) {
	return a.CompleteQuery(cmd, nil, last)
}

// CompleteNames completes a flag whose value is a name of a field.
func (a *App) CompleteNames(field string) Completion {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
		c := &completer{app: a, ctx: cmd.Context()}
		return c.Names(field, prefix, mostNames), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteFirst completes the first so many arguments, which are names of a
// field.
func (a *App) CompleteFirst(field string, n int) Completion {
	names := a.CompleteNames(field)
	return func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= n {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return names(cmd, args, prefix)
	}
}

// mostNames is how many names a shell is offered, and soon how long it waits for
// them where App does not say.
const (
	mostNames = 50
	soon      = 500 * time.Millisecond
)

// completer knows the names in the library, which it opens when it is asked.
// Nobody who types waits for one that cannot be opened: it has no names then.
type completer struct {
	app *App
	ctx context.Context
}

// Names returns names of a field that begin with a prefix, or have a word that
// does.
func (c *completer) Names(field, prefix string, limit int) []string {
	ctx, cancel := context.WithTimeout(c.ctx, cmp.Or(c.app.Completion, soon))
	defer cancel()
	l, err := c.app.OpenLibrary(ctx, qipu.Options{ReadOnly: true})
	if err != nil {
		return nil
	}
	defer l.Close()
	return l.Search().Completer(ctx).Names(field, prefix, limit)
}

// Languages are those that names are told in.
var Languages = []string{"en", "zh-Hant", "zh-Hans", "ja", "ko"}

// Completes has a shell offer words for a flag.
func Completes(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// Enum adds a flag that has a fixed set of values: others are refused, and shells offer
// them. What it is without the flag may be another, such as nothing.
func Enum(cmd *cobra.Command, p *string, name, usual, usage string, values ...string) {
	enum(cmd, cmd.Flags(), p, name, usual, usage, values)
}

func enum(cmd *cobra.Command, flags *pflag.FlagSet, p *string, name, usual, usage string, values []string) {
	*p = usual
	flags.Var(&enumValue{p, name, usual, values}, name, usage)
	Completes(cmd, name, values...)
}

type enumValue struct {
	p           *string
	name, usual string
	values      []string
}

func (e *enumValue) String() string { return *e.p }
func (e *enumValue) Type() string   { return "string" }

func (e *enumValue) Set(text string) error {
	if text != e.usual {
		if err := OneOf(e.name, text, e.values...); err != nil {
			return err
		}
	}
	*e.p = text
	return nil
}
