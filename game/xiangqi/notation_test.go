package xiangqi_test

import (
	"errors"
	"testing"

	"qipu/game"
	"qipu/game/xiangqi"
)

// Positions whose names are traps.
const (
	tandem  = "3k5/9/9/9/9/2C6/9/2C6/9/4K4 w"       // cannons on one file
	three   = "3k5/2P6/2P6/2P6/9/9/9/9/9/4K4 w"     // three soldiers on a file
	five    = "3k5/2P6/2P6/2P6/2P6/2P6/9/9/9/4K4 w" // five on a file
	twoTwo  = "3k5/9/9/2P3P2/2P3P2/9/9/9/9/4K4 w"   // two on each of two files
	twoOne  = "3k5/9/9/2P3P2/2P6/4P4/9/9/9/4K4 w"   // two on one file, two alone
	threeB  = "3k5/9/9/9/9/9/6p2/6p2/6p2/4K4 b"     // Black's three
	twoTwoB = "3k5/9/9/9/9/2p3p2/2p3p2/9/9/4K4 b"   // Black's two and two
	guards  = "3k5/9/9/9/9/2B6/9/3A5/9/2BAK4 w"     // advisors and elephants on one file
	fourR   = "3k5/9/9/R4R3/9/R4R3/9/9/9/4K4 w"     // four chariots on two files
	start   = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
	startB  = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b"
)

func TestReadMoves(t *testing.T) {
	for _, c := range []struct {
		position, text string
		n              game.Notation
		want           string // in ICCS
	}{
		{start, "h2e2", xiangqi.ICCS, "h2e2"},
		{start, "H2-E2", xiangqi.ICCS, "h2e2"},
		{start, "h2-E2", game.AnyNotation, "h2e2"},
		{start, "h3e3", xiangqi.UCI, "h2e2"},
		{startB, "h10g8", xiangqi.UCI, "h9g7"},
		{startB, "h10g8", game.AnyNotation, "h9g7"},
		{start, "h3e3", game.AnyNotation, "h2e2"},                           // nothing stands on h3: UCI
		{"3k5/9/9/9/9/9/7C1/7C1/9/4K4 w", "h3e3", game.AnyNotation, "h3e3"}, // both would do: ICCS

		{start, "C2.5", xiangqi.WXF, "h2e2"},
		{start, "C2=5", game.AnyNotation, "h2e2"},
		{start, "c2=5", game.AnyNotation, "h2e2"},
		{start, "H2+3", xiangqi.WXF, "h0g2"},
		{start, "N2+3", xiangqi.WXF, "h0g2"},
		{start, "E3+5", xiangqi.WXF, "g0e2"},
		{start, "B3+5", xiangqi.WXF, "g0e2"},
		{start, "P3+1", game.AnyNotation, "g3g4"},
		{startB, "H8+7", game.AnyNotation, "h9g7"},
		{startB, "h2+3", game.AnyNotation, "b9c7"},
		{tandem, "C+-2", game.AnyNotation, ""}, // blocked by the rear one
		{tandem, "C++2", game.AnyNotation, "c4c6"},
		{tandem, "C-=5", game.AnyNotation, "c2e2"},
		{tandem, "+C=5", game.AnyNotation, "c4e4"},
		{tandem, "-C.5", game.AnyNotation, "c2e2"},
		{three, "P.=6", game.AnyNotation, "c7d7"},
		{three, "P..6", game.AnyNotation, "c7d7"},
		{three, "P-=6", game.AnyNotation, "c6d6"},
		{five, "Pd=6", game.AnyNotation, "c5d5"},
		{twoTwo, "Pc=6", game.AnyNotation, "c6d6"},
		{twoTwo, "P+7=6", game.AnyNotation, "c6d6"},

		{start, "炮二平五", xiangqi.Chinese, "h2e2"},
		{start, "砲２平5", xiangqi.Chinese, "h2e2"},
		{start, "包2平五", xiangqi.Simplified, "h2e2"},
		{start, "傌二進三", game.AnyNotation, "h0g2"},
		{start, "马二进三", game.AnyNotation, "h0g2"},
		{start, "馬二上三", game.AnyNotation, "h0g2"},
		{start, "俥一進一", game.AnyNotation, "i0i1"},
		{start, "帅五进一", game.AnyNotation, "e0e1"},
		{start, "士四進五", game.AnyNotation, "f0e1"},
		{start, "象三進五", game.AnyNotation, "g0e2"},
		{start, "卒三進一", game.AnyNotation, "g3g4"},
		{startB, "馬８進７", game.AnyNotation, "h9g7"},
		{startB, "马二进三", game.AnyNotation, "b9c7"},
		{startB, "將5進1", game.AnyNotation, "e9e8"},
		{tandem, "前炮進二", game.AnyNotation, "c4c6"},
		{tandem, "后炮平五", game.AnyNotation, "c2e2"},
		{tandem, "炮七退一", game.AnyNotation, ""}, // both can
		{tandem, "炮七進六", game.AnyNotation, ""}, // neither can
		{tandem, "炮七進五", game.AnyNotation, "c4c9"},
		{three, "前兵平六", game.AnyNotation, "c8d8"},
		{three, "中兵平六", game.AnyNotation, "c7d7"},
		{three, "後兵平八", game.AnyNotation, "c6b6"},
		{three, "二兵平六", game.AnyNotation, "c7d7"},
		{three, "前兵七平六", game.AnyNotation, "c8d8"},
		{three, "兵七進一", game.AnyNotation, "c8c9"}, // the only one that can
		{five, "前兵平六", game.AnyNotation, "c8d8"},
		{five, "四兵平六", game.AnyNotation, "c5d5"},
		{five, "後兵進一", game.AnyNotation, ""},
		{twoTwo, "一兵平二", game.AnyNotation, "g6h6"},
		{twoTwo, "三兵平六", game.AnyNotation, "c6d6"},
		{twoTwo, "前兵七平六", game.AnyNotation, "c6d6"},
		{twoTwo, "前七平六", game.AnyNotation, "c6d6"},
		{twoTwo, "後七平六", game.AnyNotation, "c5d5"},
		{twoTwo, "二七平六", game.AnyNotation, "c5d5"},
		{twoTwo, "前兵平六", game.AnyNotation, "c6d6"}, // the front one of file 3 is too far away
		{twoOne, "前兵平六", game.AnyNotation, "c6d6"},
		{twoOne, "兵三平四", game.AnyNotation, "g6f6"},
		{threeB, "中卒平６", game.AnyNotation, "g2f2"},
		{threeB, "二卒7平6", game.AnyNotation, "g2f2"},
		{threeB, "二7平6", game.AnyNotation, "g2f2"},
		{twoTwoB, "１卒平２", game.AnyNotation, "c3b3"},
		{twoTwoB, "一卒平２", game.AnyNotation, "c3b3"},
		{guards, "相七退五", game.AnyNotation, "c4e2"},
		{guards, "相七進五", game.AnyNotation, "c0e2"},
		{guards, "前相退五", game.AnyNotation, "c4e2"},
		{guards, "後仕進五", game.AnyNotation, "d0e1"},
		{guards, "仕六退五", game.AnyNotation, "d2e1"},
		{fourR, "一車平三", game.AnyNotation, "f6g6"},
		{fourR, "三車平八", game.AnyNotation, "a6b6"},
	} {
		p := position(t, c.position)
		m, err := xiangqi.Standard.ParseMove(p, c.text, c.n)
		got := ""
		if err == nil {
			got = game.FormatMove(xiangqi.Standard, p, m, xiangqi.ICCS)
		}
		if got != c.want {
			t.Errorf("%s: %q is %q (%v), want %q", c.position, c.text, got, err, c.want)
		}
	}
}

func TestWriteMoves(t *testing.T) {
	for _, c := range []struct{ position, move, want string }{
		{start, "h2e2", "h2e2 h3e3 C2=5 炮二平五 炮二平五"},
		{start, "h0g2", "h0g2 h1g3 H2+3 馬二進三 马二进三"},
		{startB, "h9g7", "h9g7 h10g8 H8+7 馬８進７ 马８进７"},
		{startB, "d9e8", "d9e8 d10e9 A4+5 士４進５ 士４进５"},
		{tandem, "c4e4", "c4e4 c5e5 C+=5 前炮平五 前炮平五"},
		{tandem, "c2c1", "c2c1 c3c2 C--1 後炮退一 后炮退一"},
		{three, "c7d7", "c7d7 c8d8 P.=6 中兵平六 中兵平六"},
		{five, "c7d7", "c7d7 c8d8 Pb=6 二兵平六 二兵平六"},
		{twoTwo, "g5h5", "g5h5 g6h6 Pb=2 二兵平二 二兵平二"},
		{twoTwo, "c5b5", "c5b5 c6b6 Pd=8 四兵平八 四兵平八"},
		{twoOne, "c5b5", "c5b5 c6b6 P-=8 後兵平八 后兵平八"},
		{twoOne, "g6g7", "g6g7 g7g8 P3+1 兵三進一 兵三进一"},
		{twoTwoB, "g4f4", "g4f4 g5f5 Pd=6 四卒平６ 四卒平６"},
		{guards, "c4e2", "c4e2 c5e3 E7-5 相七退五 相七退五"},
		{guards, "d0e1", "d0e1 d1e2 A6+5 仕六進五 仕六进五"},
		{fourR, "a6b6", "a6b6 a7b7 Rc=8 三車平八 三车平八"},
	} {
		p := position(t, c.position)
		m, err := xiangqi.Standard.ParseMove(p, c.move, xiangqi.ICCS)
		if err != nil {
			t.Errorf("%s: %s: %v", c.position, c.move, err)
			continue
		}
		got := ""
		for i, n := range xiangqi.Standard.Info().Notations {
			if i > 0 {
				got += " "
			}
			got += game.FormatMove(xiangqi.Standard, p, m, n.Name)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.position, got, c.want)
		}
	}
}

// TestEveryMoveOfTraps writes and reads every legal move of positions with
// crowded files.
func TestEveryMoveOfTraps(t *testing.T) {
	for _, text := range []string{tandem, three, five, twoTwo, twoOne, threeB, twoTwoB, guards, fourR} {
		roundTrips(t, position(t, text))
	}
}

// roundTrips checks that every legal move reads back from every notation.
func roundTrips(t *testing.T, p game.Position) {
	t.Helper()
	r := xiangqi.Standard
	var buf []byte
	for _, m := range p.AppendMoves(nil) {
		for _, n := range r.Info().Notations {
			buf = r.AppendMove(buf[:0], p, m, n.Name)
			if back, err := r.ParseMove(p, string(buf), n.Name); back != m || err != nil {
				t.Fatalf("%s: %s %s reads back as %v (%v)", game.FormatPosition(r, p), n.Name, buf, back, err)
			}
			if n.Name == xiangqi.UCI {
				continue // may be read as ICCS
			}
			if back, err := r.ParseMove(p, string(buf), game.AnyNotation); back != m || err != nil {
				t.Fatalf("%s: %s reads back as %v (%v)", game.FormatPosition(r, p), buf, back, err)
			}
		}
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct {
		position, text string
		n              game.Notation
		want           error
	}{
		{start, "", game.AnyNotation, game.ErrSyntax},
		{start, "h2", game.AnyNotation, game.ErrSyntax},
		{start, "j2e2", game.AnyNotation, game.ErrSyntax},
		{start, "h2e2x", game.AnyNotation, game.ErrSyntax},
		{start, "h2--e2", game.AnyNotation, game.ErrSyntax},
		{start, "h0e0", xiangqi.UCI, game.ErrSyntax},
		{start, "h11e1", xiangqi.UCI, game.ErrSyntax},
		{start, "C2*5", game.AnyNotation, game.ErrSyntax},
		{start, "C0=5", game.AnyNotation, game.ErrSyntax},
		{start, "Q2=5", game.AnyNotation, game.ErrSyntax},
		{start, "C2=0", game.AnyNotation, game.ErrSyntax},
		{start, "C22=5", game.AnyNotation, game.ErrSyntax},
		{start, "2232", game.AnyNotation, game.ErrSyntax},
		{start, "炮二平", game.AnyNotation, game.ErrSyntax},
		{start, "炮二平五五", game.AnyNotation, game.ErrSyntax},
		{start, "二炮五平", game.AnyNotation, game.ErrSyntax},
		{start, "炮\xff平五", game.AnyNotation, game.ErrSyntax},
		{start, "前後炮平五", game.AnyNotation, game.ErrSyntax},
		{start, "炮二平五", xiangqi.WXF, game.ErrSyntax},
		{start, "h2e2", xiangqi.Chinese, game.ErrSyntax},
		{start, "h2e2", "algebraic", game.ErrSyntax},
		{start, "h2h2", game.AnyNotation, xiangqi.ErrNotItsMove},
		{start, "e4e5", xiangqi.ICCS, xiangqi.ErrNoPiece},
		{start, "h7e7", xiangqi.ICCS, xiangqi.ErrNotYours},
		{start, "炮三平五", game.AnyNotation, xiangqi.ErrNotThere},
		{start, "前炮平五", game.AnyNotation, xiangqi.ErrNotThere},
		{start, "馬二平四", game.AnyNotation, xiangqi.ErrNotItsMove},
		{start, "馬二進四", game.AnyNotation, xiangqi.ErrLeg},
		{start, "車一進九", game.AnyNotation, xiangqi.ErrBlocked},
		{start, "車一進三", game.AnyNotation, xiangqi.ErrOwnPiece},
		{start, "車一退一", game.AnyNotation, xiangqi.ErrNotItsMove},
		{start, "兵三平四", game.AnyNotation, xiangqi.ErrUncrossed},
		{tandem, "炮七退一", game.AnyNotation, xiangqi.ErrAmbiguous},
		{twoTwo, "前兵進一", game.AnyNotation, xiangqi.ErrAmbiguous},
		{"3k5/9/9/9/9/9/9/9/9/4K4 w", "帥五平六", game.AnyNotation, xiangqi.ErrFacing},
	} {
		_, err := xiangqi.Standard.ParseMove(position(t, c.position), c.text, c.n)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %q: %v, want %v", c.position, c.text, err, c.want)
		}
	}
	// A refused move is still told, where there is only one that can be meant.
	m, err := xiangqi.Standard.ParseMove(position(t, start), "馬二進四", game.AnyNotation)
	if err == nil || m == game.NoMove {
		t.Errorf("%v, %v", m, err)
	}
}
