package describe

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"qipu/board"
	"qipu/game"
	"qipu/game/connect4"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/pattern"
)

var specs = []string{
	"weiqi", "weiqi:9x9", "weiqi:5x7", "weiqi:25x25", "weiqi:1x4", "othello", "othello:6x6", "renju", "renju:9x9,free", "xiangqi", "connect4",
}

// rules returns a game by a spec such as "weiqi:9x9".
func rules(t testing.TB, spec string) game.Rules {
	t.Helper()
	c := game.Catalog{weiqi.Standard, othello.Standard, renju.Renju, xiangqi.Standard, connect4.Rules{}}
	r, err := c.Find(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// namers returns one namer for each language.
func namers(r game.Rules) [3]*Namer {
	return [3]*Namer{New(r, Options{}), New(r, Options{Language: "zh-Hans"}), New(r, Options{Language: "en"})}
}

// TestNames runs the names of testdata: of patterns that are drawn, and
// patterns and refusals of names that are written.
func TestNames(t *testing.T) {
	testkit.Script(t, "testdata/names.txt", func(t *testing.T, c testkit.Command) string {
		r := rules(t, c.Args[0])
		all := namers(r)
		switch c.Name {
		case "name":
			p, err := pattern.Parse(r.Geometry(), c.Input)
			if err != nil {
				t.Fatalf("%s: %v", c.Line, err)
			}
			p.Mirror, p.Swap = true, true
			for _, word := range c.Args[1:] {
				switch word {
				case "no-mirror":
					p.Mirror = false
				case "no-swap":
					p.Swap = false
				case "first":
					p.Turn = pattern.FirstToMove
				case "second":
					p.Turn = pattern.SecondToMove
				default:
					t.Fatalf("%s: what is %s?", c.Line, word)
				}
			}
			if plies := c.Named["plies"]; plies != "" {
				if _, err := fmt.Sscanf(plies, "%d..%d", &p.From, &p.To); err != nil {
					t.Fatalf("%s: %v", c.Line, err)
				}
			}
			out := ""
			for _, n := range all {
				name := n.Name(p)
				for _, m := range all {
					if q, err := m.Parse(name); err != nil || !reflect.DeepEqual(q, m.Normal(p)) {
						t.Errorf("%s: %s reads as %+v, %v", c.Line, name, q, err)
					}
				}
				out += name + "\n"
			}
			return out
		case "read":
			out := ""
			for line := range strings.Lines(c.Input) {
				p, err := all[0].Parse(strings.TrimSuffix(line, "\n"))
				if err != nil {
					out += err.Error() + "\n"
				} else {
					out += all[0].Name(p) + "  " + pieces(r, p) + "\n"
				}
			}
			return out
		}
		t.Fatalf("%s: no such command", c.Line)
		return ""
	})
}

// pieces lists the cells of a fixed pattern that are one piece, with the names
// that the game has for them, so that a name is held against something else.
func pieces(r game.Rules, p *pattern.Pattern) string {
	var list []string
	for i, set := range p.Cells {
		if piece := single(set); piece != 0 && p.Anchor == pattern.Fixed {
			at := board.At(p.At.X()+i%p.Size.W, p.At.Y()+i/p.Size.W)
			list = append(list, r.Geometry().Pieces[piece-1].Letters[:1]+r.Geometry().Name(at))
		}
	}
	return strings.Join(list, " ")
}

// randomSet returns a set of states that a cell may have.
func randomSet(rng *rand.Rand, on pattern.Set) pattern.Set {
	for {
		set := pattern.Set(rng.Uint32()) & on
		if rng.IntN(4) == 0 {
			set &= pattern.Set(rng.Uint32())
			set &= pattern.Set(rng.Uint32())
		}
		if rng.IntN(4) == 0 {
			set |= pattern.Off
		}
		if set != 0 {
			return set
		}
	}
}

// randomPattern returns a pattern as users make them: cut out of a board and
// changed here and there, or a few pieces on an open board; sometimes one of
// nothing but random sets.
func randomPattern(rng *rand.Rand, b pattern.Board, pl *board.Planes) *pattern.Pattern {
	on := pattern.AnyOn(b.Kinds)
	p := &pattern.Pattern{To: -1}
	switch rng.IntN(5) {
	case 0: // random sets
		p.Size = board.Size{W: 1 + rng.IntN(pattern.MaxRegion), H: 1 + rng.IntN(4)}
		for range p.Size.Area() {
			p.Cells = append(p.Cells, randomSet(rng, on))
		}
		p.Anchor = pattern.Anchor(rng.IntN(5))
	case 1: // a few pieces on the whole board
		p.Size, p.Anchor, p.Edges = b.Size, pattern.Fixed, everyEdge
		ground := []pattern.Set{pattern.Empty, on, on}[rng.IntN(3)]
		for range p.Size.Area() {
			p.Cells = append(p.Cells, ground)
		}
		for range 1 + rng.IntN(7) {
			p.Cells[rng.IntN(len(p.Cells))] = pattern.Of(board.Piece(rng.IntN(b.Kinds + 1)))
		}
	default: // cut out
		w, h := 1+rng.IntN(b.Size.W), 1+rng.IntN(b.Size.H)
		p = pattern.Region(pl, rng.IntN(b.Size.W-w+1), rng.IntN(b.Size.H-h+1), w, h)
		if rng.IntN(3) == 0 {
			p.Anchor = pattern.Anchor(rng.IntN(5))
		}
		for range rng.IntN(3) {
			p.Cells[rng.IntN(len(p.Cells))] = randomSet(rng, on)
		}
		if rng.IntN(3) == 0 { // pieces alone
			for i, set := range p.Cells {
				if set == pattern.Empty && rng.IntN(8) > 0 {
					p.Cells[i] = on
				}
			}
		}
	}
	if rng.IntN(4) == 0 {
		p.Edges = pattern.Edges(rng.IntN(16))
	}
	if rng.IntN(4) == 0 || p.Anchor == pattern.Fixed && p.Size != b.Size {
		p.At = b.Size.Point(rng.IntN(b.Size.Area()))
	}
	p.Mirror, p.Swap = rng.IntN(2) == 0, rng.IntN(2) == 0
	if rng.IntN(3) == 0 {
		p.Turn = pattern.Turn(rng.IntN(3))
	}
	if rng.IntN(3) == 0 {
		p.From, p.To = rng.IntN(20)-3, rng.IntN(100)-3
	}
	return p
}

// play plays random moves and returns the board at some moment.
func play(t *testing.T, rng *rand.Rand, r game.Rules) *board.Planes {
	t.Helper()
	pos := r.Start()
	var moves []game.Move
	for range rng.IntN(120) {
		moves = pos.AppendMoves(moves[:0])
		if len(moves) == 0 {
			break
		}
		if err := pos.Play(moves[rng.IntN(len(moves))]); err != nil {
			t.Fatal(err)
		}
	}
	return pos.(game.Planar).Planes()
}

// TestRoundTrip checks the laws of names on many patterns: a name gives back
// its pattern, no two patterns share one, all are short, and what is left out
// by Normal changes nothing that is found.
func TestRoundTrip(t *testing.T) {
	const each = 40 // patterns of one board
	rounds := testkit.Scale(2500, 200000) / len(specs) / each
	for _, spec := range specs {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(7, uint64(len(spec))))
			r := rules(t, spec)
			all, b := namers(r), pattern.BoardOf(r)
			seen := map[string]*pattern.Pattern{}
			named, refused, forms := 0, 0, [3]int{}
			for range rounds {
				pl := play(t, rng, r)
				for range each {
					p := randomPattern(rng, b, pl)
					cells := len(p.Cells)
					found, err := pattern.Compile(p, b)
					if err != nil && !errors.Is(err, pattern.ErrNoFit) {
						refused++
						if name := all[0].Name(p); name != "" {
							t.Fatalf("%+v is wrong (%v) but has the name %s", p, err, name)
						}
						continue
					}
					named++
					normal := all[0].Normal(p)
					if same, _ := pattern.Compile(normal, b); !reflect.DeepEqual(found, same) {
						t.Fatalf("%+v lies elsewhere in its normal form %+v", p, normal)
					}
					if again := all[0].Normal(normal); !reflect.DeepEqual(again, normal) {
						t.Fatalf("%+v has the normal form %+v, which has %+v", p, normal, again)
					}
					for lang, n := range all {
						name := n.Name(p)
						q, err := all[2-lang].Parse(name)
						if err != nil || !reflect.DeepEqual(q, normal) {
							t.Fatalf("%+v\nhas the name %s\nwhich reads as %+v, %v", normal, name, q, err)
						}
						if old := seen[name]; old != nil && !reflect.DeepEqual(old, normal) {
							t.Fatalf("%s is the name of %+v and of %+v", name, old, normal)
						}
						seen[name] = normal
						if size, most := utf8.RuneCountInString(name), 600+20*cells; size > most {
							t.Errorf("a name of %d characters for %d cells: %s", size, cells, name)
						}
						switch {
						case strings.ContainsAny(name, "圖图") || strings.Contains(name, "diagram"):
							forms[2]++
						case strings.Contains(name, "路") || strings.Contains(name, " file "):
							forms[0]++
						default:
							forms[1]++
						}
					}
				}
			}
			t.Logf("%d patterns named, %d refused; phrases, lists, diagrams: %v", named, refused, forms)
			if named < rounds*each/2 || forms[2] == 0 || forms[1] == 0 {
				t.Errorf("%d patterns named of %d, forms %v: the test looks at too few", named, rounds*each, forms)
			}
		})
	}
}

// TestPairs names every pair of pieces of Xiangqi on points that a generator of
// positions may use, and reads it back. Each relation must be met.
func TestPairs(t *testing.T) {
	r := rules(t, "xiangqi")
	n := New(r, Options{})
	size := r.Geometry().Size
	base := &pattern.Pattern{Size: size, Anchor: pattern.Fixed, Edges: everyEdge, Mirror: true, Swap: true, To: -1, Cells: make([]pattern.Set, size.Area())}
	for i := range base.Cells {
		base.Cells[i] = n.on
	}
	met := map[string]int{}
	bare := 0
	rng := rand.New(rand.NewPCG(3, 5))
	for range testkit.Scale(4000, 200000) {
		i, j := rng.IntN(size.Area()), rng.IntN(size.Area())
		if i == j {
			continue
		}
		p := n.Normal(base)
		p.Cells[i], p.Cells[j] = pattern.Of(board.Piece(1+rng.IntN(14))), pattern.Of(board.Piece(1+rng.IntN(14)))
		name := n.phrases(p)
		q, err := n.Parse(name)
		if err != nil || !reflect.DeepEqual(p, q) {
			t.Fatalf("%s reads as %+v, %v", name, q, err)
		}
		for _, w := range relationWords {
			if strings.Contains(name, w[zh]) {
				met[w[zh]]++
				if !strings.Contains(name, "線") {
					bare++
				}
			}
		}
	}
	t.Log(met, bare, "without ranks")
	for rel, w := range relationWords {
		if relation(rel) != pins && met[w[zh]] == 0 {
			t.Errorf("no pair stands in the relation %s", w[zh])
		}
	}
}

// TestWrong checks that a pattern without meaning has no name.
func TestWrong(t *testing.T) {
	n := New(rules(t, "weiqi:9x9"), Options{})
	for _, p := range []*pattern.Pattern{
		{}, {Size: board.Size{W: 1, H: 1}}, {Size: board.Size{W: 1, H: 1}, Cells: []pattern.Set{0}, To: -1},
		{Size: board.Size{W: 1, H: 1}, Cells: []pattern.Set{1 << 3}, To: -1},
	} {
		if name := n.Name(p); name != "" {
			t.Errorf("%+v has the name %s", p, name)
		}
	}
}

// FuzzParse states the laws of any text: it is refused with the name of the
// package in front, or it is a pattern whose names read back to it.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"三路俥壓7路馬", "三路七線俥壓7路三線馬", "五路炮捉5路卒、五路兵（原樣，輪紅，10至60手）", "红五路九线非空或红子", "3路马、７路马", "二路車",
		"角7x7 黑D16白F17、C14", "corner 3x3: black A9, white or empty B8 (no swap, rest any, plies ..7)", "浮動2x2 黑1白1 圖 XO/2[^X]",
		"全盤", "whole board diagram 9./9.", "定於C5 2x1 外a1", "red chariot file 3 presses black horse file 7", "五路帥對5路將（限d9至f0，其餘空）",
		"", "（", "）", "(限)", "圖", "角", "角0x9", "at", "浮動27x27 圖", "黑", "三路", "not", "非", "plies", "角2x2 圖 99999999999999999999X", "\xff",
		"（10至手）", "(3手起)", "浮動1x1 圖 [/]", "浮動1x1 圖 |",
	} {
		for i := range specs {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		r := rules(t, specs[uint(i)%uint(len(specs))])
		all := namers(r)
		p, err := all[0].Parse(text)
		if err != nil {
			if p != nil || !strings.HasPrefix(err.Error(), "describe: ") {
				t.Fatalf("%v beside %v", p, err)
			}
			return
		}
		if !reflect.DeepEqual(all[0].Normal(p), p) {
			t.Fatalf("%q reads as %+v, which is not normal", text, p)
		}
		for _, n := range all {
			name := n.Name(p)
			if q, err := n.Parse(name); err != nil || !reflect.DeepEqual(p, q) {
				t.Fatalf("%q reads as %+v with the name %q, which reads as %+v, %v", text, p, name, q, err)
			}
		}
	})
}

func BenchmarkName(b *testing.B) {
	for _, spec := range []string{"weiqi", "xiangqi"} {
		r := rules(b, spec)
		p := pattern.FromBoard(r.Start().(game.Planar).Planes())
		p.Cells[70] = pattern.Of(2)
		n := New(r, Options{})
		b.Run(spec, func(b *testing.B) {
			for b.Loop() {
				n.Name(p)
			}
		})
	}
}
