package renju

import (
	"archive/tar"
	"compress/gzip"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"qipu/board"
	"qipu/game"
	rules "qipu/game/renju"
)

// brute looks for a win by fours of the side to move, with nothing but the rules: every
// free point is tried, and what it makes is found by putting stones. It knows no tables
// and no order. Positions are remembered by their text.
type brute struct {
	p    *rules.Position
	r    *rules.Rules
	seen map[uint64]bool
	left int // positions to look at; negative when they were not enough
}

// fivesOf returns the points where the side that is to move makes a five.
func (b *brute) fivesOf() (list []game.Move) {
	for _, m := range b.p.AppendMoves(nil) {
		if m == game.Pass || !b.near(m.To()) {
			continue
		}
		side := b.p.Turn()
		_ = b.p.Play(m)
		if o := b.p.Outcome(); o.State == game.Won && o.Reason == game.ByLine && o.Winner == side {
			list = append(list, m)
		}
		b.p.Undo()
	}
	return list
}

// near spares points that have no stone within four: nothing is made there.
func (b *brute) near(at board.Point) bool {
	all := b.p.Planes().Occupied()
	for dy := -4; dy <= 4; dy++ {
		for dx := -4; dx <= 4; dx++ {
			x, y := at.X()+dx, at.Y()+dy
			if x >= 0 && y >= 0 && x < b.p.Planes().Size.W && y < b.p.Planes().Size.H && all.Has(board.At(x, y)) {
				return true
			}
		}
	}
	return false
}

// wins reports whether the side to move wins by fours.
func (b *brute) wins() bool {
	if b.left--; b.left < 0 {
		return false
	}
	if len(b.fivesOf()) > 0 {
		return true
	}
	if known, ok := b.seen[b.p.Hash()]; ok {
		return known
	}
	won := b.tries()
	b.seen[b.p.Hash()] = won
	return won
}

func (b *brute) tries() bool {
	p := b.p
	_ = p.Play(game.Pass)
	stop := b.fivesOf()
	p.Undo()
	if len(stop) > 1 {
		return false
	}
	moves := stop
	if len(stop) == 0 {
		moves = p.AppendMoves(nil)
	}
	for _, m := range moves {
		if m == game.Pass || !b.near(m.To()) {
			continue
		}
		_ = p.Play(m)
		if p.LastFoul() == rules.NoFoul && !p.Outcome().Over() && b.answered() {
			p.Undo()
			return true
		}
		p.Undo()
	}
	return false
}

// answered reports whether a four that was put wins.
func (b *brute) answered() bool {
	p := b.p
	_ = p.Play(game.Pass)
	fives := b.fivesOf()
	p.Undo()
	switch len(fives) {
	case 0:
		return false
	case 1:
	default:
		return true
	}
	_ = p.Play(fives[0])
	defer p.Undo()
	if p.LastFoul() != rules.NoFoul {
		return true
	}
	return !p.Outcome().Final() && b.wins()
}

// holds replays a line of fours by the rules: each is one, and each reply is the only
// one.
func holds(t *testing.T, r *rules.Rules, p *rules.Position, f *fours) {
	t.Helper()
	b := &brute{p: p.Copy().(*rules.Position), r: r}
	for i, c := range f.line {
		if err := b.p.Play(moveOf(c)); err != nil {
			t.Fatal(err)
		}
		if b.p.LastFoul() != rules.NoFoul {
			t.Fatalf("%v of the line is a foul", pointOf(c))
		}
		if o := b.p.Outcome(); o.Final() {
			if i != len(f.line)-1 || i&1 != 0 {
				t.Fatal("the line goes on behind its end")
			}
			return
		}
		if i&1 == 0 && len(b.fivesOf()) > 0 {
			t.Fatalf("%v lets a five be made", pointOf(c))
		}
	}
	_ = b.p.Play(game.Pass)
	fives := b.fivesOf()
	b.p.Undo()
	if len(fives) > 1 {
		return
	}
	if len(fives) == 1 {
		_ = b.p.Play(fives[0])
		if b.p.LastFoul() != rules.NoFoul {
			return
		}
	}
	t.Fatalf("%s: the line does not win", game.FormatPosition(r, p))
}

// playedGames reads the moves of games that people have played, where the folder of real
// records is there.
func playedGames(t *testing.T) (list [][]game.Move) {
	dir := os.Getenv("QIPU_DATA")
	if dir == "" {
		return nil
	}
	f, err := os.Open(filepath.Join(dir, "renju", "renju-games.tar.gz"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	move := regexp.MustCompile(`;[BW]\[([a-o])([a-o])\]`)
	for files := tar.NewReader(z); ; {
		if _, err := files.Next(); err != nil {
			return list
		}
		data, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		var moves []game.Move
		for _, m := range move.FindAllSubmatch(data, -1) {
			moves = append(moves, game.Drop(board.At(int(m[1][0]-'a'), int(m[2][0]-'a'))))
		}
		list = append(list, moves)
	}
}

// playedUpTo plays a game up to somewhere behind its opening.
func playedUpTo(rng *rand.Rand, moves []game.Move) *rules.Position {
	p := rules.Renju.Start().(*rules.Position)
	for _, m := range moves[:min(len(moves), 9+rng.IntN(40))] {
		if p.Outcome().Over() || p.Play(m) != nil {
			break
		}
	}
	return p
}

var foursPositions = flag.Int("fours", 30, "positions that are held against brute force")

// TestFours holds the solver against a search that knows the rules alone, on positions
// of all rule sets.
func TestFours(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	positions := *foursPositions
	list := variants(t, "", "", "standard", "free", "11x11")
	played := playedGames(t)
	wins, far, given := 0, 0, 0
	for done := 0; done < positions; {
		r := list[done%len(list)]
		p := crowd(rng, r, 14+rng.IntN(26))
		if len(played) > 0 && done%2 == 0 {
			r, p = rules.Renju, playedUpTo(rng, played[rng.IntN(len(played))])
		}
		if p.Outcome().Over() {
			continue
		}
		f := &fours{t: newTable(p, r), side: int(p.Turn()), seen: new(failures)}
		if f.t.fives(f.side) > 0 || f.t.count[f.side][gFourFour] > 0 && rng.IntN(4) > 0 {
			continue // too easy
		}
		done++
		b := &brute{p: p.Copy().(*rules.Position), r: r, seen: map[uint64]bool{}, left: 1500}
		got, want := f.search(maxFours), b.wins()
		if b.left < 0 {
			given++
			continue
		}
		if got != want || f.cut {
			t.Errorf("%s: %v, by the rules alone %v (cut %v)", game.FormatPosition(r, p), got, want, f.cut)
		}
		if got {
			wins++
			if len(f.line) > 3 {
				far++
			}
			holds(t, r, p, f)
		}
	}
	t.Logf("%d positions, %d wins, %d of them with more than two fours; %d given up by brute force", positions, wins, far, given)
	if wins < positions/30 || far == 0 && positions >= 60 {
		t.Error("too few wins")
	}
}
