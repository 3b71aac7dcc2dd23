package chess

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// The weights of the evaluation, as qipu workshop chess fit wrote them: for each kind of
// piece eight rows from its own first rank and eight columns from the queen's side, then the
// terms, a full board first.
//
//go:embed weights.txt
var weightsText string

var (
	stands  [13][64]score
	weights [terms]score
)

// termNames are the terms with how many values they have.
var termNames = []struct {
	name string
	size int
}{
	{"knightGoes", 9}, {"bishopGoes", 14}, {"rookGoes", 15}, {"queenGoes", 28},
	{"passedPawn", 8}, {"passedFree", 8}, {"passedGuarded", 1}, {"passedOwnKing", 8}, {"passedKing", 8},
	{"candidate", 1}, {"isolated", 1}, {"doubled", 1}, {"backward", 1}, {"besides", 8}, {"chained", 8},
	{"bishopPair", 1}, {"bishopPawns", 1}, {"outpostKnight", 1}, {"outpostBishop", 1}, {"behindPawn", 1},
	{"openRook", 1}, {"halfOpenRook", 1}, {"seventhRook", 1}, {"behindPasser", 1},
	{"shield", 2}, {"bareFile", 2}, {"storm", 8}, {"danger", 24},
	{"checkKnight", 1}, {"checkBishop", 1}, {"checkRook", 1}, {"checkQueen", 1},
	{"pawnHitsMinor", 1}, {"pawnHitsMajor", 1}, {"minorHits", 1}, {"rookHits", 1}, {"loosePiece", 1}, {"loosePawn", 1}, {"pushThreat", 1},
	{"space", 1}, {"tempo", 1},
}

var kindNames = [kinds]string{"king", "queen", "rook", "bishop", "knight", "pawn"}

// places is how many numbers stand for the places of pieces: kinds, rows, columns.
const places = kinds * 64

// Weights are those of the evaluation, one after the other: places first, then terms.
type Weights [places + terms][2]int

func init() {
	w, err := ParseWeights(weightsText)
	if err != nil {
		panic("engine/chess: the weights that come with the program: " + err.Error()) // a test reads them
	}
	use(w)
}

// use has the evaluation go by weights.
func use(w *Weights) {
	for k := range uint8(kinds) {
		for s := range square(64) {
			for side := range 2 {
				v := w[place(side, k, s)]
				stands[pieceOf(side, k)][s] = both(v[0], v[1]) * score(1-2*side)
			}
		}
	}
	for i := range weights {
		weights[i] = both(w[places+i][0], w[places+i][1])
	}
}

// place returns the number of the weight of a piece on a square.
func place(side int, k uint8, s square) int { return int(k)*64 + int(s) ^ 56*side }

// ParseWeights reads the text form: a line for each row of a piece ("rook 3 505/520 ...")
// and each term ("tempo 12/8").
func ParseWeights(text string) (*Weights, error) {
	w, seen := new(Weights), 0
	for n, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		at, cells := -1, f[1:]
		next := places
		for _, t := range termNames {
			if f[0] == t.name && len(cells) == t.size {
				at = next
			}
			next += t.size
		}
		for k, name := range kindNames {
			if f[0] == name && len(f) == 10 {
				if row, err := strconv.Atoi(f[1]); err == nil && row >= 0 && row < 8 {
					at, cells = (k*8+row)*8, f[2:]
				}
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("line %d: %q is neither a row of a piece nor a term", n+1, line)
		}
		for i, cell := range cells {
			if _, err := fmt.Sscanf(cell, "%d/%d", &w[at+i][0], &w[at+i][1]); err != nil {
				return nil, fmt.Errorf("line %d: %q: want two numbers as in 12/8", n+1, cell)
			}
			seen++
		}
	}
	if seen != len(w) {
		return nil, fmt.Errorf("%d weights, want %d", seen, len(w))
	}
	return w, nil
}

// String returns the text form.
func (w *Weights) String() string {
	var b strings.Builder
	row := func(name string, list [][2]int) {
		b.WriteString(name)
		for _, v := range list {
			fmt.Fprintf(&b, " %d/%d", v[0], v[1])
		}
		b.WriteByte('\n')
	}
	for k, name := range kindNames {
		for r := range 8 {
			row(fmt.Sprintf("%s %d", name, r), w[(k*8+r)*8:][:8])
		}
	}
	next := places
	for _, t := range termNames {
		row(t.name, w[next:next+t.size])
		next += t.size
	}
	return b.String()
}
