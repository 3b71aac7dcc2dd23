package xiangqi

import (
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

// phrase is what WXF and Chinese texts say of a move: a piece of a kind, by
// its file or by its place among pieces of that kind or both, then a
// direction and a number. Files count from 1 at the mover's right hand.
type phrase struct {
	kind  kind
	file  uint8 // 1..9, or 0 where the text does not say
	place place
	way   way
	n     uint8 // 1..9: the file to go to, or the number of steps
}

// place tells pieces of one kind apart. Positive places number the pieces on
// crowded files, see crowd.
type place int8

const (
	alone  place = 0 // told by the file alone
	front  place = -1
	middle place = -2 // of three
	rear   place = -3
)

// way is the direction of a move as the mover sees it.
type way int8

const (
	retreat  way = -1
	sideways way = 0
	advance  way = 1
)

// fileOf returns the number of a square's file for a side, columnOf the column
// of a file; both directions are the same sum.
func fileOf(side game.Side, s square) uint8 { return columnOf(side, attack.X[s]+1) + 1 }

func columnOf(side game.Side, file uint8) uint8 {
	if side == game.First {
		return width - file
	}
	return file - 1
}

// rankFrom returns how many rows a square is from the far edge of the board:
// the smaller, the further to the front.
func rankFrom(side game.Side, s square) uint8 {
	if side == game.First {
		return attack.Y[s]
	}
	return height - 1 - attack.Y[s]
}

// parsePhrase returns the one legal move that a phrase can mean.
func (p *Position) parsePhrase(ph phrase, ok bool) (game.Move, error) {
	if !ok {
		return game.NoMove, game.ErrSyntax
	}
	var legal, other game.Move // moves that can be meant
	var err error = ErrNotThere
	candidates, n := p.candidates(ph)
	for _, from := range candidates[:n] {
		to := p.destination(ph, from)
		if to == none {
			if err == ErrNotThere {
				err = ErrNotItsMove
			}
			continue
		}
		m, refused := p.try(from, to)
		switch {
		case refused != nil:
			other, err = m, refused
		case legal != game.NoMove:
			return game.NoMove, ErrAmbiguous
		default:
			legal = m
		}
	}
	if legal != game.NoMove {
		return legal, nil
	}
	if n > 1 {
		return game.NoMove, err
	}
	return other, err
}

// candidates returns the pieces that a phrase may speak of.
func (p *Position) candidates(ph phrase) (list [maxOfKind]square, n int) {
	if ph.place != alone {
		return p.placed(ph)
	}
	x := columnOf(p.turn, ph.file)
	at, first := &p.at[p.turn], &p.first[p.turn]
	for i := first[ph.kind]; i < first[ph.kind+1]; i++ {
		if s := at[i]; s != none && attack.X[s] == x {
			list[n] = s
			n++
		}
	}
	return list, n
}

// placed returns the pieces that stand in the place that a phrase names: with
// a file on that file, otherwise on every crowded one.
func (p *Position) placed(ph phrase) (list [maxOfKind]square, n int) {
	c := p.crowdOf(ph.kind)
	if ph.place > 0 && ph.file == 0 {
		if int(ph.place) <= c.n {
			list[0], n = c.list[ph.place-1], 1
		}
		return list, n
	}
	for i := 0; i < c.n; i += c.length(i) {
		if ph.file != 0 && fileOf(p.turn, c.list[i]) != ph.file {
			continue
		}
		length, index := c.length(i), -1
		switch {
		case ph.place == front:
			index = 0
		case ph.place == rear:
			index = length - 1
		case ph.place == middle && length == 3:
			index = 1
		case ph.place > 0 && int(ph.place) <= length:
			index = int(ph.place) - 1
		}
		if index >= 0 {
			list[n] = c.list[i+index]
			n++
		}
	}
	return list, n
}

// crowd holds the pieces of one kind that share their files with others of
// that kind: from the right to the left of the mover, on each file from the
// front to the back. The numbers of crowded soldiers follow this order.
type crowd struct {
	list [maxOfKind]square
	n    int
}

func (p *Position) crowdOf(k kind) (c crowd) {
	var keys [maxOfKind]uint8
	at, first := &p.at[p.turn], &p.first[p.turn]
	for i := first[k]; i < first[k+1]; i++ {
		s := at[i]
		if s == none || !p.crowded(k, s) {
			continue
		}
		key := fileOf(p.turn, s)*height + rankFrom(p.turn, s)
		j := c.n
		for ; j > 0 && keys[j-1] > key; j-- {
			keys[j], c.list[j] = keys[j-1], c.list[j-1]
		}
		keys[j], c.list[j] = key, s
		c.n++
	}
	return c
}

// crowded reports whether another piece of kind k stands on the file of s.
func (p *Position) crowded(k kind, s square) bool {
	at, first := &p.at[p.turn], &p.first[p.turn]
	for i := first[k]; i < first[k+1]; i++ {
		if o := at[i]; o != none && o != s && attack.X[o] == attack.X[s] {
			return true
		}
	}
	return false
}

// length returns the number of pieces on the file that starts at index i.
func (c *crowd) length(i int) int {
	n := 1
	for i+n < c.n && attack.X[c.list[i+n]] == attack.X[c.list[i]] {
		n++
	}
	return n
}

// destination returns where a phrase takes a piece, or none where it points
// off the board or asks for what the kind never does.
func (p *Position) destination(ph phrase, from square) square {
	x, y := int(attack.X[from]), int(attack.Y[from])
	forward := -int(ph.way)
	if p.turn == game.Second {
		forward = int(ph.way)
	}
	switch ph.kind {
	case king, chariot, cannon, soldier:
		if ph.way == sideways {
			x = int(columnOf(p.turn, ph.n))
		} else {
			y += forward * int(ph.n)
		}
	default:
		across := int(columnOf(p.turn, ph.n)) - x
		x, across = x+across, max(across, -across)
		rows := 0
		switch {
		case ph.kind == horse && (across == 1 || across == 2):
			rows = 3 - across
		case ph.kind == advisor && across == 1 || ph.kind == elephant && across == 2:
			rows = across
		}
		if rows == 0 || ph.way == sideways {
			return none
		}
		y += forward * rows
	}
	if y < 0 || y >= height {
		return none
	}
	return attack.At(x, y)
}

// describe returns the phrase that is written for a move.
func (p *Position) describe(from, to square) phrase {
	ph := phrase{kind: kindOf(p.on[from]), file: fileOf(p.turn, from)}
	steps := int(rankFrom(p.turn, from)) - int(rankFrom(p.turn, to))
	switch {
	case steps > 0:
		ph.way = advance
	case steps < 0:
		ph.way, steps = retreat, -steps
	}
	ph.n = fileOf(p.turn, to)
	straight := ph.kind != horse && ph.kind != advisor && ph.kind != elephant
	if straight && ph.way != sideways {
		ph.n = uint8(steps)
	}
	// Of two advisors or elephants on a file one can only advance, the other
	// only retreat: the file is enough.
	if ph.kind != advisor && ph.kind != elephant && p.crowded(ph.kind, from) {
		ph.file, ph.place = 0, p.placeOf(ph.kind, from)
	}
	return ph
}

// placeOf returns the place of a piece on a crowded file.
func (p *Position) placeOf(k kind, s square) place {
	c := p.crowdOf(k)
	length := c.length(0)
	for i, o := range c.list[:c.n] {
		switch {
		case o != s:
		case length < c.n || length > 3:
			return place(i + 1)
		case i == 0:
			return front
		case i == length-1:
			return rear
		default:
			return middle
		}
	}
	panic("xiangqi: a piece is missing from its crowd")
}
