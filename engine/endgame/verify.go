package endgame

import (
	"context"
	"fmt"
	"math/rand/v2"

	"qipu/game"
)

// Checked is what a check of a table came to.
type Checked struct {
	Material string
	Asked    int // numbers that the rules were asked about
	Legal    int
	Wrong    []string // position texts, at most ten
	Fault    error    // the file is damaged
}

// Verify checks the file of a table and asks the rules about positions of it by chance:
// whether they can be, and whether what it says of one follows from what tables say of
// those behind its moves.
func (t *Tables) Verify(ctx context.Context, r game.Manned, x Material, positions int, seed uint64) (c Checked, err error) {
	k, err := t.kitOf(r)
	if err != nil {
		return c, err
	}
	c.Material = x.String()
	f := k.tables[c.Material]
	if f == nil {
		return c, fmt.Errorf("there is no table of %s", c.Material)
	}
	if c.Fault = f.file.Verify(ctx); c.Fault != nil {
		return c, nil
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for range positions {
		if ctx.Err() != nil {
			return c, context.Cause(ctx)
		}
		number, turn := rng.IntN(f.size), rng.IntN(2)
		c.Asked++
		var p place
		if !f.put(&p, number) {
			continue
		}
		set := f.setup(r, number, turn)
		pos, err := r.Arrange(set)
		if err != nil {
			continue // such a position cannot be
		}
		c.Legal++
		ok, err := t.follows(r, pos)
		if err != nil {
			c.Fault = err
			return c, nil
		}
		if !ok && len(c.Wrong) < 10 {
			c.Wrong = append(c.Wrong, string(game.AppendSetup(nil, r, set)))
		}
	}
	return c, nil
}

// follows reports whether what is known of a position is what its moves make it.
func (t *Tables) follows(r game.Rules, p game.Position) (bool, error) {
	v, ok, err := t.Value(r, p)
	if err != nil || !ok {
		return false, err
	}
	if o := p.Outcome(); o.Final() {
		return v.Plies == 0 && (v.Result == -1) == (o.State == game.Won), nil
	}
	list, ok, err := t.Choices(r, p)
	return ok && len(list) > 0 && list[0].Result == v.Result && list[0].Plies == v.Plies, err
}

// Sample returns a position of a table by chance; ok is false where the number that came
// up is none, and where there is no such table.
func (t *Tables) Sample(r game.Manned, x Material, rng *rand.Rand) (game.Position, bool) {
	k, err := t.kitOf(r)
	if err != nil {
		return nil, false
	}
	f := k.tables[x.String()]
	if f == nil {
		return nil, false
	}
	number, turn := rng.IntN(f.size), rng.IntN(2)
	var p place
	if !f.put(&p, number) {
		return nil, false
	}
	pos, err := r.Arrange(f.setup(r, number, turn))
	return pos, err == nil && !pos.Outcome().Final()
}
