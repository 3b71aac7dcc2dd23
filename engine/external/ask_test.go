//qipu:race

package external

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"qipu/engine"
	"qipu/game/othello"
	"qipu/internal/testkit"
)

// TestAsk gives commands of its own, and thinks on afterwards as if nothing had
// been.
func TestAsk(t *testing.T) {
	t.Setenv(role, "well")
	e, err := Start(context.Background(), Options{Rules: othello.Standard, Command: []string{os.Args[0]}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	answers, err := e.Ask(context.Background(), testkit.Patience, "name", "play b d3", "version")
	if err != nil || !slices.Equal(answers, []string{"first move", "", "1.0"}) {
		t.Errorf("%q, %v", answers, err)
	}
	var no *refusal
	if _, err := e.Ask(context.Background(), testkit.Patience, "play b d3", "play w a1"); !errors.As(err, &no) {
		t.Errorf("an illegal move: %v, want a refusal", err)
	}
	task := &engine.Task{Rules: othello.Standard}
	if _, err := e.Think(context.Background(), task, engine.Limits{}, nil); err != nil {
		t.Errorf("thinking after commands of others: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Ask(ctx, testkit.Patience, "name"); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	if answers, err := e.Ask(context.Background(), testkit.Patience, "name"); err != nil || answers[0] != "first move" {
		t.Errorf("after that: %q, %v", answers, err)
	}
}
