package gomocup

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/swap"
	"qipu/game"
)

// add notes a stone of a position that is being told.
func (s *session) add(text string) {
	l := s.list
	size := s.Rules.Geometry().Size
	switch {
	case l.err != nil:
		return
	case len(l.stones) >= size.W*size.H:
		l.err = errors.New("there are more stones than points")
		return
	}
	at := text
	own := false
	if l.order != "SWAP2BOARD" {
		cut := strings.LastIndexByte(text, ',')
		field := text[cut+1:]
		if cut < 0 || field != "1" && field != "2" {
			l.err = errors.New("want a point, and 1 or 2 for whose stone it is")
			return
		}
		at, own = text[:cut], field == "1"
	}
	m, err := s.point(at)
	if err == nil && slices.ContainsFunc(l.stones, func(o stone) bool { return o.at == m }) {
		err = game.ErrOccupied
	}
	if err != nil {
		l.err = err
		return
	}
	l.stones = append(l.stones, stone{m, own})
}

// told does what is to be done with a position that was told.
func (s *session) told(ctx context.Context, l *list) (string, error) {
	if l.err != nil {
		return "", l.err
	}
	var moves []game.Move
	var err error
	if l.order == "SWAP2BOARD" {
		for _, o := range l.stones {
			moves = append(moves, o.at)
		}
	} else {
		moves, err = ordered(l.stones, l.order == "BOARD")
	}
	if err == nil {
		err = s.lay(s.Rules, moves)
	}
	switch {
	case err != nil:
		return "", err
	case l.order == "YXBOARD":
		return "", nil
	case l.order == "SWAP2BOARD":
		return s.swap2(ctx)
	}
	return s.reply(ctx)
}

// ordered returns stones in the order of a game. That in which they were told is
// kept where it can be: the sides take turns, and own stones are to be put next
// where a move is asked for. Else each side's own are.
func ordered(stones []stone, asked bool) (moves []game.Move, err error) {
	if inTurns(stones) && !(asked && len(stones) > 0 && stones[len(stones)-1].own) {
		for _, o := range stones {
			moves = append(moves, o.at)
		}
		return moves, nil
	}
	var own, other []game.Move
	for _, o := range stones {
		if o.own {
			own = append(own, o.at)
		} else {
			other = append(other, o.at)
		}
	}
	first, second := own, other
	switch len(other) - len(own) {
	case 0:
	case 1:
		first, second = other, own
	default:
		return nil, errors.New("one side has put too many stones")
	}
	for i, m := range first {
		moves = append(moves, m)
		if i < len(second) {
			moves = append(moves, second[i])
		}
	}
	return moves, nil
}

// inTurns tells whether no side has put two stones one after the other.
func inTurns(stones []stone) bool {
	for i := 1; i < len(stones); i++ {
		if stones[i].own == stones[i-1].own {
			return false
		}
	}
	return true
}

// limits are those of the next move: what the server says, and the time.
func (s *session) limits() engine.Limits {
	l := s.server.Limits
	// What the engine and the pipe need beyond the bound.
	spare := func(d time.Duration) time.Duration { return max(d-d/20-30*time.Millisecond, time.Millisecond) }
	turn := s.turn
	switch {
	case s.hurry:
		turn = 80 * time.Millisecond
	case turn == 0:
		turn = usualTurn
	}
	if turn = spare(turn); l.Time == 0 || turn < l.Time {
		l.Time = turn
	}
	if s.left > 0 {
		l.Clock = &engine.Clock{Left: spare(s.left)}
		l.Time = min(l.Time, l.Clock.Left)
	}
	return l
}

// think has the engine think about the position.
func (s *session) think(ctx context.Context, l engine.Limits) (r *engine.Report, err error) {
	return s.judge(ctx, s.Task(), l)
}

// judge has the engine think about any position.
func (s *session) judge(ctx context.Context, t *engine.Task, l engine.Limits) (r *engine.Report, err error) {
	e, err := s.Thinker()
	if err != nil {
		return nil, err
	}
	s.Feed.During(ctx, false, true, func(ctx context.Context) {
		if r, err = e.Think(ctx, t, l, nil); err != nil && ctx.Err() != nil {
			// It was stopped before it had begun: a move it has to be.
			r, err = e.Think(context.WithoutCancel(ctx), t, engine.Limits{Depth: 1}, nil)
		}
	})
	return r, err
}

// reply has the engine make a move, and returns it. A pass is no move of this
// protocol: any stone is better than none.
func (s *session) reply(ctx context.Context) (string, error) {
	if s.Pos.Outcome().Final() {
		return "", engine.ErrOver
	}
	began := time.Now()
	r, err := s.think(ctx, s.limits())
	if err != nil {
		return "", err
	}
	if s.left > 0 {
		s.left = max(s.left-time.Since(began), time.Millisecond)
	}
	m := r.Best().Move
	if m == game.NoMove || m.To() == board.NoPoint {
		moves := s.Pos.AppendMoves(nil)
		at := slices.IndexFunc(moves, func(m game.Move) bool { return m.To() != board.NoPoint })
		if at < 0 {
			return "", errors.New("there is no move")
		}
		m = moves[at]
	}
	if err := s.Play(s.Pos.Turn(), func() (game.Move, error) { return m, nil }); err != nil {
		return "", err
	}
	return write(m), nil
}

// swap2 answers in the opening of that name by what positions are worth: three stones
// that are good for neither side, a colour, or two more stones.
func (s *session) swap2(ctx context.Context) (string, error) {
	o := &swap.Opening{Rules: s.Rules, Rule: "swap2"}
	for _, m := range s.Moves {
		o.Answers = append(o.Answers, game.OpeningAnswer{At: m.To()})
	}
	switch len(s.Moves) {
	case 0, 3:
	case 5:
		o.Answers = slices.Insert(o.Answers, 3, game.OpeningAnswer{Word: game.PutMore})
	default:
		return "", errors.New("want no stone, three or five")
	}
	l := s.limits()
	if l.Time > 0 {
		l.Time = max(l.Time/parts, time.Millisecond)
	}
	l.Nodes = max(l.Nodes/parts, min(l.Nodes, 1))
	for texts := []string(nil); ; {
		answers, err := swap.Decide(ctx, o, func(ctx context.Context, t *engine.Task, multi int) (*engine.Report, error) {
			own := l
			own.Multi = multi
			return s.judge(ctx, t, own)
		}, 1)
		if err != nil {
			return "", err
		}
		for _, a := range answers {
			o.Answers = append(o.Answers, a)
			switch a.Word {
			case game.SwapSides:
				return "SWAP", nil
			case game.KeepSides:
				return s.reply(ctx)
			case game.PutMore:
				continue
			}
			m := game.Drop(a.At)
			if err := s.Play(s.Pos.Turn(), func() (game.Move, error) { return m, nil }); err != nil {
				return "", err
			}
			texts = append(texts, write(m))
		}
		if len(texts) > 1 {
			return strings.Join(texts, " "), nil
		}
	}
}

// parts is how many thoughts share the time of an answer to an opening.
const parts = 24
