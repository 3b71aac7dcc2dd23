package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"qipu/game"
	"qipu/ingest"
	"qipu/query"
	"qipu/record"
	"qipu/view"
)

// GuessKind is what a text is.
type GuessKind string

// The kinds of text.
const (
	GuessNothing  GuessKind = "nothing"
	GuessRecords  GuessKind = "records"
	GuessPosition GuessKind = "position" // a position text, with moves behind it or without
	GuessMoves    GuessKind = "moves"    // moves from the start of a game
	GuessQuery    GuessKind = "query"    // in the query language
	GuessWords    GuessKind = "words"    // to be searched for as they stand
)

// Guess is what a text that somebody pasted seems to be.
type Guess struct {
	Kind GuessKind `json:"kind"`

	// Of records.
	Format   string         `json:"format"`
	Records  int            `json:"records"`
	Marked   int            `json:"marked"`
	Rejected int            `json:"rejected"`
	Games    map[string]int `json:"games"` // records by game
	First    *record.Played `json:"-"`
	Faults   []view.Fault   `json:"faults"` // the first of them
	Cut      bool           `json:"cut"`    // the text is longer than what was looked at

	// Readings of a position or of moves, the likeliest first. Sure tells that
	// the first leaves no doubt.
	Readings []Reading `json:"readings"`
	Sure     bool      `json:"sure"`

	Query string `json:"query"` // as the language prints it, or as it was written where it is wrong
	Error string `json:"error"` // what is wrong with the query
}

// Reading is a game that a text of moves or a position text makes sense in.
type Reading struct {
	Game     string `json:"game"`     // as game.Catalog.Find takes it: "weiqi:9x9"
	Position string `json:"position"` // the last position
	Moves    int    `json:"moves"`    // that led to it
	Over     bool   `json:"over"`     // the game has ended there

	doubt float64 // how many bits of luck such a text would need; see surely
}

const (
	guessBytes  = 1 << 20 // of a text that are looked at
	guessFaults = 10
	lineBytes   = 16 << 10 // of a text that is tried as moves, or as a query
	largestSide = 25       // of a board that is tried
)

// GuessOf tells what a text is, from its first mebibyte. A name may be that of the
// file it comes from, or empty. It costs what reading and playing the records
// costs, a second at most.
//
// Where several readings make sense, the one wins that the text is least likely
// to fit by chance: a format before moves, moves before a query, a query before
// words; and a game in which few moves were possible before one in which many
// were.
func GuessOf(data []byte, name string, formats []record.Format, games game.Catalog) Guess {
	g := Guess{Kind: GuessNothing, Games: map[string]int{}, Faults: []view.Fault{}, Readings: []Reading{}, Cut: len(data) > guessBytes}
	data = data[:min(len(data), guessBytes)]
	head := data[:min(len(data), record.SniffLen)]
	text := strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff"))
	if text == "" {
		return g
	}
	format := record.Detect(formats, head, name)
	short := len(text) <= lineBytes && !strings.ContainsFunc(text, func(c rune) bool { return c != '\t' && c != '\n' && c != '\r' && unicode.IsControl(c) })
	if short && (format == nil || format.Sniff(head, name) < magic) {
		g.Readings = readings(text, games)
		g.Sure = surely(g.Readings)
	}
	// A line of moves can be a record too: it is one if the game is played out.
	played := len(g.Readings) > 0 && g.Readings[0].Over
	if format != nil && (len(g.Readings) == 0 || played || strings.ContainsRune(text, '\n')) {
		if g.records(data, name, formats, games); g.Records > 0 || g.Rejected > 0 && len(g.Readings) == 0 {
			g.Kind, g.Format = GuessRecords, format.Info().Name
			g.Readings, g.Sure = []Reading{}, false
			return g
		}
	}
	switch {
	case len(g.Readings) > 0:
		g.Kind = GuessMoves
		if strings.Contains(text, "/") || g.Readings[0].Moves == 0 {
			g.Kind = GuessPosition
		}
	case short && g.asks(text):
		g.Kind = GuessQuery
	default:
		g.Kind = GuessWords
	}
	return g
}

// magic is how sure a format is whose texts are nothing else.
const magic = 90

// records reads the text as records.
func (g *Guess) records(data []byte, name string, formats []record.Format, games game.Catalog) {
	if name == "" {
		name = "text"
	}
	o := ingest.Options{
		Formats: formats, Games: games, Workers: 1, Stdin: ingest.Input{Name: name, Reader: bytes.NewReader(data)},
		Sink: ingest.SinkFunc(func(p *record.Played) error {
			if g.First == nil {
				g.First = p
			}
			return nil
		}),
		OnFaultBytes: func(f *record.Fault, at []byte) {
			if len(g.Faults) < guessFaults {
				g.Faults = append(g.Faults, faultOf(f, at, len(g.Faults)+1))
			}
		},
	}
	report, err := ingest.Run(context.Background(), o, "-")
	if err != nil {
		return // only a sink or a context has errors
	}
	g.Records, g.Marked, g.Rejected, g.Games = report.Games, report.Marked, report.Rejected, report.ByGame
}

// readings returns the games in which a text is a position or a list of moves.
func readings(text string, games game.Catalog) []Reading {
	list := []Reading{}
	for _, plain := range games.Shown() {
		for _, r := range sized(plain, text) {
			p, moves, err := game.ParseLine(r, text)
			if err != nil || len(moves) == 0 && !strings.ContainsAny(text, "/.-") {
				continue // a word such as "start" is no position that somebody pastes
			}
			x := Reading{Game: r.Info().Name, Position: game.FormatPosition(r, p), Moves: len(moves), Over: p.Outcome().Over(), doubt: doubt(p, len(moves))}
			if v := r.Info().Variant; v != "" {
				x.Game += ":" + v
			}
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b Reading) int {
		switch {
		case a.doubt < b.doubt:
			return -1
		case a.doubt > b.doubt:
			return 1
		}
		return 0
	})
	return list
}

// doubt returns how many bits tell the moves that led to a position from all
// others that could have been played: the fewer, the less likely is it that
// other text looks like them. It takes the moves back.
func doubt(p game.Position, moves int) float64 {
	bits := 0.0
	var buf []game.Move
	for range moves {
		p.Undo()
		buf = p.AppendMoves(buf[:0])
		bits += math.Log2(float64(max(1, len(buf))))
	}
	return bits
}

// surely reports whether the first of several readings leaves no doubt. Three
// moves that few could have been are no accident.
func surely(list []Reading) bool {
	return len(list) == 1 || len(list) > 1 && list[0].Moves >= 3 && list[0].doubt < 0.7*list[1].doubt
}

// sized returns rules of the sizes that a text may be about: the usual one, and
// where the text is a diagram by rows, the one of the diagram.
func sized(r game.Rules, text string) []game.Rules {
	list := []game.Rules{r}
	varied, ok := r.(game.Varied)
	diagram, _, _ := strings.Cut(text, " ")
	rows := strings.Split(diagram, "/")
	if !ok || len(rows) < 2 || len(rows) > largestSide {
		return list
	}
	columns := width(rows[0])
	if size := r.Geometry().Size; columns < 1 || columns > largestSide || columns == int(size.W) && len(rows) == int(size.H) {
		return list
	}
	if other, err := varied.Variant(fmt.Sprintf("%dx%d", columns, len(rows))); err == nil {
		list = append(list, other)
	}
	return list
}

// width returns how many points a row of a diagram has: numbers are so many
// empty ones, everything else is one.
func width(row string) int {
	n := 0
	for row != "" {
		digits := 0
		for digits < len(row) && digits < 3 && row[digits] >= '0' && row[digits] <= '9' {
			digits++
		}
		if digits > 0 {
			k, _ := strconv.Atoi(row[:digits])
			n += k
			row = row[digits:]
			continue
		}
		n++
		row = row[1:]
	}
	return n
}

// asks reports whether a text is a query that says more than words, or is meant
// to be one, and keeps it.
func (g *Guess) asks(text string) bool {
	q, err := query.Parse(text)
	if err != nil {
		word, _, colon := strings.Cut(text, ":")
		if at := strings.LastIndexFunc(word, unicode.IsSpace); at >= 0 {
			word = word[at+1:]
		}
		_, known := query.FieldOf(word)
		if !colon || !known {
			return false
		}
		g.Query, g.Error = text, err.Error()
		var wrong *query.Error
		if errors.As(err, &wrong) && wrong.Hint != "" {
			g.Error = wrong.Message + ": " + wrong.Hint
		}
		return true
	}
	more := query.Some(q, func(q query.Q) bool {
		switch q := q.(type) {
		case query.And, query.Or, query.Not:
			return false
		case query.Field:
			return q.Name != "text"
		}
		return true
	})
	if more {
		g.Query = q.String()
	}
	return more
}
