package weiqi_test

import (
	"errors"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

func TestVariants(t *testing.T) {
	for spec, want := range map[string]string{
		"":                                     "",
		"19x19":                                "",
		"19":                                   "",
		"Japanese, 19X19 ,komi=6.5,handicap=0": "",
		"komi=0":                               "komi=0",
		"komi=-5":                              "komi=-5",
		"9x9":                                  "9x9",
		"13x13,japanese":                       "13x13",
		"tromp-taylor,7x3":                     "7x3,tromp-taylor",
		"19x19,chinese,komi=7.5,handicap=4":    "chinese,komi=7.5,handicap=4",
		"19x19,chinese,komi=0.5,handicap=4":    "chinese,handicap=4",
		"aga,komi=7.50":                        "aga",
		"new-zealand,komi=7.5":                 "new-zealand,komi=7.5",
		"25x1":                                 "25x1",
	} {
		r := variant(t, spec)
		if got := r.Info().Variant; got != want {
			t.Errorf("%q: variant %q, want %q", spec, got, want)
		}
		again := variant(t, want)
		if again.Size() != r.Size() || again.Komi() != r.Komi() || again.Handicap() != r.Handicap() || again.RuleSet() != r.RuleSet() {
			t.Errorf("%q and %q make different rules", spec, want)
		}
	}
	for spec, want := range map[string]string{
		"26x26":             "out of range",
		"0x5":               "out of range",
		"9x":                "not a size",
		"komi":              "komi is a number",
		"komi=3.75":         "komi is a number",
		"komi=NaN":          "komi is a number",
		"komi=1e9":          "komi is a number",
		"ing":               "is no variant",
		"handicap=x":        "handicap is a number",
		"handicap=1":        "2 to 9 stones",
		"handicap=10":       "2 to 9 stones",
		"7x7,handicap=5":    "2 to 4 stones",
		"14x14,handicap=5":  "2 to 4 stones",
		"handicap=-1":       "2 to 9 stones",
		"5x5,handicap=2":    "must be square",
		"19x13,handicap=2":  "must be square",
		"handicap=9,5x5":    "must be square",
		"komi=7.5;handicap": "komi is a number",
	} {
		if _, err := weiqi.Standard.Variant(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", spec, err, want)
		}
	}
}

// TestVariantKeeps checks that a variant of a variant keeps what is not named.
func TestVariantKeeps(t *testing.T) {
	r, err := variant(t, "9x9,komi=5.5").Variant("chinese")
	if err != nil || r.Info().Variant != "9x9,chinese,komi=5.5" {
		t.Errorf("%q, %v", r.Info().Variant, err)
	}
	r, err = variant(t, "9x9").Variant("chinese")
	if err != nil || r.(*weiqi.Rules).Komi() != 15 {
		t.Errorf("%q, %v", r.Info().Variant, err)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, o := range []weiqi.Options{
		{Size: board.Size{W: 26, H: 1}},
		{Size: board.Size{W: 9}},
		{RuleSet: "ancient"},
		{Komi: 1 << 20},
		{Handicap: 3, Size: board.Size{W: 3, H: 3}},
	} {
		if _, err := weiqi.New(o); err == nil || !strings.HasPrefix(err.Error(), "weiqi: ") {
			t.Errorf("%+v: error %v", o, err)
		}
	}
	r, err := weiqi.New(weiqi.Options{Komi: weiqi.NoKomi})
	if err != nil || r.Komi() != 0 || r.Info().Variant != "komi=0" {
		t.Errorf("no komi: %v, %v", r.Info().Variant, err)
	}
}

func TestHandicap(t *testing.T) {
	for spec, want := range map[string]string{
		"handicap=2":       "D4 Q16",
		"handicap=3":       "D4 Q16 D16",
		"handicap=4":       "D4 Q16 D16 Q4",
		"handicap=5":       "D4 Q16 D16 Q4 K10",
		"handicap=6":       "D4 Q16 D16 Q4 D10 Q10",
		"handicap=7":       "D4 Q16 D16 Q4 D10 Q10 K10",
		"handicap=8":       "D4 Q16 D16 Q4 D10 Q10 K4 K16",
		"handicap=9":       "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
		"13x13,handicap=9": "D4 K10 D10 K4 D7 K7 G4 G10 G7",
		"9x9,handicap=5":   "C3 G7 C7 G3 E5",
		"7x7,handicap=4":   "C3 E5 C5 E3",
		"8x8,handicap=2":   "C3 F6",
	} {
		r := variant(t, spec)
		p := r.Start()
		if p.Turn() != weiqi.White {
			t.Errorf("%s: Black moves first", spec)
		}
		var points board.Plane
		for _, name := range strings.Fields(want) {
			m, err := r.ParseMove(p, name, weiqi.GTP)
			if !errors.Is(err, game.ErrOccupied) {
				t.Errorf("%s: no stone at %s", spec, name)
			}
			points.Add(m.To())
		}
		planes := p.(game.Planar).Planes()
		if planes.Of[0] != points || !planes.Of[1].Empty() {
			t.Errorf("%s: %s", spec, game.FormatPosition(r, p))
		}
	}
}

func TestArrangeRefuses(t *testing.T) {
	r := variant(t, "5x5")
	change := func(f func(*game.Setup)) game.Setup {
		s := game.NewSetup(r)
		f(&s)
		return s
	}
	for want, s := range map[string]game.Setup{
		"not for a":       change(func(s *game.Setup) { s.Board = board.NewPlanes(board.Size{W: 4, H: 5}, 2) }),
		"not for a board": change(func(s *game.Setup) { s.Board = nil }),
		"no side 2":       change(func(s *game.Setup) { s.Turn = 2 }),
		"prisoners":       change(func(s *game.Setup) { s.Prisoners[1] = -1 }),
		"two pieces":      change(func(s *game.Setup) { s.Board.Of[0].Add(0); s.Board.Of[1].Add(0) }),
		"outside":         change(func(s *game.Setup) { s.Board.Of[0].Add(board.At(5, 0)) }),
		"no ko at A5":     change(func(s *game.Setup) { s.Ko = 0 }),
		"no ko at 7,7":    change(func(s *game.Setup) { s.Ko = board.At(7, 7) }),
	} {
		if _, err := r.Arrange(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestArrangeKo lists positions where a ko can and cannot be.
func TestArrangeKo(t *testing.T) {
	r := variant(t, "5x5")
	for text, possible := range map[string]bool{
		"1XO2/XO1O1/1XO2/5/5 b ko=2,1": true,
		"1XO2/XO1O1/1XO2/5/5 w ko=2,1": false, // White has just taken there
		"1XO2/XO1O1/1XO2/5/5 b ko=1,1": false, // occupied
		"1XO2/XO1O1/1X3/5/5 b ko=2,1":  false, // open below
		"1XO2/1O1O1/1XO2/5/5 b ko=2,1": false, // the taker has another liberty
		"XXO2/OO1O1/XXO2/5/5 b ko=2,1": false, // the taker is not alone
		"1X3/XO1O1/1XO2/5/5 b ko=2,1":  false, // open above
		"O1O2/XOX2/1X3/5/5 b ko=1,0":   false, // two stones could have taken: none has
		"1O3/X4/5/5/5 b ko=0,0":        false, // own stone beside
		"1O3/O4/5/5/5 b ko=0,0":        false, // takers with other liberties
		"1OX2/OX3/X4/5/5 b ko=0,0":     false, // both in atari: neither has taken
		"1OX2/OX3/1X3/5/5 b ko=0,0":    true,  // B5 has taken
		"XOX2/1OX2/1X3/5/5 w ko=0,1":   false, // a string of the wrong side
	} {
		_, err := game.ParsePosition(r, text)
		if (err == nil) != possible {
			t.Errorf("%s: error %v, want possible %v", text, err, possible)
		}
	}
}

func TestNotations(t *testing.T) {
	for _, c := range []struct {
		spec, text string
		n          game.Notation
		want       string // GTP, or part of the error
	}{
		{"", "q16", "", "Q16"},
		{"", "pd", "", "Q16"},
		{"", "PD", "", "Q16"},
		{"", "16-4", "", "Q16"},
		{"", "t1", "", "T1"},
		{"", "a19", "", "A19"},
		{"", "J10", "", "J10"},
		{"", "jj", "", "K10"},
		{"", "tt", "", "pass"},
		{"", "TT", weiqi.SGF, "pass"},
		{"", "", weiqi.SGF, "pass"},
		{"", "Pass", "", "pass"},
		{"", "PASS", weiqi.Numbers, "pass"},
		{"25x25", "z25", "", "Z25"},
		{"25x25", "tt", "", "U6"},
		{"25x25", "yy", "", "Z1"},
		{"7x3", "g3", "", "G3"},
		{"7x3", "gc", "", "G1"},
		{"7x3", "7-3", "", "G1"},
		{"", "", "", "not a move"},
		{"", "", weiqi.GTP, "not a move"},
		{"", "pass", weiqi.SGF, "pass"},
		{"", "resign", "", "not a move"},
		{"", "I5", "", "not a move"},
		{"", "Q", "", "not a move"},
		{"", "16", "", "not a move"},
		{"", "Q-4", "", "not a move"},
		{"", "16-", "", "not a move"},
		{"", "1-2-3", "", "not a move"},
		{"", "-1", "", "not a move"},
		{"", "+1-4", "", "not a move"},
		{"", "Q0004", "", "not a move"},
		{"", "pd", weiqi.GTP, "not a move"},
		{"", "Q16", weiqi.SGF, "not a move"},
		{"", "Q16", weiqi.Numbers, "not a move"},
		{"", "Q16", "western", "not a move"},
		{"", "Q0", "", "outside the board"},
		{"", "Q20", "", "outside the board"},
		{"", "U1", "", "outside the board"},
		{"", "0-1", "", "outside the board"},
		{"", "20-1", "", "outside the board"},
		{"", "zz", "", "outside the board"},
		{"25x3", "tt", "", "outside the board"},
	} {
		r := variant(t, c.spec)
		p := r.Start()
		m, err := r.ParseMove(p, c.text, c.n)
		got := ""
		if err != nil {
			got = err.Error()
			if !errors.Is(err, game.ErrSyntax) && !errors.Is(err, game.ErrIllegal) {
				t.Errorf("%q: %v is no error of the interface", c.text, err)
			}
		} else {
			got = game.FormatMove(r, p, m, weiqi.GTP)
		}
		if err == nil && got != c.want || !strings.Contains(got, c.want) {
			t.Errorf("%q in %q on %v: %s, want %s", c.text, c.n, r.Size(), got, c.want)
		}
	}
}

// TestParseIllegal checks that a move that cannot be played is read all the
// same.
func TestParseIllegal(t *testing.T) {
	p := parse(t, weiqi.Standard, "Q16")
	m, err := weiqi.Standard.ParseMove(p, "pd", game.AnyNotation)
	if !errors.Is(err, game.ErrOccupied) || m != game.Drop(board.At(15, 3)) {
		t.Errorf("move %v, error %v", m, err)
	}
}

func TestGeometry(t *testing.T) {
	for spec, want := range map[string]int{
		"19x19": 9, "25x25": 9, "15x15": 9, "13x13": 5, "9x9": 5, "7x7": 5, "5x5": 1, "8x8": 4,
		"18x18": 4, "3x3": 0, "1x1": 0, "19x5": 1, "7x3": 0,
	} {
		g := variant(t, spec).Geometry()
		if len(g.Dots) != want {
			t.Errorf("%s: %d star points, want %d: %v", spec, len(g.Dots), want, g.Dots)
		}
		size := g.Size
		for _, d := range g.Dots {
			p := board.At(int(d.X), int(d.Y))
			mirrored := board.HalfTurn.Apply(size, p)
			found := false
			for _, e := range g.Dots {
				found = found || board.At(int(e.X), int(e.Y)) == mirrored
			}
			if !size.Has(p) || !found {
				t.Errorf("%s: star point %v", spec, p)
			}
		}
	}
	l := weiqi.Standard.Geometry().Labels
	if strings.Join(l.Top, "") != "ABCDEFGHJKLMNOPQRST" || l.Left[0] != "19" || l.Left[18] != "1" {
		t.Errorf("labels %v", l)
	}
}
