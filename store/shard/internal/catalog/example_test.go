package catalog_test

import (
	"context"
	"fmt"
	"os"

	"qipu/record/facts"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "library")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	db, err := catalog.Open(ctx, dir, catalog.Options{Create: true, Holder: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()

	var ids []uint32
	err = db.Update(ctx, func(tx *catalog.Tx) error {
		ids, err = tx.Add([]store.Entry{{
			Kind: "weiqi 19x19", Key: 1, Plies: 325, Format: "sgf",
			Facts: &facts.Facts{
				Players: [2]facts.Player{{Name: "Kuwahara Shusaku"}, {Name: "Gennan Inseki"}},
				Date:    facts.ParseDate("1846-09-11"), Result: facts.ParseResult(facts.BlackFirst, "B+2"),
			},
			Source: store.Source{File: "classics.zip!edo/ear-reddening.sgf", Number: 1},
			Raw:    []byte("(;GM[1]...)"),
		}})
		if err != nil {
			return err
		}
		mine, err := tx.CreateCollection("favourites", "")
		if err != nil {
			return err
		}
		return tx.Collect(mine, ids)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	games, err := db.Games(ctx, ids)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range games {
		fmt.Println(g.ID, g.Facts.Players[0].Name, "-", g.Facts.Players[1].Name, g.Facts.Date, g.Facts.Result)
	}
	_, raw, err := db.Record(ctx, ids[0])
	fmt.Println(string(raw), err)
	// Output:
	// 1 Kuwahara Shusaku - Gennan Inseki 1846-09-11 B+2
	// (;GM[1]...) <nil>
}
