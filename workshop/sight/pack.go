package sight

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/record"
	"qipu/record/facts"
	"qipu/record/score"
	"qipu/workshop/counted"
	"qipu/workshop/learn"
	"qipu/workshop/learn/judging"
)

const (
	magic = "QSIGHT1\n"

	flagHeld   = 1
	flagOwners = 2
	flagArea   = 4
	flagPro    = 8

	unknownLead = math.MaxInt16
	white       = 1 << 15
)

// Packed tells what a packer has written.
type Packed struct {
	Games  int // written
	Twice  int // left out: a copy was there
	Left   int // left out: no moves, other boards, stones set up on the way
	Owners int // games with the owner of every point
	Held   int // games kept out of training
	Moves  int
}

// Packer writes games in the form that training reads.
type Packer struct {
	Packed
	w     *bufio.Writer
	judge *judge.Judge
	known map[uint64]bool
	board life.Board
	buf   []byte
}

// NewPacker begins a file.
func NewPacker(w io.Writer) *Packer {
	p := &Packer{w: bufio.NewWriterSize(w, 1<<16), judge: judge.New(), known: map[uint64]bool{}}
	p.w.WriteString(magic)
	return p
}

// Close writes what is left.
func (p *Packer) Close() error { return p.w.Flush() }

// Add writes a game. Copies, under whatever symmetry, are written once.
func (p *Packer) Add(r *record.Played, professional bool) error {
	g, ok := learn.GoGame(r)
	s := board.Size{}
	if ok {
		s = g.Size()
	}
	if !ok || len(r.Steps) < 10 || s.W > 19 || s.H > 19 {
		p.Left++
		return nil
	}
	if h := g.Hash(math.MaxInt); p.known[h] {
		p.Twice++
		return nil
	} else {
		p.known[h] = true
	}
	f := &r.Game.Facts
	flags, held := byte(0), learn.GoHeld(g)
	if held {
		flags |= flagHeld
		p.Held++
	}
	if professional {
		flags |= flagPro
	}
	winner := int8(0)
	switch f.Result.Verdict {
	case facts.FirstWon:
		winner = 1
	case facts.SecondWon:
		winner = -1
	}
	komi, lead := 0, unknownLead
	if rules, _, err := score.RulesOf(s, f); err == nil {
		komi = rules.Komi()
		if rules.RuleSet().Scoring == weiqi.Area {
			flags |= flagArea
		}
	}
	if half, ok := score.Margin(f.Result); ok && half > -unknownLead && half < unknownLead {
		lead = half
	}
	owners, ok := p.owners(r)
	if ok {
		flags |= flagOwners
		p.Owners++
	}
	b := append(p.buf[:0], byte(s.W), byte(s.H), flags, byte(winner))
	b = binary.LittleEndian.AppendUint16(b, uint16(int16(komi)))
	b = binary.LittleEndian.AppendUint16(b, uint16(int16(lead)))
	at := len(b)
	b = append(b, 0, 0, 0, 0)
	stones := 0
	for piece, plane := range r.Start.Board.Of {
		for at := range plane.Points() {
			b = binary.LittleEndian.AppendUint16(b, uint16(at.Y()*s.W+at.X())|uint16(piece)*white)
			stones++
		}
	}
	for _, step := range r.Steps {
		to := uint16(s.W * s.H)
		if at := step.Move.To(); at != board.NoPoint {
			to = uint16(at.Y()*s.W + at.X())
		}
		b = binary.LittleEndian.AppendUint16(b, to|uint16(step.Side)*white)
	}
	binary.LittleEndian.PutUint16(b[at:], uint16(stones))
	binary.LittleEndian.PutUint16(b[at+2:], uint16(len(r.Steps)))
	if ok {
		four := byte(0)
		for i := range s.W * s.H {
			four |= byte(owners[board.At(i%s.W, i/s.W)]) << (2 * (i % 4))
			if i%4 == 3 || i == s.W*s.H-1 {
				b = append(b, four)
				four = 0
			}
		}
	}
	p.buf = b
	p.Games++
	p.Moves += len(r.Steps)
	_, err := p.w.Write(b)
	return err
}

// owners returns whose every point is at the end of a game, where that is known.
func (p *Packer) owners(r *record.Played) (*[board.MaxPoints]life.Owner, bool) {
	c, err := counted.FromRecord(r)
	if err != nil || !c.Labelled && !c.Counted {
		return nil, false
	}
	if c.Labelled {
		return &c.Owner, true
	}
	e, _, ok := judging.ByScore(p.judge, c)
	if !ok {
		return nil, false
	}
	p.board.Reset(c.Setup.Board)
	var j life.Judgement
	j.Begin("counted", &p.board)
	for i := range j.Strings {
		if j.Strings[i].Status = life.Alive; !e.Stays[i] {
			j.Strings[i].Status = life.Dead
		}
	}
	j.Fill(&p.board)
	return &j.Owner, true
}
