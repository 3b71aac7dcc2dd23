package builtin_test

import (
	"bytes"
	"context"
	"path"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/game"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/recordtest"
	"qipu/record/wthor"
)

// each reads everything below a path of the collection of real games.
func each(t *testing.T, name string, sink func(*record.Played), fault func(*record.Fault)) *ingest.Report {
	t.Helper()
	o := ingest.Options{Formats: builtin.Formats(), Games: builtin.Games(), OnFault: fault}
	if sink != nil {
		o.Sink = sinkFunc(sink)
	}
	report, err := ingest.Run(context.Background(), o, testkit.Games(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

type sinkFunc func(*record.Played)

func (f sinkFunc) Add(_ context.Context, p *record.Played) error {
	f(p)
	return nil
}

// count is what an archive holds.
type count struct {
	archive      string
	game         string
	games, moves int // moves are 0 where the collection states none
	marked       int
}

// TestRealGames reads every archive of real games and accounts for every record
// in it. The counts of records and moves are those that the collection states;
// the counts of marked records are our own, looked at one by one.
func TestRealGames(t *testing.T) {
	list := []count{
		{"go/go-pro-6300.tar.gz", "weiqi", 6300, 1319336, 5},
		{"go/go-pro-more.tar.gz", "weiqi", 30000, 6264910, 16},
		{"go/go-kgs6d.tar.gz", "weiqi", 10000, 2004233, 0},
		{"go/go-ai.tar.gz", "weiqi", 4366, 718001, 28},
		{"go/go-tom9d.tar.gz", "weiqi", 10000, 0, 2},
		{"go/go-tygem9d.tar.gz", "weiqi", 30000, 0, 0},
		{"go/go-small-boards.tar.gz", "weiqi", 416, 0, 0},
		{"othello/wthor.tar.gz", "othello", 92070, 0, 0},
		{"xiangqi/xiangqi-games.tar.gz", "xiangqi", 17648, 0, 3},
		{"xiangqi/xiangqi-positions.tar.gz", "xiangqi", 1259, 0, 6},
		{"renju/renju-games.tar.gz", "renju", 3270, 0, 2},
		{"go-testsets/counted.tar.gz", "weiqi", 565, 0, 0},
		{"go-testsets/tsumego.tar.gz", "weiqi", 604, 0, 0},
		{"go-testsets/regression.tar.gz", "weiqi", 1039, 0, 37},
	}
	if !testkit.Shared() {
		list = []count{
			{"go/go-pro-6300.tar.gz", "weiqi", 60, 0, 0},
			{"go/go-small-boards.tar.gz", "weiqi", 60, 0, 0},
			{"othello/wthor.tar.gz", "othello", 120, 0, 0},
			{"othello/othello-positions.tar.gz", "othello", 120, 0, 0},
			{"xiangqi/xiangqi-games.tar.gz", "xiangqi", 60, 0, 0},
			{"xiangqi/xiangqi-formats.tar.gz", "xiangqi", 54, 0, 0},
			{"renju/renju-games.tar.gz", "renju", 52, 0, 0},
			{"renju/renju-formats.tar.gz", "renju", 20, 0, 0},
		}
	}
	for _, c := range list {
		t.Run(path.Base(c.archive), func(t *testing.T) {
			report := each(t, c.archive, nil, nil)
			if report.ByGame[c.game] != c.games || report.Games != c.games || report.Rejected > 0 {
				t.Errorf("%d records, %v, %d rejected, want %d of %s", report.Games, report.ByGame, report.Rejected, c.games, c.game)
			}
			if c.moves > 0 && report.Moves != c.moves {
				t.Errorf("%d moves, want %d", report.Moves, c.moves)
			}
			if report.Games-report.Legal > report.Marked || report.Marked != c.marked {
				t.Errorf("%d legal and %d marked of %d, want %d marked", report.Legal, report.Marked, report.Games, c.marked)
			}
		})
	}
}

// TestRealOddities checks that every odd, broken or unusual file is a record or
// has its fault explained, and that none is rejected.
func TestRealOddities(t *testing.T) {
	said := map[string]bool{}
	report := each(t, "odd/odd.tar.gz",
		func(p *record.Played) { said[p.Game.Place.File] = true },
		func(f *record.Fault) { said[f.Place.File] = true })
	least := 290
	if !testkit.Shared() {
		least = 35
	}
	if report.Rejected > 0 || report.Games < least {
		t.Errorf("%d records, %d rejected", report.Games, report.Rejected)
	}
	odd := testkit.Games(t, "odd/odd.tar.gz")
	for name := range testkit.Archive(t, odd) {
		if !said[odd+"!"+name] {
			t.Errorf("nothing is said of %s", name)
		}
	}
}

// TestRealRoundTrips writes real games in their own format and reads them back.
// CI takes a sample, the full scale every game.
func TestRealRoundTrips(t *testing.T) {
	formats := map[string]record.Format{}
	for _, f := range builtin.Formats() {
		if _, ok := f.(record.Writer); ok {
			formats[f.Info().Name] = f
		}
	}
	every := testkit.Scale(10, 1)
	archives := []string{
		"go/go-pro-6300.tar.gz", "go/go-pro-more.tar.gz", "go/go-kgs6d.tar.gz", "go/go-ai.tar.gz", "go/go-tygem9d.tar.gz", "go/go-tom9d.tar.gz",
		"go/go-small-boards.tar.gz", "go-testsets/tsumego.tar.gz", "go-testsets/counted.tar.gz", "odd/odd.tar.gz", "othello/wthor.tar.gz",
		"othello/othello-positions.tar.gz", "xiangqi/xiangqi-games.tar.gz", "xiangqi/xiangqi-positions.tar.gz", "xiangqi/xiangqi-formats.tar.gz",
		"renju/renju-games.tar.gz", "renju/renju-formats.tar.gz",
	}
	if !testkit.Shared() {
		every = 1
		archives = []string{
			"go/go-pro-6300.tar.gz", "go/go-small-boards.tar.gz", "odd/odd.tar.gz", "othello/wthor.tar.gz", "othello/othello-positions.tar.gz",
			"xiangqi/xiangqi-games.tar.gz", "xiangqi/xiangqi-formats.tar.gz", "renju/renju-games.tar.gz", "renju/renju-formats.tar.gz",
		}
	}
	for _, archive := range archives {
		t.Run(path.Base(archive), func(t *testing.T) {
			seen, done := 0, 0
			each(t, archive, func(p *record.Played) {
				f := formats[p.Game.Format]
				if seen++; f == nil || seen%every != 0 && every > 1 && p.Game.Format != "xqf" {
					return
				}
				if !recordtest.RoundTripGame(t, f, p.Game) {
					t.Errorf("%s: game %d cannot be written in its own format", p.Game.Place.File, p.Game.Place.Number)
				}
				done++
			}, nil)
			if t.Logf("%d of %d records", done, seen); done == 0 {
				t.Error("none was written")
			}
		})
	}
}

// TestRealWTHOR writes every WTHOR file back to the byte.
func TestRealWTHOR(t *testing.T) {
	files := 0
	for name, data := range testkit.Archive(t, testkit.Games(t, "othello/wthor.tar.gz")) {
		if !strings.EqualFold(path.Ext(name), ".wtb") {
			continue
		}
		games, faults := recordtest.ReadAll(t, wthor.Format, recordtest.Source(name, data))
		if len(faults) > 0 {
			t.Fatalf("%s: %v", name, faults[0])
		}
		var b bytes.Buffer
		err := wthor.Format.(record.Writer).Write(&b, func(yield func(*record.Game) bool) {
			for _, g := range games {
				if !yield(g) {
					return
				}
			}
		})
		if err != nil || !bytes.Equal(b.Bytes(), data) {
			t.Errorf("%s is not written back to the byte (%v)", name, err)
		}
		files++
	}
	if files == 0 {
		t.Error("no .wtb files")
	}
	t.Logf("%d files", files)
}

// TestRealTwins compares the games that are there twice, once in coordinates
// and once in Chinese notation. Games are taken for twins if their first 40
// plies are the same: from there on the notations must agree.
func TestRealTwins(t *testing.T) {
	const opening = 40
	line := func(p *record.Played) []game.Move {
		moves := make([]game.Move, len(p.Steps))
		for i, s := range p.Steps {
			moves[i] = s.Move
		}
		return moves
	}
	chinese := map[string][][]game.Move{}
	each(t, "xiangqi/xiangqi-games.tar.gz", func(p *record.Played) {
		if moves := line(p); len(moves) >= opening {
			k := key(moves[:opening])
			chinese[k] = append(chinese[k], moves)
		}
	}, nil)
	same, longer, shorter, other, alone := 0, 0, 0, 0, 0
	each(t, "xiangqi/xiangqi-formats.tar.gz", func(p *record.Played) {
		if p.Game.Format != "pgn" || p.Game.Notation != "iccs" && p.Game.Notation != "uci" || len(p.Steps) < opening {
			return
		}
		if !p.Legal() {
			t.Errorf("%s: game %d is not legal", p.Game.Place.File, p.Game.Place.Number)
		}
		moves := line(p)
		best := -1 // plies in common with the nearest twin
		var twin []game.Move
		for _, c := range chinese[key(moves[:opening])] {
			n := 0
			for n < min(len(c), len(moves)) && c[n] == moves[n] {
				n++
			}
			if n > best || n == best && len(c) == len(moves) {
				best, twin = n, c
			}
		}
		switch {
		case twin == nil:
			alone++
		case best == len(moves) && best == len(twin):
			same++
		case best == len(moves):
			longer++
		case best == len(twin):
			shorter++
		default:
			other++
			t.Logf("%s: game %d parts from its twin after %d of %d plies", path.Base(p.Game.Place.File), p.Game.Place.Number, best, len(moves))
		}
	}, nil)
	t.Logf("%d twins agree to the end, %d go on longer, %d end sooner, %d part; %d games have no twin", same, longer, shorter, other, alone)
	least, most := 1119, 15
	if !testkit.Shared() {
		least, most = 25, 0
	}
	if same < least || other > most {
		t.Errorf("%d twins agree and %d part, want %d or more and at most %d: other games with the same opening, or one game recorded differently", same, other, least, most)
	}
}

func key(moves []game.Move) string {
	b := make([]byte, 0, 3*len(moves))
	for _, m := range moves {
		b = append(b, byte(m), byte(m>>8), byte(m>>16))
	}
	return string(b)
}
