package samuel

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"qipu/engine"
	"qipu/game"
	"qipu/learn"
	"qipu/record"
)

// Card1967 says what signature tables are.
var Card1967 = learn.Card{
	Name: "samuel67", Title: "Signature tables", Year: 1967, People: "Arthur L. Samuel (IBM 7094)",
	Learns:  "what combinations of factors are worth, in each part of the game",
	From:    "games of masters: the moves that were made, beside those that could have been",
	How:     "(A-D)/(A+D) for each cell of a table: A counts moves of the book that lead there, D the others",
	Kept:    "tables in three levels, those of the second and third made of the values of the level before",
	Effect:  "he found the order of the moves of the book far better than by the polynomial",
	Reading: "factors become five values at the tenths of their distribution; four make a table, and each factor stands in two; six parts of the game by the number of pieces; another move counts 1/(n-1) where there are n",
}

// The shape of the tables.
const (
	grades = 5 // values of a factor, and of a table for the next level
	fine   = 9 // values of tables for the last level
	parts  = 6 // of the game
	group  = 4 // factors of a table
)

// NewSignature returns a learner of signature tables.
func NewSignature(of engine.Factors) learn.Learner { return &signature{set: learn.Set{Of: of}} }

type signature struct{ set learn.Set }

func (l *signature) Card() *learn.Card     { return &Card1967 }
func (l *signature) Look(g *record.Played) { l.set.Look(g) }

// Signature is tables of tables of factors.
type Signature struct {
	Factors []string   `json:"factors"`
	Cuts    [][]int8   `json:"cuts"`  // of factors: where the next value begins
	Parts   []uint8    `json:"parts"` // numbers of pieces at which another part of the game begins
	Levels  [3][]Table `json:"levels"`

	of engine.Factors
}

// Table is cells with values, for each part of the game.
type Table struct {
	Of    []int       `json:"of"`             // factors, or tables of the level before
	Base  int         `json:"base"`           // how many values each has
	Cells [][]float64 `json:"cells"`          // by part
	Met   [][]float64 `json:"met"`            // how often
	Cuts  [][]float64 `json:"cuts,omitempty"` // where the next value for the level behind begins, by part
}

func (t *Table) size() int { return int(math.Pow(float64(t.Base), float64(len(t.Of)))) }

// Done makes the tables, level by level.
func (l *signature) Done() (learn.Model, error) {
	if err := l.set.Check(); err != nil {
		return nil, err
	}
	s := &l.set
	k := len(s.Of.Names())
	m := &Signature{of: s.Of, Factors: s.Of.Names(), Cuts: make([][]int8, k)}
	for f := range k {
		m.Cuts[f] = cuts(s.Factors, f, k)
	}
	m.Parts = quantiles(slices.Clone(s.Phase), parts)
	for _, of := range groups(k) {
		m.Levels[0] = append(m.Levels[0], Table{Of: of, Base: grades})
	}
	for i := 0; i < len(m.Levels[0]); i += 3 {
		m.Levels[1] = append(m.Levels[1], Table{Of: span(i, min(i+3, len(m.Levels[0]))), Base: grades})
	}
	m.Levels[2] = []Table{{Of: span(0, len(m.Levels[1])), Base: fine}}
	for level := range m.Levels {
		for i := range m.Levels[level] {
			m.fill(level, i, s)
		}
	}
	return m, nil
}

func span(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

// groups parts factors into tables: neighbours, and then those that lie apart.
func groups(k int) (list [][]int) {
	n := (k + group - 1) / group
	near, far := make([][]int, n), make([][]int, n)
	for f := range k {
		near[f/group] = append(near[f/group], f)
		far[f%n] = append(far[f%n], f)
	}
	for i := range n {
		slices.Sort(far[i])
	}
	return append(near, far...)
}

// cuts returns up to four values at which another grade of a factor begins.
func cuts(factors []int8, f, k int) (list []int8) {
	var count [256]int
	n := 0
	for i := f; i < len(factors); i += k {
		count[int(factors[i])+128]++
		n++
	}
	for _, share := range []float64{.1, .35, .65, .9} {
		sum := 0
		for v := range count {
			if sum += count[v]; float64(sum) > share*float64(n) {
				if cut := int8(v - 128); sum-count[v] > 0 && !slices.Contains(list, cut) {
					list = append(list, cut)
				}
				break
			}
		}
	}
	return list
}

// quantiles returns where the parts of a list begin, the first part left out.
func quantiles[T cmp.Ordered](list []T, n int) (at []T) {
	slices.Sort(list)
	for i := 1; i < n; i++ {
		if v := list[i*len(list)/n]; len(at) == 0 || v > at[len(at)-1] {
			at = append(at, v)
		}
	}
	return at
}

// grade returns which part of a list of beginnings a value is in.
func grade[T cmp.Ordered](at []T, v T) (n int) {
	for n < len(at) && v >= at[n] {
		n++
	}
	return n
}

// cell returns the cell of a table for factors, below a level whose tables are filled.
func (m *Signature) cell(level, i int, factors []int8, part int) int {
	t := &m.Levels[level][i]
	at := 0
	for _, of := range t.Of {
		if level == 0 {
			at = at*t.Base + grade(m.Cuts[of], factors[of])
			continue
		}
		below := &m.Levels[level-1][of]
		at = at*t.Base + grade(below.Cuts[part], below.Cells[part][m.cell(level-1, of, factors, part)])
	}
	return at
}

// fill counts the moves of the book and the others in the cells of a table.
func (m *Signature) fill(level, i int, s *learn.Set) {
	t := &m.Levels[level][i]
	k := len(m.Factors)
	agree, differ := make([][]float64, len(m.Parts)+1), make([][]float64, len(m.Parts)+1)
	for p := range agree {
		agree[p], differ[p] = make([]float64, t.size()), make([]float64, t.size())
	}
	for pos := range s.Ends {
		first, n, made := s.At(pos)
		part := grade(m.Parts, s.Phase[pos])
		for j := range n {
			c := m.cell(level, i, s.Factors[(first+j)*k:(first+j+1)*k], part)
			if j == made {
				agree[part][c]++
			} else {
				differ[part][c] += 1 / float64(n-1)
			}
		}
	}
	t.Cells, t.Met = make([][]float64, len(agree)), make([][]float64, len(agree))
	for p := range agree {
		t.Cells[p], t.Met[p] = make([]float64, t.size()), make([]float64, t.size())
		var met []float64
		for c, a := range agree[p] {
			sum := a + differ[p][c]
			t.Met[p][c] = math.Round(sum*100) / 100
			if sum > 0 {
				t.Cells[p][c] = math.Round((a-differ[p][c])/(sum+2)*1e5) / 1e5 // a cell that was met twice says little
				for range min(int(sum)+1, 1000) {
					met = append(met, t.Cells[p][c])
				}
			}
		}
		if level < 2 {
			base := grades
			if level == 1 {
				base = fine
			}
			if len(met) == 0 {
				met = []float64{0}
			}
			t.Cuts = append(t.Cuts, quantiles(met, base))
		}
	}
}

// With gives the model what counts its factors, after it was read from a file.
func (m *Signature) With(of engine.Factors) error {
	m.of = of
	if err := learn.Same(m.Factors, of, len(m.Cuts)); err != nil {
		return err
	}
	for level, tables := range m.Levels {
		below := len(m.Factors)
		if level > 0 {
			below = len(m.Levels[level-1])
		}
		for _, t := range tables {
			bad := t.Base < 2 || t.Base > 16 || len(t.Of) == 0 || len(t.Of) > 8 || len(t.Cells) != len(m.Parts)+1 || level < 2 && len(t.Cuts) != len(t.Cells)
			for _, of := range t.Of {
				bad = bad || of < 0 || of >= below
			}
			for _, cells := range t.Cells {
				bad = bad || len(cells) != t.size()
			}
			for _, cuts := range t.Cuts {
				bad = bad || len(cuts) >= 16
			}
			if bad {
				return fmt.Errorf("a table of level %d is not one", level+1)
			}
		}
	}
	if len(m.Levels[2]) != 1 {
		return fmt.Errorf("there is no last table")
	}
	return nil
}

// value returns the value of the last table, and a hundredth of those below it, which
// tells apart what it takes for the same.
func (m *Signature) value(factors []int8, part int) float64 {
	v := m.Levels[2][0].Cells[part][m.cell(2, 0, factors, part)]
	for i := range m.Levels[1] {
		v += 0.1 * m.Levels[1][i].Cells[part][m.cell(1, i, factors, part)]
	}
	for i := range m.Levels[0] {
		v += 0.01 * m.Levels[0][i].Cells[part][m.cell(0, i, factors, part)]
	}
	return v
}

// Prefer returns the values of the positions behind the moves.
func (m *Signature) Prefer(dst []float64, p game.Position, moves []game.Move) []float64 {
	k, part := len(m.Factors), grade(m.Parts, learn.Phase(p))
	all := learn.After(nil, m.of, p, moves)
	for i := range moves {
		dst = append(dst, m.value(all[i*k:(i+1)*k], part))
	}
	return dst
}

// Judge returns the value for the side that has moved.
func (m *Signature) Judge(p game.Position) (float64, bool) {
	return m.value(m.of.AppendFactors(nil, p, p.Turn().Opponent()), grade(m.Parts, learn.Phase(p))), true
}

// Lines tells the cells of the first level that say most and were met often.
func (m *Signature) Lines() (list []learn.Line) {
	for i := range m.Levels[0] {
		t := &m.Levels[0][i]
		for part := range t.Cells {
			for c, v := range t.Cells[part] {
				if met := t.Met[part][c]; met >= 50 {
					list = append(list, learn.Line{Text: fmt.Sprintf("%s (part %d of the game)", m.signature(t, c), part+1), Value: v, Weight: int(met)})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b learn.Line) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	return list[:min(len(list), 100)]
}

// signature writes a cell down: "men 3, mobility 1".
func (m *Signature) signature(t *Table, cell int) string {
	words := make([]string, len(t.Of))
	for i := len(t.Of) - 1; i >= 0; i-- {
		words[i] = fmt.Sprintf("%s %d", m.Factors[t.Of[i]], cell%t.Base)
		cell /= t.Base
	}
	return strings.Join(words, ", ")
}
