package players_test

import (
	"fmt"
	"slices"

	"qipu/library/players"
)

func ExampleIdentities_Canonical() {
	book := players.NewBook([]players.Edit{
		{ID: 1, Op: players.Merge, Names: []string{"Ke Jie", "kejie2019"}},
	})
	fmt.Println(book.Canonical("kejie2019"), book.Canonical("李世石"), book.Canonical("上海胡榮華"))
	// Output: Ke Jie Lee Sedol Hu Ronghua
}

func ExampleIdentities_Find() {
	library := []string{"胡榮華", "上海胡榮華", "Iyama Yuta", "이세돌"}
	book := players.NewBook(nil)
	for _, query := range []string{"Hu Ronghua", "いやま", "Lee Sedol"} {
		fmt.Println(book.Find(query, slices.Values(library)))
	}
	// Output:
	// [胡榮華 上海胡榮華]
	// [Iyama Yuta]
	// [이세돌]
}
