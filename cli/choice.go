package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/library"
	"qipu/library/ask"
	"qipu/retrieve"
	"qipu/store"
)

// WantCollection returns a collection that must be there.
func WantCollection(ctx context.Context, l *qipu.Library, name string) (*store.Collection, error) {
	c, err := l.Records().Collection(ctx, name)
	return c, noCollection(err)
}

// Numbers returns the numbers of games that arguments name; "-" stands for
// those on standard input. Each comes once, in the order given.
func (a *App) Numbers(args []string) ([]uint32, error) {
	var ids []uint32
	had := map[uint32]bool{}
	for _, arg := range args {
		words := []string{arg}
		if arg == "-" {
			text, err := a.Text(arg)
			if err != nil {
				return nil, err
			}
			words = strings.Fields(text)
		}
		for _, word := range words {
			id, err := strconv.ParseUint(word, 10, 32)
			if err != nil || id == 0 {
				return nil, Usagef("%q is no number of a game: qipu find lists games with their numbers", word)
			}
			if !had[uint32(id)] {
				had[uint32(id)] = true
				ids = append(ids, uint32(id))
			}
		}
	}
	return ids, nil
}

// Present checks that games are in the library, and names those that are not.
func Present(ctx context.Context, l *qipu.Library, ids []uint32) error {
	all, err := l.Records().IDs(ctx, "")
	if err != nil {
		return err
	}
	var none []string
	for _, id := range ids {
		if !all.Contains(id) {
			none = append(none, fmt.Sprint(id))
		}
	}
	if len(none) == 0 {
		return nil
	}
	const most = 20
	list := strings.Join(none[:min(len(none), most)], ", ")
	if len(none) > most {
		list += fmt.Sprintf(" and %d more", len(none)-most)
	}
	return fmt.Errorf("the library has no game %s: nothing was done; qipu find lists games with their numbers", list)
}

// Choice is the games that a command is about: named by number, those that a
// query finds, a collection, or all of them.
type Choice struct {
	ids               []uint32
	Query, Collection string
	All               bool
}

// Register adds the flag that chooses games by a query.
func (c *Choice) Register(a *App, cmd *cobra.Command, verb string) {
	cmd.Flags().StringVar(&c.Query, "query", "", verb+" all games that this query finds")
	_ = cmd.RegisterFlagCompletionFunc("query", a.CompleteQueryFlag)
}

// RegisterCollection adds the flag that chooses those of a collection.
func (c *Choice) RegisterCollection(a *App, cmd *cobra.Command, verb string) {
	cmd.Flags().StringVar(&c.Collection, "collection", "", verb+" all games of this collection")
	_ = cmd.RegisterFlagCompletionFunc("collection", a.CompleteNames("collection"))
}

// Take takes the numbers of games among the arguments. Games are chosen in one
// way, no more and no less; the flags are for the message.
func (c *Choice) Take(a *App, args []string, flags string) (err error) {
	if c.ids, err = a.Numbers(args); err != nil {
		return err
	}
	ways := 0
	for _, chosen := range []bool{len(args) > 0, c.Query != "", c.Collection != "", c.All} {
		if chosen {
			ways++
		}
	}
	if ways != 1 {
		return Usagef("which games? Give either their numbers%s", flags)
	}
	return nil
}

// Games returns the numbers of the games, all of which are there.
func (c *Choice) Games(ctx context.Context, a *App, l *qipu.Library) ([]uint32, error) {
	switch {
	case c.Query != "":
		reply, err := a.Found(ctx, l, &ask.Question{Text: c.Query, Request: retrieve.Request{Limit: 1, NoContinuations: true}})
		if err != nil {
			return nil, err
		}
		return reply.Found.ToArray(), nil
	case c.Collection == "":
		return c.ids, Present(ctx, l, c.ids)
	}
	found, err := WantCollection(ctx, l, c.Collection)
	if err != nil {
		return nil, err
	}
	members, err := l.Notes().Members(ctx, found.ID)
	if err != nil {
		return nil, err
	}
	return members.ToArray(), nil
}

// Found asks a query for its games. Where it finds none, that is said, and the
// command ends.
func (a *App) Found(ctx context.Context, l *qipu.Library, q *ask.Question) (*ask.Reply, error) {
	reply, err := a.Ask(ctx, l, q)
	if err != nil {
		return nil, err
	}
	if reply.Games == 0 {
		fmt.Fprintf(a.Err, "no game is found by %s: nothing was done; qipu query explain tells how the query is read\n", Printable(q.Text))
		return nil, Silent(ExitNothing)
	}
	return reply, nil
}

// noCollection adds the nearest name to the error of a collection that is not
// there.
func noCollection(err error) error {
	var none *library.NoCollectionError
	if errors.As(err, &none) {
		return fmt.Errorf("%w%s", err, DidYouMean(none.Name, none.Known))
	}
	return err
}
