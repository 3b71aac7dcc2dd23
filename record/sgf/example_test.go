package sgf_test

import (
	"fmt"
	"os"
	"strings"

	"qipu/record"
	"qipu/record/sgf"
)

// Read a collection, see what is wrong with it, and write its first game.
func Example() {
	text := `Games of the week
(;GM[1]SZ[9]PB[Ada]PW[Bo]RE[B+R];B[ee];W[ec](;B[cc])(;B[gc]C[or here]))
(;GM[1]SZ[9]PB[Cleo];B[ee]W[gg]`
	src := &record.Source{Name: "week.sgf", Reader: strings.NewReader(text), Size: -1}
	var games []*record.Game
	for g, err := range sgf.Format.Read(src) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		games = append(games, g)
		fmt.Println(g.Facts.Players[0].Name, g.Variant, g.Moves(), "moves")
		for i := range g.Faults {
			fmt.Println("  " + g.Faults[i].Error())
		}
	}
	first := func(yield func(*record.Game) bool) { yield(games[0]) }
	if err := sgf.Format.(record.Writer).Write(os.Stdout, first); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Ada 9x9 3 moves
	//   week.sgf:2: game 1: text before the game is kept as TEXTBEFORE: "Games of the week" (byte 18)
	// Cleo 9x9 2 moves
	//   week.sgf:3: game 2: two moves in one node: "gg" is read as the next move (byte 117)
	//   week.sgf:3: game 2: the tree is not closed (byte 121)
	// (;FF[4]CA[UTF-8]GM[1]SZ[9]
	// PB[Ada]PW[Bo]RE[B+R]TEXTBEFORE[Games of the week]
	// ;B[ee];W[ec]
	// (;B[cc])
	// (;B[gc]C[or here]))
}
