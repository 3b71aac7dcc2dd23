package cli

import (
	"strings"

	"qipu/game"
	"qipu/index"
	"qipu/library"
	"qipu/record"
	"qipu/view"
	"qipu/view/gameview"
)

// Kinds returns the kinds of game that the program knows, as answers tell of them.
func (a *App) Kinds() *gameview.Kinds { return gameview.NewKinds(known{a, a.Engine, a.Judges}) }

// known is what the program knows without a library.
type known struct {
	app *App
	library.EngineMaker
	library.Judges
}

func (k known) Rules() game.Catalog      { return k.app.Games }
func (k known) Formats() []record.Format { return k.app.Formats }

func (k known) Kind(spec string) (*index.Kind, error) {
	r, err := k.app.Games.Find(spec)
	if err != nil {
		return nil, err
	}
	return index.NewKind(r), nil
}

// Kind returns the kind of game that an argument names.
func (a *App) Kind(spec string) (*gameview.Kind, error) {
	if _, err := a.Game(spec); err != nil {
		return nil, err
	}
	return a.Kinds().Find(spec)
}

// Notation checks the name of a notation of a game.
func Notation(k *gameview.Kind, name string) (game.Notation, error) {
	var known []string
	for _, n := range k.Game.Notations {
		known = append(known, n.Name)
	}
	if name != "" {
		if err := OneOf("notation", name, known...); err != nil {
			return "", err
		}
	}
	return game.Notation(name), nil
}

// Texts returns moves as they are written.
func Texts(moves []view.Move) string {
	list := make([]string, len(moves))
	for i := range moves {
		list[i] = moves[i].Text
	}
	return strings.Join(list, " ")
}
