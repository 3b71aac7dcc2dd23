package theory_test

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"qipu/book/theory"
	"qipu/book/theory/exchange"
	"qipu/engine"
	"qipu/game/othello"
)

// TestRoundTrip writes and reads: CSV keeps everything, the others all values in
// whole discs.
func TestRoundTrip(t *testing.T) {
	for _, f := range []exchange.Format{exchange.CSV, exchange.Edax, exchange.Egaroucid} {
		th := theory.Learnt(t)
		if f != exchange.CSV { // they know nothing of people
			if err := th.Edit(t.Context(), theory.Position(t, othello.Standard, "f5d6c3"), engine.NoValue, ""); err != nil {
				t.Fatal(err)
			}
		}
		var file bytes.Buffer
		if err := exchange.Write(&file, th, f); err != nil {
			t.Fatal(err)
		}
		rows, err := exchange.Read(bytes.NewReader(file.Bytes()), othello.Standard, f, func(f exchange.Fault) { t.Errorf("line %d: %v", f.Line, f.Reason) })
		if err != nil {
			t.Fatal(err)
		}
		other := theory.Opened(t, othello.Standard)
		if _, err := (&theory.Learner{Theory: other}).Merge(t.Context(), theory.Seq(rows)); err != nil {
			t.Fatal(err)
		}
		theory.Check(t, other)
		if f == exchange.CSV && !slices.Equal(other.Rows(), th.Rows()) {
			t.Errorf("%s: the rows are others", f)
		}
		if f != exchange.CSV {
			if len(other.Rows()) != len(th.Rows()) {
				t.Errorf("%s: %d rows, were %d", f, len(other.Rows()), len(th.Rows()))
			}
			for _, row := range other.Rows() { // the engine counts in whole discs
				p := theory.Position(t, othello.Standard, row.Position)
				if got, want := other.Look(p), th.Look(p); got.E != want.E || got.Level != want.Level {
					t.Errorf("%s: E %d of level %d, was %d of level %d", row.Position, got.E, got.Level, want.E, want.Level)
				}
			}
		}
		var again bytes.Buffer
		if err := exchange.Write(&again, other, f); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again.Bytes(), file.Bytes()) {
			t.Errorf("%s: written again it is another file", f)
		}
	}
}

// TestEdax reads a text that is laid out as that program does it, inner nodes
// without a leaf among them, and writes it again, byte by byte.
func TestEdax(t *testing.T) {
	text, err := os.ReadFile("testdata/edax.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := exchange.Read(bytes.NewReader(text), othello.Standard, exchange.Edax, func(f exchange.Fault) { t.Errorf("line %d: %v", f.Line, f.Reason) })
	if err != nil {
		t.Fatal(err)
	}
	th := theory.Opened(t, othello.Standard)
	if _, err := (&theory.Learner{Theory: th}).Merge(t.Context(), theory.Seq(rows)); err != nil {
		t.Fatal(err)
	}
	theory.Check(t, th)
	info := th.Info()
	if lines, inner := bytes.Count(text, []byte("\n")), bytes.Count(text, []byte(",--,-127\n")); info.Positions != lines || inner != 2 {
		t.Errorf("%d positions of %d lines, %d of them without a leaf", info.Positions, lines, inner)
	}
	// By hand: the start is worth what its one first move is, which is worth the
	// least that its three replies leave.
	if e := th.Look(othello.Standard.Start()); e.E != 0 || e.Partial {
		t.Errorf("the start is %+v", e.Values)
	}
	if e := th.Look(theory.Position(t, othello.Standard, "f5")); e.E != 0 || e.Partial {
		t.Errorf("f5 is %+v", e.Values)
	}
	var again bytes.Buffer
	if err := exchange.Write(&again, th, exchange.Edax); err != nil || !bytes.Equal(again.Bytes(), text) {
		t.Errorf("%v: it has become\n%s", err, again.Bytes())
	}
}
