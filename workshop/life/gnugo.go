package life

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"qipu/board"
	"qipu/engine/external"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/workshop/counted"
)

// Rival is GNU Go, or another program that answers final_status_list, as a method
// beside our own.
type Rival struct {
	engine *external.Engine
	name   string
	board  life.Board
}

// gnugoPlaces are where the program is looked for beside the search path: Debian
// puts games where not every path leads.
var gnugoPlaces = []string{"gnugo", "/usr/games/gnugo", "/usr/local/games/gnugo"}

// rivalThought is the most that the program may take for a board.
const rivalThought = 5 * time.Minute

// GNUGo starts the program that a flag --gnugo names: "auto", "off" or a path. It is nil
// where there is none.
func GNUGo(ctx context.Context, name string) (*Rival, error) {
	places := []string{name}
	switch name {
	case "off":
		return nil, nil
	case "auto":
		places = gnugoPlaces
	}
	for _, place := range places {
		path, err := exec.LookPath(place)
		if err != nil {
			continue
		}
		e, err := external.Start(ctx, external.Options{Rules: weiqi.Standard, Command: []string{path, "--mode", "gtp"}})
		if err != nil {
			return nil, fmt.Errorf("--gnugo: %w", err)
		}
		return &Rival{engine: e, name: strings.ToLower(strings.ReplaceAll(e.Info().Name, " ", ""))}, nil
	}
	if name != "auto" {
		return nil, fmt.Errorf("--gnugo %s: there is no such program: give its path, or off", name)
	}
	return nil, nil
}

// Close ends the program, where there is one.
func (r *Rival) Close() {
	if r != nil {
		r.engine.Close()
	}
}

func (r *Rival) method(most int) counted.Method {
	return counted.Method{Name: r.name, Most: most, Judge: func(ctx context.Context, _ int, b *counted.Board) (*life.Judgement, time.Duration, error) {
		return r.Judge(ctx, b)
	}}
}

// Judge sets the stones up one by one, Black's first: no string is without a
// liberty on the way, so that none is taken off. It has the program list what is
// dead and what is in seki. The time is that of its processor, where it tells.
func (r *Rival) Judge(ctx context.Context, b *counted.Board) (*life.Judgement, time.Duration, error) {
	size := b.Rules.Size()
	if size.W != size.H {
		return nil, 0, errors.New("the protocol knows square boards alone: leave it out with --gnugo off")
	}
	commands := []string{"boardsize " + strconv.Itoa(size.W), "clear_board"}
	for side, colour := range []string{"black", "white"} {
		for p := range b.Setup.Board.Of[side].Points() {
			commands = append(commands, "play "+colour+" "+game.FormatMove(b.Rules, nil, game.Drop(p), weiqi.GTP))
		}
	}
	before, known := r.cpu(ctx)
	if _, err := r.engine.Ask(ctx, rivalThought, commands...); err != nil {
		return nil, 0, err
	}
	began := time.Now()
	lists, err := r.engine.Ask(ctx, rivalThought, "final_status_list dead", "final_status_list seki")
	if err != nil {
		return nil, 0, err
	}
	took := time.Since(began)
	if after, ok := r.cpu(ctx); ok && known && after > before {
		took = after - before
	}
	j := new(life.Judgement)
	r.board.Reset(b.Setup.Board)
	j.Begin(r.name, &r.board)
	for i := range j.Strings {
		j.Strings[i].Status, j.Strings[i].Chance = life.Alive, 1
	}
	for i, status := range []life.Status{life.Dead, life.Seki} {
		for _, word := range strings.Fields(lists[i]) {
			m, err := b.Rules.ParseMove(nil, word, weiqi.GTP)
			if m == game.NoMove || m.To() == board.NoPoint {
				return nil, 0, fmt.Errorf("it lists %q: %w", word, err)
			}
			if v := j.At(&r.board, m.To()); v != nil {
				v.Status = status
			}
		}
	}
	for i := range j.Groups {
		j.Groups[i].Status = j.Strings[i].Status
	}
	j.Fill(&r.board)
	return j, took, nil
}

// cpu returns the time of its processor that the program has used, if it tells.
func (r *Rival) cpu(ctx context.Context) (time.Duration, bool) {
	answer, err := r.engine.Ask(ctx, rivalThought, "cputime")
	if err != nil {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(answer[0], 64)
	return time.Duration(seconds * float64(time.Second)), err == nil
}
