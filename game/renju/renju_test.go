package renju_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/gametest"
	"qipu/game/renju"
	"qipu/internal/testkit"
)

func variant(t testing.TB, spec string) game.Rules {
	t.Helper()
	if spec == "" {
		return renju.Renju
	}
	r, err := renju.Renju.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLaws(t *testing.T) {
	for _, spec := range []string{"", "free", "standard", "19x19", "5x5", "6x9,free", "9x6"} {
		t.Run("variant "+spec, func(t *testing.T) {
			gametest.Run(t, variant(t, spec), gametest.Options{PassRate: 0.02, Seed: 5})
		})
	}
}

// TestLawsLargest plays few games: they are long.
func TestLawsLargest(t *testing.T) {
	gametest.Run(t, variant(t, "25x25,standard"), gametest.Options{PassRate: 0.001, Games: testkit.Scale(2, 40)})
}

func TestPlay(t *testing.T)  { gametest.Playthrough(t, renju.Renju, "testdata/play.txt") }
func TestPerft(t *testing.T) { gametest.Perft(t, renju.Renju, "testdata/perft.txt") }

func TestVariants(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"15x15", ""}, {"renju", ""}, {"15,renju", ""},
		{"19", "19x19"}, {"FREE", "free"}, {"freestyle, 20x20", "20x20,free"},
		{"6x9,standard", "6x9,standard"}, {"free,renju", ""},
	} {
		r := variant(t, c.spec)
		if got := r.Info().Variant; got != c.want {
			t.Errorf("variant %q is called %q, want %q", c.spec, got, c.want)
		}
		if set := r.(*renju.Rules).Set(); (set == renju.SetRenju) != (c.want == "" || c.want == "19x19") {
			t.Errorf("variant %q has the rule set %v", c.spec, set)
		}
	}
	for _, bad := range []string{"4x4", "15x4", "26x26", "caro", "free;", "15x15x15"} {
		if _, err := renju.Renju.Variant(bad); err == nil || !strings.HasPrefix(err.Error(), "renju: ") {
			t.Errorf("variant %q: error %v", bad, err)
		}
	}
	if _, err := renju.New(board.Size{W: 15, H: 15}, 3); err == nil {
		t.Error("there is no fourth rule set")
	}
	// A variant changes the rules it is asked of.
	small := variant(t, "9x9,free")
	if r, _ := small.(game.Varied).Variant("renju"); r.Info().Variant != "9x9" {
		t.Errorf("9x9,free as renju is %q", r.Info().Variant)
	}
	catalog := game.Catalog{renju.Renju}
	for _, name := range []string{"renju", "Gomoku", "gobang", "五子棋", "오목", "連珠", "omok:free"} {
		if _, err := catalog.Find(name); err != nil {
			t.Error(err)
		}
	}
}

// TestEnds plays to every kind of end, under every rule set.
func TestEnds(t *testing.T) {
	const filler = "a1 c1 e1 g1 i1 k1 m1 o1" // White's stones, never in a row
	for _, c := range []struct{ name, black, renju, standard, free string }{
		{"five", "f8 g8 h8 i8 j8", "black won (line)", "black won (line)", "black won (line)"},
		{"six", "f8 g8 h8 j8 k8 i8", "white won (forbidden move)", "ongoing", "black won (line)"},
		{"double-three", "f8 g8 h9 h10 h8", "white won (forbidden move)", "ongoing", "ongoing"},
		{"double-four", "e8 f8 g8 h9 h10 h11 h8", "white won (forbidden move)", "ongoing", "ongoing"},
		{"five and double-four", "d8 e8 f8 g8 h9 h10 h11 h8", "black won (line)", "black won (line)", "black won (line)"},
	} {
		for spec, want := range map[string]string{"renju": c.renju, "standard": c.standard, "free": c.free} {
			r := variant(t, spec)
			p := r.Start()
			white := strings.Fields(filler)
			for i, m := range strings.Fields(c.black) {
				if i > 0 {
					play(t, r, p, white[i-1])
				}
				play(t, r, p, m)
			}
			if q := p.(*renju.Position); spec != "renju" && (q.Forbidden() != board.Plane{} || q.Foul(board.At(0, 0)) != renju.NoFoul) {
				t.Errorf("%s, %s: fouls in Gomoku", spec, c.name)
			}
			o := p.Outcome()
			if got := o.Describe(r.Info()); got != want {
				t.Errorf("%s, %s: %s, want %s", spec, c.name, got, want)
			}
			if o.Claim != (o.Reason == game.ByForbidden) {
				t.Errorf("%s, %s: %+v", spec, c.name, o)
			}
		}
	}
}

func play(t testing.TB, r game.Rules, p game.Position, moves string) {
	t.Helper()
	_, err := game.ParseMoves(r, p, moves)
	must(t, err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhiteOverline shows that White wins with six under the rules of Renju,
// and that her shapes are no fouls.
func TestWhiteOverline(t *testing.T) {
	for spec, want := range map[string]string{"renju": "white won (line)", "free": "white won (line)", "standard": "ongoing"} {
		r := variant(t, spec)
		p, err := game.ParsePosition(r, "15/15/15/15/15/15/15/4OOO1OO5/15/15/15/15/15/15/15 w moves h8")
		must(t, err)
		if got := p.Outcome().Describe(r.Info()); got != want {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
	}
}

// TestClaim follows a foul that White does not punish.
func TestClaim(t *testing.T) {
	p := renju.Renju.Start().(*renju.Position)
	play(t, renju.Renju, p, "f8 a1 g8 c1 h9 e1 h10 g1")
	forbidden := p.Forbidden()
	if f := p.Foul(board.At(7, 7)); f != renju.DoubleThree || !forbidden.Has(board.At(7, 7)) {
		t.Errorf("h8 is %v, forbidden %v", f, forbidden)
	}
	play(t, renju.Renju, p, "h8")
	if o := p.Outcome(); !o.Over() || o.Final() || o.Winner != game.Second || p.LastFoul() != renju.DoubleThree {
		t.Errorf("after the foul: %+v, %v", o, p.LastFoul())
	}
	play(t, renju.Renju, p, "i1")
	if o := p.Outcome(); o.Over() || p.LastFoul() != renju.NoFoul {
		t.Errorf("White played on: %+v", o)
	}
	p.Undo()
	if o := p.Outcome(); o.Reason != game.ByForbidden {
		t.Errorf("after undo: %+v", o)
	}
	p.Undo()
	if o := p.Outcome(); o.Over() {
		t.Errorf("before the foul: %+v", o)
	}
}

func TestPasses(t *testing.T) {
	p := renju.Renju.Start()
	play(t, renju.Renju, p, "h8 pass i9 h9 pass")
	if p.Outcome().Over() {
		t.Fatal("one pass ends nothing")
	}
	before := p.Hash()
	play(t, renju.Renju, p, "--")
	if o := p.Outcome(); o.State != game.Drawn || o.Reason != game.ByPasses || !o.Final() {
		t.Errorf("two passes: %+v", o)
	}
	if err := p.Play(game.Drop(0)); !errors.Is(err, game.ErrOver) {
		t.Errorf("after the end: %v", err)
	}
	p.Undo()
	if p.Hash() != before || p.Outcome().Over() {
		t.Error("undo of the second pass")
	}
}

// TestFullBoard fills 5x5 boards with the last stone making nothing, and with
// a foul that White cannot answer.
func TestFullBoard(t *testing.T) {
	r := variant(t, "5x5")
	p, err := game.ParsePosition(r, "XXOXX/OOXOO/XXOXX/OOXOO/XXOX1 moves e1")
	must(t, err)
	if got := p.Outcome().Describe(r.Info()); got != "drawn (full board)" {
		t.Error(got)
	}
	r = variant(t, "6x5")
	p, err = game.ParsePosition(r, "XXXXX1/OOXOOX/XXOXXO/OOXOOX/XXOXXO")
	must(t, err)
	if o := p.Outcome(); !o.Final() || o.Reason != game.ByLine {
		t.Errorf("five on the board already: %+v", o)
	}
	p, err = game.ParsePosition(r, "XXX1XX/OOXOOX/XXOXXO/OOXOOX/XXOXXO moves d5")
	must(t, err)
	if o := p.Outcome(); !o.Final() || o.Reason != game.ByForbidden || len(p.AppendMoves(nil)) != 0 {
		t.Errorf("overline on the last point: %+v", o)
	}
}

// TestArrange sets up what no game leads to.
func TestArrange(t *testing.T) {
	empty := "/15/15/15/15/15/15/15/15/15/15/15/15/15"
	for _, c := range []struct{ spec, text, want string }{
		{"renju", "XXXXX10/OOOOO10" + empty + " b", "white won (line)"},
		{"renju", "XXXXX10/OOOOO10" + empty + " w", "black won (line)"},
		{"renju", "XXXXX10/OOOO11" + empty + " b", "black won (line)"},
		{"renju", "XXXXXX9/OOOO11" + empty + " w", "ongoing"},
		{"renju", "OOOOOO9/XXXX11" + empty + " b", "white won (line)"},
		{"free", "XXXXXX9/OOOO11" + empty + " w", "black won (line)"},
		{"standard", "OOOOOO9/XXXX11" + empty + " b", "ongoing"},
		{"renju", "XXXX11/15" + empty + " w", "ongoing"},
	} {
		r := variant(t, c.spec)
		p, err := game.ParsePosition(r, c.text)
		must(t, err)
		if got := p.Outcome().Describe(r.Info()); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.spec, c.text, got, c.want)
		}
	}
	s := game.NewSetup(renju.Renju)
	s.Board.Of[0].Add(5)
	s.Board.Of[1].Add(5)
	other := game.NewSetup(variant(t, "9x9"))
	beyond := game.NewSetup(renju.Renju)
	beyond.Board.Of[0].Add(board.At(15, 0))
	side := game.NewSetup(renju.Renju)
	side.Turn = 2
	for _, bad := range []game.Setup{s, other, beyond, side, {}} {
		if _, err := renju.Renju.Arrange(bad); err == nil {
			t.Errorf("arrangement accepted: %+v", bad)
		}
	}
}

func TestNotations(t *testing.T) {
	p := renju.Renju.Start()
	play(t, renju.Renju, p, "h8")
	big := variant(t, "25x25")
	for _, c := range []struct {
		r    game.Rules
		n    game.Notation
		text string
		want string // plain, or the error
	}{
		{renju.Renju, "", "a1", "a1"}, {renju.Renju, "", "O15", "o15"}, {renju.Renju, "", "ao", "a1"},
		{renju.Renju, "", "1,15", "a1"}, {renju.Renju, "", "15,1", "o15"}, {renju.Renju, "", "oa", "o15"},
		{renju.Renju, "sgf", "tt", "pass"}, {renju.Renju, "sgf", "", "pass"}, {renju.Renju, "xy", "Pass", "pass"},
		{renju.Renju, "", "", "not a move"}, {renju.Renju, "", "h8", "occupied"}, {renju.Renju, "", "hh", "occupied"},
		{renju.Renju, "", "p1", "outside"}, {renju.Renju, "", "a16", "outside"}, {renju.Renju, "", "z99", "outside"},
		{renju.Renju, "", "16,1", "outside"}, {renju.Renju, "plain", "ao", "not a move"}, {renju.Renju, "sgf", "a1", "not a move"},
		{renju.Renju, "xy", "0,1", "not a move"}, {renju.Renju, "xy", "1,1,1", "not a move"}, {renju.Renju, "", "h08", "not a move"},
		{renju.Renju, "", "h", "not a move"}, {renju.Renju, "wxf", "h8", "not a move"},
		{big, "", "y25", "y25"}, {big, "sgf", "tt", "t6"}, {big, "xy", "25,25", "y1"},
	} {
		pos := p
		if c.r == big {
			pos = big.Start()
		}
		m, err := c.r.ParseMove(pos, c.text, c.n)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = game.FormatMove(c.r, pos, m, game.AnyNotation)
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s %q is %q, want %q", c.n, c.text, got, c.want)
		}
	}
}

func TestGeometry(t *testing.T) {
	g := renju.Renju.Geometry()
	var dots []string
	for _, d := range g.Dots {
		m := game.Drop(board.At(int(d.X), int(d.Y)))
		dots = append(dots, game.FormatMove(renju.Renju, nil, m, renju.Plain))
	}
	slices.Sort(dots)
	if got := fmt.Sprint(dots); got != "[d12 d4 h8 l12 l4]" {
		t.Errorf("dots %v", got)
	}
	if g.Labels.Top[14] != "o" || g.Labels.Left[0] != "15" {
		t.Errorf("labels %v", g.Labels)
	}
}

// TestNames checks that nothing is left without a name.
func TestNames(t *testing.T) {
	all := []board.Names{renju.Overline.Names(), renju.DoubleFour.Names(), renju.DoubleThree.Names(), renju.NoFoul.Names()}
	for _, o := range renju.Openings {
		all = append(all, o.Names)
	}
	for _, n := range all {
		if n.En == "" || n.Hant == "" || n.Hans == "" || n.Ja == "" || n.Ko == "" {
			t.Errorf("%+v", n)
		}
	}
	if renju.DoubleThree.String() != "double-three" {
		t.Error(renju.DoubleThree)
	}
}
