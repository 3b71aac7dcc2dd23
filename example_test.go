package qipu_test

import (
	"context"
	"fmt"
	"iter"
	"log"
	"os"
	"path/filepath"
	"strings"

	"qipu"
	"qipu/builtin"
	"qipu/library"
	"qipu/library/ask"
	"qipu/library/players"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/sample"
)

// sampleLibrary makes a library of the demo set in a temporary folder.
func sampleLibrary(ctx context.Context) (l *qipu.Library, done func()) {
	dir, err := os.MkdirTemp("", "qipu")
	if err != nil {
		log.Fatal(err)
	}
	games := filepath.Join(dir, "games")
	if err := os.CopyFS(games, sample.Files()); err != nil {
		log.Fatal(err)
	}
	l, err = qipu.Open(ctx, filepath.Join(dir, "library"), qipu.Options{Create: true})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := l.Import(ctx, library.ImportOptions{}, games); err != nil {
		log.Fatal(err)
	}
	return l, func() {
		l.Close()
		os.RemoveAll(dir)
	}
}

// A library is a folder. Records of all formats come into it, as often as one
// likes: none is there twice.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "qipu")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	games := filepath.Join(dir, "games")
	if err := os.CopyFS(games, sample.Files()); err != nil {
		log.Fatal(err)
	}
	l, err := qipu.Open(ctx, filepath.Join(dir, "library"), qipu.Options{Create: true})
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	for range 2 {
		report, err := l.Import(ctx, library.ImportOptions{Collection: "demo"}, games)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(report.New, "new games")
	}
	// Output:
	// 28 new games
	// 0 new games
}

// A question is a text in the query language.
func ExampleLibrary_Ask() {
	ctx := context.Background()
	l, done := sampleLibrary(ctx)
	defer done()
	reply, err := l.Ask(ctx, &ask.Question{Text: `game:othello position:f5d6 player:Ada`})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Games, "games,", reply.Hits, "hits; what came next:")
	for _, c := range reply.Continuations {
		fmt.Println(query.CellName(reply.Kinds[0].Rules.Geometry(), retrieve.Anchor(reply.Bound).Pattern, c.Move.To().X(), c.Move.To().Y()), c.Count)
	}
	// Output:
	// 5 games, 5 hits; what came next:
	// c3 3
	// c4 1
	// c5 1
}

// The games of an answer can be counted by something that they have in common.
func ExampleLibrary_Ask_groups() {
	ctx := context.Background()
	l, done := sampleLibrary(ctx)
	defer done()
	reply, err := l.Ask(ctx, &ask.Question{Text: "game:othello", Request: retrieve.Request{By: retrieve.ByPlayer}})
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range reply.Groups[:2] {
		rate, low, high := g.Rate()
		fmt.Printf("%s: %d games, %.0f%% (%.0f-%.0f)\n", g.Key, g.Count, 100*rate, 100*low, 100*high)
	}
	// Output:
	// Demo Ada: 7 games, 57% (25-84)
	// Demo Bob: 5 games, 0% (0-43)
}

// What is typed of a query can be completed with the names of the library.
func ExampleLibrary_Search() {
	ctx := context.Background()
	l, done := sampleLibrary(ctx)
	defer done()
	const typed = "game:othello player:Bo"
	for _, s := range query.Complete(typed, len(typed), l.Search().Completer(ctx)) {
		fmt.Println(typed[:s.From] + s.Text)
	}
	// Output:
	// game:othello player:"Demo Bob"
	// game:othello player:demo.bob
}

// Names that are one player are counted as one, and can be told apart again.
func ExampleLibrary_Players() {
	ctx := context.Background()
	l, done := sampleLibrary(ctx)
	defer done()
	edited, err := l.Players().Merge(ctx, "The Demo", []string{"Demo Alpha", "Demo Beta"}, players.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(edited.Before.Canonical("Demo Beta"), "is now", edited.After.Canonical("Demo Beta"))
	if _, err := l.Players().Undo(ctx, edited.ID, false); err != nil {
		log.Fatal(err)
	}
	book, err := l.Players().Book(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("and", book.Canonical("Demo Beta"), "again")
	// Output:
	// Demo Beta is now The Demo
	// and Demo Beta again
}

// lines is a record format of one's own: a line is a game of Othello, two names and
// the moves.
//
//	Ada - Bela: f5d6c3d3c4
type lines struct{}

func (lines) Info() *record.FormatInfo {
	return &record.FormatInfo{Name: "lines", Title: "Lines of moves", Extensions: []string{"lines"}, Kinds: []string{"othello"}}
}

func (lines) Sniff(_ []byte, name string) int {
	if filepath.Ext(name) == ".lines" {
		return 95
	}
	return 0
}

func (lines) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		data, fault := src.Whole()
		if fault != nil {
			yield(nil, fault)
			return
		}
		number := 0
		for line := range strings.Lines(string(data)) {
			number++
			names, moves, ok := strings.Cut(strings.TrimSpace(line), ": ")
			black, white, two := strings.Cut(names, " - ")
			if !ok || !two {
				if !yield(nil, src.Fault(record.Rejected, record.KindSyntax, 0, number, number, "no names before the moves")) {
					return
				}
				continue
			}
			g := &record.Game{Kind: "othello", Format: "lines", Raw: []byte(line), Place: record.Place{File: src.Name, Line: number, Number: number}}
			g.Tags = []record.Tag{{Name: "Black", Value: black}, {Name: "White", Value: white}}
			g.Facts.Players[0].Name, g.Facts.Players[1].Name = black, white
			at := g.Add(0, record.Unstated, "")
			for ; len(moves) >= 2; moves = moves[2:] {
				at = g.Add(at, record.Unstated, moves[:2])
			}
			if !yield(g, nil) {
				return
			}
		}
	}
}

// A program may bring formats of its own, and games and engines as well.
func ExampleOpen() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "qipu")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "club.lines")
	if err := os.WriteFile(file, []byte("Ada - Bela: f5d6c3d3c4\nBela - Cleo: f5f6e6f4\nnothing\n"), 0o666); err != nil {
		log.Fatal(err)
	}
	l, err := qipu.Open(ctx, filepath.Join(dir, "library"), qipu.Options{Create: true, Formats: append(builtin.Formats(), lines{})})
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	report, err := l.Import(ctx, library.ImportOptions{}, file)
	if err != nil {
		log.Fatal(err)
	}
	reply, err := l.Ask(ctx, &ask.Question{Text: "player:Bela position:f5d6"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.New, "games,", report.Rejected, "line that is none;", reply.Games, "begins with f5 d6")
	// Output:
	// 2 games, 1 line that is none; 1 begins with f5 d6
}
