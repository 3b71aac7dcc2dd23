package proof

import (
	"slices"

	"qipu/game/weiqi/life"
)

// Prover proves. The zero value is ready; it keeps its buffers, so one that is used
// again allocates nothing, and it is not for use by two at once.
type Prover struct {
	// Suicide tells that the rules let a player take his own stones off by a move.
	// Less can be claimed then: see the package documentation.
	Suicide bool

	regions [2]life.Regions
	proof   Proof
	benson  benson
	static  static
	groups  []int16 // of strings: the first string of their chain
}

// Proof is what was proved of a board. It belongs to the Prover and is good until
// its next proof.
type Proof struct {
	// Strings tells what every string is: alive, dead or unknown.
	Strings []life.Status

	// Owner tells whose a cell is: under a living stone, or in territory. Nothing is
	// said of the others.
	Owner [life.Cells]life.Owner

	// Points counts the owned cells of Black and of White.
	Points [2]int
}

// begin makes the proof an empty one.
func (p *Proof) begin(b *life.Board) {
	p.Points = [2]int{}
	p.Strings = life.Zeros(p.Strings, len(b.Strings)) // of all of them nothing is known
	clear(p.Owner[:])
}

// live claims a string.
func (p *Proof) live(b *life.Board, s int) {
	if p.Strings[s] == life.Alive {
		return
	}
	colour := b.Strings[s].Colour
	p.Strings[s] = life.Alive
	for _, c := range b.Stones(s) {
		p.own(c, colour)
	}
}

// territory claims a region, and that the strings inside are dead.
func (p *Proof) territory(r *life.Regions, i int) {
	for _, c := range r.Cells(i) {
		p.own(c, r.Colour)
	}
	for _, s := range r.Inside(i) {
		p.Strings[s] = life.Dead
	}
}

func (p *Proof) own(c life.Cell, colour life.Stone) {
	if p.Owner[c] == life.Nobody {
		p.Owner[c] = life.Owner(colour)
		p.Points[colour-1]++
	}
}

// Benson proves with Benson's theorem: the strings of a colour that stay on the
// board even if their owner always passes, and the regions that are vital to them.
// Cost on 19x19: some 20 microseconds.
func (p *Prover) Benson(b *life.Board) *Proof {
	p.bensonTo(b, nil)
	return &p.proof
}

// bensonTo is Benson with a trace, or without where t is nil.
func (p *Prover) bensonTo(b *life.Board, t *tracer) {
	p.proof.begin(b)
	if b.Choked() >= 0 {
		return
	}
	for colour := life.Black; colour <= life.White; colour++ {
		r := &p.regions[colour-1]
		r.Reset(b, colour)
		p.benson.run(b, r, p.Suicide)
		if t != nil {
			t.benson(r, &p.benson)
		}
		for s, alive := range p.benson.alive {
			if alive {
				p.proof.live(b, s)
			}
		}
		p.static.begin(b, r, &p.benson)
		for i := range r.List {
			if p.static.vitalLand(i) {
				p.proof.territory(r, i)
				if t != nil {
					t.territory(r, i)
				}
			}
		}
	}
}

// span is a stretch of a list.
type span struct{ from, to uint16 }

// benson are the tables of Benson's theorem for one colour.
type benson struct {
	alive  []bool  // of strings: still in the set
	whole  []bool  // of regions: all of the border is still in the set
	vital  []int16 // regions vital to strings, one string after the other
	of     []span  // the stretch of vital of a string
	count  []int16 // of regions: points beside the string at hand
	hosts  []int16 // of regions: living strings they are vital to
	regard []int16 // regions that count has an entry for
}

// run finds the greatest set of strings that each have two regions vital to them,
// bordered by nothing but strings of the set.
func (t *benson) run(b *life.Board, r *life.Regions, suicide bool) {
	t.alive, t.vital, t.of = t.alive[:0], t.vital[:0], t.of[:0]
	t.whole, t.count, t.hosts = life.Zeros(t.whole, len(r.List)), life.Zeros(t.count, len(r.List)), life.Zeros(t.hosts, len(r.List))
	for i := range t.whole {
		t.whole[i] = true
	}
	for s := range b.Strings {
		from := len(t.vital)
		own := b.Strings[s].Colour == r.Colour
		if own {
			t.findVital(b, r, s, suicide)
		}
		t.alive = append(t.alive, own)
		t.of = append(t.of, span{uint16(from), uint16(len(t.vital))})
	}
	for again := true; again; {
		again = false
		for s, alive := range t.alive {
			if !alive || t.eyes(s) >= 2 {
				continue
			}
			t.alive[s], again = false, true
			for _, c := range b.Liberties(s) {
				t.whole[r.Of[c]] = false
			}
			for _, e := range b.Enemies(s) {
				t.whole[r.Of[b.Strings[e].Head]] = false
			}
		}
	}
	for s, alive := range t.alive {
		if alive {
			for _, i := range t.vital[t.of[s].from:t.of[s].to] {
				t.hosts[i]++
			}
		}
	}
}

// spares reports whether a string of the set has two eyes but for a region.
func (t *benson) spares(s, i int16) bool {
	n := t.eyes(int(s))
	if slices.Contains(t.vital[t.of[s].from:t.of[s].to], i) {
		n--
	}
	return t.alive[s] && n >= 2
}

// findVital appends the regions vital to a string: those whose empty points are all
// liberties of it. Where suicide is allowed, stones of the other side may vanish
// without his capturing them, and every point has to be beside the string.
func (t *benson) findVital(b *life.Board, r *life.Regions, s int, suicide bool) {
	t.regard = t.regard[:0]
	for _, c := range b.Liberties(s) {
		i := r.Of[c]
		if t.count[i] == 0 {
			t.regard = append(t.regard, i)
		}
		t.count[i]++
	}
	for _, i := range t.regard {
		if int(t.count[i]) == r.List[i].Empty && (!suicide || allBeside(b, r, int(i), int16(s))) {
			t.vital = append(t.vital, i)
		}
		t.count[i] = 0
	}
}

// allBeside reports whether the stones in a region are all beside a string.
func allBeside(b *life.Board, r *life.Regions, i int, s int16) bool {
	for _, c := range r.Stones(i) {
		beside := false
		for _, step := range life.Steps {
			beside = beside || b.Stone[c+step] == r.Colour && b.Of[c+step] == s
		}
		if !beside {
			return false
		}
	}
	return true
}

// eyes counts the vital regions of a string that nothing has opened yet.
func (t *benson) eyes(s int) (n int) {
	for _, i := range t.vital[t.of[s].from:t.of[s].to] {
		if t.whole[i] {
			n++
		}
	}
	return n
}

// claims reports whether a region is vital to a living string and whole.
func (t *benson) claims(i int) bool { return t.whole[i] && t.hosts[i] > 0 }
