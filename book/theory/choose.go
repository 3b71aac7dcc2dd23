package theory

import (
	"cmp"
	"math"
	"math/rand/v2"

	"qipu/book"
	"qipu/engine"
	"qipu/game"
)

// ChoiceOptions say how a move is chosen. The zero value chooses a best move.
type ChoiceOptions struct {
	// Budget is how much may be lost by choices in the whole game, and Spent
	// what was lost so far; negative for no bound. A choice never loses more
	// than what is left.
	Budget, Spent engine.Value

	// Closeness is how much worse a move may be to be chosen one time in e
	// against the best one; default one disc.
	Closeness engine.Value

	// Human draws among the moves by how often people played them, those that nobody
	// has played left out. A budget counts all the same: a move of unknown value can
	// be chosen only where there is no bound.
	Human bool

	// MinLevel leaves out what was searched less deeply, unless it is exact or
	// set by a person.
	MinLevel int

	// Counts are what games say of the position: the entry of package book. Nil
	// for nothing. Threshold is how many games must have reached the position
	// behind a move for their results to be a value of it: a lucky win with a bad
	// move is none. Default book.DefaultThreshold.
	Counts    *book.Entry
	Threshold int

	// Seed makes the choice: the same seed chooses the same move in the same
	// position. 0 is a seed like others.
	Seed uint64
}

// Choice is a move that the book would play.
type Choice struct {
	Move game.Move
	Loss engine.Value // against the best move, by the values that decide; 0 where no value is known
	Why  Source       // which of them decided
}

// candidate is a move that may be chosen.
type candidate struct {
	Choice
	value engine.Value
	games int
	exact bool
}

// Choose chooses a move by X, else E, else R, or by what people play; what a
// person set outranks all. It reports false where nothing is known of any move.
// Where the best move is solved and does not lose, no other value than that one
// will do: a win is never given away for variety.
func (t *Theory) Choose(p game.Position, o ChoiceOptions) (Choice, bool) {
	entry := t.Look(p)
	list := t.candidates(&entry, &o)
	if len(list) == 0 {
		return Choice{}, false
	}
	best := engine.NoValue
	solved := false
	for _, c := range list {
		if c.value > best {
			best, solved = c.value, c.exact
		} else if c.value == best {
			solved = solved || c.exact
		}
	}
	closeness := float64(o.Closeness)
	if closeness <= 0 {
		closeness = float64(engine.Unit)
	}
	left := o.Budget - o.Spent
	weights := make([]float64, len(list))
	sum := 0.0
	for i, c := range list {
		switch {
		case c.value == engine.NoValue: // known by games alone, beside moves with a value or none at all
			if best != engine.NoValue && o.Budget >= 0 || !o.Human {
				continue
			}
		case best != engine.NoValue:
			loss := best - c.value
			if o.Budget >= 0 && loss > max(left, 0) || solved && best >= 0 && (!c.exact || loss > 0) {
				continue
			}
			list[i].Loss = loss
		}
		if weights[i] = float64(c.games); !o.Human {
			weights[i] = math.Exp(-float64(list[i].Loss) / closeness)
		}
		sum += weights[i]
	}
	if sum == 0 {
		return Choice{}, false
	}
	pick := rand.New(rand.NewPCG(o.Seed, entry.Key.Hi*31^entry.Key.Lo)).Float64() * sum
	at := -1
	for i, w := range weights {
		if w > 0 {
			at = i
			if pick < w {
				break
			}
		}
		pick -= w
	}
	return list[at].Choice, true
}

// candidates lists the moves of which enough is known. Where people and engines
// know nothing of any of them, their values are those by results.
func (t *Theory) candidates(e *Entry, o *ChoiceOptions) []candidate {
	counts := map[game.Move]*book.Choice{}
	if o.Counts != nil {
		for i := range o.Counts.Moves {
			counts[o.Counts.Moves[i].Move] = &o.Counts.Moves[i]
		}
	}
	var list []candidate
	valued := false
	for _, m := range e.Moves {
		c := candidate{Choice: Choice{Move: m.Move}, value: engine.NoValue}
		v, why := m.Best()
		if why == ByEngine && m.Level < o.MinLevel {
			v, why = engine.NoValue, Unknown
		}
		c.value, c.Why, c.exact = v, why, why == ByExact
		valued = valued || v != engine.NoValue
		if b := counts[m.Move]; b != nil {
			c.games = b.Counts.N
		}
		if o.Human && c.games < 1 {
			continue
		}
		list = append(list, c)
	}
	kept := list[:0]
	for _, c := range list {
		if !valued {
			if b := counts[c.Move]; b != nil && b.HasR && b.Reached.N >= cmp.Or(o.Threshold, book.DefaultThreshold) {
				c.value, c.Why = engine.Value(math.Round(b.R*float64(engine.Unit))), ByResults
			}
		}
		if c.value == engine.NoValue && !o.Human {
			continue
		}
		if c.Why == Unknown {
			c.Why = ByResults
		}
		kept = append(kept, c)
	}
	return kept
}
