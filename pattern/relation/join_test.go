package relation

import (
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/pattern"
	"qipu/pattern/relation/syntax"
)

// TestJoin: a joined pattern stands where all of its parts do, for one owner.
func TestJoin(t *testing.T) {
	f := parse(t, `pattern bottom-cannon
let c = our cannon on rank 10

pattern river-horse
let c = our horse on rank 6

pattern left-chariot
mirror no
sides first
let r = our chariot on file 9

pattern right-chariot
sides second
let r = our chariot on file 1

pattern mate
kind mate
where mated
`)
	cannon, horse, left, right, mate := f.Patterns[0], f.Patterns[1], f.Patterns[2], f.Patterns[3], f.Patterns[4]
	both, err := syntax.Join("both", cannon, horse)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Compile([]*syntax.Pattern{both}, xiangqi.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for fen, want := range map[string]int{
		"3k1C3/9/9/9/4N4/9/9/9/9/4K4 b": 1,
		"3k1C3/9/9/9/9/9/4N4/9/9/4K4 b": 0, // the horse is not at the river
		"3k5/9/9/9/4N4/9/9/9/9/4Kc3 b":  0, // the cannon is another's
		"3k5/9/9/9/9/4n4/9/9/9/4Kc3 b":  1, // and here Black has both
	} {
		p, err := game.ParsePosition(xiangqi.Standard, fen)
		if err != nil {
			t.Fatal(err)
		}
		v := pattern.View{Planes: p.(game.Planar).Planes(), Turn: p.Turn(), Facts: p}
		if got := len(s.AppendMatches(nil, &v)); got != want {
			t.Errorf("%s: %d, want %d", fen, got, want)
		}
	}
	if x, err := syntax.Join("all", cannon, left, mate); err != nil || x.Kind != syntax.Mate || x.Mirrored() || len(x.Sides()) != 1 || len(x.Roles()) != 2 {
		t.Errorf("%v %v", x, err)
	}
	for want, parts := range map[string][]*syntax.Pattern{
		"there are none":   nil,
		"different sides":  {left, right},
		"at most 10 roles": {cannon, cannon, cannon, cannon, cannon, cannon, cannon, cannon, cannon, cannon, cannon},
	} {
		if _, err := syntax.Join("x", parts...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := syntax.Join("no id", cannon); err == nil {
		t.Error("two words are an id")
	}
}
