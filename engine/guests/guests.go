package guests

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"qipu/engine"
	"qipu/engine/external"
	"qipu/game"
)

// Guest is an engine that the owner has named.
type Guest struct {
	Name     string            `toml:"name"`
	Protocol external.Protocol `toml:"protocol"`
	Command  []string          `toml:"command"`           // the program and its arguments
	Dir      string            `toml:"dir,omitempty"`     // that it runs in; empty for where this program runs
	Games    []string          `toml:"games"`             // as users write them: go, xiangqi, gomoku
	Options  []string          `toml:"options,omitempty"` // what it is told first: see external.Options.Setup
	Values   *bool             `toml:"values,omitempty"`  // whether it tells what moves are worth, as a test has found; nil before one
	Limits   Limits            `toml:"limits,omitzero"`
}

// Silent reports whether a test has found that the guest tells no values: it plays,
// and cannot judge.
func (g *Guest) Silent() bool { return g.Values != nil && !*g.Values }

// Limits bound what a guest may take. Those of a thought count where who asks gives
// none.
type Limits struct {
	Time    time.Duration `toml:"time,omitzero"`
	Depth   int           `toml:"depth,omitzero"`
	Nodes   int64         `toml:"nodes,omitzero"`
	Threads int           `toml:"threads,omitzero"`
	Memory  int           `toml:"memory,omitzero"` // MiB that it may ask for; 0 for no bound
}

// ErrUnknown tells that no engine has a name.
var ErrUnknown = errors.New("there is no such engine")

// MaxName bounds the names of engines, in bytes.
const MaxName = 40

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Check completes a guest, and tells what is wrong with it.
func (g *Guest) Check(games game.Catalog) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("the engine %q: %w", g.Name, fmt.Errorf(format, args...))
	}
	if g.Protocol == "" {
		g.Protocol = external.GTP
	}
	switch l := &g.Limits; {
	case !nameForm.MatchString(g.Name) || len(g.Name) > MaxName:
		return wrong("a name is one word of at most %d letters, digits, dots and dashes", MaxName)
	case g.Protocol != Taught && !slices.Contains(external.Protocols, g.Protocol):
		return wrong("there is no protocol %q: the protocols are gtp, uci, ucci, nboard, gomocup", g.Protocol)
	case len(g.Command) == 0 || g.Command[0] == "":
		return wrong("it has no command: name the program and its arguments")
	case l.Time < 0 || l.Depth < 0 || l.Nodes < 0 || l.Threads < 0 || l.Threads > 256 || l.Memory < 0:
		return wrong("limits are positive")
	}
	for _, o := range g.Options {
		if strings.ContainsFunc(o, func(r rune) bool { return r < ' ' }) {
			return wrong("the option %q: an option is one line", o)
		}
	}
	if len(g.Games) == 0 && g.Protocol != external.GTP && g.Protocol != Taught { // the others were made for one game
		for _, r := range games {
			if g.Protocol.Plays(r) == nil {
				g.Games = append(g.Games, r.Info().Name)
			}
		}
	}
	if len(g.Games) == 0 {
		return wrong("which games does it play? Name them")
	}
	for _, spec := range g.Games {
		r, err := games.Find(spec)
		if err == nil && g.Protocol != Taught {
			err = g.Protocol.Plays(r)
		}
		if err != nil {
			return wrong("%w", err)
		}
	}
	return nil
}

// Plays reports whether the guest plays by some rules: the game is one of its own,
// and where that is a variant, the rules are that variant or a kind of it.
func (g *Guest) Plays(games game.Catalog, r game.Rules) bool {
	have := strings.Split(r.Info().Variant, ",")
	return (g.Protocol == Taught || g.Protocol.Plays(r) == nil) && slices.ContainsFunc(g.Games, func(spec string) bool {
		own, err := games.Find(spec)
		if err != nil || own.Info().Name != r.Info().Name {
			return false
		}
		for word := range strings.SplitSeq(own.Info().Variant, ",") {
			if word != "" && !slices.Contains(have, word) {
				return false
			}
		}
		return true
	})
}

// Taught is in place of the protocol of what learnt from games: no program, but a file
// that the command names, which File.Taught makes an engine of.
const Taught external.Protocol = "taught"

// Start starts the guest for a game.
func (g *Guest) Start(ctx context.Context, r game.Rules) (engine.Engine, error) {
	l := g.Limits
	own := engine.Limits{Time: l.Time, Depth: l.Depth, Nodes: l.Nodes}
	// GTP programs know themselves how long to think; the others would think for ever.
	if own == (engine.Limits{}) && g.Protocol != external.GTP {
		own.Time = time.Second
	}
	own.Threads = l.Threads
	return external.Start(ctx, external.Options{
		Name: g.Name, Protocol: g.Protocol, Rules: r, Command: g.Command, Dir: g.Dir, Setup: g.Options, Limits: own, Memory: int64(l.Memory) << 20,
	})
}

// Direct is a guest without a name, for one command line: "gtp:gnugo --mode gtp". ok is
// false where the text begins with no protocol.
func Direct(text string) (g *Guest, ok bool) {
	protocol, command, found := strings.Cut(text, ":")
	if !found || !slices.Contains(external.Protocols, external.Protocol(protocol)) {
		return nil, false
	}
	return &Guest{Protocol: external.Protocol(protocol), Command: strings.Fields(command)}, true
}
