// Package match has the command that lets engines play matches.
package match

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu/arena"
	"qipu/board"
	"qipu/board/draw"
	"qipu/cli"
	"qipu/cli/convert"
	"qipu/engine"
	"qipu/engine/guests"
	"qipu/game"
	"qipu/opening"
	"qipu/record"
	"qipu/view"
	"qipu/view/gameview"
)

type matchOptions struct {
	game, openings, out, clock, test string
	games, plies, parallel           int
	seed                             uint64
}

// Commands returns the command match.
func Commands(a *cli.App) []*cobra.Command { return []*cobra.Command{matchCommand(a)} }

func matchCommand(a *cli.App) *cobra.Command {
	o := matchOptions{}
	cmd := &cobra.Command{
		Use:   "match A B",
		Short: "Let two engines play a match, and tell which is stronger",
		Long: `Play games between two engines. A and B tell how each of them plays, by words with
commas between them:

  level=N        one of the levels of play, 1 to 12
  depth=N        reads so many plies
  nodes=N        reads so many positions for a move
  time=D         thinks so long about a move: 100ms, 2s
  threads=N      thinks with so many threads
  general        reads by plain alpha-beta instead of the engine that plays best
  patterns       counts patterns with names, where the game has weights for them: in the
                 evaluation, or in Go in where moves are expected
  name=TEXT      its name in the records
  random         makes any move
  engine=NAME    another program, by the name that qipu engines gave it
  gtp:COMMAND    another program by its command line and protocol (gtp, uci, ucci,
                 nboard, gomocup); this comes last, since the command is all that
                 follows: "time=100ms,gtp:edax -gtp"

Every opening is played twice, with the sides exchanged. Openings (--openings) are
  random    moves by chance, as many as --plies says
  balanced  the same, but neither side is ahead, as far as an engine sees ("xot")
  names     the openings of the game that have names, in an order by chance
  a file    with a list of moves on each line, and a name behind a # if it has one

Games are printed as they end. A game in which an engine crashes, makes an illegal
move or does not answer in time scores nothing, and a match with such a game tells no
Elo and ends with an error; after three faults of one engine it is broken off. Strength is told in Elo, with the interval that has the true
value in 95 of 100 matches, reckoned from pairs of games. --test LOW,HIGH ends the
match as soon as it proves that A is stronger by HIGH rather than by LOW, or not.

Games of Go are counted by the rules of --game when both have passed: by what both
call dead where they agree, else by the program's own judgement where it is sure, else
by playing on until it is. A game that stays open is counted apart, and scores nothing.

With limits of depth or nodes the same --seed gives the same match.`,
		Example: `  qipu match level=5 level=3 --games 20
  qipu match depth=2 random --game xiangqi --games 4 --out games.pgn
  qipu match level=4 level=3 --games 20 --openings balanced --parallel 0
  qipu match nodes=2000 nodes=1000 --test 0,200 --games 100 --json`,
		Args: cli.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			defer debug.SetMemoryLimit(debug.SetMemoryLimit(cli.MatchMemory))
			return match(cmd.Context(), a, &o, args[0], args[1])
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := cmd.Flags()
	a.GameFlag(cmd, &o.game, "othello", "game, such as go:9x9, othello, xiangqi, renju")
	f.IntVar(&o.games, "games", 20, "number of games, at most; rounded up to pairs")
	f.StringVar(&o.openings, "openings", "random", "random, balanced, names, or a file with a list of moves on each line")
	f.IntVar(&o.plies, "plies", 0, "number of moves that random openings have (default: as suits the game)")
	f.IntVar(&o.parallel, "parallel", 1, "games that are played at once; 0 for one a processor")
	f.StringVar(&o.clock, "clock", "", "time for the whole game and for each move: 60s+1s")
	f.StringVar(&o.test, "test", "", "end the match when it proves one of two differences in Elo: 0,50")
	f.StringVar(&o.out, "out", "", "file for the games: .sgf, .ggf, .pgn, by what the game can be written in")
	f.Uint64Var(&o.seed, "seed", 1, "of all that is by chance")
	return cmd
}

// matched is a match as --json prints it, behind the games. Games in which an
// engine failed are counted in faults alone.
type matched struct {
	Game    string    `json:"game"`
	Players [2]string `json:"players"`
	Games   int       `json:"games"`
	Wins    int       `json:"wins"`
	Draws   int       `json:"draws"`
	Losses  int       `json:"losses"`
	Points  float64   `json:"points"`
	Pairs   [5]int    `json:"pairs"`
	Faults  [2]int    `json:"faults"`

	// Unsettled are games that both ended by passing and nobody could count.
	Unsettled int `json:"unsettled,omitempty"`
	*Rating
}

// Rating is what a match without faults proves. It is embedded, which needs an
// exported type.
type Rating struct {
	Elo     float64 `json:"elo"`
	Margin  float64 `json:"margin"`
	Better  float64 `json:"better"`
	LLR     float64 `json:"llr,omitempty"`
	Verdict string  `json:"verdict,omitempty"`
}

// matchedGame is a game of a match.
type matchedGame struct {
	Number  int       `json:"number"`
	Opening string    `json:"opening"`
	Players [2]string `json:"players"` // who moves first is the first
	Result  string    `json:"result"`
	Points  float64   `json:"points"` // of the first player of the match
	Plies   int       `json:"plies"`
	Moves   []string  `json:"moves"`
	Fault   string    `json:"fault,omitempty"` // what ended it, which scores nothing
	Nodes   [2]int64  `json:"nodes"`           // by player of the match

	Unsettled bool `json:"unsettled,omitempty"` // nobody could count it, which scores nothing
}

func match(ctx context.Context, a *cli.App, o *matchOptions, first, second string) error {
	r, err := a.Game(o.game)
	if err != nil {
		return err
	}
	var players [2]arena.Player
	for i, spec := range []string{first, second} {
		if players[i], err = Player(ctx, a, r, spec); err != nil {
			return err
		}
	}
	if players[0].Name == players[1].Name {
		players[0].Name += " (A)"
		players[1].Name += " (B)"
	}
	options := arena.Options{Rules: r, Settlers: a.Settlers, Games: o.games, Plies: o.plies, Parallel: o.parallel, Seed: o.seed}
	if err := arenaOptions(ctx, a, o, &options); err != nil {
		return err
	}
	var format record.Format
	if o.out != "" {
		if format, err = convert.Target(a, &convert.Options{}, o.out); err != nil {
			return err
		}
		if !record.Holds(format, r.Info().Name) {
			return cli.Usagef("%s cannot hold games of %s: give --out another extension", format.Info().Title, r.Info().Titles.En)
		}
		// Better to hear of it now than when all is played.
		if info, err := os.Stat(filepath.Dir(o.out)); err != nil || !info.IsDir() {
			return cli.Usagef("--out %s: there is no folder %s: make it first", o.out, filepath.Dir(o.out))
		}
	}
	var printed error
	bar := a.NewProgress("games", options.Games)
	widest := max(draw.Cells(players[0].Name), draw.Cells(players[1].Name))
	feed := a.NewFeed(bar, []string{"game", "opening", "first", "second", "result", "points", "plies", "note"}, 4, 15, widest, widest)
	options.Done = func(g *arena.Game) {
		printed = cmp.Or(printed, printGame(feed, r, players, g))
		bar.Step(1)
	}
	result, err := arena.Match(ctx, players[0], players[1], options)
	bar.Close()
	if result == nil || printed != nil {
		return cmp.Or(printed, err)
	}
	// What was played before an interrupt counts too.
	if printed := printMatch(a, r, players, result); printed != nil {
		return printed
	}
	if format != nil && len(result.Games) > 0 {
		if err := writeMatch(a, format, o.out, result.Games); err != nil {
			return err
		}
	}
	return err
}

// arenaOptions reads the flags that need reading.
func arenaOptions(ctx context.Context, a *cli.App, o *matchOptions, to *arena.Options) (err error) {
	switch {
	case o.games < 1:
		return cli.Usagef("--games %d: want at least one", o.games)
	case o.plies < 0 || o.plies > 100:
		return cli.Usagef("--plies %d: want 0 to 100", o.plies)
	case o.parallel < 0:
		return cli.Usagef("--parallel %d: want a number of games, or 0 for one a processor", o.parallel)
	case o.parallel == 0:
		to.Parallel = runtime.GOMAXPROCS(0)
	}
	if o.clock != "" {
		main, increment, _ := strings.Cut(o.clock, "+")
		if to.Main, err = time.ParseDuration(main); err == nil && increment != "" {
			to.Increment, err = time.ParseDuration(increment)
		}
		if err != nil || to.Main <= 0 || to.Increment < 0 {
			return cli.Usagef("--clock %s: want times such as 60s or 60s+1s", o.clock)
		}
	}
	if o.test != "" {
		low, high, _ := strings.Cut(o.test, ",")
		to.Test = &arena.SPRT{}
		var err1 error
		to.Test.Low, err = strconv.ParseFloat(low, 64)
		to.Test.High, err1 = strconv.ParseFloat(high, 64)
		if err != nil || err1 != nil || !(to.Test.Low < to.Test.High) || math.Abs(to.Test.Low)+math.Abs(to.Test.High) > 2000 {
			return cli.Usagef("--test %s: want two differences in Elo, the smaller first: 0,50", o.test)
		}
	}
	switch o.openings {
	case "random":
	case "balanced", "xot":
		to.Openings, err = balancedOpenings(ctx, a, to, (o.games+1)/2)
	case "names":
		to.Openings, err = namedOpenings(to)
	default:
		to.Openings, err = readOpenings(to.Rules, o.openings)
	}
	return err
}

// balancedOpenings makes openings by chance that an engine finds even.
func balancedOpenings(ctx context.Context, a *cli.App, o *arena.Options, n int) (list []arena.Opening, err error) {
	e, err := a.Engine(o.Rules, engine.Options{})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	for i := range n {
		moves, err := arena.Balanced(ctx, o.Rules, e, o.Plies, board.Mix(o.Seed)+uint64(i))
		if err != nil {
			return nil, err
		}
		list = append(list, arena.Opening{Name: fmt.Sprintf("balanced %d", i+1), Moves: moves})
	}
	return list, nil
}

// namedOpenings returns the openings of a game that have names.
func namedOpenings(o *arena.Options) (list []arena.Opening, err error) {
	for _, n := range opening.Of(o.Rules).List() {
		list = append(list, arena.Opening{Name: n.Names.En, Moves: n.Moves})
	}
	if len(list) == 0 {
		return nil, cli.Usagef("no openings of %s have names here: give --openings random, balanced or a file", o.Rules.Info().Titles.En)
	}
	rand.New(rand.NewPCG(o.Seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list, nil
}

// readOpenings reads a file with a list of moves on each line.
func readOpenings(r game.Rules, path string) (list []arena.Opening, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text, name, _ := strings.Cut(lines.Text(), "#")
		if text, name = strings.TrimSpace(text), strings.TrimSpace(name); text == "" {
			continue
		}
		p := r.Start()
		moves, err := game.ParseMoves(r, p, text)
		if err == nil && p.Outcome().Over() {
			err = errors.New("the game is over then: give fewer moves")
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if name == "" {
			name = text
		}
		list = append(list, arena.Opening{Name: name, Moves: moves})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no openings: write a list of moves on each line", path)
	}
	return list, nil
}

// Player reads how an engine is to play, in the words of the command match.
func Player(ctx context.Context, a *cli.App, r game.Rules, spec string) (arena.Player, error) {
	p := arena.Player{Name: spec}
	wrong := func(word string) error {
		return cli.Usagef("%q: %q is not a way to play: give level=5, depth=6, nodes=10000, time=100ms, random, engine=NAME or gtp:COMMAND", spec, word)
	}
	words, guest := spec, (*guests.Guest)(nil)
	for at := 0; guest == nil && at >= 0; {
		if g, ok := guests.Direct(spec[at:]); ok {
			words, guest = spec[:at], g
		}
		next := strings.IndexByte(spec[at:], ',')
		if at += next + 1; next < 0 {
			break
		}
	}
	name := ""
	level, random, patterns, general := 0, false, false, false
	for word := range strings.SplitSeq(strings.Trim(words, ","), ",") {
		key, value, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(value)
		if key == "random" || key == "patterns" || key == "general" || key == "" || key == "time" || key == "name" || key == "engine" {
			err = nil
		}
		if err != nil || n < 0 {
			return p, wrong(word)
		}
		switch key {
		case "level":
			if level = n; n < engine.MinLevel || n > engine.MaxLevel {
				return p, cli.Usagef("%q: levels go from %d to %d", spec, engine.MinLevel, engine.MaxLevel)
			}
		case "depth":
			p.Limits.Depth = n
		case "nodes":
			p.Limits.Nodes = int64(n)
		case "threads":
			if p.Limits.Threads = n; n < 1 || n > 256 {
				return p, cli.Usagef("%q: threads go from 1 to 256", spec)
			}
		case "time":
			if p.Limits.Time, err = time.ParseDuration(value); err != nil || p.Limits.Time <= 0 {
				return p, wrong(word)
			}
		case "name":
			p.Name = value
		case "engine":
			if name = value; p.Name == spec {
				p.Name = value
			}
		case "random":
			random = true
		case "patterns":
			patterns = true
		case "general":
			general = true
		case "":
			if guest == nil {
				return p, wrong(word)
			}
		default:
			return p, wrong(word)
		}
	}
	switch {
	case cli.Several(guest != nil, name != "", random, level > 0):
		return p, cli.Usagef("%q: level, random, engine and gtp: exclude each other", spec)
	case (patterns || general) && (guest != nil || name != "" || random):
		return p, cli.Usagef("%q: patterns and general are for the engine of this program", spec)
	case guest != nil:
		if len(guest.Command) == 0 {
			return p, wrong(string(guest.Protocol) + ":")
		}
		p.Make = func() (engine.Engine, error) { return guest.Start(ctx, r) }
	case name != "":
		p.Make = func() (engine.Engine, error) { return a.Engine(r, engine.Options{Name: name}) }
	case random:
		p.Make = func() (engine.Engine, error) { return engine.Random{}, nil }
	default:
		if level == 0 && p.Limits.Depth == 0 && p.Limits.Nodes == 0 && p.Limits.Time == 0 {
			return p, cli.Usagef("%q: how far is it to think? Give depth=N, nodes=N or time=D with it", spec)
		}
		p.Make = func() (engine.Engine, error) {
			e, err := a.Engine(r, engine.Options{Threads: p.Limits.Threads, Patterns: patterns, General: general})
			if err == nil && level > 0 {
				e = engine.AtLevel(e, level)
			}
			return e, err
		}
	}
	return p, nil
}

// printGame prints a game that has ended.
func printGame(t *cli.Feed, r game.Rules, players [2]arena.Player, g *arena.Game) error {
	first, second := players[g.First].Name, players[1-g.First].Name
	j := matchedGame{
		Number: g.Number, Opening: g.Opening, Players: [2]string{first, second}, Result: g.Record.Facts.Result.SGF(record.SidesOf(r)),
		Points: g.Points, Plies: g.Plies, Moves: []string{}, Nodes: g.Nodes, Unsettled: g.Unsettled,
	}
	for _, n := range g.Record.Nodes[1:] {
		j.Moves = append(j.Moves, n.Move)
	}
	points := fmt.Sprint(g.Points)
	if g.Faulty >= 0 {
		points, j.Fault = "-", players[g.Faulty].Name+": "+g.Fault
	}
	note := j.Fault
	if g.Unsettled {
		points, note = "-", "nobody can tell what is dead"
	}
	return t.Add(cli.Typed("game", j), strconv.Itoa(g.Number), g.Opening, first, second, j.Result, points, strconv.Itoa(g.Plies), note)
}

// printMatch prints what the games come to. There is no Elo where an engine failed.
func printMatch(a *cli.App, r game.Rules, players [2]arena.Player, m *arena.Result) error {
	sound := m.Faults == [2]int{} && m.Score.Games > 0
	switch {
	case a.CSV:
		return nil
	case a.JSON:
		j := matched{
			Game: gameview.RulesSpec(r), Players: [2]string{players[0].Name, players[1].Name},
			Games: m.Score.Games, Wins: m.Wins, Draws: m.Draws, Losses: m.Losses, Points: m.Points, Pairs: m.Pairs, Faults: m.Faults, Unsettled: m.Unsettled,
		}
		if sound {
			j.Rating = &Rating{Elo: view.Rounded(m.Elo), Margin: view.Rounded(m.Margin), Better: view.Rounded(m.Better), LLR: view.Rounded(m.LLR), Verdict: m.Verdict}
		}
		return a.PrintJSON(cli.Typed("match", j))
	case m.Score.Games == 0:
		return nil
	}
	_, err := fmt.Fprintf(a.Out, "\n%s against %s: %s of %s\nwon %d, drawn %d, lost %d: %g points, %.1f %%\n",
		players[0].Name, players[1].Name, cli.Plural(m.Score.Games, "game"), r.Info().Titles.En,
		m.Wins, m.Draws, m.Losses, m.Points, 100*m.Points/float64(m.Score.Games))
	if err == nil && m.Unsettled > 0 {
		_, err = fmt.Fprintf(a.Out, "%s without a result: both passed, and nobody can tell what is dead\n", cli.Plural(m.Unsettled, "game"))
	}
	if err != nil || !sound {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "Elo %+.0f ± %.0f, stronger with a probability of %.1f %%\npairs with 0, ½, 1, 1½, 2 points: %d, %d, %d, %d, %d\n",
		m.Elo, m.Margin, 100*m.Better, m.Pairs[0], m.Pairs[1], m.Pairs[2], m.Pairs[3], m.Pairs[4])
	if err == nil && m.LLR != 0 {
		verdict := map[string]string{arena.ProvesHigh: "proved", arena.ProvesLow: "refuted", "": "open"}[m.Verdict]
		_, err = fmt.Fprintf(a.Out, "test: %s, log-likelihood ratio %.2f\n", verdict, m.LLR)
	}
	return err
}

// writeMatch writes the games of a match into a file.
func writeMatch(a *cli.App, format record.Format, path string, games []*arena.Game) error {
	c := &convert.Converter{App: a, Format: format, Options: &convert.Options{}}
	referee := record.NewReferee(a.Games)
	list := make(chan *record.Game, len(games))
	for _, g := range games {
		if fit := c.Fit(referee.Play(g.Record)); fit != nil {
			list <- fit
		}
	}
	close(list)
	if err := (&convert.Single{Converter: c, Path: path}).Write(list); err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "%s written to %s\n", cli.Plural(c.Written, "game"), path)
	if c.Left > 0 {
		return cli.Silent(cli.ExitData)
	}
	return nil
}
