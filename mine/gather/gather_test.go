package gather

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"qipu"
	"qipu/builtin"
	"qipu/game"
	"qipu/mine/dataset"
	"qipu/mine/dataset/datasettest"
	"qipu/record"
	"qipu/record/facts"
)

// random returns a library of n games of random moves, of so many plies each, of which
// those behind keep are left out.
func random(t *testing.T, spec string, n, plies, keep int) *qipu.Library {
	t.Helper()
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	rules, err := builtin.Games().Find(spec)
	if err != nil {
		t.Fatal(err)
	}
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	rng := rand.New(rand.NewPCG(8, 9))
	var list []*record.Played
	for i := range n {
		p := rules.Start()
		g := &record.Game{Kind: rules.Info().Name, Variant: rules.Info().Variant}
		at := g.Add(0, record.Unstated, "")
		for ply := range plies {
			legal := p.AppendMoves(nil)
			if len(legal) == 0 {
				break
			}
			m := legal[rng.IntN(len(legal))]
			if ply < keep {
				at = g.Add(at, record.Unstated, game.FormatMove(rules, p, m, game.AnyNotation))
			}
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		g.Facts.Players[0].Name, g.Facts.Players[1].Name = fmt.Sprintf("A%d", i%7), fmt.Sprintf("B%d", i%5)
		g.Facts.Date = facts.ParseDate(fmt.Sprintf("%d-01-%02d", 2000+i/28, 1+i%28))
		g.Facts.Result = facts.ParseResult(facts.Sides{}, []string{"1-0", "0-1", "1/2-1/2", "*"}[i%4])
		list = append(list, referee.Play(g))
	}
	if _, err := l.Records().AddAll(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	return l
}

func gathered(t *testing.T, l *qipu.Library, o Options) *dataset.Set {
	t.Helper()
	s, err := Set(t.Context(), l.Records(), l.Search(), &o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNoFuture: the table of games at a ply is that of the same games cut off there, for
// every game and every column, with an index of names and without. With a planted leak it
// is not, and the table itself is refused.
func TestNoFuture(t *testing.T) {
	const ply = 10
	for _, spec := range []string{"xiangqi", "go:9x9", "othello", "renju"} {
		n := 60
		if spec == "xiangqi" {
			n = 260 // enough for a table, and columns of marks
		}
		whole, short := random(t, spec, n, 26, 26), random(t, spec, n, 26, ply)
		o := Options{At: Moment{Ply: ply}, Columns: Columns()}
		if spec == "renju" {
			o.Columns = nil
		}
		end := o
		end.At = Moment{End: true}
		want := gathered(t, short, end)
		for _, built := range []bool{false, true} {
			if built {
				if _, err := whole.Records().BuildNames(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
			}
			got := gathered(t, whole, o)
			if list := datasettest.Differ(got, want); len(list) > 0 {
				t.Errorf("%s, built %v: these columns know the future: %s", spec, built, strings.Join(list, "; "))
			}
			if len(got.Rows) < n-10 || got.Weight() != float64(len(got.Rows)) {
				t.Errorf("%s: %d rows", spec, len(got.Rows))
			}
			if spec == "xiangqi" && len(got.Items) < 20 {
				t.Errorf("%s: %d items", spec, len(got.Items))
			}
		}
		if spec != "xiangqi" {
			continue
		}
		honest := known
		known = func(from, moment uint16) bool { return true }
		_, err := Set(t.Context(), whole.Records(), whole.Search(), &o)
		known = honest
		if err == nil || !strings.Contains(err.Error(), "whose moment is ply 10") {
			t.Errorf("a leak is not told: %v", err)
		}
	}
}

func TestPositions(t *testing.T) {
	l := random(t, "xiangqi", 60, 40, 40)
	s := gathered(t, l, Options{Positions: true, At: Moment{Ply: 10}})
	if len(s.Rows) != 180 || s.Weight() < 59.99 || s.Weight() > 60.01 {
		t.Errorf("%d rows weigh %v", len(s.Rows), s.Weight())
	}
	if s.Next == nil || s.Next.Word(0) == "" {
		t.Error("no next move")
	}
	first := gathered(t, l, Options{At: Moment{First: "red.過河兵"}, Columns: []string{Names}})
	at := datasettest.Item(first, "red.crossed-soldier")
	if at < 0 {
		var ids []string
		for _, it := range first.Items {
			ids = append(ids, it.ID)
		}
		t.Fatalf("no such item: %v", ids)
	}
	if n := first.Items[at].Rows.Count(); n != len(first.Rows) {
		t.Errorf("%d of %d rows have the item that makes their moment", n, len(first.Rows))
	}
	for _, sp := range first.Items[at].Spans {
		if sp.From != first.Rows[sp.Row].Ply {
			t.Errorf("row %d is at ply %d, and the item comes at %d", sp.Row, first.Rows[sp.Row].Ply, sp.From)
		}
	}
}

func TestNothing(t *testing.T) {
	l := random(t, "xiangqi", 20, 12, 12)
	if _, err := Set(t.Context(), l.Records(), l.Search(), &Options{Text: "player:Nobody", At: Moment{Ply: 5}}); !errors.Is(err, ErrNoGames) {
		t.Errorf("no games: %v", err)
	}
	if _, err := Set(t.Context(), l.Records(), l.Search(), &Options{At: Moment{Ply: 50}}); err == nil || !strings.Contains(err.Error(), "none of 20 games") {
		t.Errorf("short games: %v", err)
	}
	if _, err := Set(t.Context(), l.Records(), l.Search(), &Options{At: Moment{First: "過河冰"}}); err == nil || !strings.Contains(err.Error(), "過河兵") {
		t.Errorf("wrong name: %v", err)
	}
	for _, text := range []string{"ply:0", "ply:x", "first:", "last", "ply:9999"} {
		if _, err := ParseMoment(text); err == nil {
			t.Errorf("%s is a moment", text)
		}
	}
	if m, err := ParseMoment("first:a:b"); err != nil || m.String() != "first:a:b" {
		t.Errorf("%v, %v", m, err)
	}
}
