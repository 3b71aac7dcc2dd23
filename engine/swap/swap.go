package swap

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// Opening is how far an opening has come.
type Opening struct {
	Rules   game.Rules // that are a game.Opener
	Rule    string
	Answers []game.OpeningAnswer

	// Known is who knows beginnings; nil for nobody.
	Known Knower
}

// Knower is an engine that knows what some beginnings are worth under an opening rule, by
// analysis that was done before.
type Knower interface {
	// Balance returns what the stones that were put are worth for who holds the first
	// colour, where the players keep their colours and decide all that follows as well as
	// they can; false where it is not known.
	Balance(r game.Rules, rule string, moves []game.Move) (engine.Value, bool)
}

// Think values the best moves of a position, as many as are asked for.
type Think func(ctx context.Context, t *engine.Task, multi int) (*engine.Report, error)

// ErrOver tells that nothing is to be decided.
var ErrOver = errors.New("the opening is over")

// Worth returns what an opening as far as it has come is worth for who holds the first
// colour, if both players decide as well as they can.
func Worth(ctx context.Context, o *Opening, think Think, seed uint64) (engine.Value, error) {
	d, err := newDecider(ctx, o, think, seed)
	if err != nil {
		return 0, err
	}
	v, _, err := d.worth(o.Answers, 0)
	return v, err
}

// Decide returns what an engine answers next: several answers where one player has to
// tell several points in a row. The seed chooses among what is equally good.
func Decide(ctx context.Context, o *Opening, think Think, seed uint64) ([]game.OpeningAnswer, error) {
	d, err := newDecider(ctx, o, think, seed)
	if err != nil {
		return nil, err
	}
	ask, moves, err := d.opener.OpeningAsk(o.Rule, o.Answers)
	switch {
	case err != nil:
		return nil, err
	case ask == nil:
		return nil, ErrOver
	case ask.Act == game.PutStone && ask.Left > 1:
		return d.arrange(ask)
	case ask.Act == game.OfferStone:
		return d.offers(ask, moves)
	}
	_, best, err := d.worth(o.Answers, 0)
	if err != nil {
		return nil, err
	}
	return []game.OpeningAnswer{best}, nil
}

// decider decides once.
type decider struct {
	o      *Opening
	opener game.Opener
	think  Think
	ctx    context.Context
	chance *rand.Rand
	known  map[string]*engine.Report
}

func newDecider(ctx context.Context, o *Opening, think Think, seed uint64) (*decider, error) {
	opener, ok := o.Rules.(game.Opener)
	if !ok {
		return nil, fmt.Errorf("swap: %w: %q", game.ErrOpening, o.Rule)
	}
	chance := rand.New(rand.NewPCG(seed, uint64(len(o.Answers))))
	return &decider{o: o, opener: opener, think: think, ctx: ctx, chance: chance, known: map[string]*engine.Report{}}, nil
}

// wide is how many moves of a position are valued, and the numbers below how many of
// them are gone into: the first time a stone is put, and where a stone decides whether
// the other player takes the colour.
const (
	wide   = 16
	narrow = 6
)

// most bounds how many ways to put several stones are read, and cheap how many of those
// are compared whose worth is known.
const (
	most  = 8
	cheap = 64
)

// worth returns what an opening is worth for who holds the first colour in it, if
// both players decide as well as they can, and what the next answer is then. Stones that
// are put a second time are not gone into: the engine's own value stands for them.
func (d *decider) worth(answers []game.OpeningAnswer, depth int) (v engine.Value, best game.OpeningAnswer, err error) {
	ask, moves, err := d.opener.OpeningAsk(d.o.Rule, answers)
	if err != nil {
		return 0, best, err
	}
	if ask == nil {
		r, err := d.report(moves, 1)
		return d.first(moves, r.Best().Value), best, err
	}
	// mine is a value as who decides has it.
	mine := func(v engine.Value) engine.Value {
		if ask.Side == game.Second {
			return -v
		}
		return v
	}
	found := false
	consider := func(a game.OpeningAnswer, next engine.Value) {
		if !found || mine(next) > mine(v) {
			v, best, found = next, a, true
		}
	}
	switch ask.Act {
	case game.ChooseWord:
		words := slices.Clone(ask.Words)
		slices.SortStableFunc(words, func(a, b string) int { return number(b) - number(a) }) // equal values: many points rather than few
		kept, known := d.knows(moves)
		if !known || !slices.Contains(words, game.KeepSides) {
			if kept, _, err = d.worth(d.with(answers, game.OpeningAnswer{Word: words[0]}), depth); err != nil {
				return 0, best, err
			}
		}
		for _, w := range words {
			a := game.OpeningAnswer{Word: w}
			next := kept
			if w != words[0] && w != game.SwapSides && w != game.KeepSides {
				if next, _, err = d.worth(d.with(answers, a), depth); err != nil {
					return 0, best, err
				}
			}
			if w == game.SwapSides { // the same board, and who held the first colour has the other
				next = -next
			}
			consider(a, next)
		}
	case game.OfferStone:
		// The one is left that is worst for who offers.
		list, err := d.told(ask, moves, answers)
		if err != nil {
			return 0, best, err
		}
		v = list[len(list)-1].value
		return v, best, nil
	case game.TakeOffered:
		for _, p := range ask.Points {
			a := game.OpeningAnswer{At: p}
			next, _, err := d.worth(d.with(answers, a), depth)
			if err != nil {
				return 0, best, err
			}
			consider(a, next)
		}
	case game.PutStone:
		list, err := d.candidates(ask, moves)
		if err != nil {
			return 0, best, err
		}
		deep := depth == 0
		for _, c := range list {
			a := game.OpeningAnswer{At: c.at}
			next := c.value
			if deep {
				if next, _, err = d.worth(d.with(answers, a), depth+1); err != nil {
					return 0, best, err
				}
			} else if after, _, err := d.opener.OpeningAsk(d.o.Rule, d.with(answers, a)); err == nil && after != nil && after.Act == game.ChooseWord && slices.Contains(after.Words, game.SwapSides) {
				next = taken(next, after.Side)
			}
			consider(a, next)
		}
	}
	if !found {
		return 0, best, errors.New("swap: the engine has no answer")
	}
	return v, best, nil
}

// knows returns what is known of the stones that were put.
func (d *decider) knows(moves []game.Move) (engine.Value, bool) {
	if d.o.Known == nil {
		return 0, false
	}
	return d.o.Known.Balance(d.o.Rules, d.o.Rule, moves)
}

// taken is a value for who holds the first colour, where a side may take the better one.
func taken(v engine.Value, by game.Side) engine.Value {
	v = max(v, -v)
	if by == game.Second {
		return -v
	}
	return v
}

func number(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		return 0
	}
	return n
}

// with returns answers and another one.
func (d *decider) with(answers []game.OpeningAnswer, a game.OpeningAnswer) []game.OpeningAnswer {
	return append(slices.Clip(answers), a)
}

// report values the best moves behind some others.
func (d *decider) report(moves []game.Move, multi int) (*engine.Report, error) {
	key := fmt.Sprint(moves)
	if r := d.known[key]; r != nil && (multi <= 1 || len(r.Lines) > 1) {
		return r, nil
	}
	r, err := d.think(d.ctx, &engine.Task{Rules: d.o.Rules, Moves: slices.Clone(moves)}, multi)
	if err != nil {
		return &engine.Report{}, err
	}
	d.known[key] = r
	return r, nil
}

// first turns a value for the side to move behind some moves into that for the first one.
func (d *decider) first(moves []game.Move, v engine.Value) engine.Value {
	switch {
	case v == engine.NoValue:
		return 0
	case len(moves)%2 == 1:
		return -v
	}
	return v
}

// candidate is a point for a stone, and what it is worth for the first colour.
type candidate struct {
	at    board.Point
	value engine.Value
}

// valued lists the points of a question that the engine thinks best for the side to
// move, the best first.
func (d *decider) valued(ask *game.OpeningAsk, moves []game.Move) (list []candidate, err error) {
	r, err := d.report(moves, wide)
	if err != nil {
		return nil, err
	}
	for _, l := range r.Lines {
		if slices.Contains(ask.Points, l.Move.To()) && l.Value != engine.NoValue {
			list = append(list, candidate{l.Move.To(), d.first(moves, l.Value)})
		}
	}
	return list, nil
}

// candidates are the points that a stone may be put on: the best ones, and where the
// other player may take the colour then, those behind which things are even.
func (d *decider) candidates(ask *game.OpeningAsk, moves []game.Move) ([]candidate, error) {
	list, err := d.valued(ask, moves)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 { // the engine thinks of other points only
		for range min(narrow, len(ask.Points)) {
			p := ask.Points[d.chance.IntN(len(ask.Points))]
			list = append(list, candidate{at: p})
		}
		return list, nil
	}
	if len(list) <= narrow {
		return list, nil
	}
	keep := slices.Clone(list[:narrow/2])
	rest := slices.Clone(list[narrow/2:])
	slices.SortStableFunc(rest, func(a, b candidate) int { return int(max(a.value, -a.value) - max(b.value, -b.value)) })
	return append(keep, rest[:narrow-len(keep)]...), nil
}

// told lists points that can be offered together, the best first.
func (d *decider) told(ask *game.OpeningAsk, moves []game.Move, answers []game.OpeningAnswer) (list []candidate, err error) {
	r, err := d.report(moves, 4*wide)
	if err != nil {
		return nil, err
	}
	for len(list) < ask.Left {
		next, _, err := d.opener.OpeningAsk(d.o.Rule, answers)
		if err != nil {
			return nil, err
		}
		var c candidate
		at := slices.IndexFunc(r.Lines, func(l engine.Line) bool {
			return l.Value != engine.NoValue && slices.Contains(next.Points, l.Move.To())
		})
		if at >= 0 {
			c = candidate{r.Lines[at].Move.To(), d.first(moves, r.Lines[at].Value)}
		} else {
			// It has valued no more: one near the others will do, and is taken to be no better.
			c.at = nearest(next.Points, moves)
			if c.value = -engine.Unit; len(list) > 0 {
				c.value += list[len(list)-1].value
			}
		}
		list = append(list, c)
		answers = d.with(answers, game.OpeningAnswer{At: c.at})
	}
	return list, nil
}

// nearest returns the point that has the stones nearest to it.
func nearest(points []board.Point, moves []game.Move) board.Point {
	apart := func(p board.Point) (sum int) {
		for _, m := range moves {
			x, y := p.X()-m.To().X(), p.Y()-m.To().Y()
			sum += x*x + y*y
		}
		return sum
	}
	return slices.MinFunc(points, func(a, b board.Point) int { return apart(a) - apart(b) })
}

// offers returns the points that are offered.
func (d *decider) offers(ask *game.OpeningAsk, moves []game.Move) (list []game.OpeningAnswer, err error) {
	told, err := d.told(ask, moves, d.o.Answers)
	for _, c := range told {
		list = append(list, game.OpeningAnswer{At: c.at})
	}
	return list, err
}

// arrange puts several stones. The other player takes the better colour then: of some
// ways by chance, the most even one is chosen.
func (d *decider) arrange(ask *game.OpeningAsk) (best []game.OpeningAnswer, err error) {
	least := engine.Value(0)
	for tried, read := 0, 0; tried < cheap && read < most; tried++ {
		way, err := d.byChance(ask.Left)
		if err != nil {
			return nil, err
		}
		all := append(slices.Clone(d.o.Answers), way...)
		_, moves, err := d.opener.OpeningAsk(d.o.Rule, all)
		if err != nil {
			return nil, err
		}
		if _, known := d.knows(moves); !known {
			read++
		}
		v, _, err := d.worth(all, 0)
		if err != nil {
			return nil, err
		}
		if v = max(v, -v); best == nil || v < least {
			best, least = way, v
		}
		if least < engine.Unit/10 {
			break
		}
	}
	return best, nil
}

// byChance puts some stones near each other.
func (d *decider) byChance(n int) (way []game.OpeningAnswer, err error) {
	answers := slices.Clone(d.o.Answers)
	for range n {
		ask, moves, err := d.opener.OpeningAsk(d.o.Rule, answers)
		if err != nil {
			return nil, err
		}
		points := ask.Points
		if len(moves) > 0 {
			near := slices.DeleteFunc(slices.Clone(points), func(p board.Point) bool {
				x, y := p.X()-moves[0].To().X(), p.Y()-moves[0].To().Y()
				return max(x, -x, y, -y) > 3
			})
			if len(near) > 0 {
				points = near
			}
		}
		a := game.OpeningAnswer{At: points[d.chance.IntN(len(points))]}
		way, answers = append(way, a), append(answers, a)
	}
	return way, nil
}
