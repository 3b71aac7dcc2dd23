package bind

import (
	"errors"
	"strings"
	"testing"

	"qipu/interval"
	"qipu/query"
)

// keyed is a marker that knows nothing but its keys.
type keyed []uint64

func (k keyed) Keys() []uint64 { return k }

func (k keyed) AppendMarks(dst []interval.Mark, _ *interval.Line, _ func(int) bool) []interval.Mark {
	return dst
}

// TestMark: a mark prints as it was asked for, is about a board, and stands where
// any other leaf about moments may.
func TestMark(t *testing.T) {
	m := &query.Mark{Marker: keyed{5, 6, 7}, Columns: []int{2, 0}, Name: "臥槽馬"}
	if keys := m.Keys(); len(keys) != 2 || keys[0] != 7 || keys[1] != 5 {
		t.Errorf("keys %v", keys)
	}
	plain := &query.Mark{Name: "B30"}
	for _, c := range []struct {
		q    query.Q
		want string
	}{
		{m, `named:臥槽馬`},
		{plain, "named:B30"},
		{&query.Mark{Name: "B30", Of: interval.SecondSide}, "named.second:B30"},
		{query.When{Q: query.And{m, query.When{Q: plain}}}, `when(named:臥槽馬 and named:B30)`},
		{query.Then{A: m, B: query.And{plain}, Within: 4}, `named:臥槽馬 then named:B30 within 4 plies`},
		{query.First{Q: query.Not{Q: m}}, `first(when(not named:臥槽馬))`},
		{query.And{m, query.Const(true)}, `named:臥槽馬`},
	} {
		q := query.Simplify(c.q)
		if q.String() != c.want {
			t.Errorf("%v, want %s", q, c.want)
		}
		if !query.HasBoards(q) {
			t.Errorf("%v asks for no board", q)
		}
		leaves := 0
		if _, err := query.Map(q, func(leaf query.Q) (query.Q, error) {
			if _, ok := leaf.(*query.Mark); ok {
				leaves++
			}
			return leaf, nil
		}); err != nil || leaves == 0 {
			t.Errorf("%v: %d leaves, %v", q, leaves, err)
		}
	}
}

// TestBindMark: what a name stands for may be a mark.
func TestBindMark(t *testing.T) {
	m := &query.Mark{Marker: keyed{1}, Columns: []int{0}, Name: "x"}
	q, err := (&Binder{Rules: rulesOf["xiangqi"], Names: marked{mark: m}, Games: allGames}).Bind(query.When{Q: query.And{query.Named{Name: "x"}, query.Field{Name: "ply", Value: "3.."}}})
	if err != nil || q.String() != "when(named:x and ply:3..)" {
		t.Fatal(q, err)
	}
	if q.(query.When).Q.(query.And)[0] != query.Q(m) {
		t.Error("another mark")
	}
}

// TestOwnedMark: a name may be asked for of one side, as far as it has an owner.
func TestOwnedMark(t *testing.T) {
	m := &query.Mark{Marker: keyed{1}, Columns: []int{0}, Name: "x"}
	for _, c := range []struct {
		text, want string // the query as it is bound, or a part of the error
		shared     bool
		of         interval.Owner
		other      bool // it is of another game
	}{
		{text: "named.red:x", want: "named.first:x", of: interval.FirstSide},
		{text: "named.black:x", want: "named.second:x", of: interval.SecondSide},
		{text: "名為.黑方:x", want: "named.second:x", of: interval.SecondSide},
		{text: "named.first:x", want: "named.first:x", of: interval.FirstSide},
		{text: "saved.second:x", want: "named.second:x", of: interval.SecondSide},
		{text: "named.any:x", want: "named:x"},
		{text: "named.white:x", want: `no side "white"`, other: true},
		{text: "named.red:x", want: `"x" belongs to no side`, shared: true},
		{text: "named:x", want: "named:x", shared: true},
	} {
		mark := *m
		mark.Shared = c.shared
		q, err := query.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		bound, err := (&Binder{Rules: rulesOf["xiangqi"], Names: marked{mark: &mark}, Games: allGames, Text: c.text}).Bind(q)
		switch {
		case err != nil && (!strings.Contains(err.Error(), c.want) || errors.Is(err, ErrOtherGame) != c.other):
			t.Errorf("%s: %v", c.text, err)
		case err == nil && (bound.String() != c.want || bound.(*query.Mark).Of != c.of):
			t.Errorf("%s is %v, want %s", c.text, bound, c.want)
		}
		if again, err := query.Parse(q.String()); err != nil || again.String() != q.String() {
			t.Errorf("%s prints %v, %v", c.text, q, err)
		}
		if mark.Of != interval.Anyone {
			t.Errorf("%s changes what the name stands for", c.text)
		}
	}
	// Without a library nobody knows what the name stands for.
	for text, ok := range map[string]bool{"named.red:x": true, "named.white:x": true, "game:xiangqi named.white:x": false, "game:go named.red:x": false} {
		q, err := query.Parse(text)
		if err == nil {
			err = Check(q, allGames)
		}
		if (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// marked knows one name.
type marked struct {
	shelf
	mark *query.Mark
}

func (m marked) Named(string) (query.Q, error) { return m.mark, nil }
