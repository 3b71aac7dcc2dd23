package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/query"
)

// completion is what cobra asks for words that an argument or a flag may be.
type completion = func(cmd *cobra.Command, args []string, last string) ([]string, cobra.ShellCompDirective)

// completeQuery completes the last word of a query. What the arguments before
// it say counts, but only the last one can be changed.
func (a *app) completeQuery(cmd *cobra.Command, args []string, last string) ([]string, cobra.ShellCompDirective) {
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

// completeQueryFlag completes a flag whose value is a query.
func (a *app) completeQueryFlag(cmd *cobra.Command, _ []string, last string) ([]string, cobra.ShellCompDirective) {
	return a.completeQuery(cmd, nil, last)
}

// completeNames completes a flag whose value is a name of a field.
func (a *app) completeNames(field string) completion {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
		c := &completer{app: a, ctx: cmd.Context()}
		return c.Names(field, prefix, mostNames), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFirst completes the first so many arguments, which are names of a
// field.
func (a *app) completeFirst(field string, n int) completion {
	names := a.completeNames(field)
	return func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= n {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return names(cmd, args, prefix)
	}
}

// mostNames is how many names a shell is offered, and completeTime how long it
// waits for them.
const (
	mostNames    = 50
	completeTime = 500 * time.Millisecond
)

// completer knows the names in the library, which it opens when it is asked.
// Nobody who types waits for one that cannot be opened: it has no names then.
type completer struct {
	app *app
	ctx context.Context
}

// Names returns names of a field that begin with a prefix, or have a word that
// does.
func (c *completer) Names(field, prefix string, limit int) []string {
	ctx, cancel := context.WithTimeout(c.ctx, completeTime)
	defer cancel()
	l, err := c.app.openLibrary(ctx, qipu.Options{ReadOnly: true})
	if err != nil {
		return nil
	}
	defer l.Close()
	return l.Completer(ctx).Names(field, prefix, limit)
}
