package proof_test

import (
	"fmt"
	"testing"

	"qipu/board"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/proof"
)

// boards are small ones with what is proved of them: owners as B and W.
var boards = []struct {
	name                 string
	rows, benson, static []string
	rules                []life.Rule
}{
	{"two eyes", []string{
		".X.XO",
		"XXXXO",
		"OOOOO",
		".....",
	}, []string{
		"BBBB.",
		"BBBB.",
		".....",
		".....",
	}, []string{
		"BBBBW",
		"BBBBW",
		"WWWWW",
		"WWWWW",
	}, []life.Rule{life.RuleBenson, life.RuleTerritory, life.RuleTerritory, life.RuleTwoVital, life.RuleSafe, life.RuleTerritory}},
	{"four in a row", []string{
		"....XO",
		"XXXXXO",
		"OOOOOO",
		".O.O.O",
	}, []string{
		".....W",
		".....W",
		"WWWWWW",
		"WWWWWW",
	}, []string{
		"BBBBBW",
		"BBBBBW",
		"WWWWWW",
		"WWWWWW",
	}, nil},
	{"three in a row", []string{
		"...XO.",
		"XXXXO.",
		"OOOOO.",
		"......",
	}, []string{
		"......",
		"......",
		"......",
		"......",
	}, []string{
		"....WW",
		"....WW",
		"WWWWWW",
		"WWWWWW",
	}, nil},
	{"a protected cut", []string{
		"..XXXO",
		"XX.XOO",
		".XXXO.",
		"XXOOO.",
		"OO....",
	}, nil, []string{
		"BBBBB.",
		"BBBB..",
		"BBBB..",
		"BB....",
		"......",
	}, nil},
}

func planesOf(rows []string) *board.Planes {
	p := board.NewPlanes(board.Size{W: len(rows[0]), H: len(rows)}, 2)
	for y, row := range rows {
		for x, c := range row {
			switch c {
			case 'X':
				p.Put(board.At(x, y), 1)
			case 'O':
				p.Put(board.At(x, y), 2)
			}
		}
	}
	return p
}

// owners returns the owners of a judgement as rows.
func owners(j *life.Judgement) (rows []string) {
	for y := range j.Size.H {
		row := ""
		for x := range j.Size.W {
			row += string(".BW="[j.Owner[board.At(x, y)]])
		}
		rows = append(rows, row)
	}
	return rows
}

func TestJudge(t *testing.T) {
	var b life.Board
	var p proof.Prover
	for _, c := range boards {
		t.Run(c.name, func(t *testing.T) {
			b.Reset(planesOf(c.rows))
			var j life.Judgement
			if c.benson != nil {
				j.Begin("benson", &b)
				p.JudgeBenson(&b, true, &j)
				if got := owners(&j); fmt.Sprint(got) != fmt.Sprint(c.benson) {
					t.Errorf("benson: %q, want %q", got, c.benson)
				}
				traced(t, &b, &j)
			}
			j = life.Judgement{}
			j.Begin("static", &b)
			p.JudgeStatic(&b, true, &j)
			if got := owners(&j); fmt.Sprint(got) != fmt.Sprint(c.static) {
				t.Errorf("static: %q, want %q", got, c.static)
			}
			traced(t, &b, &j)
			var rules []life.Rule
			for _, s := range j.Steps {
				rules = append(rules, s.Rule)
			}
			if c.rules != nil && fmt.Sprint(rules) != fmt.Sprint(c.rules) {
				t.Errorf("steps %v, want %v", rules, c.rules)
			}
		})
	}
}

// traced checks that a judgement is whole: what it claims of strings and points
// agrees, and all that is proved has its steps.
func traced(t *testing.T, b *life.Board, j *life.Judgement) {
	t.Helper()
	seen := make([]bool, len(j.Strings))
	for g := range j.Groups {
		for _, i := range j.Groups[g].Strings {
			if seen[i] || j.Strings[i].Group != g || j.Groups[g].Status != j.Strings[i].Status {
				t.Errorf("string %d in group %d: %+v, %+v", i, g, j.Strings[i], j.Groups[g])
			}
			seen[i] = true
		}
	}
	for i := range j.Strings {
		v := &j.Strings[i]
		if !seen[i] {
			t.Errorf("string %d is in no group", i)
		}
		if v.Proved != (v.Status != life.Unknown) {
			t.Errorf("%+v", v)
		}
		named := false
		for k, n := range v.Steps {
			if n < 0 || n >= len(j.Steps) || k > 0 && v.Steps[k-1] >= n {
				t.Fatalf("steps %v of %d", v.Steps, len(j.Steps))
			}
			named = named || j.Steps[n].Status == v.Status
		}
		if v.Proved && !named {
			t.Errorf("%+v: no step says so", v)
		}
		for _, c := range b.Stones(i) {
			want := life.Nobody
			switch v.Status {
			case life.Alive:
				want = life.Owner(b.Stone[c])
			case life.Dead:
				want = life.Owner(b.Stone[c].Other())
			}
			if got := j.Owner[c.Point()]; got != want {
				t.Errorf("%+v: its stone is %s's", v, got)
			}
		}
	}
}

func ExampleProver_Static() {
	var b life.Board
	b.Reset(planesOf([]string{
		"....XO",
		"XXXXXO",
		"OOOOO.",
		"......",
	}))
	var p proof.Prover
	fmt.Println(p.Benson(&b).Points)
	fmt.Println(p.Static(&b).Points)
	// Output:
	// [0 0]
	// [10 0]
}
