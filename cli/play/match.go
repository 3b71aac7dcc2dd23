package play

import (
	"bufio"
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

	"qipu/view"

	"github.com/spf13/cobra"

	"qipu/arena"
	"qipu/board"
	"qipu/cli"
	"qipu/cli/convert"
	"qipu/engine"
	"qipu/engine/external"
	"qipu/game"
	"qipu/opening"
	"qipu/record"
)

type matchOptions struct {
	game, openings, out, clock, test string
	games, plies, parallel           int
	seed                             uint64
}

func matchCommand(a *cli.App) *cobra.Command {
	o := matchOptions{}
	cmd := &cobra.Command{
		Use:   "match A B",
		Short: "Let two engines play a match, and tell which is stronger",
		Long: `Play games between two engines. A and B tell how each of them plays, by words with
commas between them:

  level=N        one of the levels of play, 1 to 20
  depth=N        reads so many plies
  nodes=N        reads so many positions for a move
  time=D         thinks so long about a move: 100ms, 2s
  threads=N      thinks with so many threads
  name=TEXT      its name in the records
  random         makes any move
  gtp:COMMAND    another program, which speaks GTP; this comes last, since the
                 command is all that follows: "time=100ms,gtp:edax -gtp"

Every opening is played twice, with the sides exchanged. Openings (--openings) are
  random    moves by chance, as many as --plies says
  balanced  the same, but neither side is ahead, as far as an engine sees ("xot")
  names     the openings of the game that have names, in an order by chance
  a file    with a list of moves on each line, and a name behind a # if it has one

An engine that crashes, makes an illegal move or is out of
time loses the game. Strength is told in Elo, with the interval that has the true
value in 95 of 100 matches, reckoned from pairs of games. --test LOW,HIGH ends the
match as soon as it proves that A is stronger by HIGH rather than by LOW, or not.

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
	f.StringVarP(&o.game, "game", "g", "othello", "game, such as go:9x9, othello, xiangqi, renju")
	_ = cmd.RegisterFlagCompletionFunc("game", func(cmd *cobra.Command, _ []string, text string) ([]string, cobra.ShellCompDirective) {
		return a.CompleteGames(cmd, nil, text)
	})
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

// matchJSON is a match as --json prints it, behind the games.
type matchJSON struct {
	Type     string    `json:"type"` // "match"
	Game     string    `json:"game"`
	Players  [2]string `json:"players"`
	Games    int       `json:"games"`
	Wins     int       `json:"wins"`
	Draws    int       `json:"draws"`
	Losses   int       `json:"losses"`
	Points   float64   `json:"points"`
	Elo      float64   `json:"elo"`
	Margin   float64   `json:"margin"`
	Better   float64   `json:"better"`
	Pairs    [5]int    `json:"pairs"`
	Troubles [2]int    `json:"troubles"`
	LLR      float64   `json:"llr,omitempty"`
	Verdict  string    `json:"verdict,omitempty"`
}

// matchGameJSON is a game of a match.
type matchGameJSON struct {
	Type    string   `json:"type"` // "game"
	Number  int      `json:"number"`
	Opening string   `json:"opening"`
	First   string   `json:"first"`
	Second  string   `json:"second"`
	Result  string   `json:"result"`
	Points  float64  `json:"points"` // of the first player of the match
	Plies   int      `json:"plies"`
	Moves   []string `json:"moves"`
	Trouble string   `json:"trouble,omitempty"`
	Nodes   [2]int64 `json:"nodes"` // by player of the match
}

func match(ctx context.Context, a *cli.App, o *matchOptions, first, second string) error {
	r, err := a.Game(o.game)
	if err != nil {
		return err
	}
	var players [2]arena.Player
	for i, spec := range []string{first, second} {
		if players[i], err = matchPlayer(ctx, a, r, spec); err != nil {
			return err
		}
	}
	if players[0].Name == players[1].Name {
		players[0].Name += " (A)"
		players[1].Name += " (B)"
	}
	options := arena.Options{Rules: r, Games: o.games, Plies: o.plies, Parallel: o.parallel, Seed: o.seed}
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
	bar := a.NewProgress("games", options.Games)
	options.Done = func(*arena.Game) { bar.Step(1) }
	result, err := arena.Match(ctx, players[0], players[1], options)
	bar.Close()
	if result == nil {
		return err
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
	judge := func(ctx context.Context, p game.Position) (engine.Value, error) {
		setup := game.SetupOf(p)
		r, err := e.Think(ctx, &engine.Task{Rules: o.Rules, Start: &setup}, engine.Limits{Depth: 8, Nodes: 20_000}, nil)
		if err != nil {
			return 0, err
		}
		return r.Best().Value, nil
	}
	for i := range n {
		start := opening.StartOptions{Plies: o.Plies, Seed: board.Mix(o.Seed) + uint64(i), Judge: judge}
		moves, err := opening.Start(ctx, o.Rules, start)
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

// matchPlayer reads how an engine is to play.
func matchPlayer(ctx context.Context, a *cli.App, r game.Rules, spec string) (arena.Player, error) {
	p := arena.Player{Name: spec}
	wrong := func(word string) error {
		return cli.Usagef("%q: %q is not a way to play: give level=5, depth=6, nodes=10000, time=100ms, random or gtp:COMMAND", spec, word)
	}
	words, command, hosted := strings.Cut(spec, "gtp:")
	level, random := 0, false
	for word := range strings.SplitSeq(strings.Trim(words, ","), ",") {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(value)
		if name == "random" || name == "" || name == "time" || name == "name" {
			err = nil
		}
		if err != nil || n < 0 {
			return p, wrong(word)
		}
		switch name {
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
		case "random":
			random = true
		case "":
			if !hosted {
				return p, wrong(word)
			}
		default:
			return p, wrong(word)
		}
	}
	switch {
	case hosted && (random || level > 0) || random && level > 0:
		return p, cli.Usagef("%q: level, random and gtp: exclude each other", spec)
	case hosted:
		args := strings.Fields(command)
		if len(args) == 0 {
			return p, wrong("gtp:")
		}
		p.Make = func() (engine.Engine, error) {
			return external.Start(ctx, external.Options{Rules: r, Command: args})
		}
	case random:
		p.Make = func() (engine.Engine, error) { return engine.Random{}, nil }
	default:
		if level == 0 && p.Limits.Depth == 0 && p.Limits.Nodes == 0 && p.Limits.Time == 0 {
			return p, cli.Usagef("%q: how far is it to think? Give depth=N, nodes=N or time=D with it", spec)
		}
		p.Make = func() (engine.Engine, error) {
			e, err := a.Engine(r, engine.Options{Threads: p.Limits.Threads})
			if err == nil && level > 0 {
				e = engine.AtLevel(e, level)
			}
			return e, err
		}
	}
	return p, nil
}

func printMatch(a *cli.App, r game.Rules, players [2]arena.Player, m *arena.Result) error {
	t := &cli.Table{Columns: []string{"game", "opening", "first", "second", "result", "points", "plies", "note"}}
	for _, g := range m.Games {
		first, second := players[g.First].Name, players[1-g.First].Name
		j := matchGameJSON{
			Type: "game", Number: g.Number, Opening: g.Opening, First: first, Second: second, Result: g.Record.Facts.Result.SGF(record.SidesOf(r)),
			Points: g.Points, Plies: g.Plies, Moves: []string{}, Trouble: g.Trouble, Nodes: g.Nodes,
		}
		for _, n := range g.Record.Nodes[1:] {
			j.Moves = append(j.Moves, n.Move)
		}
		t.Add(j, strconv.Itoa(g.Number), g.Opening, first, second, j.Result, fmt.Sprint(g.Points), strconv.Itoa(g.Plies), g.Trouble)
	}
	if a.JSON || a.CSV {
		if err := a.Print(t); err != nil || a.CSV {
			return err
		}
		return a.PrintJSON(matchJSON{
			Type: "match", Game: r.Info().Name, Players: [2]string{players[0].Name, players[1].Name},
			Games: m.Score.Games, Wins: m.Wins, Draws: m.Draws, Losses: m.Losses, Points: m.Points, Pairs: m.Pairs, Troubles: m.Troubles,
			Elo: view.Rounded(m.Elo), Margin: view.Rounded(m.Margin), Better: view.Rounded(m.Better), LLR: view.Rounded(m.LLR), Verdict: m.Verdict,
		})
	}
	for i, n := range m.Troubles {
		if n > 0 {
			fmt.Fprintf(a.Err, "%s lost %s otherwise than on the board:\n", players[i].Name, cli.Plural(n, "game"))
		}
	}
	for _, g := range m.Games {
		if g.Lost >= 0 {
			fmt.Fprintf(a.Err, "game %d: %s: %s\n", g.Number, players[g.Lost].Name, g.Trouble)
		}
	}
	if m.Score.Games == 0 {
		return nil
	}
	_, err := fmt.Fprintf(a.Out, `%s against %s: %s of %s
won %d, drawn %d, lost %d: %g points, %.1f %%
Elo %+.0f ± %.0f, stronger with a probability of %.1f %%
pairs with 0, ½, 1, 1½, 2 points: %d, %d, %d, %d, %d
`,
		players[0].Name, players[1].Name, cli.Plural(m.Score.Games, "game"), r.Info().Titles.En,
		m.Wins, m.Draws, m.Losses, m.Points, 100*m.Points/float64(m.Score.Games),
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
