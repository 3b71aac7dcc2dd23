package term

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// planted returns texts of random characters into which words are put.
func planted(words []string, n int) (texts []string) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := []rune("天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往秋收冬藏閏餘成歲律呂調陽雲騰致雨露結為霜")
	for i := range n {
		var b strings.Builder
		for k := range 4 {
			for range 3 + r.IntN(6) {
				b.WriteRune(noise[r.IntN(len(noise))])
			}
			if k < 2 {
				b.WriteString(words[(i+k)%len(words)])
			}
		}
		texts = append(texts, b.String()+"，屏風馬"+words[i%len(words)]+"對中炮")
	}
	return texts
}

// TestMinerFindsPlanted checks that words of several lengths come first, as a
// whole, and with the right counts.
func TestMinerFindsPlanted(t *testing.T) {
	words := []string{"龍門", "鳳凰臺", "金鐘罩體", "河頭堡壘陣"}
	m := NewMiner(Of("xiangqi"), MinerOptions{})
	for i, s := range planted(words, 400) {
		m.Add(int64(i/2), s)
	}
	list := m.Candidates()
	if len(list) < len(words) {
		t.Fatalf("%d candidates, want at least %d", len(list), len(words))
	}
	for _, c := range list[:len(words)] {
		// Each word is put 300 times into 400 texts: twice into one of four, once
		// into another, and into games of two texts each.
		if c.Count != 300 || c.Games != 200 && c.Games != 100 || len(c.Examples) != examples || !strings.Contains(c.Examples[0], c.Text) {
			t.Errorf("candidate %+v", c)
		}
		if !strings.Contains(strings.Join(words, " "), c.Text) {
			t.Errorf("%s was not put in", c.Text)
		}
	}
	for _, w := range words {
		if !strings.Contains(fmt.Sprint(list[:len(words)]), "{"+w+" ") {
			t.Errorf("%s is not found: %v", w, list[:len(words)])
		}
	}
	uses := m.Uses()
	if len(uses) != 2 || uses[0].Term.ID != "central-cannon" || uses[0].Count != 400 || uses[0].Games != 200 {
		t.Errorf("terms met: %+v", uses)
	}
}

// TestMinerBounded checks that memory is bounded, that counts fall short by no
// more than is said, and that the outcome is the same each time.
func TestMinerBounded(t *testing.T) {
	words := []string{"龍門", "鳳凰臺", "金鐘罩體", "河頭堡壘陣"}
	texts := planted(words, 400)
	exact := NewMiner(Of("xiangqi"), MinerOptions{})
	mine := func() *Miner {
		m := NewMiner(Of("xiangqi"), MinerOptions{MaxGrams: 3000})
		for i, s := range texts {
			m.Add(int64(i), s)
			if len(m.grams) > 3000 {
				t.Fatalf("%d runs are kept", len(m.grams))
			}
		}
		return m
	}
	for i, s := range texts {
		exact.Add(int64(i), s)
	}
	m := mine()
	if exact.Missed() != 0 || m.Missed() == 0 {
		t.Fatalf("missed %d and %d, want nothing and something", exact.Missed(), m.Missed())
	}
	for key, g := range m.grams {
		if full := exact.grams[key].count; g.count > full || g.count+m.Missed() < full {
			t.Errorf("%s: counted %d of %d, and said to miss %d", key, g.count, full, m.Missed())
		}
	}
	if a, b := m.Candidates(), mine().Candidates(); !reflect.DeepEqual(a, b) {
		t.Errorf("two runs differ: %v and %v", a, b)
	}
}

func BenchmarkMiner(b *testing.B) {
	texts := planted([]string{"龍門", "鳳凰臺"}, 1000)
	for b.Loop() {
		m := NewMiner(Of("xiangqi"), MinerOptions{})
		for i, s := range texts {
			m.Add(int64(i), s)
		}
		m.Candidates()
	}
}
