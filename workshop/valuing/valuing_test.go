package valuing

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"qipu/book/theory"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/record"
	"qipu/record/transcript"
)

// games are four, two of which come together again, and one that is turned.
const games = `f5d6c3d3c4f4f6f3
f5d6c3d3c4f4c5b3
f5d6c4d3c5f4
c4e3f6e6f5c5c3c6
`

func places(t *testing.T, most int) []*Place {
	t.Helper()
	var c Counter
	for r, err := range transcript.Format.Read(&record.Source{Name: "x.txt", Reader: strings.NewReader(games), Size: -1}) {
		if err != nil {
			t.Fatal(err)
		}
		if !c.Add(record.Play(othello.Standard, r)) {
			t.Fatal("a game is not counted")
		}
	}
	return c.Places(most)
}

func reread(t *testing.T, list []*Place) []*Place {
	t.Helper()
	var text bytes.Buffer
	if err := Write(&text, list); err != nil {
		t.Fatal(err)
	}
	list, err := Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestPlaces holds that positions are counted in all their pictures, and that what
// follows from a place comes before it.
func TestPlaces(t *testing.T) {
	list := places(t, 1000)
	if list[0].Games != 4 || list[1].Games != 4 || list[2].Games != 4 || len(list) != 12 {
		t.Errorf("%d places, the first of %d, %d and %d games", len(list), list[0].Games, list[1].Games, list[2].Games)
	}
	order := reread(t, list)
	at := map[*Place]int{}
	links := 0
	for i, p := range order {
		at[p] = i
		for _, l := range p.links {
			if j, ok := at[l.to]; !ok || j >= i {
				t.Errorf("what follows from %x %x comes behind it", p.Key.Hi, p.Key.Lo)
			}
			links++
		}
	}
	if len(order) != len(list) || links < 11 {
		t.Errorf("%d places, %d links", len(order), links)
	}
	for _, bad := range []string{"x", "1 1 1", "0 0 0\nx"} {
		if _, err := Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestValue holds that searching in parts comes to the end, that nothing is searched
// twice but to go deeper, and that what is shipped is minimax over what was found.
func TestValue(t *testing.T) {
	list := reread(t, places(t, 11))
	var log strings.Builder
	searches := 0
	o := Options{Level: 3, Often: 2, LevelOften: 4, Threads: 1, Hash: 1 << 20}
	enough := errors.New("enough")
	for range 20 {
		again := reread(t, list)
		if err := Resume(strings.NewReader(log.String()), again); err != nil {
			t.Fatal(err)
		}
		part := 0
		o.Each = func(line string, _, _ int) error {
			log.WriteString(line)
			searches++
			if part++; part == 5 {
				return enough
			}
			return nil
		}
		err := Value(t.Context(), again, o)
		if err == nil {
			break
		}
		if !errors.Is(err, enough) {
			t.Fatal(err)
		}
		log.WriteString("8 10 2") // and a line that was cut
		log.WriteString("\n")
	}
	if searches != len(list) {
		t.Errorf("%d searches of %d places", searches, len(list))
	}
	if err := Resume(strings.NewReader(log.String()), list); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	n, err := Ship(t.Context(), &file, list, 3)
	if err != nil || n != len(list) {
		t.Fatalf("%d of %d places are shipped: %v", n, len(list), err)
	}
	shipped, err := theory.OpenShipped(othello.Standard, file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	th, err := theory.Open(t.Context(), othello.Standard, theory.Options{Shipped: shipped})
	if err != nil {
		t.Fatal(err)
	}
	v := &valuer{worth: map[*Place]engine.Value{}}
	for _, p := range list {
		v.settle(p)
		pos, err := p.position()
		if err != nil {
			t.Fatal(err)
		}
		at := th.Look(pos)
		if at.Key != p.Key || !at.Known || at.Partial || at.E != v.worth[p] {
			t.Errorf("%s is %v %+v, want %v", game.FormatPosition(othello.Standard, pos), at.Known, at.Values, v.worth[p])
		}
	}
	searches = 0
	o.Level, o.Each = 5, func(string, int, int) error { searches++; return nil }
	if err := Value(t.Context(), list, o); err != nil || searches == 0 || searches == len(list) {
		t.Errorf("%d searches to go deeper, %v", searches, err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	o.Level = 6
	if err := Value(over, list, o); err != nil {
		t.Errorf("a context that has ended: %v", err)
	}
}
