package pgn_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"qipu/game/kalah"
	"qipu/record"
	"qipu/record/pgn"
	"qipu/record/recordtest"
	"qipu/record/sgf"
)

// TestTurns writes games in which a side may move twice: numbers go by sides, and
// what is read back is played as it was, from PGN and from SGF alike.
func TestTurns(t *testing.T) {
	rules := kalah.Rules{}
	kind := record.KindOf(rules)
	g := &record.Game{Kind: "kalah", Notation: "house"}
	at := g.Add(0, record.Unstated, "")
	// South moves again behind c, North behind its own; the last move is no move.
	for _, move := range []string{"c", "f", "b", "e", "a", "nothing"} {
		at = g.Add(at, record.Unstated, move)
	}
	g.Add(1, record.Unstated, "b")
	sides := func(g *record.Game) (list []string) {
		for _, s := range record.Play(rules, g).Steps {
			list = append(list, g.Nodes[s.Node].Move+rules.Info().Sides[s.Side].Letters[:1])
		}
		return list
	}
	want := []string{"cS", "fS", "bN", "eN", "aS"}
	if got := sides(g); !slices.Equal(got, want) {
		t.Fatalf("the game is played as %v, want %v", got, want)
	}
	for name, c := range map[string]struct {
		format record.Format
		want   string
	}{
		"pgn": {pgn.With(kind), "1. c\n2. f (2. b) 2... b 3... e\n4. a nothing"},
		"sgf": {sgf.With(kind), ";B[c]\n(;B[f];W[b];W[e];B[a];W[nothing])\n(;B[b])"},
	} {
		var first bytes.Buffer
		if err := record.WriteOne(c.format, g, func(string) (io.Writer, error) { return &first, nil }); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(first.String(), c.want) {
			t.Errorf("%s has no %q:\n%s", name, c.want, first.String())
		}
		games, faults := recordtest.ReadAll(t, c.format, recordtest.Source("x."+name, first.Bytes()))
		if len(games) != 1 || len(faults) > 0 || !slices.Equal(sides(games[0]), want) {
			t.Fatalf("%s comes back as %d games, %v", name, len(games), faults)
		}
		if !recordtest.RoundTripGame(t, c.format, games[0]) {
			t.Errorf("%s cannot write what it has read", name)
		}
	}
	for i := range g.Nodes { // against the rules
		g.Nodes[i].Side = record.First
	}
	if err := record.CheckWrite(pgn.With(kind), g); err == nil {
		t.Error("one side makes all moves")
	}
}
