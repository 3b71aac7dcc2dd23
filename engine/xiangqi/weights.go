package xiangqi

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"qipu/game/xiangqi/attack"
)

// The weights of the evaluation, as qipu workshop xiangqi fit wrote them: for each kind
// of piece ten rows from its own back rank and five columns from the side, then the
// terms, a full board first.
//
//go:embed weights.txt
var weightsText string

var (
	stands  [15][area]score
	weights [terms]score
)

var termNames = [terms]string{
	"freeChariot", "freeCannon", "freeHorse", "stuckHorse", "hollowCannon", "boltCannon", "bottomCannon", "palaceHits", "palaceCrowd", "ringSafe",
	"bareAdvisor", "bareElephant", "loneCannon", "threatMinor", "threatMajor", "threatSoldier", "linkedHorses", "pairSoldiers", "guardedSoldier",
	"openChariot", "homeChariot", "cannonPieces", "horsePieces", "chariotPair", "tempo",
}

var kindNames = [attack.Kinds]string{"king", "advisor", "elephant", "chariot", "horse", "cannon", "soldier"}

// places is how many numbers stand for the places of pieces: kinds, rows, columns.
const places = int(attack.Kinds) * attack.Height * 5

// Weights are those of the evaluation, one after the other: places first, then terms.
type Weights [places + terms][2]int

func init() {
	w, err := ParseWeights(weightsText)
	if err != nil {
		panic("engine/xiangqi: the weights that come with the program: " + err.Error()) // a test reads them
	}
	use(w)
}

// use has the evaluation go by weights.
func use(w *Weights) {
	for k := range attack.Kinds {
		for s := range square(area) {
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
func place(side int, k attack.Kind, s square) int {
	x, y := int(attack.X[s]), int(attack.Y[s])
	if side == 0 {
		y = 9 - y
	}
	return (int(k)*attack.Height+y)*5 + min(x, 8-x)
}

// ParseWeights reads the text form: a line for each row of a piece ("chariot 3 905/870
// ...") and each term ("tempo 12/8").
func ParseWeights(text string) (*Weights, error) {
	w, seen := new(Weights), 0
	for n, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		at, cells := -1, f[1:]
		for i, name := range termNames {
			if f[0] == name && len(f) == 2 {
				at = places + i
			}
		}
		for k, name := range kindNames {
			if f[0] == name && len(f) == 7 {
				if row, err := strconv.Atoi(f[1]); err == nil && row >= 0 && row < attack.Height {
					at, cells = (k*attack.Height+row)*5, f[2:]
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
	for k, name := range kindNames {
		for row := range attack.Height {
			fmt.Fprintf(&b, "%s %d", name, row)
			for x := range 5 {
				v := w[(k*attack.Height+row)*5+x]
				fmt.Fprintf(&b, " %d/%d", v[0], v[1])
			}
			b.WriteByte('\n')
		}
	}
	for i, name := range termNames {
		fmt.Fprintf(&b, "%s %d/%d\n", name, w[places+i][0], w[places+i][1])
	}
	return b.String()
}
