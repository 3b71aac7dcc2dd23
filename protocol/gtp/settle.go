package gtp

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

// ended returns the game as it is if both sides pass now, and its settlement; nil
// where the rules count what stands, or nobody settles it.
func (s *session) ended(ctx context.Context) (game.Position, *game.Settlement, error) {
	p, err := s.Task().Position()
	for err == nil && !p.Outcome().Final() {
		err = p.Play(game.Pass)
	}
	if err != nil {
		return nil, nil, cannotScore
	}
	settler := s.server.Settlers.Of(s.Rules)
	if settler == nil || !game.Settles(p.Outcome()) {
		return p, nil, nil
	}
	w, err := settler.Propose(ctx, p)
	return p, w, err
}

// finalScore counts the game: as it has ended, or if both sides pass now. What is
// dead is taken off where the rules leave that to the players.
func (s *session) finalScore(ctx context.Context, _ []string) (string, error) {
	o := s.Pos.Outcome()
	if o.Final() && o.State != game.Unscored {
		return s.score(o)
	}
	if _, counts := s.Rules.(counter); !counts && !o.Over() {
		return "", cannotScore
	}
	p, w, err := s.ended(ctx)
	switch {
	case err != nil:
		return "", err
	case w != nil:
		return s.score(w.Outcome)
	case p.Outcome().State == game.Unscored:
		return s.asItStands()
	}
	return s.score(p.Outcome())
}

// asItStands counts a game of Go with every stone alive, as programs do that
// play until the dead ones are taken: for want of somebody who knows better.
func (s *session) asItStands() (string, error) {
	v, ok := s.Rules.(game.Varied)
	k, counts := s.Rules.(counter)
	if !ok || !counts {
		return "", cannotScore
	}
	r, err := v.Variant("tromp-taylor,komi=" + strconv.FormatFloat(float64(k.Komi())/2, 'f', -1, 64))
	if err != nil {
		return "", cannotScore
	}
	setup := game.SetupOf(s.Pos)
	setup.Ko = board.NoPoint
	p, err := r.Arrange(setup)
	if err != nil {
		return "", cannotScore
	}
	for !p.Outcome().Final() {
		if p.Play(game.Pass) != nil {
			return "", cannotScore
		}
	}
	return s.score(p.Outcome())
}

// statusList lists the stones that are dead, alive or in seki if both sides pass now,
// a group a line.
func (s *session) statusList(ctx context.Context, args []string) (string, error) {
	if !slices.Contains([]string{string(game.Alive), string(game.Dead), string(game.Seki)}, args[0]) {
		return "", syntaxError
	}
	_, w, err := s.ended(ctx)
	if err != nil {
		return "", err
	}
	if w == nil {
		return "", cannotScore
	}
	var lines []string
	for i := range w.Groups {
		if string(w.Groups[i].Fate) == args[0] {
			var words []string
			for _, at := range w.Groups[i].Points {
				words = append(words, s.Format(s.Pos, game.Drop(at)))
			}
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n"), nil
}

// cleanup makes a move that takes dead stones off the board, and passes only where
// none is left: as it is asked for where the players did not agree about what is
// dead.
func (s *session) cleanup(ctx context.Context, args []string) (string, error) {
	side, ok := s.Side(args[0])
	if !ok {
		return "", syntaxError
	}
	settler := s.server.Settlers.Of(s.Rules)
	if settler == nil {
		return s.genmove(ctx, args)
	}
	s.reopen()
	text := ""
	err := s.Table.Play(side, func() (game.Move, error) {
		m := settler.Clear(s.Pos)
		text = s.Format(s.Pos, m)
		return m, nil
	})
	return text, err
}

// reopen has a game go on that both sides ended by passing, and nobody has counted:
// the passes are no part of it any more, though each can be taken back as ever.
func (s *session) reopen() {
	if !game.Settles(s.Pos.Outcome()) {
		return
	}
	n := 0
	for k := len(s.Moves); k > n && s.Moves[k-1-n] == game.Pass; {
		n++
	}
	s.TakeBack(n)
	for i := len(s.Told) - 1; i >= 0 && n > 0; i-- {
		off := min(n, s.Told[i])
		s.Told[i] -= off
		n -= off
	}
}
