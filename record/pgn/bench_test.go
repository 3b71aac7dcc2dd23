package pgn_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/record/charset"
	"qipu/record/pgn"
	"qipu/record/recordtest"
)

// sample returns a file of Chinese games of 84 plies, about 1.4 KB each in
// Big5.
func sample(games int) string {
	moves := strings.Fields("炮二平五 馬８進７ 馬二進三 車９平８ 車一平二 卒７進１ 車二進六 馬２進３ 兵七進一 炮８平９ 車二平三 炮９退１ 馬八進七 士４進５")
	var b strings.Builder
	for i := range games {
		fmt.Fprintf(&b, "[Game \"Chinese Chess\"]\n[Event \"第%d局 全國象棋個人賽 第3輪\"]\n[Round \"\"]\n[Date \"1999-12-0%d\"]\n[Site \"廣州\"]\n[Red \"楊官璘\"]\n[RedTeam \"廣東\"]\n[Black \"胡榮華\"]\n[BlackTeam \"上海\"]\n[Result \"1-0\"]\n[ECCO \"C41\"]\n[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\"]\n\n", i, 1+i%9)
		for n := range 42 {
			fmt.Fprintf(&b, "%d. %s %s\n", n+1, moves[2*n%len(moves)], moves[(2*n+1)%len(moves)])
		}
		b.WriteString("1-0\n\n")
	}
	return b.String()
}

func BenchmarkRead(b *testing.B) {
	const games = 100
	for _, name := range []string{"big5", "utf-8"} {
		data, err := charset.Encode(sample(games), name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for g, err := range pgn.Format.Read(recordtest.Source("x.pgn", data)) {
					if err != nil || g.Moves() != 84 {
						b.Fatal(err)
					}
					n++
				}
				if n != games {
					b.Fatal(n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*games), "us/game")
		})
	}
}
