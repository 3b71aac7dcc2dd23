package index_test

import (
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/record"
)

// turned returns a record of these moves as it is after a symmetry.
func (b *bench) turned(g *record.Game, r game.Rules, moves []game.Move, sym game.Symmetry) *record.Game {
	b.Helper()
	t := &record.Game{Kind: g.Kind, Variant: g.Variant, Notation: g.Notation}
	setup := game.SetupOf(b.start(g, r)).Transform(r, sym)
	t.Start = string(game.AppendSetup(nil, r, setup))
	if g.Start == "" && t.Start == game.FormatPosition(r, r.Start()) {
		t.Start = ""
	}
	at := t.Add(0, record.Unstated, "")
	pos := b.start(t, r)
	for _, m := range moves {
		m = m.Transform(r.Geometry().Size, sym.Board)
		at = t.Add(at, record.Side(pos.Turn())+record.First, game.FormatMove(r, pos, m, game.Notation(t.Notation)))
		if err := pos.Play(m); err != nil {
			b.Fatal(err)
		}
	}
	return t
}

// TestKeys checks that a game and its pictures have one key, that the key of a
// beginning is among those of the game, and that games are told apart.
func TestKeys(t *testing.T) {
	for i, c := range kinds {
		t.Run(c.kind+" "+c.variant, func(t *testing.T) {
			b := newBench(t, 300+uint64(i))
			known := map[uint64]bool{}
			pictures := 0
			for round := range testkit.Scale(8, 200) {
				start := ""
				if round%2 == 1 {
					start = b.later(c.kind, c.variant, 6)
				}
				g, moves, r := b.random(c.kind, c.variant, start, 50)
				doc, p := b.make(g)
				if len(moves) != len(p.Steps) || len(doc.Prefixes) != len(moves)+1 || doc.Prefixes[len(moves)] != doc.Key {
					t.Fatalf("%d moves, %d plies, %d prefixes", len(moves), len(p.Steps), len(doc.Prefixes))
				}
				for _, sym := range r.Info().Symmetries {
					if sym.Swap {
						continue
					}
					turned, _ := b.make(b.turned(g, r, moves, sym))
					if turned.Key != doc.Key || turned.Head != doc.Head || !slices.Equal(turned.Prefixes, doc.Prefixes) {
						t.Fatalf("under %v the game has another key", sym.Board)
					}
					pictures++
				}
				n := b.rng.IntN(len(moves))
				short, _ := b.make(way(g, int32(n)))
				if short.Key != doc.Prefixes[n] || !slices.Equal(short.Prefixes, doc.Prefixes[:n+1]) {
					t.Fatalf("the beginning of %d plies has another key", n)
				}
				if (doc.Head == 0) != (len(moves) < index.HeadPlies) || doc.Head != 0 && doc.Head != doc.Prefixes[index.HeadPlies] {
					t.Fatalf("the head is %x", doc.Head)
				}
				if len(moves) >= 20 && known[doc.Prefixes[20]] {
					t.Fatal("two games have one key")
				}
				for _, key := range doc.Prefixes[min(20, len(moves)):] {
					if known[key] {
						t.Fatal("two beginnings have one key")
					}
					known[key] = true
				}
			}
			if pictures < 8 {
				t.Errorf("%d pictures", pictures)
			}
		})
	}
}

// TestOddKeys does the same for records of Go against the rules, with boards
// set up on the way.
func TestOddKeys(t *testing.T) {
	b := newBench(t, 400)
	size := board.Size{W: 9, H: 9}
	known := map[uint64]bool{}
	for range testkit.Scale(150, 5000) {
		g := b.odd(12, 1, true)
		doc, _ := b.make(g)
		if known[doc.Key] {
			t.Fatal("two games have one key")
		}
		known[doc.Key] = true
		for _, sym := range size.Symmetries() {
			turn := func(text string) string {
				if text == "" || text == "tt" {
					return text
				}
				p := sym.Apply(size, board.At(int(text[0]-'a'), int(text[1]-'a')))
				return string([]byte{'a' + byte(p.X()), 'a' + byte(p.Y())})
			}
			turned := *g
			turned.Faults, turned.Nodes = nil, slices.Clone(g.Nodes)
			for i := range turned.Nodes {
				n := &turned.Nodes[i]
				n.Move = turn(n.Move)
				if n.Extra != nil {
					x := *n.Extra
					x.Setup = slices.Clone(x.Setup)
					for j := range x.Setup {
						x.Setup[j].Point = turn(x.Setup[j].Point)
					}
					n.Extra = &x
				}
			}
			if other, _ := b.make(&turned); other.Key != doc.Key || !slices.Equal(other.Prefixes, doc.Prefixes) {
				t.Fatalf("under %v the game has another key", sym)
			}
		}
	}
}

// TestSetupKeys checks that set-ups which differ are told apart.
func TestSetupKeys(t *testing.T) {
	b := newBench(t, 401)
	known := map[uint64]string{}
	for _, put := range []struct {
		name  string
		piece board.Piece
		point string
		turn  record.Side
	}{
		{"corner", 1, "aa", record.Unstated}, {"corner, first to move", 1, "aa", record.First}, {"corner of the second side", 2, "aa", record.Unstated},
		{"beside", 1, "ba", record.Unstated}, {"middle", 1, "ee", record.Unstated},
	} {
		g := &record.Game{Kind: "weiqi", Variant: "9x9", Notation: "sgf"}
		at := g.Add(0, record.Unstated, "")
		at = g.Add(at, record.First, "ee")
		at = g.Add(at, record.Unstated, "")
		g.Nodes[at].More().Turn = put.turn
		g.Nodes[at].More().Setup = []record.Put{{Piece: put.piece, Point: put.point}}
		doc, _ := b.make(g)
		if put.name != "middle" && known[doc.Key] != "" {
			t.Errorf("%s and %s have one key", put.name, known[doc.Key])
		}
		known[doc.Key] = put.name
	}
}
