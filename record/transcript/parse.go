package transcript

import (
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/discs"
	"qipu/record/facts"
)

// line is what one line says.
type line struct {
	moves  []string
	at     []int32      // offsets of the moves in the line
	number int          // the number before the first move; 0 for none
	id     string       // that number as written, where it may be the game's own
	head   bool         // something else stands before the moves
	tags   []record.Tag // what stands around them
}

// field is a piece of a line without separators.
type field struct {
	from, to int
	number   int // leading move number, 0 for none
	moves    []string
	at       []int32
}

// unclear is how few moves beside other text may be something else.
const unclear = 4

// parseLine finds the moves of a line: the longest run of fields that are
// moves and move numbers.
func parseLine(text string) line {
	fields := split(text)
	from, to, most := 0, 0, 0
	for i := 0; i < len(fields); {
		if len(fields[i].moves) == 0 {
			i++
			continue
		}
		k, n, end := i, 0, i
		for k < len(fields) && (len(fields[k].moves) > 0 || fields[k].number > 0) {
			if n += len(fields[k].moves); len(fields[k].moves) > 0 {
				end = k + 1
			}
			k++
		}
		if n > most {
			from, to, most = i, end, n
		}
		i = k
	}
	if most == 0 {
		return line{}
	}
	l := line{number: fields[from].number}
	begin, digits := fields[from].from, fields[from].from
	if from == 1 && l.number == 0 && fields[0].number > 0 {
		l.number, begin, digits = fields[0].number, fields[0].from, fields[0].from
	}
	// The number of a move has one or two moves behind it.
	if l.number > 1 || l.number == 1 && len(fields[from].moves) > 2 {
		l.id = text[digits : len(text)-len(strings.TrimLeft(text[digits:], "0123456789"))]
	}
	l.moves, l.at = fields[from].moves, fields[from].at
	for _, f := range fields[from+1 : to] {
		l.moves, l.at = append(l.moves, f.moves...), append(l.at, f.at...)
	}
	before := strings.Trim(text[:begin], separators+":")
	if before != "" {
		before = l.skipName(text, before)
		l.head = true
		l.tags = append(l.tags, record.Tag{Name: tagName, Value: before})
	}
	after := strings.Trim(text[fields[to-1].to:], separators)
	if after != "" && isResult(after) {
		l.tags = append(l.tags, record.Tag{Name: tagResult, Value: after})
	} else if after != "" {
		l.tags = append(l.tags, record.Tag{Name: tagNote, Value: after})
	}
	if len(l.moves) < unclear && (before != "" || after != "" && !isResult(after)) {
		return line{}
	}
	return l
}

// skipName moves squares that end a name ("team A1 f5d6...") out of the moves:
// up to the first square that can begin a game.
func (l *line) skipName(text, before string) string {
	for i, m := range l.moves {
		if !firstMove(m) {
			continue
		}
		if i > 0 {
			before = strings.Trim(text[:l.at[i]], separators+":")
			l.moves, l.at, l.number, l.id = l.moves[i:], l.at[i:], 0, ""
		}
		break
	}
	return before
}

// separators part fields.
const separators = " \t,;|\"'"

func split(text string) []field {
	var list []field
	for i := 0; i < len(text); {
		if strings.IndexByte(separators, text[i]) >= 0 {
			i++
			continue
		}
		f := field{from: i}
		for i < len(text) && strings.IndexByte(separators, text[i]) < 0 {
			i++
		}
		f.to = i
		f.read(text)
		list = append(list, f)
	}
	return list
}

// read finds the move number and the moves of a field: "12.f5", "f5d6", "12.".
func (f *field) read(text string) {
	i := f.from
	for i < f.to && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	if i > f.from && i-f.from <= 3 && (i == f.to || text[i] == '.' || text[i] == ')') {
		f.number, _ = strconv.Atoi(text[f.from:i])
		for i < f.to && (text[i] == '.' || text[i] == ')') {
			i++
		}
	} else {
		i = f.from
	}
	good, bad := 0, 0
	if n := (f.to - i) / 2; n > 0 {
		f.moves, f.at = make([]string, 0, n), make([]int32, 0, n)
	}
	for i < f.to {
		move, n := next(text[i:f.to])
		switch {
		case n == 0:
			i++ // a dash or dot between squares
			continue
		case move != "":
			good++
		default:
			bad++
			move = strings.ToLower(text[i : i+n])
		}
		f.moves, f.at = append(f.moves, move), append(f.at, int32(i))
		i += n
	}
	// Text that happens to hold a square is no move; squares among which
	// something is wrong are.
	if bad > 0 && (good < unclear || bad*3 > good) {
		f.moves, f.at = nil, nil
	}
	if good == 0 && bad == 0 && f.number == 0 {
		f.moves, f.at = nil, nil
	}
}

// next returns the move that a text begins with and its length. An empty move
// is something else of that length; length 0 is a separator.
func next(text string) (move string, n int) {
	c := text[0] | 0x20
	switch {
	case c >= 'a' && c <= 'h' && len(text) > 1 && text[1] >= '1' && text[1] <= '8' && (len(text) == 2 || text[2] < '0' || text[2] > '9'):
		return discs.Square(8*int(text[1]-'1') + int(c-'a')), 2
	case hasFold(text, discs.Pass):
		return discs.Pass, 4
	case hasFold(text, "pa"), hasFold(text, "ps"), strings.HasPrefix(text, "--"):
		return discs.Pass, 2
	case text[0] == '-' || text[0] == '.' || text[0] == '/':
		return "", 0
	}
	n = 1
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || text[n] >= 0x80) {
		n++
	}
	return "", n
}

func hasFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// firstMove reports whether a game from the usual start can begin with a move.
func firstMove(move string) bool {
	return move == "f5" || move == "c4" || move == "d3" || move == "e6"
}

// cutComment returns the text of a comment line, and whether it is one.
func cutComment(text string) (string, bool) { return discs.CutComment(text, "##", "#", "%", "//") }

// titles reads the line of titles of a table, or nil.
func titles(text string) (columns []string, comma string) {
	for _, comma := range []string{"\t", ";", ","} {
		if !strings.Contains(text, comma) {
			continue
		}
		columns := strings.Split(text, comma)
		found := false
		for i := range columns {
			columns[i] = unquote(columns[i])
			if columns[i] == "" {
				return nil, ""
			}
			found = found || isMovesTitle(columns[i])
		}
		if found {
			return columns, comma
		}
	}
	return nil, ""
}

func isMovesTitle(title string) bool {
	switch strings.ToLower(title) {
	case "moves", "game_moves", "transcript", "kifu", "record":
		return true
	}
	return false
}

func unquote(cell string) string { return strings.Trim(strings.TrimSpace(cell), `"`) }

// row reads a line of a table.
func (r *reader) row(text string) line {
	cells := strings.Split(text, r.comma)
	if len(cells) != len(r.columns) {
		return parseLine(text)
	}
	var l line
	at := 0
	for i, cell := range cells {
		value := unquote(cell)
		if isMovesTitle(r.columns[i]) && len(l.moves) == 0 {
			inner := parseLine(value)
			l.moves, l.at = inner.moves, inner.at
			shift := int32(at + max(0, strings.Index(cell, value)))
			for k := range l.at {
				l.at[k] += shift
			}
			l.tags = append(l.tags, inner.tags...)
		} else if value != "" {
			l.tags = append(l.tags, record.Tag{Name: r.columns[i], Value: value})
		}
		at += len(cell) + len(r.comma)
	}
	return l
}

// meanings are the headers that say facts, by their names in small letters.
var meanings = map[string]func(f *facts.Facts, value string){
	"black":        func(f *facts.Facts, value string) { f.Players[0].Name = value },
	"black_player": func(f *facts.Facts, value string) { f.Players[0].Name = value },
	"white":        func(f *facts.Facts, value string) { f.Players[1].Name = value },
	"white_player": func(f *facts.Facts, value string) { f.Players[1].Name = value },
	"blackrating":  func(f *facts.Facts, value string) { f.Players[0].Rating = facts.ParseRating(value) },
	"whiterating":  func(f *facts.Facts, value string) { f.Players[1].Rating = facts.ParseRating(value) },
	"event":        func(f *facts.Facts, value string) { f.Event = value },
	"tournament":   func(f *facts.Facts, value string) { f.Event = value },
	"round":        func(f *facts.Facts, value string) { f.Round = value },
	"place":        func(f *facts.Facts, value string) { f.Place = value },
	"site":         func(f *facts.Facts, value string) { f.Place = value },
	"date":         func(f *facts.Facts, value string) { f.Date = facts.ParseDate(value) },
	"opening":      func(f *facts.Facts, value string) { f.Opening = value },
	"source":       func(f *facts.Facts, value string) { f.Source = value },
	"author":       func(f *facts.Facts, value string) { f.Author = value },
	"time":         func(f *facts.Facts, value string) { f.Time = value },
	"result": func(f *facts.Facts, value string) {
		var ok bool
		if f.Result, ok = result(value); !ok {
			f.Result = facts.ParseResult(facts.BlackDiscs, value)
		}
	},
	"winner": func(f *facts.Facts, value string) {
		switch value {
		case "1":
			f.Result.Verdict = facts.FirstWon
		case "-1":
			f.Result.Verdict = facts.SecondWon
		case "0":
			f.Result.Verdict = facts.Drawn
		}
	},
}

// interpret draws the facts from the tags.
func interpret(g *record.Game) {
	for _, t := range g.Tags {
		if set := meanings[strings.ToLower(t.Name)]; set != nil {
			set(&g.Facts, t.Value)
		}
	}
}

// isResult reports whether a text is nothing but a result.
func isResult(text string) bool {
	_, ok := result(text)
	return ok
}

// result reads "34-30", "B+4", "W+10", "draw", "1-0"; of a number with a sign
// it only tells that it is a result.
func result(text string) (facts.Result, bool) {
	text = strings.ToLower(strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "()[]")))
	switch text {
	case "draw", "d", "1/2-1/2", "32-32":
		return facts.Result{Verdict: facts.Drawn}, true
	case "1-0":
		return facts.Result{Verdict: facts.FirstWon}, true
	case "0-1":
		return facts.Result{Verdict: facts.SecondWon}, true
	case "":
		return facts.Result{}, false
	}
	if b, w, ok := strings.Cut(text, "-"); ok && b != "" {
		return byDiscs(b, w)
	}
	if text[0] == '+' || text[0] == '-' {
		n, err := strconv.Atoi(text)
		return facts.Result{}, err == nil && n >= -64 && n <= 64
	}
	winner, margin, ok := strings.Cut(text, "+")
	n, err := strconv.Atoi(margin)
	if !ok || err != nil && margin != "" || n < 0 || n > 64 {
		return facts.Result{}, false
	}
	switch winner {
	case "b", "black":
		return facts.Result{Verdict: facts.FirstWon, Margin: float64(n)}, true
	case "w", "white":
		return facts.Result{Verdict: facts.SecondWon, Margin: float64(n)}, true
	}
	return facts.Result{}, false
}

// byDiscs reads the discs of both sides. Where they do not fill the board it is
// not said whether empty squares were counted, and the margin is unknown.
func byDiscs(black, white string) (facts.Result, bool) {
	b, err1 := strconv.ParseUint(strings.TrimSpace(black), 10, 8)
	w, err2 := strconv.ParseUint(strings.TrimSpace(white), 10, 8)
	if err1 != nil || err2 != nil || b+w > 64 || b+w < 4 {
		return facts.Result{}, false
	}
	r := facts.Result{Verdict: facts.Drawn}
	switch {
	case b > w:
		r.Verdict = facts.FirstWon
	case w > b:
		r.Verdict = facts.SecondWon
	}
	if b+w == 64 && b != w {
		r.Margin = float64(max(b, w) - min(b, w))
	}
	return r, true
}
