package livebook_test

import (
	"testing"

	"qipu"
	"qipu/book/theory"
	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/index"
	"qipu/library/livebook"
)

func openTheory(t *testing.T, dir string, o qipu.Options, spec string) (*qipu.Library, *index.Kind, *theory.Theory) {
	t.Helper()
	l, err := qipu.Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	k, err := l.Records().Kind(spec)
	if err != nil {
		t.Fatal(err)
	}
	th, err := l.Books().Theory(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	return l, k, th
}

func at(t *testing.T, line string) game.Position {
	t.Helper()
	p, err := game.ParsePosition(othello.Standard, line)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTheory keeps values in the library: they are there when it is opened again,
// and other processes see them with the next question.
func TestTheory(t *testing.T) {
	dir := t.TempDir()
	writer, kind, values := openTheory(t, dir, qipu.Options{Create: true}, "othello")
	reader, _, seen := openTheory(t, dir, qipu.Options{ReadOnly: true}, "othello")

	e, err := builtin.Engine(kind.Rules, engine.Options{Hash: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	learner := theory.Learner{Theory: values, Searcher: livebook.SearchWith(e, kind.Rules, 1), Level: 4, Limit: 12}
	report, err := learner.Deviate(t.Context(), at(t, "f5d6"), 2*engine.Unit, 4*engine.Unit)
	if err != nil || report.Added == 0 {
		t.Fatalf("%+v %v", report, err)
	}
	if err := values.Edit(t.Context(), at(t, "f5f4"), 5*engine.Unit, "a note"); err != nil {
		t.Fatal(err)
	}
	want := values.Look(at(t, "f5d6"))
	if !want.Known || want.Level < 4 || want.Lower > want.E || want.Upper < want.E {
		t.Errorf("values %+v", want.Values)
	}
	if seen.Look(at(t, "f5d6")).Known {
		t.Error("the reader knows what it has not read")
	}
	again, err := reader.Books().Theory(t.Context(), kind)
	if err != nil {
		t.Fatal(err)
	}
	if again != seen {
		t.Error("the values of a library are others each time")
	}
	if got := seen.Look(at(t, "f5d6")); got.Values != want.Values {
		t.Errorf("the reader sees %+v, the writer %+v", got.Values, want.Values)
	}
	if got := seen.Look(at(t, "c4c5")); got.Human != 5*engine.Unit || got.Note != "a note" { // f5f4, turned
		t.Errorf("the edit reads as %+v", got.Values)
	}
	if same, err := writer.Books().Theory(t.Context(), kind); err != nil || same.Look(at(t, "f5d6")).Values != want.Values {
		t.Errorf("the writer reads other values than it has written (%v)", err)
	}
	before := values.Info()
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, last := openTheory(t, dir, qipu.Options{}, "othello")
	if got := last.Look(at(t, "f5d6")); got.Values != want.Values {
		t.Errorf("opened again: %+v, was %+v", got.Values, want.Values)
	}
	if got, want := last.Info(), before; got.Positions != want.Positions || got.Links != want.Links {
		t.Errorf("opened again: %+v, was %+v", got, want)
	}
}

// TestTheoryOfEveryGame learns a little in all games of the program.
func TestTheoryOfEveryGame(t *testing.T) {
	dir := t.TempDir()
	l, _, _ := openTheory(t, dir, qipu.Options{Create: true}, "othello")
	for _, r := range builtin.Games() {
		k, err := l.Records().Kind(r.Info().Name)
		if err != nil {
			t.Fatal(err)
		}
		values, err := l.Books().Theory(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		e, err := builtin.Engine(k.Rules, engine.Options{Hash: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		learner := theory.Learner{Theory: values, Searcher: livebook.SearchWith(e, k.Rules, 1), Level: 1, Limit: 4}
		report, err := learner.Deviate(t.Context(), k.Rules.Start(), engine.Unit, 4*engine.Unit)
		if err != nil || report.Added == 0 {
			t.Errorf("%s: %+v %v", k.Name, report, err)
		}
		if c, ok := values.Choose(k.Rules.Start(), theory.ChoiceOptions{}); !ok || k.Rules.Start().Play(c.Move) != nil {
			t.Errorf("%s: the choice is %+v %v", k.Name, c, ok)
		}
		if err := values.Reload(t.Context()); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
		e.Close()
	}
}
