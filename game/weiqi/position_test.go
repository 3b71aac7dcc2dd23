package weiqi_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/gametest"
	"qipu/game/weiqi"
	"qipu/internal/testkit"
)

// variant returns the rules of a spec.
func variant(t testing.TB, spec string) *weiqi.Rules {
	t.Helper()
	r, err := weiqi.Standard.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r.(*weiqi.Rules)
}

// parse returns the position of a text.
func parse(t testing.TB, r *weiqi.Rules, text string) *weiqi.Position {
	t.Helper()
	p, err := game.ParsePosition(r, text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*weiqi.Position)
}

func TestLaws(t *testing.T) {
	sizes := map[string]gametest.Options{
		"19x19": {Games: testkit.Scale(1, 20)},
		"25x25": {Games: testkit.Scale(1, 10), Plies: 150},
		"9x9":   {Games: testkit.Scale(4, 40), Plies: 200},
		"7x3":   {Games: testkit.Scale(10, 100), PassRate: 0.03},
		"1x5":   {Games: testkit.Scale(20, 100), Plies: 60, PassRate: 0.1},
		"1x1":   {Games: 5, Plies: 20, PassRate: 0.5},
	}
	for _, set := range weiqi.RuleSets() {
		for size, o := range sizes {
			o.History = set.Ko != weiqi.SimpleKo
			t.Run(set.Name+"/"+size, func(t *testing.T) {
				gametest.Run(t, variant(t, size+","+set.Name), o)
			})
		}
	}
	t.Run("handicap", func(t *testing.T) {
		gametest.Run(t, variant(t, "9x9,komi=0,handicap=5"), gametest.Options{Games: 2, Plies: 100})
	})
}

func TestPlaythrough(t *testing.T) {
	gametest.Playthrough(t, weiqi.Standard, "testdata/play.txt")
}

func TestPerft(t *testing.T) {
	for _, spec := range []string{"2x2,japanese", "2x2,tromp-taylor", "3x2,new-zealand", "3x3,chinese", "3x3,aga", "9x9"} {
		t.Run(spec, func(t *testing.T) {
			name := strings.ReplaceAll(spec, ",", "-")
			gametest.Perft(t, variant(t, spec), "testdata/perft-"+name+".txt")
		})
	}
}

// compare checks everything observable of a position against the oracle.
func compare(o *oracle, r *weiqi.Rules, p *weiqi.Position) error {
	if int(p.Turn()) != o.turn {
		return fmt.Errorf("turn %d, want %d", p.Turn(), o.turn)
	}
	for i, c := range o.board {
		if piece := p.Planes().At(r.Size().Point(i)); ".XO"[piece] != c {
			return fmt.Errorf("point %d holds %c, want %c", i, ".XO"[piece], c)
		}
	}
	if got, want := p.AppendChanged(nil), o.changed(r); !slices.Equal(got, want) {
		return fmt.Errorf("changed %v, want %v", got, want)
	}
	s := game.SetupOf(p)
	if s.Prisoners != o.prisoners {
		return fmt.Errorf("prisoners %v, want %v", s.Prisoners, o.prisoners)
	}
	ko := board.NoPoint
	if i := o.ko(); i >= 0 {
		ko = r.Size().Point(i)
	}
	if s.Ko != ko {
		return fmt.Errorf("ko point %v, want %v", s.Ko, ko)
	}
	if got, want := p.Outcome(), o.outcome(r.Komi()); got != want {
		return fmt.Errorf("outcome %+v, want %+v", got, want)
	}
	var want []game.Move
	for i := range r.Size().Area() + 1 {
		if o.legal(i) {
			want = append(want, o.move(i))
		}
	}
	if got := p.AppendMoves(nil); fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("moves %v, want %v", got, want)
	}
	return nil
}

// TestOracle plays random games on small boards, with many captures, and
// compares every ply with the oracle.
func TestOracle(t *testing.T) {
	games := testkit.Scale(6, 200)
	for _, set := range weiqi.RuleSets() {
		t.Run(set.Name, func(t *testing.T) {
			t.Parallel()
			for w := 1; w <= 7; w++ {
				for h := 1; h <= 7; h++ {
					r := variant(t, fmt.Sprintf("%dx%d,%s", w, h, set.Name))
					for i := range games {
						playAgainstOracle(t, r, rand.New(rand.NewPCG(uint64(w*h), uint64(i))))
					}
				}
			}
		})
	}
}

func playAgainstOracle(t *testing.T, r *weiqi.Rules, rng *rand.Rand) {
	t.Helper()
	p := r.Start().(*weiqi.Position)
	o := newOracle(r)
	texts := map[uint64]string{}
	var line []string
	for range 3*r.Size().Area() + 4 {
		if err := compare(o, r, p); err != nil {
			t.Fatalf("%s after %v: %v", r.Info().Variant, line, err)
		}
		text := fmt.Sprintf("%s %d %d", o.board, o.turn, o.ko())
		if old, ok := texts[p.Hash()]; ok && old != text {
			t.Fatalf("%s: %q and %q have the same hash", r.Info().Variant, old, text)
		}
		texts[p.Hash()] = text
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		m := moves[rng.IntN(len(moves))]
		if m == game.Pass && rng.IntN(3) > 0 {
			m = moves[rng.IntN(len(moves))]
		}
		line = append(line, game.FormatMove(r, p, m, weiqi.GTP))
		if err := p.Play(m); err != nil {
			t.Fatalf("%s after %v: %v", r.Info().Variant, line, err)
		}
		i := r.Size().Area()
		if m != game.Pass {
			i = r.Size().Index(m.To())
		}
		o.play(i)
	}
	for range line {
		p.Undo()
		o.undo()
		if rng.IntN(8) == 0 {
			if err := compare(o, r, p); err != nil {
				t.Fatalf("%s undone from %v: %v", r.Info().Variant, line, err)
			}
		}
	}
	if err := compare(o, r, p); err != nil {
		t.Fatalf("%s undone from %v: %v", r.Info().Variant, line, err)
	}
}

// TestLegalPositions counts the arrangements that can be positions. The
// figures are from Tromp and Farnebäck, "Combinatorics of Go".
func TestLegalPositions(t *testing.T) {
	counts := map[board.Size]int{
		{W: 1, H: 1}: 1, {W: 1, H: 2}: 5, {W: 3, H: 1}: 15, {W: 1, H: 4}: 41, {W: 5, H: 1}: 113,
		{W: 2, H: 2}: 57, {W: 2, H: 3}: 489, {W: 4, H: 2}: 4125, {W: 3, H: 3}: 12675,
	}
	if testkit.Full() {
		counts[board.Size{W: 4, H: 3}] = 321689
	}
	for size, want := range counts {
		r := variant(t, size.String())
		s := game.NewSetup(r)
		if got := countLegal(r, s, 0); got != want {
			t.Errorf("%v: %d legal positions, want %d", size, got, want)
		}
	}
}

// countLegal counts the legal ways to fill the board from a point on.
func countLegal(r *weiqi.Rules, s game.Setup, from int) int {
	if from == r.Size().Area() {
		if _, err := r.Arrange(s); err != nil {
			return 0
		}
		return 1
	}
	n := 0
	for piece := range board.Piece(3) {
		s.Board.Put(r.Size().Point(from), piece)
		n += countLegal(r, s, from+1)
	}
	return n
}

// TestGames counts the games of Tromp and Farnebäck, "Combinatorics of Go":
// simple paths through the positions from the empty board, where either side
// may move next and suicide is possible.
func TestGames(t *testing.T) {
	for spec, want := range map[string]int{"1x1": 1, "1x2": 9, "1x3": 907} {
		r := variant(t, spec+",tromp-taylor")
		if got := countGames(r.Start().(*weiqi.Position), map[uint64]bool{}); got != want {
			t.Errorf("%s: %d games, want %d", spec, got, want)
		}
	}
}

func countGames(p *weiqi.Position, seen map[uint64]bool) int {
	h := p.Planes().Hash()
	if seen[h] {
		return 0
	}
	seen[h] = true
	n := 1
	for q := range p.Rules().Size().Points() {
		for side := range game.Side(2) {
			if p.Force(side, game.Drop(q)) == nil {
				n += countGames(p, seen)
				p.Undo()
			}
		}
	}
	delete(seen, h)
	return n
}

func TestForce(t *testing.T) {
	r := variant(t, "5x5")
	// White takes in a ko at B4; Black may not retake at once but a record may.
	p := parse(t, r, "1XO2/X1XO1/1XO2/5/5 w moves B4")
	retake := game.Drop(board.At(2, 1))
	before := game.FormatPosition(r, p)
	if !strings.Contains(before, "ko=2,1") {
		t.Fatalf("no ko in %q", before)
	}
	if err := p.Play(retake); err != weiqi.ErrKo {
		t.Errorf("ko retaken: %v", err)
	}
	if err := p.Force(weiqi.Black, retake); err != nil {
		t.Fatal(err)
	}
	if got := game.FormatPosition(r, p); !strings.Contains(got, "ko=1,1 prisoners=1,1") {
		t.Errorf("forced retake gives %q", got)
	}
	p.Undo()
	if got := game.FormatPosition(r, p); got != before {
		t.Errorf("undo gives %q, want %q", got, before)
	}
	for m, want := range map[game.Move]error{
		game.Drop(board.At(1, 1)):         game.ErrOccupied,
		game.Drop(board.At(5, 1)):         game.ErrOffBoard,
		game.Drop(1023):                   game.ErrOffBoard,
		game.Step(0, 1):                   weiqi.ErrNotDrop,
		game.NoMove:                       weiqi.ErrNotDrop,
		game.Drop(board.At(0, 1)) | 1<<12: weiqi.ErrNotDrop,
	} {
		if err := p.Force(weiqi.Black, m); err != want {
			t.Errorf("forcing %v: %v, want %v", m, err, want)
		}
	}
	if got := game.FormatPosition(r, p); got != before {
		t.Errorf("refused moves change the position to %q", got)
	}
}

// TestForceSequence forces what the rules forbid: two moves in a row, suicide
// of two stones, moves after the end.
func TestForceSequence(t *testing.T) {
	r := variant(t, "3x2")
	p := r.Start().(*weiqi.Position)
	start := game.FormatPosition(r, p)
	force := func(side game.Side, text, want string) {
		t.Helper()
		m, err := r.ParseMove(p, text, weiqi.GTP)
		if err != nil && !errors.Is(err, game.ErrIllegal) {
			t.Fatal(err)
		}
		if err := p.Force(side, m); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := game.FormatPosition(r, p); got != want {
			t.Fatalf("after %s: %q, want %q", text, got, want)
		}
	}
	force(weiqi.White, "B2", "1O1/3 b")
	force(weiqi.White, "C1", "1O1/2O b")
	force(weiqi.White, "C2", "1OO/2O b")
	force(weiqi.White, "B1", "1OO/1OO b")
	force(weiqi.Black, "A2", "XOO/1OO w")
	force(weiqi.White, "pass", "XOO/1OO b")
	force(weiqi.White, "pass", "XOO/1OO b")
	if p.Outcome().Over() {
		t.Error("two passes of one side have ended the game")
	}
	force(weiqi.Black, "pass", "XOO/1OO w")
	if p.Outcome().State != game.Unscored {
		t.Error("two passes in turn have not ended the game")
	}
	force(weiqi.White, "A1", "1OO/OOO b prisoners=0,1")
	p.Undo()
	force(weiqi.Black, "A1", "X2/X2 w prisoners=4,0")
	p.Undo()
	force(weiqi.White, "A1", "1OO/OOO b prisoners=0,1")
	force(weiqi.White, "A2", "3/3 b prisoners=6,1")
	for range 10 {
		p.Undo()
	}
	if got := game.FormatPosition(r, p); got != start {
		t.Errorf("undone: %q", got)
	}
}

// TestChanged looks at moves that change more, or less, than their own point.
func TestChanged(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"new", "5/5/5/5/5 b", ""},
		{"set up", "XO3/5/5/5/5 b", ""},
		{"stone", "5/5/5/5/5 b moves C3", "C3X"},
		{"pass", "5/5/5/5/5 b moves C3 pass", ""},
		{"one taken", "OX3/5/5/5/5 b moves A4", "A4X A5."},
		{"two strings side by side", "XOXOX/XO1OX/1X1X1/5/5 b moves C4", "C4X B5. D5. B4. D4."},
		{"in all four directions", "1XOX1/XO1OX/1XOX1/2X2/5 b moves C4", "C4X C5. B4. D4. C3."},
		{"own stones joined", "OOX2/OOX2/1X3/5/5 b moves A3", "A3X A5. B5. A4. B4."},
		{"suicide of one", "1O3/O4/5/5/5 b moves A5", ""},
		{"suicide of three", "X1O2/XO3/O4/5/5 b moves B5", "A5. A4."},
		{"ko", "1XO2/X1XO1/1XO2/5/5 w moves B4", "B4O C4."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := variant(t, "5x5,new-zealand")
			p := parse(t, r, c.text)
			var got []string
			for _, x := range p.AppendChanged(nil) {
				got = append(got, game.FormatMove(r, p, game.Drop(x.Point), weiqi.GTP)+".XO"[x.Piece:x.Piece+1])
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("changed %q, want %q", s, c.want)
			}
		})
	}
}

func TestUndoPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("undo without a move does not panic")
		}
	}()
	weiqi.Standard.Start().Undo()
}
