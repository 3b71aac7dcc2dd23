package manage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/view"
	"qipu/view/gameview"
)

func gamesCommand(a *cli.App) *cobra.Command {
	var lang string
	var lab bool
	cmd := &cobra.Command{
		Use:   "games [GAME]",
		Short: "List the games, or tell about one",
		Long: `List the games that the program knows, or tell the notations and variants of one.

A game is named in any language, with a variant after a colon: othello:10x10.`,
		Example: `  qipu games
  qipu games othello
  qipu games --lang ja
  qipu games --lab
  qipu games --json`,
		Args:              cli.ArgCount(0, 1),
		ValidArgsFunction: a.CompleteGames,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listGames(a, lang, lab)
			}
			k, err := a.Kind(args[0])
			if err != nil {
				return err
			}
			return tellGame(a, k, lang)
		},
	}
	cmd.Flags().BoolVar(&lab, "lab", false, "list the small games on which methods of search are studied")
	cli.Enum(cmd, &lang, "lang", "en", "language of names: en, zh-Hant, zh-Hans, ja or ko", cli.Languages...)
	return cmd
}

func listGames(a *cli.App, lang string, lab bool) error {
	t := &cli.Table{Columns: []string{"game", "title", "board", "also", "notations"}}
	kinds := a.Kinds()
	for _, r := range a.Games {
		if (r.Info().Shelf != "") != lab {
			continue
		}
		k, err := kinds.Find(r.Info().Name)
		if err != nil {
			return err
		}
		g := &k.Game
		var notations []string
		for _, n := range g.Notations {
			notations = append(notations, n.Name)
		}
		also := slices.Clone(g.Aliases)
		for _, nick := range r.Info().Nicknames {
			also = append(also, nick.Name)
		}
		t.Add(cli.Typed("game", g), g.Spec, g.Titles.In(lang), g.Geometry.Size.String(), strings.Join(also, " "), strings.Join(notations, " "))
	}
	return a.Print(t)
}

func tellGame(a *cli.App, k *gameview.Kind, lang string) error {
	g := &k.Game
	if a.JSON {
		return a.PrintJSON(cli.Typed("game", g))
	}
	t := &cli.Table{Columns: []string{"what", "name", "meaning"}}
	row := func(what, name, meaning string) { t.Add(nil, what, name, meaning) }
	row("game", g.Family, g.Titles.In(lang))
	if g.Variant != "" {
		row("variant", g.Variant, "")
	}
	row("board", g.Geometry.Size.String(), "columns x rows")
	for i, s := range g.Sides {
		row("side", s.Name, fmt.Sprintf("%s, moves as number %d", s.Titles.In(lang), i+1))
	}
	for _, n := range g.Notations {
		row("notation", n.Name, n.Summary)
	}
	for _, v := range g.Variants {
		row("variant word", v.Name, v.Summary)
	}
	for _, nick := range k.Rules.Info().Nicknames {
		row("nickname", nick.Name, "means "+g.Family+":"+nick.Variant)
	}
	tellLevels(row, g.Levels)
	row("start", k.StartText, "")
	if text := g.Howto.In(lang); text != "" {
		row("rules", "", text)
	}
	return a.Print(t)
}

// tellLevels tells how strong the computer can be: each level that a ladder has
// rated, and how many there are where none has.
func tellLevels(row func(what, name, meaning string), levels []view.Level) {
	rated := false
	for _, l := range levels {
		if r := l.Rating; r != nil {
			text := fmt.Sprintf("about %d ± %d on the ladder", r.Elo, r.Margin)
			if r.Share > 0 {
				text += fmt.Sprintf("; makes %.0f %% of the points against level %d", 100*r.Share, l.Number-1)
			}
			row("level", strconv.Itoa(l.Number), text)
			rated = true
		}
	}
	if n := len(levels); n > 0 && !rated {
		row("levels", fmt.Sprintf("1 to %d", levels[n-1].Number), "of rising work; how strong they are was not measured")
	}
}
