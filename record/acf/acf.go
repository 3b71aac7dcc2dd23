// Package acf reads the lists in which games of checkers are handed on for programs that
// learn: one game a line, the squares of each move parted by dashes and counted from 0 to
// 31 in rows of four from the left, the result behind a tab.
//
//	10-13 21-17 5-10 22-18 13-22 27-18	1/2-1/2
//
// Even rows begin in the corner there, so that the board is the picture of the usual one in
// a mirror; squares become those of Portable Draughts Notation. The side on 0 to 11 begins,
// and 1-0 is that it has won.
package acf

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"qipu/game/checkers/squares"
	"qipu/record"
	"qipu/record/facts"
)

// Format is the format.
var Format record.Format = format{&info}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       "acf",
	Title:      "Lists of games of checkers, squares from 0",
	Extensions: []string{"acf"},
	Kinds:      []string{"checkers"},
}

// notation is that of the moves that are made of those of the file.
const notation = "squares"

// perRow is how many squares of a row have numbers.
const perRow = 4

// verdicts are the results that a line can have.
var verdicts = map[string]facts.Verdict{"1-0": facts.FirstWon, "0-1": facts.SecondWon, "1/2-1/2": facts.Drawn, "*": facts.Unknown}

// Sniff wants the first lines to be games.
func (format) Sniff(head []byte, _ string) int {
	lines := strings.Split(strings.TrimRight(string(head), "\r\n"), "\n")
	if len(head) == record.SniffLen && len(lines) > 1 {
		lines = lines[:len(lines)-1] // it may be cut
	}
	for _, line := range lines {
		if _, _, err := parse(line); err != nil {
			return 0
		}
	}
	return 80
}

// parse reads a line.
func parse(line string) (moves []string, result facts.Verdict, err error) {
	text, word, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
	result, known := verdicts[strings.TrimSpace(word)]
	if !ok || !known {
		return nil, 0, fmt.Errorf("want a result behind a tab: 1-0, 0-1, 1/2-1/2 or *")
	}
	for move := range strings.FieldsSeq(text) {
		var b []byte
		fields := strings.Split(move, "-")
		if len(fields) < 2 {
			return nil, 0, fmt.Errorf("%q is no move", move)
		}
		for i, f := range fields {
			n, err := strconv.Atoi(f)
			if err != nil || n < 0 || n >= squares.Count || len(f) > 2 {
				return nil, 0, fmt.Errorf("%q is no move: squares are 0 to %d", move, squares.Count-1)
			}
			if i > 0 {
				b = append(b, '-')
			}
			b = strconv.AppendInt(b, int64(n/perRow*perRow+perRow-n%perRow), 10)
		}
		moves = append(moves, string(b))
	}
	if len(moves) == 0 {
		return nil, 0, fmt.Errorf("the line has no move")
	}
	return moves, result, nil
}

// Read yields the games of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		limits := src.Limits.WithDefaults()
		in := bufio.NewReaderSize(src.Reader, 1<<16)
		at := record.Place{File: src.Name, Line: 1}
		for {
			raw, cut, err := line(in, limits.GameBytes)
			if len(raw) > 0 || err != nil && err != io.EOF {
				at.Number++
				if !yield(read(src, raw, cut, err, at)) {
					return
				}
			}
			if err != nil {
				if at.Number == 0 {
					yield(nil, src.Fault(record.Rejected, record.KindEmpty, 0, 0, 0, "the file is empty"))
				}
				return
			}
			at.Offset += int64(len(raw)) + cut
			at.Line++
		}
	}
}

// line returns a line with its end, and how many bytes over the limit it was.
func line(in *bufio.Reader, limit int) (raw []byte, cut int64, err error) {
	for {
		part, err := in.ReadSlice('\n')
		n := min(len(part), limit-len(raw))
		raw, cut = append(raw, part[:n]...), cut+int64(len(part)-n)
		if err != bufio.ErrBufferFull {
			return raw, cut, err
		}
	}
}

// read makes a game of a line.
func read(src *record.Source, raw []byte, cut int64, failed error, at record.Place) (*record.Game, error) {
	reject := func(kind, reason string) (*record.Game, error) {
		return nil, src.Fault(record.Rejected, kind, at.Offset, at.Line, at.Number, reason)
	}
	switch {
	case failed != nil && failed != io.EOF:
		return reject(record.KindIO, failed.Error())
	case cut > 0:
		return reject(record.KindLimit, "a line longer than the limit")
	}
	moves, result, err := parse(string(raw))
	switch {
	case err != nil:
		return reject(record.KindSyntax, err.Error())
	case len(moves) >= src.Limits.WithDefaults().Nodes:
		return reject(record.KindLimit, "more moves than the limit")
	}
	g := &record.Game{Kind: info.Kinds[0], Notation: notation, Format: info.Name, Encoding: "utf-8", Place: at, Raw: raw, Nodes: make([]record.Node, 1, len(moves)+1)}
	for i, m := range moves {
		g.Nodes = append(g.Nodes, record.Node{Parent: int32(i), Move: m})
	}
	g.Link()
	g.Facts.Result.Verdict = result
	return g, nil
}
