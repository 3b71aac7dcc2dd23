package pdn

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"

	"qipu/game/checkers/squares"
	"qipu/record"
	"qipu/record/facts"
)

// Format is the format.
var Format record.Format = format{&info}

var _ record.Writer = format{}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       "pdn",
	Title:      "Portable Draughts Notation",
	Extensions: []string{"pdn"},
	Kinds:      []string{"checkers"},
}

// notation is that of the moves; a move by all of its squares is one of it, too.
const notation = "pdn"

// The properties of nodes, and the word that means checkers under GameType.
const (
	propNAG    = "NAG"
	propSuffix = "Suffix"
	ourType    = "21"
)

// Notation tells that moves are written by the numbers of squares.
func (format) Notation(string) (name string, passes bool) { return notation, false }

// Sniff wants moves by numbers of squares among what looks like PGN.
func (f format) Sniff(head []byte, name string) int {
	byName := 0
	if f.Named(name) {
		byName = 20
	}
	text := strings.TrimPrefix(string(head), "\uFEFF")
	if strings.IndexByte(text, 0) >= 0 || strings.IndexByte(text, '\t') >= 0 && !strings.Contains(text, "[") {
		return 0
	}
	moves, other := 0, 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "[") || strings.HasPrefix(line, "{") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			_, word = cutNumber(word)
			switch word = strings.TrimRight(word, "!?*"); {
			case word == "" || isResult(word):
			case isMove(word):
				moves++
			default:
				other++
			}
		}
	}
	switch {
	case moves > 0 && moves >= other:
		return 70 + byName
	case strings.Contains(text, `[GameType "`+ourType):
		return 60 + byName
	}
	return byName
}

// isMove reports whether a word is numbers of squares with signs between them.
func isMove(word string) bool {
	numbers, digits := 1, 0
	for i := range len(word) {
		switch c := word[i]; {
		case c >= '0' && c <= '9':
			digits++
		case (c == '-' || c == 'x' || c == 'X' || c == ':') && digits > 0:
			numbers, digits = numbers+1, 0
		default:
			return false
		}
		if digits > 2 {
			return false
		}
	}
	return numbers > 1 && digits > 0 && !isResult(word)
}

// results are the words that end the moves, with what they mean.
var results = map[string]facts.Verdict{
	"1-0": facts.FirstWon, "2-0": facts.FirstWon, "0-1": facts.SecondWon, "0-2": facts.SecondWon,
	"1/2-1/2": facts.Drawn, "1-1": facts.Drawn, "*": facts.Unknown, "0-0": facts.Unknown,
}

func isResult(word string) bool {
	_, ok := results[word]
	return ok
}

// cutNumber cuts the number of a move off a word: "12.", "12...11-15".
func cutNumber(word string) (number, rest string) {
	rest = strings.TrimLeft(word, "0123456789")
	if len(rest) == len(word) || !strings.HasPrefix(rest, ".") {
		return "", word
	}
	number = word[:len(word)-len(rest)]
	return number, strings.TrimLeft(rest, ".")
}

// Read yields the games of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		limit := src.Limits.WithDefaults().GameBytes
		c := cutter{in: bufio.NewReaderSize(src.Reader, 1<<16), limit: limit, line: 1}
		for number := 0; ; {
			raw, at, err := c.next()
			at.Number = number + 1
			switch {
			case err == io.EOF && len(raw) == 0:
				if number == 0 {
					yield(nil, src.Fault(record.Rejected, record.KindEmpty, 0, 0, 0, "the file has no game"))
				}
				return
			case err != nil && err != io.EOF:
				yield(nil, src.Fault(record.Rejected, record.KindIO, at.Offset, at.Line, number+1, err.Error()))
				return
			}
			number++
			if !yield(read(src, raw, limit, at)) {
				return
			}
		}
	}
}

// read makes a game of its bytes.
func read(src *record.Source, raw []byte, limit int, at record.Place) (*record.Game, error) {
	if len(raw) > limit {
		return nil, src.Fault(record.Rejected, record.KindLimit, at.Offset, at.Line, at.Number, fmt.Sprintf("the game is longer than %d bytes, the limit", limit))
	}
	g, text, fault := src.Game(&info, notation, raw, "", at)
	if fault != nil {
		return nil, fault
	}
	p := parser{game: g, text: text, limits: src.Limits.WithDefaults()}
	if reason := p.parse(); reason != "" {
		return nil, src.Fault(record.Rejected, record.KindSyntax, at.Offset, at.Line, at.Number, reason)
	}
	return g, nil
}

// cutter cuts a file into games: each begins with the first tag behind moves.
type cutter struct {
	in     *bufio.Reader
	limit  int
	offset int64
	line   int
	held   []byte // a line that belongs to the next game
}

// next returns the bytes of a game. Of one that is too long it returns what is just
// over the limit.
func (c *cutter) next() (raw []byte, at record.Place, err error) {
	at = record.Place{Offset: c.offset, Line: c.line}
	moves, comment := false, false
	take := func(line []byte) {
		c.offset += int64(len(line))
		c.line += strings.Count(string(line), "\n")
		if room := c.limit + 1 - len(raw); room > 0 {
			raw = append(raw, line[:min(room, len(line))]...)
		}
	}
	for {
		line := c.held
		c.held = nil
		if line == nil {
			if line, err = c.in.ReadSlice('\n'); err == bufio.ErrBufferFull {
				err = nil
			}
		}
		text := strings.TrimSpace(strings.TrimPrefix(string(line), "\uFEFF"))
		tag := !comment && strings.HasPrefix(text, "[")
		if tag && moves {
			c.held = append([]byte{}, line...)
			return raw, at, nil
		}
		if !tag && text != "" {
			moves = true
			comment = inComment(text, comment)
		}
		if text != "" || len(raw) > 0 {
			take(line)
		} else {
			take(nil)
			c.offset += int64(len(line))
			c.line += strings.Count(string(line), "\n")
			at = record.Place{Offset: c.offset, Line: c.line}
		}
		if err != nil {
			return raw, at, err
		}
	}
}

// inComment reports whether a comment in braces goes on behind a line.
func inComment(line string, in bool) bool {
	for i := range len(line) {
		switch {
		case in:
			in = line[i] != '}'
		case line[i] == ';':
			return false
		default:
			in = line[i] == '{'
		}
	}
	return in
}

// start returns the position text of a FEN tag.
func start(fen string) (string, error) {
	if strings.TrimSpace(fen) == "" {
		return "", nil
	}
	return squares.Rows(fen)
}
