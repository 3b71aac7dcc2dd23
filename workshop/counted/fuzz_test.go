package counted_test

import (
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/game/weiqi/life"
	"qipu/record"
	"qipu/workshop/counted"
)

// FuzzOwn reads any text as labels. A board that comes of it has an owner for
// every point; living stones are their own side's, dead ones the other's; and all
// stones of a string share their fate.
func FuzzOwn(f *testing.F) {
	f.Add(stones + "\n" + owners)
	f.Add("#\nX\n\nB\n")
	f.Add("#\nX.\n\nB=\n")
	f.Add("#\r\nXO.\r\n\r\nWW=\r\n")
	f.Add("#\n\n\nXX.\n\n\nBWB")
	referee := record.NewReferee(builtin.Games())
	var b life.Board
	f.Fuzz(func(t *testing.T, text string) {
		for g, err := range counted.Own.Read(&record.Source{Name: "x.own", Reader: strings.NewReader(text), Size: int64(len(text))}) {
			if err != nil {
				return
			}
			c, err := counted.FromRecord(referee.Play(g))
			if err != nil || !c.Labelled {
				return
			}
			b.Reset(c.Setup.Board)
			for _, cell := range b.On {
				p := cell.Point()
				owner := c.Owner[p]
				switch stone := b.Stone[cell]; {
				case owner == life.Nobody:
					t.Fatalf("nothing is known of %v", p)
				case stone == life.Empty:
					if c.Taken.Has(p) {
						t.Fatalf("%v is empty, and taken", p)
					}
				case c.Taken.Has(p) != c.Taken.Has(b.Strings[b.Of[cell]].Head.Point()):
					t.Fatalf("%v is of another mind than its string", p)
				case c.Taken.Has(p) != (owner == life.Owner(stone.Other())):
					t.Fatalf("%v is %v's, and taken: %v", p, owner, c.Taken.Has(p))
				}
			}
			if got := c.Compare(&b, c.Judgement(&b)); got.PointsRight != got.Points || got.StringsRight != got.Strings {
				t.Fatalf("what is known against itself: %+v", got)
			}
			c.Lead()
			c.Mistakes(nil, &b, c.Judgement(&b))
		}
	})
}
