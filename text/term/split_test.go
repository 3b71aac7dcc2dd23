package term

import (
	"fmt"
	"strings"
	"testing"

	"qipu/internal/testkit"
)

// TestPaper is the example of paper 003: five terms.
func TestPaper(t *testing.T) {
	var terms []string
	for _, p := range Of("xiangqi").Split("中炮過河炮邊傌對屏風馬高車捉炮") {
		if p.Class == Known {
			terms = append(terms, p.Text+" "+p.Side.String())
		}
	}
	want := "中炮 first, 過河炮 first, 邊傌 first, 屏風馬 second, 高車捉炮 second"
	if got := strings.Join(terms, ", "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestSplit runs the titles of testdata/split.txt.
func TestSplit(t *testing.T) {
	d := Of("xiangqi")
	testkit.Script(t, "testdata/split.txt", func(t *testing.T, c testkit.Command) string {
		var b strings.Builder
		for line := range strings.SplitSeq(c.Input, "\n") {
			switch c.Name {
			case "title":
				fmt.Fprintf(&b, "[%s]\n", d.Title(line))
			case "split":
				for _, p := range d.Split(line) {
					b.WriteString(describe(p) + "\n")
				}
			default:
				t.Fatalf("there is no command %s", c.Name)
			}
		}
		return b.String()
	})
}

// describe writes a piece on a line.
func describe(p Piece) string {
	words := []string{fmt.Sprintf("%-8s", p.Class), strings.ReplaceAll(p.Text, " ", "_")}
	if p.Term != nil {
		words = append(words, p.Term.ID)
	}
	if p.Side != Unstated {
		words = append(words, p.Side.String())
	}
	if p.File != 0 {
		words = append(words, fmt.Sprintf("file=%d", p.File))
	}
	if p.Wing != NoWing {
		words = append(words, [...]string{"", "left", "right"}[p.Wing])
	}
	return strings.Join(words, " ")
}

// FuzzSplit states the laws of Split: the pieces put together are the text, they
// say where they stand, and only terms have a Term. Title is made of the text.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"中炮過河炮邊傌對屏風馬高車捉炮", "紅進3(7)兵雙正馬黑右馬（", "順    手   炮", "第105局　紅五七炮式",
		"042-東北韓福德先勝上海胡榮華 順炮橫車對直車", "兵(卒)(兵)卒", "炮\xff車 \xe4\xb8", "第一", "對對對", "(", "１２３", "",
	} {
		f.Add(s)
	}
	d := Of("xiangqi")
	f.Fuzz(func(t *testing.T, s string) {
		at := 0
		for _, p := range d.Split(s) {
			if p.At != at || p.Text == "" || !strings.HasPrefix(s[at:], p.Text) {
				t.Fatalf("%q: piece %+v does not stand at %d", s, p, at)
			}
			at += len(p.Text)
			if (p.Class == Known) != (p.Term != nil) || p.Class > Unknown || p.File < 0 || p.File > 9 {
				t.Fatalf("%q: piece %+v cannot be", s, p)
			}
			if p.Side != Unstated && p.Class != Known && p.Class != Phrase {
				t.Fatalf("%q: piece %+v has a side", s, p)
			}
		}
		if at != len(s) {
			t.Fatalf("%q: the pieces end at %d", s, at)
		}
		for part := range strings.FieldsSeq(d.Title(s)) {
			if !strings.Contains(s, part) {
				t.Fatalf("%q: the title has %q", s, part)
			}
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	d := Of("xiangqi")
	for b.Loop() {
		d.Split("中炮過河車七路馬對屏風馬兩頭蛇")
	}
}
