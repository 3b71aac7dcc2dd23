package renju

import (
	"errors"

	"qipu/board"
	"qipu/game"
	rules "qipu/game/renju"
)

// check replays a win by the rules alone: after every move of the attacker all free
// points are tried as answers. What the attacker does is asked of the search; whether it
// wins, only of the rules.
type check struct {
	p       *rules.Position
	w       *threats
	done    map[uint64]bool
	visited int
	most    int // positions

	// What a check that fails has found: an answer that was not thought of, and the
	// position in which it was given.
	at    uint64
	reply uint16
}

var (
	errRoom    = errors.New("the proof is too large to be checked")
	errRefuted = errors.New("the proof has a hole")
)

// attack holds that the side to move wins.
func (c *check) attack() error {
	if c.done[c.p.Hash()] {
		return nil
	}
	if c.visited++; c.visited > c.most {
		return errRoom
	}
	side := c.p.Turn()
	move, ok := c.w.move()
	if !ok {
		return errRefuted
	}
	if c.p.Play(moveOf(move)) != nil || c.p.LastFoul() != rules.NoFoul {
		if len(c.p.Moves()) > 0 && c.p.LastFoul() != rules.NoFoul {
			c.p.Undo()
		}
		return errRefuted
	}
	c.w.t.put(c.w.side, move)
	err := error(nil)
	if o := c.p.Outcome(); !o.Over() {
		err = c.defend()
	} else if o.State != game.Won || o.Winner != side {
		err = errRefuted
	}
	c.w.t.take()
	c.p.Undo()
	if err == nil {
		c.done[c.p.Hash()] = true
	}
	return err
}

// winning returns the points where the side to move makes a five.
func (c *check) winning() (list []board.Point) {
	side := c.p.Turn()
	for _, m := range c.p.AppendMoves(nil) {
		if m == game.Pass || c.p.Play(m) != nil {
			continue
		}
		if o := c.p.Outcome(); o.State == game.Won && o.Winner == side {
			list = append(list, m.To())
		}
		c.p.Undo()
	}
	return list
}

// defend holds that no answer helps.
func (c *check) defend() error {
	if len(c.winning()) > 0 {
		return errRefuted
	}
	if c.p.Play(game.Pass) != nil {
		return errRefuted
	}
	fives := c.winning()
	c.p.Undo()
	var answers []game.Move
	switch len(fives) {
	case 0:
		answers = c.p.AppendMoves(nil)
	case 1:
		answers = []game.Move{game.Drop(fives[0])}
	}
	for _, m := range answers {
		if m == game.Pass {
			continue // a stone elsewhere is no worse, and all of them are tried
		}
		if err := c.answer(m); err != nil {
			return err
		}
	}
	return nil
}

// answer holds that the attacker wins behind one of them.
func (c *check) answer(m game.Move) error {
	if c.p.Play(m) != nil {
		return errRefuted
	}
	defer c.p.Undo()
	if c.p.LastFoul() != rules.NoFoul {
		return nil
	}
	if c.p.Outcome().Over() { // the board is full
		return errRefuted
	}
	reply := cellOf(m.To())
	at := c.w.key(false)
	c.w.t.put(1-c.w.side, reply)
	err := c.attack()
	c.w.t.take()
	if errors.Is(err, errRefuted) && c.reply == 0 {
		c.at, c.reply = at, reply
	}
	return err
}

// move returns what the attacker plays, by what was proved or by fours.
func (w *threats) move() (uint16, bool) {
	if s := w.known[w.key(true)]; s != nil && s.proof == 0 && !s.fours {
		w.plies(true, s)
		return w.best(true, s)
	}
	if w.wins(w.side, maxFours, 20*threatNodes) {
		return w.fours.line[0], true
	}
	return 0, false
}
