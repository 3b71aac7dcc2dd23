package sample_test

import (
	"fmt"
	"io/fs"
	"testing"

	"qipu/sample"
)

// The set goes into every binary: it has to stay small.
const (
	maxFile  = 64 << 10
	maxTotal = 60 << 10
)

func TestFiles(t *testing.T) {
	files, err := fs.Glob(sample.Files(), "*")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 23 {
		t.Errorf("%d files, want 23", len(files))
	}
	total := int64(0)
	for _, name := range files {
		info, err := fs.Stat(sample.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() == 0 || info.Size() > maxFile {
			t.Errorf("%s: %d bytes, want 1 to %d", name, info.Size(), maxFile)
		}
		total += info.Size()
	}
	if total > maxTotal {
		t.Errorf("%d bytes in all, want at most %d", total, maxTotal)
	}
}

func ExampleFiles() {
	err := fs.WalkDir(sample.Files(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			fmt.Println(path)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// broken-occupied.sgf
	// go-13x13.sgf
	// go-19x19-study.sgf
	// go-9x9-1.sgf
	// go-9x9-gbk.sgf
	// go-9x9-sjis.sgf
	// go-problem.sgf
	// gomoku.psq
	// othello-1.sgf
	// othello-2.ggf
	// othello-3.txt
	// othello.jou
	// othello.trn
	// othello.wtb
	// renju-1.sgf
	// renju-2.pgn
	// renju-foul.pgn
	// xiangqi-big5.pgn
	// xiangqi-draw.xqf
	// xiangqi-hans.pgn
	// xiangqi-iccs.pgn
	// xiangqi-mates.pgn
	// xiangqi-ubb.txt
}
