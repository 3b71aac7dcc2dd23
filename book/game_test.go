package book

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/othello"
	"qipu/record"
	"qipu/record/facts"
	"qipu/record/transcript"
)

// FuzzGame: no bytes make decoding panic, and what they mean is stored as such
// that means the same.
func FuzzGame(f *testing.F) {
	k := NewKeyer(othello.Standard)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		g := Game{Result: Result{Verdict: FirstWon, Scored: true, Score: 1 + rng.IntN(63)}, HasExact: true, Exact: -4, Empties: 24}
		p := othello.Standard.Start()
		for moves := p.AppendMoves(nil); len(moves) > 0; moves = p.AppendMoves(nil) {
			g.Moves = append(g.Moves, moves[rng.IntN(len(moves))])
			p.Play(g.Moves[len(g.Moves)-1])
		}
		f.Add(appendGame(nil, k, &g))
	}
	f.Add(appendGame(nil, k, &Game{Blank: true, Start: "8/8/8/3XO3/3OX3/8/8/8 X"}))
	t := newTracer(othello.Standard)
	f.Fuzz(func(t2 *testing.T, data []byte) {
		var g, again Game
		if decodeGame(data, k, &g) != nil {
			return
		}
		if err := decodeGame(appendGame(nil, k, &g), k, &again); err != nil || !reflect.DeepEqual(g, again) {
			t2.Fatalf("%+v has become %+v: %v", g, again, err)
		}
		// Whatever the moves are, they are played as far as the rules allow, and
		// the position is as before.
		t.trace(&g)
		if p := t.start.(*othello.Position); p.Discs(0)|p.Discs(1) != 0x0000001818000000 || p.Turn() != game.First {
			t2.Fatal("the start has changed")
		}
	})
}

// TestOffBoard ends a game at a move that no board has: what is stored can be read
// again.
func TestOffBoard(t *testing.T) {
	k := NewKeyer(othello.Standard)
	g := Game{Moves: []game.Move{game.Drop(board.At(5, 4)), game.Drop(board.At(9, 9)), game.Drop(board.At(5, 5))}}
	var again Game
	if err := decodeGame(appendGame(nil, k, &g), k, &again); err != nil || len(again.Moves) != 1 {
		t.Errorf("%v, %v", again.Moves, err)
	}
	if n := len(newTracer(othello.Standard).trace(&g)); n != 2 {
		t.Errorf("%d positions", n)
	}
}

// TestFromPlayed checks what is taken over of records: the final board before
// the header, and the header where the game was not played to its end.
func TestFromPlayed(t *testing.T) {
	wiped := "e6f4e3f6g5d6e7f5c5" // Black has taken everything
	for _, c := range []struct {
		name, text string
		result     facts.Result
		tags       string
		want       Result
		exact      bool
	}{
		{"over", wiped, facts.Result{Verdict: facts.SecondWon, Margin: 2}, "", Result{}, false},
		{"header", "f5d6c3", facts.Result{Verdict: facts.SecondWon, Margin: 6}, "", Result{SecondWon, true, -6}, false},
		{"no margin", "f5d6c3", facts.Result{Verdict: facts.FirstWon}, "", Result{FirstWon, false, 0}, false},
		{"draw", "f5d6c3", facts.Result{Verdict: facts.Drawn}, "", Result{Drawn, true, 0}, false},
		{"unknown", "f5d6c3", facts.Result{}, "", Result{}, false},
		{"void", "f5d6c3", facts.Result{Verdict: facts.Void, Margin: 3}, "", Result{}, false},
		{"too much", "f5d6c3", facts.Result{Verdict: facts.FirstWon, Margin: 5000}, "", Result{FirstWon, false, 0}, false},
		{"exact", "f5d6c3", facts.Result{Verdict: facts.Drawn}, "33 24", Result{Drawn, true, 0}, true},
		{"no number", "f5d6c3", facts.Result{Verdict: facts.Drawn}, "33 none", Result{Drawn, true, 0}, false},
	} {
		var rec *record.Game
		for g, err := range transcript.Format.Read(&record.Source{Name: "a.txt", Reader: strings.NewReader(c.text + "\n"), Size: -1}) {
			if err != nil {
				t.Fatal(err)
			}
			rec = g
		}
		rec.Facts.Result = c.result
		if discs, empties, ok := strings.Cut(c.tags, " "); ok {
			rec.Tags = append(rec.Tags, record.Tag{Name: "TheoreticalDiscs", Value: discs}, record.Tag{Name: "TheoreticalEmpties", Value: empties})
		}
		played := record.Play(othello.Standard, rec)
		g := FromPlayed(othello.Standard, 7, 8, played)
		if c.name == "over" {
			out := played.Outcome
			if !out.Over() {
				t.Fatal("the game is not over")
			}
			c.want = Result{FirstWon, true, out.Margin / 2}
			if out.Winner == game.Second {
				c.want = Result{SecondWon, true, -out.Margin / 2}
			}
		}
		if g.Result != c.want || g.ID != 7 || g.Stamp != 8 || g.Blank || g.Start != "" || g.HasExact != c.exact {
			t.Errorf("%s: %+v", c.name, g)
		}
		if c.exact && (g.Exact != 2 || g.Empties != 24) {
			t.Errorf("%s: %d with %d empty", c.name, g.Exact, g.Empties)
		}
	}
	if g := FromPlayed(othello.Standard, 1, 1, &record.Played{Game: &record.Game{}}); !g.Blank {
		t.Errorf("a record of no game: %+v", g)
	}
}

// TestShort checks that a record ends where a move breaks the rules, and that a
// start of its own is kept.
func TestShort(t *testing.T) {
	rec := &record.Game{Kind: "othello", Start: "8/8/8/3XO3/3OX3/8/8/8 X"}
	at := rec.Add(0, 0, "")
	for _, m := range []string{"e3", "d3", "a1", "c5"} {
		at = rec.Add(at, 0, m)
	}
	g := FromPlayed(othello.Standard, 1, 1, record.Play(othello.Standard, rec))
	if g.Start == "" || len(g.Moves) > 2 {
		t.Errorf("%+v", g)
	}
	visits := newTracer(othello.Standard).trace(&g)
	if len(visits) != len(g.Moves)+1 {
		t.Errorf("%d positions of %d moves", len(visits), len(g.Moves))
	}
	g.Start = "nonsense"
	if visits := newTracer(othello.Standard).trace(&g); len(visits) != 0 {
		t.Errorf("%d positions from a start that cannot be", len(visits))
	}
}

func TestResult(t *testing.T) {
	b := New(othello.Standard)
	for _, r := range []Result{{Verdict: 9}, {FirstWon, true, -1}, {SecondWon, true, 2}, {Drawn, true, 2}, {Unknown, true, 0}, {FirstWon, true, 5000}} {
		if b.Add(Game{ID: 1, Result: r}) == nil {
			t.Errorf("%+v is a result", r)
		}
	}
	if b.Games() != 0 {
		t.Error("a bad game was counted")
	}
}
