package sgf_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"qipu/record"
	"qipu/record/recordtest"
	"qipu/record/sgf"
)

// collection returns a file of games with so many random moves each.
func collection(games, moves int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range games {
		fmt.Fprintf(&b, "(;GM[1]FF[4]CA[UTF-8]SZ[19]GN[game %d]PC[Somewhere]DT[2006-03-01]PW[聪明的人]PB[일필]WR[9d]BR[9d]KM[6.5]RE[B+R]TM[0]OT[3x30 byo-yomi]", i)
		for m := range moves {
			fmt.Fprintf(&b, ";%c[%c%c]", "BW"[m%2], 'a'+r.IntN(19), 'a'+r.IntN(19))
			if m%12 == 11 {
				b.WriteByte('\n')
			}
		}
		b.WriteString(")\n")
	}
	return []byte(b.String())
}

func benchmarkRead(b *testing.B, games, moves int) {
	data := collection(games, moves)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		for _, err := range sgf.Format.Read(recordtest.Source("x", data)) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "games/s")
}

// BenchmarkRead reads a collection of games of usual length: the target is
// 200 MB/s.
func BenchmarkRead(b *testing.B) { benchmarkRead(b, 1000, 212) }

// BenchmarkReadOne reads files of one game.
func BenchmarkReadOne(b *testing.B) { benchmarkRead(b, 1, 212) }

// BenchmarkReadShort reads a collection of headers almost alone.
func BenchmarkReadShort(b *testing.B) { benchmarkRead(b, 1000, 3) }

func BenchmarkWrite(b *testing.B) {
	data := collection(1000, 212)
	games, _ := recordtest.ReadAll(b, sgf.Format, recordtest.Source("x", data))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		err := sgf.Format.(record.Writer).Write(io.Discard, func(yield func(*record.Game) bool) {
			for _, g := range games {
				if !yield(g) {
					return
				}
			}
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
