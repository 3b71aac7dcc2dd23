// Package fifth is a game outside the tree, as somebody else would have it:
// Breakthrough with a format of its own, an evaluation and named openings, in one
// bundle. Its test takes it through everything that the program does with games.
package fifth

import (
	"bytes"
	"io"
	"iter"
	"path"
	"strings"

	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/gametest/breakthrough"
	"qipu/record"
	"qipu/record/facts"
)

// Game is Breakthrough with all that the program has to know of it.
var Game = builtin.Game{
	Rules:   breakthrough.Rules{},
	Formats: []record.Format{Lines},
	Engine:  builtin.Reads(advance{}, 0),
	PGN:     true,
}

// advance values pawns, and how far they have come.
type advance struct{}

func (advance) Evaluate(p game.Position) engine.Value {
	planes := p.(game.Planar).Planes()
	value := 0
	for at := range planes.Of[game.First].Points() {
		value += 10 + 7 - at.Y()
	}
	for at := range planes.Of[game.Second].Points() {
		value -= 10 + at.Y()
	}
	if p.Turn() == game.Second {
		value = -value
	}
	return engine.Value(value) * engine.Unit / 10
}

// Lines is a format with a game a line: players, date, result, moves.
//
//	Ann - Bob; 2021-05-04; W+; e2e3 e7e6
var Lines lines

type lines struct{}

var (
	_ record.Format = Lines
	_ record.Writer = Lines
)

var info = record.FormatInfo{
	Name: "btl", Title: "Breakthrough lines", Extensions: []string{"btl"}, Kinds: []string{"breakthrough"},
	Keeps: "players, date, result and moves",
}

func (lines) Info() *record.FormatInfo { return &info }

func (lines) Notation(string) (string, bool) { return "squares", false }

// Sniff knows a file by its name and by the semicolons of its first line.
func (lines) Sniff(head []byte, name string) int {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	if bytes.Count(first, []byte(";")) == 3 && path.Ext(name) == ".btl" {
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
		offset := int64(0)
		for n, line := range bytes.SplitAfter(data, []byte("\n")) {
			at := offset
			offset += int64(len(line))
			cells := strings.Split(strings.TrimSpace(string(line)), ";")
			if len(cells) == 1 && cells[0] == "" {
				continue
			}
			if len(cells) != 4 {
				if !yield(nil, src.Fault(record.Rejected, record.KindSyntax, at, n+1, n+1, "a line has players, date, result and moves")) {
					return
				}
				continue
			}
			g := &record.Game{Kind: "breakthrough", Notation: "squares", Format: info.Name, Encoding: "utf-8", Raw: line,
				Place: record.Place{File: src.Name, Offset: at, Line: n + 1, Number: n + 1}}
			first, second, _ := strings.Cut(cells[0], " - ")
			g.Facts.Players = [2]facts.Player{{Name: facts.CleanName(first)}, {Name: facts.CleanName(second)}}
			g.Facts.Date = facts.ParseDate(cells[1])
			g.Facts.Result = facts.ParseResult(facts.WhiteFirst, cells[2])
			last := g.Add(0, record.Unstated, "")
			for _, move := range strings.Fields(cells[3]) {
				last = g.Add(last, record.Unstated, move)
			}
			if !yield(g, nil) {
				return
			}
		}
	}
}

func (lines) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	return record.WriteEach(w, &info, games, func(dst []byte, g *record.Game) ([]byte, error) {
		if g.Start != "" {
			return dst, record.Inexpressible("a start of its own")
		}
		f := &g.Facts
		dst = append(dst, f.Players[0].Name+" - "+f.Players[1].Name+"; "+f.Date.SGF()+"; "+f.Result.SGF(facts.WhiteFirst)+";"...)
		for _, n := range g.Main() {
			if n.Move != "" {
				dst = append(append(dst, ' '), n.Move...)
			}
		}
		return append(dst, '\n'), nil
	})
}
