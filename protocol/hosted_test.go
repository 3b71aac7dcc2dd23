package protocol_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"qipu/arena"
	"qipu/builtin"
	"qipu/engine"
	"qipu/engine/external"
	"qipu/protocol"
	"qipu/protocol/gomocup"
	"qipu/protocol/gtp"
	"qipu/protocol/nboard"
	"qipu/protocol/uci"
	"qipu/record/ggf"
)

// The test binary is its own child: this variable tells what it serves.
const role = "QIPU_TEST_SERVED"

func TestMain(m *testing.M) {
	if how := os.Getenv(role); how != "" {
		if err := serve(how); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serve serves a game by a protocol: "uci xiangqi".
func serve(how string) error {
	speaks, spec, _ := strings.Cut(how, " ")
	r, err := builtin.Games().Find(spec)
	if err != nil {
		return err
	}
	var open protocol.Open = builtin.Engine
	ctx := context.Background()
	switch external.Protocol(speaks) {
	case external.UCI, external.UCCI:
		v := uci.Server{Rules: r, Games: builtin.Games(), Open: open, UCCI: speaks == "ucci"}
		return v.Serve(ctx, os.Stdin, os.Stdout)
	case external.Gomocup:
		v := gomocup.Server{Rules: r, Open: open, Limits: engine.Limits{Depth: 1}}
		return v.Serve(ctx, os.Stdin, os.Stdout)
	case external.NBoard:
		v := nboard.Server{Rules: r, Open: open, Format: ggf.Format}
		return v.Serve(ctx, os.Stdin, os.Stdout)
	}
	v := gtp.Server{Rules: r, Games: builtin.Games(), Open: open, Limits: engine.Limits{Depth: 1}}
	return v.Serve(ctx, os.Stdin, os.Stdout)
}

// TestHosted plays matches of the program that is served against the one that is
// at hand: both sides of every protocol understand each other in whole games.
func TestHosted(t *testing.T) {
	for _, c := range []struct {
		protocol external.Protocol
		spec     string
	}{
		{external.GTP, "othello"}, {external.GTP, "go:5x5"}, {external.GTP, "xiangqi"}, {external.GTP, "renju"},
		{external.UCI, "xiangqi"}, {external.UCCI, "xiangqi"},
		{external.NBoard, "othello"}, {external.Gomocup, "gomoku"}, {external.Gomocup, "renju:20x20"},
	} {
		t.Run(string(c.protocol)+" "+c.spec, func(t *testing.T) {
			r, err := builtin.Games().Find(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			limits := engine.Limits{Depth: 1}
			guest := arena.Player{Name: "guest", Limits: limits, Make: func() (engine.Engine, error) {
				return external.Start(t.Context(), external.Options{
					Protocol: c.protocol, Rules: r, Command: []string{os.Args[0]}, Env: append(os.Environ(), role+"="+string(c.protocol)+" "+c.spec),
				})
			}}
			host := arena.Player{Name: "host", Limits: limits, Make: func() (engine.Engine, error) { return builtin.Engine(r, engine.Options{}) }}
			result, err := arena.Match(t.Context(), guest, host, arena.Options{Rules: r, Games: 2, Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range result.Games {
				if g.Moves[0] == 0 || g.Fault != "" {
					t.Errorf("game %d: %d moves of the guest, %s", g.Number, g.Moves[0], g.Fault)
				}
			}
		})
	}
}
