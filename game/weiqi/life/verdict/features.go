package verdict

import (
	"math/bits"

	"qipu/game/weiqi/life"
)

// names are the features of a string, in the order of a row.
var names = [...]string{
	"stones", "liberties", "reach", "line", "height", "contacts per stone", "friends", "firm friends",
	"areas", "exclusive areas", "largest area",
	"enemies", "enemy liberties least", "enemy liberties most", "stones of the enemy with least liberties", "liberties ahead",
	"group stones", "group strings", "group liberties",
	"before", "group before", "friend best", "friend mean",
	"enemy least", "enemy most", "enemies dead", "stones of the largest dead enemy", "stones of the least enemy", "liberties of the least enemy",
	"dead",
	"land size", "land empties", "land own dead", "land enemy dead", "land own border", "land enemy border",
	"family stones", "family strings", "family lands", "family ground", "family first", "family second", "family eyes", "family false eyes", "family captives", "family chance", "family proved",
	"pocket size", "pocket empties", "pocket own", "pocket alive", "pocket others alive", "pocket dead", "pocket strings", "pocket lands", "pocket ground", "pocket best other", "pocket safe",
	"influence at liberties", "influence least", "influence most", "influence at enemies",
	"liberties in own land", "liberties in enemy land",
	"proved enemies", "board",
	"graph", "graph unclear", "graph eyes", "graph enemies dead",
	"read moving first", "read moving second",
}

// Features is the number of features of a string.
const Features = len(names)

// logOf is a number whose growth slows down, exact enough to be split on.
func logOf(n int) float32 {
	if n <= 0 {
		return 0
	}
	k := bits.Len(uint(n)) - 1
	return float32(k+1) + float32(n-1<<k)/float32(int(1)<<k)
}

// fixed is the number of features that depend on the stones alone: the first.
const fixed = 19

// fix appends the features of a string that depend on the stones alone.
func (s *Survey) fix(dst []float32, i int) []float32 {
	b := s.b
	str, f := &b.Strings[i], &s.strings[i]
	colour := str.Colour
	liberties := len(b.Liberties(i))
	dst = append(dst, logOf(str.Stones), float32(min(liberties, 15)), logOf(f.reach), float32(f.line), f.height,
		float32(f.contacts)/float32(str.Stones), float32(f.friends), float32(f.firm))
	exclusive, largest := 0, 0
	for _, a := range b.AreasOf(i) {
		area := &b.Areas[a]
		if !area.Touches(colour.Other()) {
			exclusive++
		}
		largest = max(largest, area.Size)
	}
	dst = append(dst, float32(len(b.AreasOf(i))), float32(exclusive), logOf(largest))
	few, many, fewStones := 99, 0, 0
	for _, e := range b.Enemies(i) {
		l := len(b.Liberties(int(e)))
		if l < few || l == few && b.Strings[e].Stones > fewStones {
			few, fewStones = l, b.Strings[e].Stones
		}
		many = max(many, l)
	}
	g := &s.strings[f.group]
	return append(dst, float32(len(b.Enemies(i))), float32(min(few, 15)), float32(min(many, 20)), logOf(fewStones), float32(min(max(liberties-few, -15), 15)),
		logOf(g.stones), float32(min(g.strings, 12)), logOf(g.liberties))
}

// Row appends the features of a string, as things stand since the last Think.
func (s *Survey) Row(dst []float32, i int) []float32 {
	b, n := s.b, len(s.b.Strings)
	str, f := &b.Strings[i], &s.strings[i]
	colour := str.Colour
	side := colour - 1
	liberties := len(b.Liberties(i))
	dst = append(dst, s.fixed[i*fixed:(i+1)*fixed]...)

	// What was thought before of it and of those beside it.
	r := &s.rounds[i]
	mean := float32(-1)
	if r.weights > 0 {
		mean = r.sum / r.weights
	}
	dst = append(dst, logit(s.chance[i]), s.rounds[f.group].group/float32(s.strings[f.group].stones), r.best, mean)
	enemies := b.Enemies(i)
	least, most := float32(1), float32(0)
	deadEnemies, deadStones, leastStones, leastLiberties, proved := 0, 0, 0, 0, 0
	for _, e := range enemies {
		l, stones, c := len(b.Liberties(int(e))), b.Strings[e].Stones, s.chance[e]
		if leastStones == 0 || c < least || c == least && (stones > leastStones || stones == leastStones && l < leastLiberties) {
			least, leastStones, leastLiberties = c, stones, l
		}
		most = max(most, c)
		if s.dead[e] {
			deadEnemies++
			deadStones = max(deadStones, stones)
		}
		if s.strings[e].proved {
			proved++
		}
	}
	dst = append(dst, least, most, float32(deadEnemies), logOf(deadStones), logOf(leastStones), float32(min(leastLiberties, 15)))

	// The land that it lies in, if it is dead.
	if s.dead[i] {
		l := &s.lands[s.landOf[i]]
		dst = append(dst, 1, logOf(l.size), logOf(l.empties), logOf(l.dead[side]), logOf(l.dead[1-side]), float32(l.border[side]), float32(l.border[1-side]))
	} else {
		dst = append(dst, 0, -1, -1, -1, -1, -1, -1)
	}
	k := &s.kin[s.family[i]]
	dst = append(dst, logOf(k.stones), float32(min(k.strings, 20)), float32(min(k.lands, 10)), logOf(k.ground), logOf(k.first), logOf(k.second),
		min(k.eyes, 6), float32(k.false_), logOf(k.captives), k.chance, logOf(k.proved))

	// What it can reach.
	p := &s.pocket[side][s.pockOf[side][i]]
	others := p.alive
	if !s.dead[i] {
		others -= str.Stones
	}
	best := p.best
	if s.chance[i] == p.best {
		best = p.second
	}
	dst = append(dst, logOf(p.size), logOf(p.empties), logOf(p.own), logOf(p.alive), logOf(others), logOf(p.dead), float32(min(p.strings, 20)),
		float32(min(p.lands, 10)), logOf(p.ground), best, logOf(p.safe))

	// Influence, as its own side sees it.
	pull := &s.pull[sweeps&1]
	sign := float32(1)
	if colour == life.White {
		sign = -1
	}
	sum, low, high := float32(0), float32(1), float32(-1)
	own, foreign := 0, 0
	for _, c := range b.Liberties(i) {
		v := sign * pull[c]
		sum += v
		low, high = min(low, v), max(high, v)
		switch s.lands[s.landOf[n+int(b.Of[c])]].owner {
		case colour:
			own++
		case colour.Other():
			foreign++
		}
	}
	all := float32(max(liberties, 1))
	far, count := float32(0), 0
	for _, e := range enemies {
		for _, c := range b.Liberties(int(e)) {
			far += sign * pull[c]
			count++
		}
	}
	if count > 0 {
		far /= float32(count)
	}
	dst = append(dst, sum/all, low, high, far, float32(own)/all, float32(foreign)/all, float32(proved), float32(min(b.Size.W, b.Size.H)))

	// What the string graph says.
	v := &s.graph.Strings[i]
	status, unclear, killed := float32(0), float32(0), 0
	switch v.Status {
	case life.Alive:
		status = 2
	case life.Seki:
		status = 1
	}
	if v.Unclear {
		unclear = 1
	}
	for _, e := range enemies {
		if s.graph.Strings[e].Status == life.Dead {
			killed++
		}
	}
	return append(dst, status, unclear, float32(min(s.graph.Groups[v.Group].Eyes, 4)), float32(killed), s.read[i][0], s.read[i][1])
}
