package game

import (
	"fmt"
	"slices"
	"strings"
)

// Must returns rules that cannot fail to be made, as those that a package declares.
func Must[R Rules](r R, err error) R {
	if err != nil {
		panic(err)
	}
	return r
}

// Catalog is a list of games to choose from by name.
type Catalog []Rules

// Find returns the rules that a user means by "go", "weiqi", "go:9x9" or
// "go:9x9,japanese": a name or alias in any case, then a variant.
func (c Catalog) Find(spec string) (Rules, error) {
	name, variant, _ := strings.Cut(spec, ":")
	for _, r := range c {
		nick, ok := r.Info().Answers(name)
		if !ok {
			continue
		}
		variant := strings.Trim(nick+","+variant, ",")
		if variant == "" {
			return r, nil
		}
		v, ok := r.(Varied)
		if !ok {
			return nil, fmt.Errorf("%s has no variants", r.Info().Name)
		}
		return v.Variant(variant)
	}
	unknown := &UnknownError{Name: name, Known: c.names()}
	for _, r := range c {
		unknown.Games = append(unknown.Games, r.Info().Name)
	}
	return nil, unknown
}

// Shown returns the games without those of a shelf: what lists of games show, and
// what a text may be a record of that does not name its game.
func (c Catalog) Shown() Catalog {
	return slices.DeleteFunc(slices.Clone(c), func(r Rules) bool { return r.Info().Shelf != "" })
}

// Check refuses a catalogue in which two games answer to one word: the second
// would never be found by it.
func (c Catalog) Check() error {
	for i, r := range c {
		for _, word := range r.Info().words() {
			for _, other := range c[:i] {
				if _, taken := other.Info().Answers(word); taken {
					return fmt.Errorf("two games are called %q: %s and %s", word, other.Info().Name, r.Info().Name)
				}
			}
		}
	}
	return nil
}

// words returns all that the game and its variants are called.
func (info *Info) words() []string {
	t := info.Titles
	list := append([]string{info.Name, t.En, t.Hant, t.Hans, t.Ja, t.Ko}, info.Aliases...)
	for _, nick := range info.Nicknames {
		list = append(list, nick.Name)
	}
	return slices.DeleteFunc(list, func(word string) bool { return word == "" })
}

// Answers reports whether name is a name of the game in any language and any
// case, or of one of its variants, which it returns then.
func (info *Info) Answers(name string) (variant string, ok bool) {
	for _, nick := range info.Nicknames {
		if strings.EqualFold(name, nick.Name) {
			return nick.Variant, true
		}
	}
	return "", slices.ContainsFunc(info.words(), func(word string) bool { return strings.EqualFold(name, word) })
}

func (c Catalog) names() []string {
	var list []string
	for _, r := range c {
		list = append(list, r.Info().Name)
		list = append(list, r.Info().Aliases...)
		for _, nick := range r.Info().Nicknames {
			list = append(list, nick.Name)
		}
	}
	return list
}

// UnknownError tells that there is no game of that name, and which there are.
type UnknownError struct {
	Name  string
	Games []string // the names of the games
	Known []string // their aliases too
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("no game is called %q: the games are %s", e.Name, strings.Join(e.Games, ", "))
}
