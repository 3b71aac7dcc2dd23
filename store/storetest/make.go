package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
	"qipu/record"
	"qipu/record/facts"
)

// Maker makes random records of all games. It is not safe for concurrent use.
type Maker struct {
	Rng     *rand.Rand
	referee *record.Referee
	made    int
}

// NewMaker returns a maker for these games.
func NewMaker(games game.Catalog, seed uint64) *Maker {
	m := &Maker{Rng: rand.New(rand.NewPCG(seed, 7)), referee: record.NewReferee(games)}
	m.referee.Trace = true
	return m
}

// Boards are the games and sizes that Random chooses from, small ones more
// often: they cost less and repeat more.
var Boards = []struct{ Kind, Variant string }{
	{"weiqi", "5x5"}, {"weiqi", "9x9"}, {"weiqi", "9x9"}, {"othello", ""}, {"othello", "6x6"}, {"xiangqi", ""}, {"renju", ""}, {"weiqi", ""},
}

// Play plays a record. It takes a copy of the game, so that faults of one
// playing are not those of another.
func (m *Maker) Play(g *record.Game) *record.Played {
	c := *g
	c.Faults = nil
	return m.referee.Play(&c)
}

// Game returns a record of random legal moves, without headers.
func (m *Maker) Game(kind, variant string, moves int) *record.Game {
	g := &record.Game{Kind: kind, Variant: variant, Format: "made", Encoding: "utf-8"}
	g.Add(0, record.Unstated, "")
	rules, err := m.referee.Rules(g)
	if err != nil {
		panic(err) // the boards above are those of the program
	}
	g.Notation = string(rules.Info().Notations[0].Name)
	m.extend(g, rules, nil, 0, moves)
	m.made++
	g.Place = record.Place{File: fmt.Sprintf("made/%d.txt", m.made), Number: 1}
	return g
}

// extend adds random moves behind a node that so many moves lead to, and
// returns all of them.
func (m *Maker) extend(g *record.Game, r game.Rules, way []game.Move, at int32, moves int) []game.Move {
	pos := r.Start()
	for _, move := range way {
		if pos.Play(move) != nil {
			return way
		}
	}
	way = slices.Clone(way)
	var list []game.Move
	for range moves {
		if list = pos.AppendMoves(list[:0]); len(list) == 0 {
			break
		}
		move := list[m.Rng.IntN(len(list))]
		at = g.Add(at, record.Side(pos.Turn())+record.First, game.FormatMove(r, pos, move, game.Notation(g.Notation)))
		if pos.Play(move) != nil {
			break
		}
		way = append(way, move)
	}
	return way
}

// Branch adds variations to a record of one line of legal moves.
func (m *Maker) Branch(g *record.Game, lines int) {
	p := m.Play(g)
	var main []game.Move
	for _, s := range p.Steps {
		main = append(main, s.Move)
	}
	for range lines {
		if n := m.Rng.IntN(len(main) + 1); n < len(main) {
			m.extend(g, p.Rules, main[:n], int32(n), 1+m.Rng.IntN(8))
		}
	}
}

// Odd returns a record of Go on 9x9 as no rules allow it: a handicap set up,
// either side moves, passes, boards set up anew, variations.
func (m *Maker) Odd() *record.Game {
	size, rng := board.Size{W: 9, H: 9}, m.Rng
	m.made++
	g := &record.Game{Kind: "weiqi", Variant: "9x9", Notation: "sgf", Place: record.Place{File: fmt.Sprintf("made/%d.txt", m.made), Number: 1}}
	g.Add(0, record.Unstated, "")
	free := rng.Perm(size.Area())
	take := func() string {
		if len(free) == 0 {
			return "tt"
		}
		p := size.Point(free[0])
		free = free[1:]
		return string([]byte{'a' + byte(p.X()), 'a' + byte(p.Y())})
	}
	set := func(i int32) {
		x := g.Nodes[i].More()
		for range rng.IntN(4) {
			if at := take(); at != "tt" {
				x.Setup = append(x.Setup, record.Put{Piece: board.Piece(rng.IntN(3)), Point: at})
			}
		}
		x.Turn = record.Side(rng.IntN(3))
	}
	if rng.IntN(2) == 0 {
		set(0)
	}
	for range 1 + rng.IntN(3) {
		at, side := int32(rng.IntN(len(g.Nodes))), record.First
		for range 2 + rng.IntN(20) {
			if rng.IntN(5) > 0 {
				side = record.First + record.Second - side
			}
			move := take()
			if rng.IntN(10) == 0 {
				move = "tt"
			}
			if rng.IntN(12) == 0 {
				at = g.Add(at, record.Unstated, "")
				set(at)
			}
			at = g.Add(at, side, move)
		}
	}
	return g
}

// Corner returns a record on a large board, of Go or Renju, in which one of a few
// sequences is played in a corner, in any of its pictures and by either side
// first, with moves elsewhere in between: many such records share corners.
func (m *Maker) Corner(kind string) *record.Game {
	g := m.Game(kind, "", 0)
	rules, err := m.referee.Rules(g)
	if err != nil {
		panic(err) // as in Game
	}
	rng, size := m.Rng, rules.Geometry().Size
	sequence := rand.New(rand.NewPCG(uint64(rng.IntN(3)), 1)).Perm(49)[:2+rng.IntN(9)]
	symmetry := rng.IntN(8)
	pos := rules.Start()
	at := int32(0)
	for len(sequence) > 0 {
		u, v := sequence[0]%7, sequence[0]/7
		if symmetry&4 != 0 {
			u, v = v, u
		}
		if symmetry&1 != 0 {
			u = size.W - 1 - u
		}
		if symmetry&2 != 0 {
			v = size.H - 1 - v
		}
		p := board.At(u, v)
		if rng.IntN(3) == 0 {
			p = board.At(7+rng.IntN(size.W-14), rng.IntN(size.H)) // in no corner
		} else {
			sequence = sequence[1:]
		}
		if move := game.Drop(p); slices.Contains(pos.AppendMoves(nil), move) {
			at = g.Add(at, record.Side(pos.Turn())+record.First, game.FormatMove(rules, pos, move, game.Notation(g.Notation)))
			if pos.Play(move) != nil {
				break
			}
		}
	}
	return g
}

// CutCorner cuts 7x7 to 9x9 points out of a corner of a large board, all of them
// as they are: anchored in any corner or fixed where they lie.
func CutCorner(rng *rand.Rand, planes *board.Planes) *pattern.Pattern {
	size := planes.Size
	w, h := 7+rng.IntN(3), 7+rng.IntN(3)
	x, y := rng.IntN(2)*(size.W-w), rng.IntN(2)*(size.H-h)
	p := pattern.Region(planes, x, y, w, h)
	p.Anchor = pattern.Corner
	if rng.IntN(3) == 0 {
		p.Anchor, p.Edges, p.At = pattern.Fixed, 0, board.At(x, y)
	}
	return p
}

// Head gives a record random headers.
func (m *Maker) Head(g *record.Game) {
	rng, f := m.Rng, &g.Facts
	names := []string{"", "Ito", "Kuroda", "李白", "Park", "Nowak", "Müller, Jörg", "聶衛平", "聂卫平", "吴清源", "呉清源", "いやま ゆうた", "이창호", "LEE  Sedol"}
	some := func(list ...string) string { return list[max(0, rng.IntN(2*len(list))-len(list))] }
	for i := range f.Players {
		f.Players[i] = facts.Player{Name: names[rng.IntN(len(names))], Rating: rng.IntN(2) * rng.IntN(3000)}
		if rng.IntN(2) == 0 {
			f.Players[i].Rank = facts.Rank{Grade: 1 + rng.IntN(9), Scale: "kdp"[rng.IntN(3)]}
		}
		f.Players[i].Team = some("", "Kyoto", "北京", "Equipe de Lyon")
	}
	f.Event, f.Round, f.Place = some("", "Honinbo", "本因坊戦", "2nd Cup", "Meisterschaft"), some("", "1", "Finale"), some("", "Tōkyō", "東京", "Lyon")
	f.Opening, f.Code, f.Ruleset = some("", "中炮", "秀策流", "Rose"), some("", "C21", "A00"), some("", "japanese", "chinese")
	f.Source, f.Author = some("", "棋譜大全", "a book"), some("", "somebody")
	f.Komi, f.Handicap = facts.Komi{}, rng.IntN(2)*rng.IntN(10)
	if rng.IntN(2) == 0 {
		f.Komi = facts.Komi{Half: rng.IntN(20) - 3, Known: true}
	}
	f.Result = facts.Result{Margin: float64(rng.IntN(2)*rng.IntN(100)) / 4, How: some("", facts.Resign, facts.Count)}
	f.Result.Verdict = []facts.Verdict{facts.Unknown, facts.FirstWon, facts.SecondWon, facts.Drawn, facts.Void}[rng.IntN(5)]
	if rng.IntN(3) > 0 {
		day := facts.Day{Year: 1900 + rng.IntN(120), Month: rng.IntN(13)}
		f.Date = facts.Date{From: day, To: day}
	}
}

// Random returns a record of any kind: legal or odd, with headers, often with
// variations.
func (m *Maker) Random(moves int) *record.Game {
	var g *record.Game
	if m.Rng.IntN(6) == 0 {
		g = m.Odd()
	} else {
		b := Boards[m.Rng.IntN(len(Boards))]
		g = m.Game(b.Kind, b.Variant, m.Rng.IntN(moves+1))
		if m.Rng.IntN(3) == 0 {
			m.Branch(g, 1+m.Rng.IntN(4))
		}
	}
	m.Head(g)
	if m.Rng.IntN(3) == 0 {
		m.Remark(g)
	}
	return g
}

// Remark gives some nodes of a record comments.
func (m *Maker) Remark(g *record.Game) {
	words := []string{"A good move", "好棋", "妙手。", "the corner is LIVE", "黒 wins", "ナイス", "?", "\n", "수상전", "ends in gote", "角は活き"}
	for range 1 + m.Rng.IntN(3) {
		text := ""
		for range 1 + m.Rng.IntN(4) {
			text += words[m.Rng.IntN(len(words))] + []string{"", " ", ", "}[m.Rng.IntN(3)]
		}
		g.Nodes[m.Rng.IntN(len(g.Nodes))].More().Comment = text
	}
}

// Cut returns the beginning of a record's main line, from another place.
func (m *Maker) Cut(g *record.Game, moves int) *record.Game {
	c := *g
	c.Nodes, c.Faults = nil, nil
	at := int32(0)
	for i, n := range g.Main() {
		if n.Move != "" {
			moves--
		}
		if moves < 0 {
			break
		}
		at = c.Add(at, n.Side, n.Move)
		if n.Extra != nil && (i == 0 || n.Move == "") {
			extra := *n.Extra
			c.Nodes[at].Extra = &extra
		}
	}
	m.made++
	c.Place = record.Place{File: fmt.Sprintf("cut/%d.txt", m.made), Number: 1}
	return &c
}

// Grow adds random moves behind the main line of a record of legal moves.
func (m *Maker) Grow(g *record.Game, moves int) {
	p := m.Play(g)
	var main []game.Move
	for _, s := range p.Steps {
		main = append(main, s.Move)
	}
	at := int32(0)
	for i := range g.Main() {
		at = i
	}
	m.extend(g, p.Rules, main, at, moves)
}
