package record_test

import (
	"bytes"
	"testing"

	"qipu/builtin"
	"qipu/record"
)

// TestPlayAgain plays a record that was stored: its faults are those that it had.
func TestPlayAgain(t *testing.T) {
	g := &record.Game{Kind: "othello", Notation: "othello", Format: "txt"}
	at := g.Add(0, record.Unstated, "")
	for _, m := range []string{"f5", "a1", "d6", "a1"} {
		at = g.Add(at, record.Unstated, m)
	}
	referee := record.NewReferee(builtin.Games())
	referee.Play(g)
	first := len(g.Faults)
	if first == 0 {
		t.Fatal("the record has no fault")
	}
	data := record.AppendGame(nil, g)
	for range 2 {
		stored, err := record.DecodeGame(data)
		if err != nil {
			t.Fatal(err)
		}
		referee.Play(stored)
		if again := record.AppendGame(nil, stored); !bytes.Equal(again, data) {
			t.Errorf("played again it has the faults %v, not %v", stored.Faults, g.Faults)
		}
	}
}
