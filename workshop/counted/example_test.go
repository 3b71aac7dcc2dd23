package counted_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"qipu/builtin"
	"qipu/ingest"
	"qipu/workshop/counted"
)

// A record with marks is read, judged as if nothing were dead, and compared.
func Example() {
	dir, err := os.MkdirTemp("", "qipu-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	text := "(;GM[1]SZ[5]RU[Japanese]KM[0.5]RE[B+0.5]AB[ba][bb][cb][bc][cc][bd][be]AW[aa][da][db][dc][cd][dd][ce][de]TB[aa:ae]TW[ea:ee])"
	if err := os.WriteFile(filepath.Join(dir, "a.sgf"), []byte(text), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	boards, err := counted.Read(context.Background(), ingest.Options{Formats: builtin.Formats(), Games: builtin.Games()}, dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	methods, err := counted.Judges("fill")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := counted.Bench(context.Background(), boards, counted.Options{Methods: methods, Mistakes: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	row := r.Sets[0]
	fmt.Printf("%s: %d of %d strings, %d of %d points\n", row.Method, row.StringsRight, row.Strings, row.PointsRight, row.Points)
	fmt.Println(r.Mistakes[0].Stones, "stone said to be", r.Mistakes[0].Said)
	// Output:
	// fill: 2 of 3 strings, 20 of 25 points
	// 1 stone said to be alive
}
