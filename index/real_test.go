package index_test

import (
	"context"
	"slices"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/index"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/pattern"
	"qipu/record"
)

// each is a sink that is a function.
type each func(*record.Played)

func (f each) Add(_ context.Context, p *record.Played) error {
	f(p)
	return nil
}

// TestRealShapes looks for shapes in real games, and compares with boards
// replayed move by move.
func TestRealShapes(t *testing.T) {
	for _, c := range []struct {
		archive, kind string
		every         int
		shapes        []string
	}{
		{"go/go-pro-6300.tar.gz", "weiqi 19x19", 120, []string{shapes[0].text, shapes[1].text, shapes[2].text, shapes[3].text, shapes[4].text}},
		{"othello/wthor.tar.gz", "othello 8x8", 2000, []string{"+-/|XX/|OX", "XO/OX", "@floating/XXX/XOX/***", "---/ .XO"}},
		{"renju/renju-games.tar.gz", "renju 15x15", 50, []string{".XXX.", "XO./.X*/**X"}},
		{"xiangqi/xiangqi-games.tar.gz", "xiangqi 9x10", 200, []string{"N*/*N", "R.C", "[+][-]/.P"}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			name := testkit.Games(t, c.archive)
			maker := index.Documents{Kinds: index.NewKinds(builtin.Games())}
			kind, err := maker.Kinds.Find(c.kind)
			if err != nil {
				t.Fatal(err)
			}
			size := kind.Board.Size
			build := interval.NewBuilder(size.Area(), kind.Owners, kind.Moving)
			var lines []interval.Line
			n, every := 0, max(1, c.every/testkit.Scale(1, 10))
			if !testkit.Shared() {
				every = 1
			}
			o := ingest.Options{Formats: builtin.Formats(), Games: builtin.Games(), Trace: true, Sink: each(func(p *record.Played) {
				if n++; n%every != 0 || len(lines) == interval.Lanes {
					return
				}
				if doc, ok := maker.Make(p); ok && doc.Kind == kind {
					if _, ok := build.Add(&doc.Lines[0]); !ok {
						t.Error("the block is full")
					}
					lines = append(lines, doc.Lines[0])
				}
			})}
			if _, err := ingest.Run(context.Background(), o, name); err != nil {
				t.Fatal(err)
			}
			block, err := interval.Open(build.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			all := block.All()
			var m interval.Matcher
			for _, text := range c.shapes {
				p, err := pattern.Parse(kind.Rules.Geometry(), text)
				if err != nil {
					t.Fatal(err)
				}
				p.Mirror, p.Swap = true, true
				places, err := pattern.Compile(p, kind.Board)
				if err != nil {
					t.Fatal(err)
				}
				got := m.AppendHits(nil, block, interval.Compile(places, p, size.Area(), kind.Board.Kinds), &all)
				var want []interval.Hit
				for lane := range lines {
					want = appendReplayed(want, kind, places, &lines[lane], lane)
				}
				slices.SortFunc(want, func(x, y interval.Hit) int {
					if x.Placement != y.Placement {
						return int(x.Placement - y.Placement)
					}
					return int(x.Lane) - int(y.Lane)
				})
				if !slices.Equal(got, want) || len(want) == 0 {
					t.Errorf("%s: %d hits, want %d", text, len(got), len(want))
				}
			}
			t.Logf("%d of %d games", len(lines), n)
		})
	}
}

// appendReplayed appends the hits in one line, replayed change by change: after
// each slot, all placements that were not met before are looked at.
func appendReplayed(dst []interval.Hit, k *index.Kind, places []pattern.Placement, l *interval.Line, lane int) []interval.Hit {
	state := make([]board.Piece, k.Board.Size.Area())
	met := make([]bool, len(places))
	rest := l.Changes
	for slot := uint16(0); slot < l.End; slot++ {
		for ; len(rest) > 0 && rest[0].Slot == slot; rest = rest[1:] {
			state[rest[0].Point] = rest[0].Piece
		}
	next:
		for i := range places {
			if met[i] {
				continue
			}
			for j, pt := range places[i].Points {
				if !places[i].Sets[j].Has(state[pt]) {
					continue next
				}
			}
			met[i] = true
			dst = append(dst, interval.Hit{Lane: uint16(lane), Slot: slot, Placement: int32(i)})
		}
	}
	return dst
}
