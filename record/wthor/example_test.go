package wthor_test

import (
	"fmt"
	"os"

	"qipu/record"
	"qipu/record/wthor"
)

// A game file names its players by numbers; the tables beside it have the
// names.
func ExampleBind() {
	file, err := os.Open("testdata/WTH_2031.wtb")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	table, err := os.ReadFile("testdata/WTH.JOU")
	if err != nil {
		fmt.Println(err)
		return
	}
	players, err := wthor.ParseNames(table)
	if err != nil {
		fmt.Println(err)
		return
	}
	for g, err := range wthor.Format.Read(&record.Source{Name: "WTH_2031.wtb", Reader: file}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		wthor.Bind(g, players, nil)
		fmt.Printf("%s - %s, %v by %v, %d moves\n", g.Facts.Players[0].Name, g.Facts.Players[1].Name,
			g.Facts.Result.Verdict, g.Facts.Result.Margin, g.Moves())
	}
	// Output:
	// Vermeer Anna - Lindqvist Bert, drawn by 0, 60 moves
	// Okafor Chidi - , second won by 30, 60 moves
	// Lindqvist Bert - Vermeer Anna, first won by 64, 9 moves
}
