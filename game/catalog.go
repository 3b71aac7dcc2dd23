package game

import (
	"fmt"
	"strings"
)

// Catalog is a list of games to choose from by name.
type Catalog []Rules

// Find returns the rules that a user means by "go", "weiqi", "go:9x9" or
// "go:9x9,japanese": a name or alias in any case, then a variant.
func (c Catalog) Find(spec string) (Rules, error) {
	name, variant, _ := strings.Cut(spec, ":")
	for _, r := range c {
		nick, ok := r.Info().answers(name)
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

// answers reports whether name is a name of the game in any language, or of
// one of its variants, which it returns then.
func (info *Info) answers(name string) (variant string, ok bool) {
	t := info.Titles
	for _, known := range append([]string{info.Name, t.En, t.Hant, t.Hans, t.Ja, t.Ko}, info.Aliases...) {
		if strings.EqualFold(name, known) {
			return "", true
		}
	}
	for _, nick := range info.Nicknames {
		if strings.EqualFold(name, nick.Name) {
			return nick.Variant, true
		}
	}
	return "", false
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
