package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/workshop/counted"
)

// drawn returns a position and a report on it that has every string alive, but for
// those drawn small, which are dead, and those marked by % and &, in seki.
func drawn(t testing.TB, rules, text string) (*weiqi.Position, *judge.Report) {
	t.Helper()
	rows := strings.Split(strings.TrimSpace(text), "\n")
	width := len(strings.Fields(rows[0]))
	v, err := weiqi.Standard.Variant(fmt.Sprintf("%dx%d,%s", width, len(rows), rules))
	if err != nil {
		t.Fatal(err)
	}
	s := game.NewSetup(v)
	status := map[board.Point]life.Status{}
	for y, row := range rows {
		for x, sign := range strings.Fields(row) {
			at := board.At(x, y)
			switch sign {
			case "X", "x", "%":
				s.Board.Of[0].Add(at)
			case "O", "o", "&":
				s.Board.Of[1].Add(at)
			}
			switch sign {
			case "x", "o":
				status[at] = life.Dead
			case "%", "&":
				status[at] = life.Seki
			}
		}
	}
	p, err := v.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	pos := p.(*weiqi.Position)
	j := judge.New()
	r, err := j.Judge(pos, judge.Options{Method: "fill"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Strings {
		if st, ok := status[r.Strings[i].Head]; ok {
			r.Strings[i].Status = st
		}
	}
	r.Fill(j.Board())
	r.Score = pos.Score(r.ScoreOptions())
	return pos, r
}

// short writes an endgame in one line.
func short(p *weiqi.Position, e judge.Endgame) string {
	g := p.Rules().Geometry()
	var out []string
	for _, q := range e.Dame {
		out = append(out, "dame "+g.Name(q))
	}
	for _, q := range e.Open {
		out = append(out, "open "+g.Name(q))
	}
	for side, list := range e.Moves {
		for _, m := range list {
			word := fmt.Sprintf("%s %s %s %d", p.Rules().Info().Sides[side].Name[:1], m.Kind, g.Name(m.At), m.Value)
			for _, at := range m.Strings {
				word += " " + g.Name(at)
			}
			out = append(out, word)
		}
	}
	return strings.Join(out, ", ")
}

func TestEndgame(t *testing.T) {
	for _, c := range []struct{ name, rules, board, want string }{
		{"nothing", "japanese", `
			. X O .
			X X O O
			. X O .
			X X O O`, ""},
		{"a dame", "japanese", `
			. X . O .
			X X O O O
			. X O . O
			X X O O .`, "dame C4"},
		{"a dame, area", "chinese", `
			. X . O .
			X X O O O
			. X O . O
			X X O O .`, "dame C4"},
		{"the last gap of a border is worth a point to White, and Black's stone there is taken", "japanese", `
			. . X . . O .
			X X X O O O O
			. X O O . O .`, "w border D3 2"},
		{"a gap that is wide open to both", "japanese", `
			. X . . O .
			. X . . O .
			. X X O O .
			X . X O . O`, "open C4, open D4, open C3, open D3"},
		{"once the dame is filled, three stones are in atari", "japanese", `
			. o X X . O
			X X . X O O
			. X X O O .
			. . X O . O`, "dame E4, b reinforce C3 12 C4"},
		{"they are in atari now", "japanese", `
			. o X X O O
			X X . X O O
			. X X O O .
			. . X O . O`, "b save C3 12 C4, w take C3 12 C4"},
		{"a ko for half a point", "japanese", `
			. X O O .
			X . X O O
			X X O O .
			. X O . O`, "b fill-ko B3 1 C3, w ko B3 1 C3"},
		{"a seki has nothing to play", "japanese", `
			. & % . % &
			& & % . % &
			& & % % % &
			& & & & & &`, ""},
		{"one colour", "japanese", `
			. . .
			. X .
			. . .`, ""},
		{"no stones", "japanese", `
			. . .
			. . .`, "open A2, open B2, open C2, open A1, open B1, open C1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, r := drawn(t, c.rules, c.board)
			before := p.Hash()
			if got := short(p, judge.New().Endgame(p, r)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if p.Hash() != before {
				t.Error("the position has changed")
			}
		})
	}
}

// Whatever the board and whatever the statuses: the position is left as it was,
// moves are on empty points that the rules allow, and what is neutral is so.
func FuzzEndgame(f *testing.F) {
	f.Add(uint8(5), uint8(5), []byte("XO.XO..XXOO.XO.XOXOXO..."), []byte{1, 2, 3})
	f.Add(uint8(1), uint8(7), []byte("X.OX.O."), []byte{3, 3, 3, 3})
	f.Add(uint8(25), uint8(2), []byte("XXOO....X.O"), []byte{})
	f.Fuzz(func(t *testing.T, w, h uint8, stones, statuses []byte) {
		size := board.Size{W: int(w)%9 + 1, H: int(h)%9 + 1}
		r, err := weiqi.New(weiqi.Options{Size: size, RuleSet: []string{weiqi.Japanese, weiqi.Chinese, weiqi.NewZealand}[len(stones)%3]})
		if err != nil {
			t.Fatal(err)
		}
		s := game.NewSetup(r)
		for i, c := range stones[:min(len(stones), size.Area())] {
			switch c {
			case 'X':
				s.Board.Of[0].Add(size.Point(i))
			case 'O':
				s.Board.Of[1].Add(size.Point(i))
			}
		}
		arranged, err := r.Arrange(s)
		if err != nil {
			return
		}
		p := arranged.(*weiqi.Position)
		j := judge.New()
		report, err := j.Judge(p, judge.Options{Method: "fill"})
		if err != nil {
			t.Fatal(err)
		}
		for i := range report.Strings {
			if i < len(statuses) {
				report.Strings[i].Status = life.Status(statuses[i] % 4)
			}
		}
		report.Fill(j.Board())
		before := game.FormatPosition(r, p)
		e := j.Endgame(p, report)
		if after := game.FormatPosition(r, p); after != before {
			t.Fatalf("the position was %s and is %s", before, after)
		}
		score := p.Score(report.ScoreOptions())
		for _, q := range e.Dame {
			if _, stone := p.SideAt(q); stone || !score.Dame.Has(q) {
				t.Errorf("%v is not neutral", q)
			}
		}
		for side, list := range e.Moves {
			for _, m := range list {
				if _, stone := p.SideAt(m.At); stone || m.Value <= 0 {
					t.Errorf("a move of %d to %v, worth %d", side, m.At, m.Value)
				}
				if !p.Breathes(game.Side(side), m.At) && !r.RuleSet().Suicide {
					t.Errorf("side %d cannot play %v", side, m.At)
				}
			}
		}
	})
}

// Players count a board when nothing is left on it: mostly.
func TestEndgameCounted(t *testing.T) {
	path, every, least := testkit.Games(t, "go-testsets/counted.tar.gz"), testkit.Scale(10, 1), 50
	if !testkit.Shared() {
		every, least = 1, 32
	}
	boards, err := counted.Read(t.Context(), ingest.Options{Formats: builtin.Formats(), Games: builtin.Games()}, path)
	if err != nil {
		t.Fatal(err)
	}
	var b life.Board
	all, over := 0, 0
	for i, c := range boards {
		if !c.Labelled || i%every != 0 {
			continue
		}
		p := c.Position()
		b.Reset(p.Planes())
		e := judge.New().Endgame(p, &judge.Report{Judgement: *c.Judgement(&b)})
		if all++; e.Over() {
			over++
		}
	}
	t.Logf("on %d of %d counted boards nothing but neutral points is left", over, all)
	if all < least || over*10 < all*7 {
		t.Errorf("on %d of %d counted boards nothing but neutral points is left: want seven of ten", over, all)
	}
}
