package opening

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/pattern"
)

// TestTables checks that the tables can be read as a whole, where Of keeps silent,
// and that openings which are positions are found again.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		rules game.Rules
		want  int
	}{{othello.Standard, 152}, {renju.Renju, 26}} {
		n := newNames(c.rules)
		if err := n.load(); err != nil {
			t.Fatal(err)
		}
		list := n.List()
		if len(list) != c.want || len(n.All()) != c.want {
			t.Errorf("%d openings, want %d", len(list), c.want)
		}
		ids, sources := map[string]int{}, map[string]int{}
		for i, o := range list {
			ids[o.ID] = i
			sources[o.Source]++
			if i > 0 && len(o.Moves) < len(list[i-1].Moves) {
				t.Errorf("%s comes behind a longer one", o.ID)
			}
		}
		if c.rules == game.Rules(othello.Standard) && (sources[Gatliff] != 76 || sources[Egaroucid] != 76) {
			t.Errorf("sources: %v", sources)
		}
		for _, o := range list {
			p, err := n.position(o.Moves)
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := n.At(p); !ok || got.ID != o.ID {
				t.Errorf("at %s: %v", o.ID, got)
			}
			if got, ok := n.Deepest(nil, o.Moves); !ok || got.ID != o.ID {
				t.Errorf("deepest of %s: %v", o.ID, got)
			}
			if at, ok := ids[o.Parent]; o.Parent != "" && (!ok || len(list[at].Moves) >= len(o.Moves)) {
				t.Errorf("%s has the parent %q", o.ID, o.Parent)
			}
			if (o.Parent != "") != (len(o.Moves) > 2 && c.rules == game.Rules(othello.Standard)) {
				t.Errorf("%s has the parent %q", o.ID, o.Parent)
			}
		}
	}
}

// TestNames checks the names of all games: there is one in each language, and no
// two openings of a game are called the same.
func TestNames(t *testing.T) {
	for _, r := range []game.Rules{othello.Standard, renju.Renju, weiqi.Standard} {
		n := Of(r)
		if len(n.All()) == 0 {
			t.Errorf("%s has no openings", r.Info().Name)
		}
		for _, o := range n.All() {
			for _, s := range append(o.called(), o.ID) {
				if s == "" || strings.TrimSpace(s) != s {
					t.Errorf("%s: name %q", o.ID, s)
				}
				for _, way := range []string{s, strings.ToUpper(s), " " + s + " "} {
					got := n.FindAll(way)
					if s == "유성" && len(got) == 2 {
						continue // Yusei and Ryusei
					}
					if len(got) != 1 || got[0].ID != o.ID {
						t.Errorf("%q finds %d, want %s", way, len(got), o.ID)
					}
				}
			}
		}
		if _, ok := n.Find("no such opening"); ok || n.FindAll("") != nil {
			t.Errorf("%s finds what there is not", r.Info().Name)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		rules      game.Rules
		word, want string
	}{
		{othello.Standard, "stephensen", "Stephenson"},
		{renju.Renju, "kagatsu", "Kagetsu"},
		{weiqi.Standard, "sanrensai", "Sanrensei"},
		{weiqi.Standard, "kobajashi", "Kobayashi"},
	} {
		if got := Of(c.rules).Nearest(c.word, 3); len(got) == 0 || len(got) > 3 || got[0] != c.want {
			t.Errorf("nearest to %q: %q, want %q", c.word, got, c.want)
		}
	}
}

// TestTurned finds openings in every picture of the board, by position and by
// pattern.
func TestTurned(t *testing.T) {
	for _, r := range []game.Rules{othello.Standard, renju.Renju} {
		n := Of(r)
		on := pattern.BoardOf(r)
		for _, o := range n.List() {
			shapes := n.Patterns(o)
			if len(shapes) != 1 {
				t.Fatalf("%s has %d patterns", o.ID, len(shapes))
			}
			places, err := pattern.Compile(shapes[0], on)
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for sym := range board.NumSymmetries {
				p := r.Start()
				legal := true
				var moves []game.Move
				for _, m := range o.Moves {
					m = m.Transform(r.Geometry().Size, sym)
					if legal = p.Play(m) == nil; !legal {
						break // this picture exchanges the colours of the start
					}
					moves = append(moves, m)
				}
				if !legal {
					continue
				}
				found++
				if got, ok := n.At(p); !ok || got.ID != o.ID {
					t.Errorf("%s by %v: %v", o.ID, sym, got.ID)
				}
				if got, ok := n.Deepest(r.Start(), moves); !ok || got.ID != o.ID {
					t.Errorf("deepest of %s by %v: %v", o.ID, sym, got.ID)
				}
				if !stands(places, p.(game.Planar).Planes(), p.Turn()) {
					t.Errorf("%s by %v is not where its pattern is", o.ID, sym)
				}
			}
			if found != 8 && (found != 4 || r != game.Rules(othello.Standard)) {
				t.Errorf("%s has %d pictures", o.ID, found)
			}
		}
	}
}

// stands reports whether a pattern stands on a board, point by point.
func stands(places []pattern.Placement, b *board.Planes, turn game.Side) bool {
	return slices.ContainsFunc(places, func(p pattern.Placement) bool {
		for i, at := range p.Points {
			if !p.Sets[i].Has(b.At(board.At(int(at)%b.Size.W, int(at)/b.Size.W))) {
				return false
			}
		}
		return p.Turn == pattern.AnyTurn || (p.Turn == pattern.FirstToMove) == (turn == game.First)
	})
}

func TestDeepest(t *testing.T) {
	n := Of(othello.Standard)
	for line, want := range map[string]string{
		"":                       "",
		"f5":                     "",
		"f5d6c3d3c4f4f6b3":       "Stephenson",
		"f5d6c4d3c3":             "Tiger", // by another order of moves
		"f5d6c3d3c4f4c5b3c2b4a2": "Central Rose-Bill / Dead draw",
	} {
		_, moves, err := game.ParseLine(othello.Standard, line)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := n.Deepest(nil, moves)
		if want != "" && got.Names.En != want || ok != (got.ID != "") {
			t.Errorf("%s: %q, want %q", line, got.Names.En, want)
		}
		if line == "f5" && ok {
			t.Errorf("%s: %q", line, got.Names.En)
		}
	}
	if got, ok := n.Deepest(nil, []game.Move{othello.Move("f5"), othello.Move("d6"), othello.Move("a1")}); !ok || got.ID != "f5d6" {
		t.Errorf("behind an illegal move: %v", got)
	}
}

// TestFuseki: the opening that says most names a game of Go.
func TestFuseki(t *testing.T) {
	n := Of(weiqi.Standard)
	for line, want := range map[string]string{
		"":                                     "",
		"Q16 D4":                               "",
		"Q16 D4 Q3 D17":                        "parallel-fuseki",
		"Q16 D4 Q3 D17 R9":                     "chinese",
		"Q16 D4 Q3 D17 R9 C14 F17 D10":         "chinese",
		"Q16 D4 Q4 D16":                        "nirensei",
		"R16 D17 Q3 P17 C4 O3 Q15":             "shusaku",
		"Q3 D4 Q16 D16 F3 C6 K4 K16 C14 F17":   "kobayashi",
		"Q16 D16 D4 Q4 O3 F17 C14 R14 O17 C10": "diagonal-stars",
	} {
		start, moves := weiqi.Standard.Start(), []game.Move(nil)
		if line != "" {
			var err error
			if _, moves, err = game.ParseLine(weiqi.Standard, line); err != nil {
				t.Fatal(err)
			}
		}
		if got, ok := n.Fuseki(start, moves); got.ID != want || ok != (want != "") {
			t.Errorf("%s: %q, want %q", line, got.ID, want)
		}
		if start.(*weiqi.Position).Planes().Occupied() != (board.Plane{}) {
			t.Errorf("%s: the start is not restored", line)
		}
		if got, ok := n.Deepest(start, moves); ok {
			t.Errorf("%s is the position %s", line, got.ID)
		}
	}
}

func TestNone(t *testing.T) {
	small, err := othello.New(board.Size{W: 6, H: 6})
	if err != nil {
		t.Fatal(err)
	}
	gomoku, err := renju.New(board.Size{W: 15, H: 15}, renju.SetFree)
	if err != nil {
		t.Fatal(err)
	}
	nine, err := weiqi.Standard.Variant("9x9")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []game.Rules{small, gomoku, nine, xiangqi.Standard} {
		n := Of(r)
		p := r.Start()
		if _, ok := n.At(p); ok || len(n.List())+len(n.All()) != 0 {
			t.Errorf("%s has openings", r.Info().Name)
		}
		if _, ok := n.Deepest(p, p.AppendMoves(nil)[:1]); ok {
			t.Errorf("%s has openings", r.Info().Name)
		}
		if _, ok := n.Fuseki(p, p.AppendMoves(nil)[:1]); ok {
			t.Errorf("%s has openings", r.Info().Name)
		}
		if got := n.AppendAt(nil, p.(game.Planar).Planes(), game.First, 1); len(got) != 0 || n.FindAll("komoku") != nil {
			t.Errorf("%s has openings", r.Info().Name)
		}
	}
}

func TestReadLines(t *testing.T) {
	for _, text := range []string{
		"f5d6|Perpendicular|縦取り|垂直|垂直",
		"f5d6|Perpendicular|縦取り|垂直||수직",
		"f5f5|Twice|a|b|c|d",
		"f5d6|One|a|b|c|d\nf5d6|Other|e|f|g|h",
		"f5d6|One|a|b|c|d\nc4e3|Turned|e|f|g|h",
	} {
		if err := newNames(othello.Standard).readLines(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// TestReadBlanks: blanks around bars and behind lines mean nothing.
func TestReadBlanks(t *testing.T) {
	n := newNames(othello.Standard)
	if err := n.readLines("@ A list \n  f5d6 | Perpendicular | 縦取り | 垂直 | 垂直 | 수직 | upright | T \r\n \n"); err != nil {
		t.Fatal(err)
	}
	o := n.list[0]
	if o.ID != "upright" || o.Source != "A list" || o.Names != (board.Names{En: "Perpendicular", Ja: "縦取り", Hant: "垂直", Hans: "垂直", Ko: "수직"}) || !slices.Equal(o.Aliases, []string{"T"}) {
		t.Errorf("it is read as %+v", o)
	}
}

func TestStart(t *testing.T) {
	r := othello.Standard
	seen := map[string]bool{}
	for seed := range uint64(50) {
		judge := func(_ context.Context, p game.Position) (engine.Value, error) {
			return engine.Value(len(p.AppendMoves(nil))-8) * engine.Unit, nil // some measure
		}
		line, err := Start(t.Context(), r, StartOptions{Seed: seed, Judge: judge, Limit: 2 * engine.Unit})
		if err != nil || len(line) != 8 {
			t.Fatalf("seed %d: %v %v", seed, line, err)
		}
		p := r.Start()
		for _, m := range line {
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		if v, _ := judge(t.Context(), p); max(v, -v) > 2*engine.Unit {
			t.Errorf("seed %d: value %d", seed, v)
		}
		again, _ := Start(t.Context(), r, StartOptions{Seed: seed, Judge: judge, Limit: 2 * engine.Unit})
		if !slices.Equal(line, again) {
			t.Errorf("seed %d makes two beginnings", seed)
		}
		seen[fmt.Sprint(line)] = true
	}
	if len(seen) < 45 {
		t.Errorf("50 seeds make %d beginnings", len(seen))
	}
	if _, err := Start(t.Context(), r, StartOptions{Plies: 100}); err == nil {
		t.Error("a beginning longer than the game")
	}
}

func ExampleNames_AppendAt() {
	names := Of(weiqi.Standard)
	p, moves, err := game.ParseLine(weiqi.Standard, "Q16 D4 Q3 D16 R9")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range names.AppendAt(nil, p.(game.Planar).Planes(), p.Turn(), len(moves)) {
		if o.Kind == Fuseki {
			fmt.Println(o.ID, o.Names.En, o.Names.Hant)
		}
	}
	// Output:
	// parallel-fuseki Parallel opening 平行型布局
	// nirensei Nirensei 二連星
	// chinese Chinese opening 中國流
}

func ExampleNames_Find() {
	o, ok := Of(renju.Renju).Find("4D")
	fmt.Println(o.Names.En, o.Names.Ja, ok)
	o, ok = Of(weiqi.Standard).Find("小林流")
	fmt.Println(o.Names.En, o.Names.Ko, ok)
	// Output:
	// Kagetsu 花月 true
	// Kobayashi opening 고바야시류 true
}

func ExampleNames_Deepest() {
	names := Of(othello.Standard)
	_, moves, err := game.ParseLine(othello.Standard, "f5d6c3d3c4f4f6b4a5")
	if err != nil {
		fmt.Println(err)
		return
	}
	o, ok := names.Deepest(nil, moves)
	fmt.Println(o.Names.En, o.ID, o.Parent, ok)
	// Output: Kung f5d6c3d3c4f4f6b4 f5d6c3d3c4f4f6 true
}
