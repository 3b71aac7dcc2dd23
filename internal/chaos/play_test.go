package chaos

import (
	"errors"
	"fmt"
	"strings"
)

// plays plays a game to its end, or goes on with one that a crash has interrupted.
func (t *task) plays() error {
	p, r := t.p, t.r
	if !t.served() {
		if err := p.serve(); err != nil {
			return err
		}
	}
	s := p.session
	p.session = nil
	if s == nil {
		g := makeGame(played + t.number)
		if r.IntN(2) == 0 && g.moves[len(g.moves)-1] != "" {
			g.moves = append(g.moves, "", "")
		}
		s = &session{game: g}
	}
	g := s.game
	t.effects = []effect{{p.shelf, g, add, ""}}
	t.later, t.strict = true, true
	type state struct {
		ID       string
		State    string
		Position struct{ Line string }
		Result   *struct {
			Text   string
			Record int
		}
	}
	line := func(n int) string {
		var words []string
		for _, m := range g.moves[:n] {
			words = append(words, coordinates(g.size, m))
		}
		return strings.Join(words, " ")
	}
	over := false // it was before
	run := func() error {
		var now state
		over = false
		if s.id == "" {
			body := map[string]any{"game": fmt.Sprintf("go:%dx%d", g.size, g.size), "side": "both", "name": g.black, "opponent": g.white}
			if err := p.post("/sessions", body, &now); err != nil {
				return err
			}
			s.id = now.ID
		} else {
			if err := p.get("/sessions/"+s.id, &now); err != nil {
				return err
			}
			// The last that was asked for may have been done before the crash, and not told.
			if more := min(s.moves+1, len(g.moves)); now.Position.Line == line(more) {
				s.moves = more
			} else if s.back && now.Position.Line == line(s.moves-1) {
				s.moves--
			}
			s.back = false
			// One that had ended became a record when the server was started, which may have
			// been deleted since.
			if now.State == "over" && s.moves == len(g.moves) && now.Result != nil && now.Result.Record != 0 {
				over = true
				return nil
			}
			if now.Position.Line != line(s.moves) {
				return fmt.Errorf("a game that was interrupted stands at %q, and %q was acknowledged", now.Position.Line, line(s.moves))
			}
		}
		for ; s.moves < len(g.moves); s.moves++ {
			if s.moves == 4 && !s.undo && r.IntN(2) == 0 {
				s.undo, s.back = true, true
				if err := p.post("/sessions/"+s.id+"/undo", nil, &now); err != nil {
					return err
				}
				if now.Position.Line != line(3) {
					return fmt.Errorf("after a move was taken back the game stands at %q", now.Position.Line)
				}
				s.moves, s.back = 3, false
			}
			if err := p.post("/sessions/"+s.id+"/moves", map[string]any{"move": coordinates(g.size, g.moves[s.moves])}, &now); err != nil {
				return err
			}
		}
		if now.State != "over" {
			if err := p.post("/sessions/"+s.id+"/resign", nil, &now); err != nil {
				return err
			}
		}
		if now.Result == nil || now.Result.Record == 0 {
			return fmt.Errorf("a game is over and no record: %+v", now)
		}
		g.result = now.Result.Text
		return nil
	}
	t.run = func() (outcome, error) {
		err := run()
		switch {
		case errors.Is(err, errCut):
			p.mu.Lock()
			p.session = s
			p.mu.Unlock()
			return unknown, nil
		case err != nil:
			return unknown, err
		case over:
			return refused, nil // nothing was changed
		}
		return done, nil
	}
	return nil
}
