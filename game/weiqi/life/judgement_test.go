package life_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/internal/testkit"
)

// judged returns a judgement of a board where all strings are alive, but for what is
// said otherwise, with its points filled in.
func judged(b *life.Board, say func(i int, v *life.Verdict)) *life.Judgement {
	j := new(life.Judgement)
	j.Begin("test", b)
	for i := range j.Strings {
		j.Strings[i].Status = life.Alive
		if say != nil {
			say(i, &j.Strings[i])
		}
	}
	j.Fill(b)
	return j
}

// rows returns a map of the board with a letter for every point.
func rows(size board.Size, letter func(board.Point) byte) string {
	var out strings.Builder
	for at := range size.Points() {
		if at.X() == 0 && at.Y() > 0 {
			out.WriteByte(' ')
		}
		out.WriteByte(letter(at))
	}
	return out.String()
}

func owners(j *life.Judgement) string {
	return rows(j.Size, func(p board.Point) byte { return ".BW="[j.Owner[p]] })
}

// TestBegin: every string is a group of its own, of which nothing is said, and a
// judgement that is begun anew remembers nothing.
func TestBegin(t *testing.T) {
	var b life.Board
	b.Reset(drawn("X.O XXO ..O"))
	j := judged(&b, func(_ int, v *life.Verdict) { v.Unclear, v.Steps = true, []int{1} })
	j.Protect(&b, true)
	j.Begin("again", &b)
	if j.Method != "again" || len(j.Strings) != 2 || len(j.Groups) != 2 || j.Owner != [board.MaxPoints]life.Owner{} || j.Open != (board.Plane{}) {
		t.Fatalf("begun as %+v", j)
	}
	for i, v := range j.Strings {
		g := j.Groups[i]
		if v.Status != life.Unknown || v.Unclear || v.Steps != nil || v.Group != i || len(g.Strings) != 1 || g.Strings[0] != i || g.Side != v.Side {
			t.Errorf("string %d begins as %+v in %+v", i, v, g)
		}
	}
	// A group that grows must not grow over the next one.
	j.Groups[0].Strings = append(j.Groups[0].Strings, 1)
	if j.Groups[1].Strings[0] != 1 || j.At(&b, board.At(2, 1)) != &j.Strings[1] || j.At(&b, board.At(1, 0)) != nil || j.At(&b, board.At(3, 0)) != nil {
		t.Errorf("groups %+v", j.Groups)
	}
}

// TestFill gives points to their owners on small boards. Dead strings are named by
// their heads, with a question mark where that is unclear.
func TestFill(t *testing.T) {
	for _, c := range []struct{ name, board, dead, owners, open string }{
		{"nothing", "... ...", "", "=== ===", "... ..."},
		{"one colour", "... .X.", "", "BBB BBB", "... ..."},
		{"one stone", "X", "", "B", "."},
		{"a neutral point", "XX.OO .X.O.", "", "BB=WW BB=WW", "..... ....."},
		{"a dead stone", "O.X.. XXX..", "0,0", "BBBBB BBBBB", "..... ....."},
		{"all dead", "X.. ..O", "0,0 2,1", "=== ===", "... ..."},
		{"an unclear stone", "O.X.X XXXX.", "0,0?", "BBBBB BBBBB", "??... ....."},
		{"an unclear wall", ".X.O.", "1,0?", "WWWWW", "???.."},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b life.Board
			b.Reset(drawn(c.board))
			j := judged(&b, func(_ int, v *life.Verdict) {
				for _, name := range strings.Fields(c.dead) {
					if strings.TrimSuffix(name, "?") == v.Head.String() {
						v.Status, v.Unclear = life.Dead, strings.HasSuffix(name, "?")
					}
				}
			})
			open := rows(j.Size, func(p board.Point) byte {
				if j.Open.Has(p) {
					return '?'
				}
				return '.'
			})
			if got := owners(j); got != c.owners || open != c.open {
				t.Errorf("%s is owned as\n%s, want\n%s, and open\n%s, want\n%s", c.board, got, c.owners, open, c.open)
			}
		})
	}
}

// TestFillScores: what Fill gives to a side is what it scores by area.
func TestFillScores(t *testing.T) {
	var b life.Board
	r := rand.New(rand.NewPCG(4, 4))
	for n := range testkit.Scale(60, 2000) {
		p := played(t, []string{"1x9", "7x5", "9x9", "19x19"}[n%4], r, 30+n)
		b.Reset(p.Planes())
		j := judged(&b, func(_ int, v *life.Verdict) { v.Status = []life.Status{life.Alive, life.Dead, life.Unknown}[r.IntN(3)] })
		o := j.ScoreOptions()
		o.Scoring = weiqi.Area
		s := p.Score(o)
		var count [4]int
		for at := range b.Size.Points() {
			count[j.Owner[at]]++
		}
		for side := range s.Stones {
			if got := s.Stones[side] + s.Territory[side].Count(); got != count[life.OwnedByBlack+life.Owner(side)] {
				t.Fatalf("side %d owns %d points and scores %d", side, count[life.OwnedByBlack+life.Owner(side)], got)
			}
		}
		if s.Dame.Count() != count[life.Neutral] || count[life.Nobody] > 0 {
			t.Fatalf("%d points are neutral and %d nobody's, want %d and none", count[life.Neutral], count[life.Nobody], s.Dame.Count())
		}
	}
}

// TestProtect fills connections in the end, and no eyes. All strings live.
func TestProtect(t *testing.T) {
	for _, c := range []struct{ name, board, fills string }{
		{"in atari now", `
			..X.XO.
			..XXOO.
			..XO...
			..XO...`, "3,0"},
		{"in atari once the neutral points are filled", `
			..X.X.O.
			..XXO.O.
			..XO..O.
			..XO..O.`, "3,0"},
		{"a liberty of its own", `
			..X..XO.
			..XXOOO.
			..XO....
			..XO....`, ""},
		{"two eyes", `
			.X.XO.
			XXXXO.
			OOOOO.`, ""},
		{"one eye and neutral points: nothing can be connected", `
			.X.O
			XX.O
			..OO`, ""},
		{"between two strings of a chain over neutral points", `
			.X.O.
			X..O.
			..OO.`, "0,0"},
		{"the eye of one string of a chain", `
			.X..O.
			XX.OO.
			..X.O.
			....O.
			OOOOO.`, ""},
		{"one after the other", `
			.OX.XO
			..OX.X
			...OXO
			....OO`, "3,0 4,1 3,3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b life.Board
			planes := drawn(c.board)
			for _, sym := range planes.Size.Symmetries() {
				for _, swap := range [][]board.Piece{nil, {2, 1}} {
					b.Reset(planes.Transform(sym, swap))
					var want board.Plane
					for at := range planes.Size.Points() {
						for _, name := range strings.Fields(c.fills) {
							if at.String() == name {
								want.Add(sym.Apply(planes.Size, at))
							}
						}
					}
					area, territory := judged(&b, nil), judged(&b, nil)
					before := area.Owner
					area.Protect(&b, false)
					territory.Protect(&b, true)
					if area.Fills != want || territory.Fills != want {
						t.Fatalf("turned by %v: %v is to be filled, want %v", sym, area.Fills, want)
					}
					if area.Owner != before {
						t.Error("by area a point changes its owner")
					}
					for at := range b.Size.Points() {
						if got := territory.Owner[at]; want.Has(at) && got != life.Neutral || !want.Has(at) && got != before[at] {
							t.Errorf("by territory %v is %v's", at, got)
						}
					}
				}
			}
		})
	}
}

// protectLaws: what has to be filled is empty territory; it costs its owner a point
// each by territory and nothing by area; and it is the same for turned boards and
// exchanged colours, whatever is said of the strings.
func protectLaws(t *testing.T, p *board.Planes, r *rand.Rand) (fills int) {
	t.Helper()
	var b, turned life.Board
	b.Reset(p)
	j := judged(&b, func(_ int, v *life.Verdict) {
		if v.Status = life.Alive; r.IntN(8) == 0 {
			v.Status = life.Status(r.IntN(4))
		}
		v.Proved = r.IntN(16) == 0
	})
	before := j.Owner
	j.Protect(&b, true)
	for at := range j.Fills.Points() {
		if o := before[at]; b.Stone[life.CellOf(at)] != life.Empty || o != life.OwnedByBlack && o != life.OwnedByWhite {
			t.Fatalf("%v is to be filled, of %v", at, o)
		}
	}
	for _, sym := range p.Size.Symmetries() {
		for _, swap := range [][]board.Piece{nil, {2, 1}} {
			turned.Reset(p.Transform(sym, swap))
			k := judged(&turned, nil)
			for i := range j.Strings {
				v := k.At(&turned, sym.Apply(p.Size, j.Strings[i].Head))
				v.Status, v.Proved = j.Strings[i].Status, j.Strings[i].Proved
			}
			k.Fill(&turned)
			k.Protect(&turned, true)
			if k.Fills != j.Fills.Transform(p.Size, sym) {
				t.Fatalf("%v is to be filled, turned by %v %v\n%v", j.Fills, sym, k.Fills, p)
			}
		}
	}
	return j.Fills.Count()
}

func TestProtectLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	fills := 0
	for n := range testkit.Scale(150, 5000) {
		p := scatter(r)
		if n%2 > 0 {
			p = played(t, []string{"9x9", "13x13", "7x5"}[n%3], r, 60+r.IntN(200)).Planes()
		}
		fills += protectLaws(t, p, r)
	}
	if fills == 0 {
		t.Error("nothing was to be filled anywhere: the laws were not tried")
	}
}

// TestProtectAllocates: on a board where nothing is short of liberties it
// allocates nothing.
func TestProtectAllocates(t *testing.T) {
	var b life.Board
	b.Reset(drawn("..X.O.. ..X.O.. ..X.O.."))
	j := judged(&b, nil)
	if n := testing.AllocsPerRun(20, func() { j.Protect(&b, true) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzProtect(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 8))
		protectLaws(t, scatter(r), r)
	})
}
