package web_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"qipu/builtin"
	"qipu/game"
)

// people play in the games that are made. Some have names in two scripts.
var people = []string{"Ito Haru", "Park Min", "Lin Wen", "Chen Yu", "Mori Aki", "Kim Sora", "Wang Lei", "Sato Ken", "Ahn Jun", "Zhao Ting"}

// player makes games by random play. Early moves are drawn from few, so that
// lines come up again and again, as they do where people play.
type player struct {
	*rand.Rand
	rules game.Rules
}

func newPlayer(spec string, seed uint64) *player {
	rules, err := builtin.Games().Find(spec)
	if err != nil {
		panic(err) // the name stands in this file
	}
	return &player{rand.New(rand.NewPCG(seed, 11)), rules}
}

// play returns a game of at most n moves.
func (p *player) play(n int, notation game.Notation) (moves []string) {
	at := p.rules.Start()
	var list []game.Move
	for ply := 0; ply < n && !at.Outcome().Final(); ply++ {
		list = at.AppendMoves(list[:0])
		i := p.IntN(len(list))
		if ply < 6 {
			i = min(int(p.ExpFloat64()*1.2), len(list)-1) * 7 % len(list)
		}
		m := list[i]
		if m == game.Pass && len(list) > 1 {
			m = list[(i+1)%len(list)]
		}
		moves = append(moves, game.FormatMove(p.rules, at, m, notation))
		if err := at.Play(m); err != nil {
			panic(err) // the move was listed
		}
	}
	return moves
}

// pair draws two people, the first of them more often than the others.
func (p *player) pair() (string, string) {
	a := min(int(p.ExpFloat64()*2), len(people)-1)
	b := (a + 1 + p.IntN(len(people)-1)) % len(people)
	if p.IntN(2) == 0 {
		a, b = b, a
	}
	return people[a], people[b]
}

// made returns the games of the shared library: four files, one for each kind,
// and one with records that are faulty.
func made() []given {
	var weiqi, renju, othello, xiangqi bytes.Buffer
	p := newPlayer("weiqi", 1)
	for i := range 160 {
		moves := p.play(40+p.IntN(80), "sgf")
		black, white := p.pair()
		head := fmt.Sprintf("GM[1]FF[4]CA[UTF-8]SZ[19]PB[%s]PW[%s]BR[%dd]WR[%dd]EV[Spring League]RO[%d]DT[%d-0%d-1%d]KM[6.5]RE[%s]", black, white, 1+p.IntN(9), 1+p.IntN(9), i%9+1, 1980+p.IntN(40), 1+p.IntN(9), p.IntN(10), []string{"B+R", "W+R", "B+3.5", "W+0.5"}[p.IntN(4)])
		if i%20 == 0 {
			head += "C[A game of the league. The corner was taken early, and the fight began there.]"
		}
		weiqi.Write(sgf(head, moves))
	}
	p = newPlayer("renju", 2)
	for range 60 {
		moves := p.play(20+p.IntN(20), "sgf")
		black, white := p.pair()
		renju.Write(sgf(fmt.Sprintf("GM[4]FF[4]CA[UTF-8]SZ[15]RU[Renju]PB[%s]PW[%s]EV[Evening Meeting]DT[%d]RE[%s]", black, white, 1990+p.IntN(30), []string{"B+", "W+", "0"}[p.IntN(3)]), moves))
	}
	p = newPlayer("othello", 3)
	for range 100 {
		moves := p.play(60, "square")
		black, white := p.pair()
		fmt.Fprintf(&othello, "# Event: Disc Open\n# Date: %d-05-0%d\n# Black: %s\n# White: %s\n%s\n\n", 2000+p.IntN(20), 1+p.IntN(9), black, white, strings.ReplaceAll(strings.Join(moves, ""), "pass", ""))
	}
	p = newPlayer("xiangqi", 4)
	for range 60 {
		moves := p.play(30+p.IntN(40), "iccs")
		red, black := p.pair()
		fmt.Fprintf(&xiangqi, "[Game \"Chinese Chess\"]\n[Event \"River Cup\"]\n[Date \"%d.03.1%d\"]\n[Red \"%s\"]\n[Black \"%s\"]\n[Result \"%s\"]\n[Format \"ICCS\"]\n\n", 1995+p.IntN(25), p.IntN(10), red, black, []string{"1-0", "0-1", "1/2-1/2", "*"}[p.IntN(4)])
		for i, m := range moves {
			if i%2 == 0 {
				fmt.Fprintf(&xiangqi, "%d. ", i/2+1)
			}
			xiangqi.WriteString(m + " ")
		}
		xiangqi.WriteString("\n\n")
	}
	return []given{{"league/weiqi.sgf", weiqi.Bytes()}, {"renju.sgf", renju.Bytes()}, {"othello.txt", othello.Bytes()}, {"象棋.pgn", xiangqi.Bytes()}, {"faulty.sgf", damaged(30, 6, 5)}}
}

func sgf(head string, moves []string) []byte {
	var b strings.Builder
	b.WriteString("(;" + head)
	for i, m := range moves {
		fmt.Fprintf(&b, ";%c[%s]", "BW"[i%2], m)
	}
	b.WriteString(")\n")
	return []byte(b.String())
}

// damaged returns so many records of Go, of which a number, spread evenly, have a
// move that cannot be: readers keep what is before it and mark the record.
func damaged(n, faulty int, seed uint64) []byte {
	p := newPlayer("weiqi", seed)
	var b bytes.Buffer
	bad := 0
	for i := range n {
		moves := p.play(120+p.IntN(60), "sgf")
		black, white := p.pair()
		if i*faulty/n != (i+1)*faulty/n {
			switch bad % 3 {
			case 0:
				moves[20] = "??"
			case 1:
				moves[40] = moves[39]
			default:
				moves[60] = "zz"
			}
			bad++
		}
		b.Write(sgf(fmt.Sprintf("GM[1]FF[4]CA[UTF-8]SZ[19]PB[%s]PW[%s]DT[2001-02-03]RO[%d]", black, white, i), moves))
	}
	return b.Bytes()
}

// damagedSet returns a set of 1,000 records: one collection, and single files of
// which every other has nothing in it that could be read.
func damagedSet() (set []given, marked, rejected int) {
	marked = 240
	set = []given{{"tournament.sgf", damaged(960, marked, 7)}}
	p := newPlayer("weiqi", 8)
	for i := range 40 {
		data := []byte("This was a game once;\n")
		if i%2 == 0 {
			data = sgf("GM[1]SZ[19]PB[Single]PW[File]", p.play(30, "sgf"))
		} else {
			rejected++
		}
		set = append(set, given{fmt.Sprintf("singles/%02d.sgf", i), data})
	}
	return set, marked, rejected
}
