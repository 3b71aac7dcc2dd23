package xiangqi

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
)

// planesOf sets up pieces: a letter, then the column and the row from the top
// left.
func planesOf(t *testing.T, pieces string) *board.Planes {
	t.Helper()
	b := board.NewPlanes(size, 2*int(kinds))
	for _, word := range strings.Fields(pieces) {
		b.Put(board.At(int(word[1]-'0'), int(word[2]-'0')), pieceByLetter(t, word[0]))
	}
	return b
}

func pieceByLetter(t *testing.T, letter byte) board.Piece {
	t.Helper()
	for i, look := range geometry.Pieces {
		if strings.IndexByte(look.Letters, letter) >= 0 {
			return board.Piece(i + 1)
		}
	}
	t.Fatalf("no piece %c", letter)
	return board.Empty
}

// relationText writes relations as kind, by, on, sorted.
func relationText(list []game.Relation) string {
	var words []string
	for _, r := range list {
		look := func(p board.Piece, at board.Point) string {
			return fmt.Sprintf("%c%d%d", geometry.Pieces[p-1].Letters[0], at.X(), at.Y())
		}
		name := [...]string{"attack", "protect", "block", "pin", "screen"}[r.Kind]
		words = append(words, name+" "+look(r.By, r.From)+" "+look(r.On, r.To))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

func TestRelations(t *testing.T) {
	for _, c := range []struct{ name, board, want string }{
		{"nothing", "", ""},
		{"strangers", "R00 h48", ""},
		{"chariot and what it protects", "R00 r05 P09", "attack R00 r05, attack r05 P09, attack r05 R00"},
		{"own pieces", "R05 P06", "protect P06 R05, protect R05 P06"},
		{"cannon over a screen", "C09 p06 n03", "attack C09 n03, screen p06 C09"},
		{"cannon over its own", "C09 P06 R03", "protect C09 R03, protect R03 P06"},
		{"horse", "N44 p52", "attack N44 p52"},
		{"horse with its leg taken", "N44 p52 P43", "block P43 N44"},
		{"no leg without a square behind", "N14 P04", "protect P04 N14"},
		{"horse in the corner", "N00 P10", "block P10 N00, protect P10 N00"},
		{"elephant", "B29 p47", "attack B29 p47"},
		{"elephant with its eye taken", "B29 p47 A38", "attack A38 p47, block A38 B29"},
		{"no eye across the river", "B25 p34", ""},
		{"pinned by a chariot", "R45 n42 k40", "attack R45 n42, pin R45 n42"},
		{"pinned before a chariot", "R05 n03 r00", "attack R05 n03, pin R05 n03, protect r00 n03"},
		{"not pinned before a soldier", "R05 n03 p00", "attack R05 n03"},
		{"pinned by a cannon", "C48 P46 a41 k40", "attack C48 a41, pin C48 a41, protect k40 a41, screen P46 C48"},
		{"between the kings", "K49 N45 k40", "pin k40 N45"},
	} {
		got := relationText(Standard.AppendRelations(nil, planesOf(t, c.board)))
		if got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.board, got, c.want)
		}
	}
}

// TestRelationsOfPictures checks that a symmetry takes the relations of a board
// to those of its picture, on positions of random games.
func TestRelationsOfPictures(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	var swap []board.Piece
	for _, look := range geometry.Pieces {
		swap = append(swap, look.Swap)
	}
	kinds := map[game.RelationKind]int{}
	for range 20 {
		p := Standard.Start()
		for range 60 {
			list := p.AppendMoves(nil)
			if len(list) == 0 {
				break
			}
			if err := p.Play(list[rng.IntN(len(list))]); err != nil {
				t.Fatal(err)
			}
		}
		b := p.(game.Planar).Planes()
		relations := Standard.AppendRelations(nil, b)
		for _, sym := range Standard.info.Symmetries {
			var by []board.Piece
			if sym.Swap {
				by = swap
			}
			want := slices.Clone(relations)
			for i := range want {
				r := &want[i]
				kinds[r.Kind]++
				r.From, r.To = sym.Board.Apply(size, r.From), sym.Board.Apply(size, r.To)
				if sym.Swap {
					r.By, r.On = swap[r.By-1], swap[r.On-1]
				}
			}
			if got, want := relationText(Standard.AppendRelations(nil, b.Transform(sym.Board, by))), relationText(want); got != want {
				t.Fatalf("%v:\n got %s\nwant %s", sym, got, want)
			}
		}
	}
	if len(kinds) != 5 {
		t.Errorf("only %v: the test has become empty", kinds)
	}
}

// TestSteps checks what is a move away for pieces that step or jump.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		piece string
		want  string
	}{
		{"K48", "4,7 3,8 5,8 4,9"},
		{"a41", "3,0 5,0 3,2 5,2"},
		{"B47", "2,5 6,5 2,9 6,9"},
		{"b24", "0,2 4,2"},
		{"N00", "2,1 1,2"},
		{"P46", "4,5"},
		{"P44", "4,3 3,4 5,4"},
		{"p06", "1,6 0,7"},
		{"R44", ""},
		{"c44", ""},
	} {
		at := board.At(int(c.piece[1]-'0'), int(c.piece[2]-'0'))
		var words []string
		for _, p := range Standard.AppendSteps(nil, pieceByLetter(t, c.piece[0]), at) {
			words = append(words, p.String())
		}
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%s reaches %s, want %s", c.piece, got, c.want)
		}
	}
	if list := Standard.AppendSteps(nil, board.Empty, 0); list != nil {
		t.Errorf("nothing reaches %v", list)
	}
}
