package manage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu/board"
	"qipu/cli"
	"qipu/game"
)

// gameJSON is a kind of game as --json prints it.
type gameJSON struct {
	Type      string         `json:"type"` // "game"
	Name      string         `json:"name"`
	Titles    board.Names    `json:"titles"`
	Aliases   []string       `json:"aliases"`
	Variant   string         `json:"variant"`
	Sides     []sideJSON     `json:"sides"`
	Notations []wordJSON     `json:"notations"`
	Variants  []wordJSON     `json:"variants"`
	Geometry  board.Geometry `json:"geometry"`
	Start     string         `json:"start"`
}

type sideJSON struct {
	Name   string      `json:"name"`
	Titles board.Names `json:"titles"`
}

type wordJSON struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

func describeGame(r game.Rules) gameJSON {
	info := r.Info()
	g := gameJSON{
		Type: "game", Name: info.Name, Titles: info.Titles, Variant: info.Variant,
		Aliases: append([]string{}, info.Aliases...), Sides: []sideJSON{}, Notations: []wordJSON{}, Variants: []wordJSON{},
		Geometry: r.Geometry().Whole(), Start: game.FormatPosition(r, r.Start()),
	}
	for _, s := range info.Sides {
		g.Sides = append(g.Sides, sideJSON{s.Name, s.Titles})
	}
	for _, n := range info.Notations {
		g.Notations = append(g.Notations, wordJSON{string(n.Name), n.Summary})
	}
	for _, v := range info.Variants {
		g.Variants = append(g.Variants, wordJSON{v.Name, v.Summary})
	}
	return g
}

func gamesCommand(a *cli.App) *cobra.Command {
	var lang string
	cmd := &cobra.Command{
		Use:   "games [GAME]",
		Short: "List the games, or tell about one",
		Long: `List the games that the program knows, or tell the notations and variants of one.

A game is named in any language, with a variant after a colon: othello:10x10.`,
		Example: `  qipu games
  qipu games othello
  qipu games --lang ja
  qipu games --json`,
		Args:              cli.ArgCount(0, 1),
		ValidArgsFunction: a.CompleteGames,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := cli.OneOf("lang", lang, "en", "zh-Hant", "zh-Hans", "ja", "ko"); err != nil {
				return err
			}
			if len(args) == 0 {
				return listGames(a, lang)
			}
			r, err := a.Game(args[0])
			if err != nil {
				return err
			}
			return tellGame(a, r, lang)
		},
	}
	cmd.Flags().StringVar(&lang, "lang", "en", "language of names: en, zh-Hant, zh-Hans, ja or ko")
	return cmd
}

func listGames(a *cli.App, lang string) error {
	t := &cli.Table{Columns: []string{"game", "title", "board", "also", "notations"}}
	for _, r := range a.Games {
		info := r.Info()
		var notations []string
		for _, n := range info.Notations {
			notations = append(notations, string(n.Name))
		}
		also := slices.Clone(info.Aliases)
		for _, nick := range info.Nicknames {
			also = append(also, nick.Name)
		}
		t.Add(describeGame(r), info.Name, info.Titles.In(lang), r.Geometry().Size.String(),
			strings.Join(also, " "), strings.Join(notations, " "))
	}
	return a.Print(t)
}

func tellGame(a *cli.App, r game.Rules, lang string) error {
	g := describeGame(r)
	t := &cli.Table{Columns: []string{"what", "name", "meaning"}}
	if a.JSON {
		return a.PrintJSON(g)
	}
	row := func(what, name, meaning string) { t.Add(nil, what, name, meaning) }
	row("game", g.Name, g.Titles.In(lang))
	if g.Variant != "" {
		row("variant", g.Variant, "")
	}
	row("board", r.Geometry().Size.String(), "columns x rows")
	for i, s := range g.Sides {
		row("side", s.Name, fmt.Sprintf("%s, moves as number %d", s.Titles.In(lang), i+1))
	}
	for _, n := range g.Notations {
		row("notation", n.Name, n.Summary)
	}
	for _, v := range g.Variants {
		row("variant word", v.Name, v.Summary)
	}
	for _, nick := range r.Info().Nicknames {
		row("nickname", nick.Name, "means "+g.Name+":"+nick.Variant)
	}
	row("start", g.Start, "")
	return a.Print(t)
}
