package study

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine"
	"qipu/game"
	"qipu/view"
)

// wonAt is a position with its win as --json prints it.
type wonAt struct {
	Number   int         `json:"number"`
	Position string      `json:"position"`
	Result   string      `json:"result"`  // "win", "none" or "limit"
	By       string      `json:"by"`      // "five", "open four", "four and three", "fours", "threats", "mate"
	Plies    int         `json:"plies"`   // until the end
	Line     []view.Move `json:"line"`    // may end where one more stone ends the game
	Checked  int         `json:"checked"` // positions of the check by the rules
	Nodes    int64       `json:"nodes"`
	Seconds  float64     `json:"seconds"`
}

// solveWins looks for wins in positions of a game whose engine proves them.
func solveWins(cmd *cobra.Command, a *cli.App, r game.Rules, arg string, o *solveOptions) error {
	e, err := a.Engine(r, engine.Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	prover, ok := e.(engine.Prover)
	if !ok {
		return cli.Usagef("--game=%s: only Go, Othello on 8x8, Renju, Gomoku and Xiangqi can be solved", o.game)
	}
	if err := unlike(cmd, "of Othello alone", append([]string{"all"}, othelloFlags...)); err != nil {
		return err
	}
	for _, name := range goFlags {
		if name != "nodes" && cmd.Flags().Changed(name) {
			return cli.Usagef("--%s is of Go alone", name)
		}
	}
	nodes := int64(0)
	if cmd.Flags().Changed("nodes") {
		if nodes = int64(o.goes.Nodes); nodes < 1 {
			return cli.Usagef("--nodes=%d: want how many positions may be looked at", o.goes.Nodes)
		}
	}
	list, err := winPositions(a, r, arg)
	if err != nil {
		return err
	}
	bar := a.NewProgress("positions", len(list))
	defer bar.Close()
	t := a.NewFeed(bar, []string{"number", "result", "by", "plies", "checked", "line"})
	for i, p := range list {
		began := time.Now()
		setup := game.SetupOf(p)
		proof, err := prover.Prove(cmd.Context(), &engine.Task{Rules: r, Start: &setup}, nodes)
		switch {
		case errors.Is(err, context.Canceled):
			return cli.ErrInterrupted
		case err != nil:
			return fmt.Errorf("position %d: %w", i+1, err)
		}
		if err := addWin(a, t, o.game, i+1, p, proof, time.Since(began)); err != nil {
			return err
		}
		bar.Step(1)
	}
	return nil
}

// winPositions reads what the argument of solve means: a position, or a file or standard
// input with one a line.
func winPositions(a *cli.App, r game.Rules, arg string) (list []game.Position, err error) {
	text := arg
	if arg == "-" {
		if text, err = a.Text(arg); err != nil {
			return nil, err
		}
	} else if data, err := os.ReadFile(arg); err == nil {
		text = string(data)
	} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
		return nil, err
	}
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		p, err := game.ParsePosition(r, line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w: want moves, a position text, or the name of a file", i+1, err)
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, errors.New("no position: give moves, or a position text")
	}
	return list, nil
}

// addWin prints what was found.
func addWin(a *cli.App, t *cli.Feed, spec string, number int, p game.Position, proof *engine.Proof, took time.Duration) error {
	k, err := a.Kind(spec)
	if err != nil {
		return err
	}
	at, err := k.Stand(game.FormatPosition(k.Rules, p), 0, "")
	if err != nil {
		return err
	}
	w := wonAt{
		Number: number, Position: game.FormatPosition(k.Rules, p), Result: "none", By: proof.By, Plies: proof.Plies,
		Line: at.Ahead(proof.Line), Checked: proof.Checked, Nodes: proof.Nodes, Seconds: took.Round(time.Millisecond).Seconds(),
	}
	switch {
	case proof.Won:
		w.Result = "win"
	case proof.Ended:
		w.Result = "limit"
	}
	if w.Line == nil {
		w.Line = []view.Move{}
	}
	by, plies, checked := "-", "-", "-"
	if proof.Won {
		by, plies, checked = w.By, strconv.Itoa(w.Plies), strconv.Itoa(w.Checked)
	}
	return t.Add(cli.Typed("win", w), strconv.Itoa(number), w.Result, by, plies, checked, cli.Texts(w.Line))
}
