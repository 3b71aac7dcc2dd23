package wthor

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/discs"
	"qipu/record/facts"
)

const formatName = "wthor"

// The tags of a game: what its record and the header of its file say, in
// numbers. The last five are there only where they are not what they always
// are.
const (
	tagBlack      = "Black"              // number of the player
	tagWhite      = "White"              //
	tagTournament = "Tournament"         // number of the tournament
	tagYear       = "Year"               //
	tagDiscs      = "BlackDiscs"         // real score
	tagTheory     = "TheoreticalDiscs"   // theoretical score
	tagEmpties    = "TheoreticalEmpties" // empty squares that it is for
	tagCreated    = "Created"            // date of the file
	tagSize       = "P1"                 // board size where it is not 8
	tagSolitaires = "P2"                 // kind of file where it is not 0
	tagNames      = "N2"                 // number of names where it is not 0
	tagReserved   = "Reserved"           // last byte of the header where it is not 0
	tagTrailing   = "TrailingBytes"      // what follows the last game, in hexadecimal
	plainTags     = 8                    // tags that every game has
	maxTrailing   = 4096                 // bytes kept behind the last game
	chunkGames    = 60                   // games read at a time: one memory page, which Raw shares
	latinEncoding = "iso-8859-1"
)

// Format is the WTHOR format.
var Format record.Format = format{&info}

var (
	_ record.Writer    = format{}
	_ record.SetWriter = format{}
)

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       formatName,
	Title:      "WTHOR database",
	Extensions: []string{"wtb", "jou", "trn"},
	Kinds:      []string{discs.Kind},
	Companions: true,
	Keeps:      "players, event, year, scores and moves",
}

// Notation tells that moves are squares, and that passes are left out.
func (format) Notation(string) (name string, passes bool) { return discs.Notation, false }

// Sniff knows a file by its header and first record. There is no magic number,
// but sixteen bytes that nearly all have to be what they are.
func (f format) Sniff(head []byte, name string) int {
	byName := 0
	if f.Named(name) {
		byName = 15
	}
	if len(head) < headerSize {
		return byName
	}
	h := parseHeader(head)
	switch {
	case !h.plausible():
		return byName
	case h.table():
		if h.year == 0 && h.size == 0 && h.empties == 0 && nameLike(head[headerSize:]) {
			return 80 + byName
		}
	case h.games > 0 && h.names == 0 && h.size != 10:
		if len(head) >= headerSize+gameSize && gameLike(head[headerSize:headerSize+gameSize]) {
			return 80 + byName
		}
	}
	return byName
}

// nameLike reports whether a table begins with a padded name.
func nameLike(b []byte) bool {
	n := 0
	for n < len(b) && b[n] >= ' ' && b[n] != 0x7F {
		n++
	}
	return n > 0 && n < len(b) && n <= tournamentSize && (n == tournamentSize || b[n] == 0)
}

// gameLike reports whether a record can be a game: scores within bounds,
// squares until an end, none of them twice, nothing behind.
func gameLike(rec []byte) bool {
	if rec[6] > 64 || rec[7] > 64 || rec[movesAt] == 0 {
		return false
	}
	var seen [len(squares)]bool
	ended := false
	for _, b := range rec[movesAt:gameSize] {
		if b == 0 {
			ended = true
			continue
		}
		if ended || int(b) >= len(squares) || squares[b] == "" || seen[b] {
			return false
		}
		seen[b] = true
	}
	return true
}

// squares holds the text of every byte that is a square.
var squares = makeSquares()

func makeSquares() (table [89]string) {
	for i := range 64 {
		table[10*(i/8+1)+i%8+1] = discs.Square(i)
	}
	return table
}

// Read yields the games of a file; a table yields none.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		r := &reader{src: src, yield: yield}
		if fault := r.open(); fault != nil {
			yield(nil, fault)
			return
		}
		if !r.head.table() && !strings.HasSuffix(strings.ToLower(src.Name), ".jou") && !strings.HasSuffix(strings.ToLower(src.Name), ".trn") {
			r.games()
		}
	}
}

// reader reads one game file.
type reader struct {
	src     *record.Source
	yield   func(*record.Game, error) bool
	head    header
	fields  []record.Tag // the tags that come from the header, the same for all games
	date    facts.Date
	players *Names // nil where no table was found
	events  *Names
	lost    []record.Fault // faults that every game has, because of the tables

	numerals []string // texts of numbers, made on demand

	// The last game read waits until it is known whether anything odd follows.
	pending  *record.Game
	count    int // games so far
	offset   int64
	trailing []byte
	behind   int64 // bytes behind the last game
}

// open reads the header and the tables.
func (r *reader) open() *record.Fault {
	var b [headerSize]byte
	if n, err := io.ReadFull(r.src.Reader, b[:]); err != nil {
		switch {
		case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return r.fault(record.KindIO, err.Error())
		case n == 0:
			return r.fault(record.KindEmpty, "the file is empty")
		}
		return r.fault(record.KindSyntax, "the file is shorter than a WTHOR header")
	}
	r.offset = headerSize
	r.head = parseHeader(b[:])
	if r.head.table() {
		return r.checkTable(b[:])
	}
	if r.head.size != 0 && r.head.size != 8 {
		return r.fault(record.KindUnknown, fmt.Sprintf("a file for boards of %dx%d: only 8x8 can be read", r.head.size, r.head.size))
	}
	r.headerFields()
	r.players = r.table(".jou", true)
	r.events = r.table(".trn", false)
	return nil
}

// checkTable reads a table for its faults.
func (r *reader) checkTable(head []byte) *record.Fault {
	data, err := io.ReadAll(io.LimitReader(io.MultiReader(strings.NewReader(string(head)), r.src.Reader), maxTable))
	if err != nil {
		return r.fault(record.KindIO, err.Error())
	}
	if _, err := ParseNames(data); err != nil {
		return r.fault(record.KindSyntax, strings.TrimPrefix(err.Error(), "wthor: "))
	}
	return nil
}

func (r *reader) fault(kind, reason string) *record.Fault {
	return r.src.Fault(record.Rejected, kind, r.offset, 0, 0, reason)
}

// headerFields makes what all games of the file share.
func (r *reader) headerFields() {
	h := &r.head
	r.fields = []record.Tag{
		{Name: tagYear, Value: strconv.Itoa(int(h.year))},
		{Name: tagEmpties, Value: strconv.Itoa(int(h.empties))},
		{Name: tagCreated, Value: h.date()},
	}
	odd := func(name string, value, usual int) {
		if value != usual {
			r.fields = append(r.fields, record.Tag{Name: name, Value: strconv.Itoa(value)})
		}
	}
	odd(tagSize, int(h.size), 8)
	odd(tagSolitaires, int(h.solitaires), 0)
	odd(tagNames, int(h.names), 0)
	odd(tagReserved, int(h.reserved), 0)
	if h.year > 0 {
		day := facts.Day{Year: int(h.year)}
		r.date = facts.Date{From: day, To: day}
	}
	if h.solitaires == 1 {
		r.note(record.KindHeader, "the file says that it holds solitaires, not games")
	}
}

// note adds a note to all games of the file.
func (r *reader) note(kind, reason string) {
	r.lost = append(r.lost, record.Fault{Severity: record.Note, Kind: kind, Reason: reason})
}

// table finds and reads the table with this extension beside the file.
func (r *reader) table(ext string, players bool) *Names {
	missing := noTournaments
	if players {
		missing = noPlayers
	}
	if r.src.Sibling != nil {
		for _, stem := range tableStems(r.src.Name) {
			other, err := r.src.Sibling(stem + ext)
			if err != nil || other == nil {
				continue
			}
			names, err := readTable(other, players)
			if err == nil {
				return names
			}
			r.note(record.KindHeader, fmt.Sprintf("the table %s: %s", other.Name, strings.TrimPrefix(err.Error(), "wthor: ")))
		}
	}
	r.note(record.KindHeader, missing)
	return nil
}

// tableStems returns the names that the tables of a game file may have, without
// extension, the likeliest first.
func tableStems(file string) []string {
	if i := strings.LastIndexAny(file, `/\!`); i >= 0 {
		file = file[i+1:]
	}
	stem := file
	if i := strings.LastIndexByte(file, '.'); i >= 0 {
		stem = file[:i]
	}
	list := []string{stem}
	for _, name := range []string{strings.TrimRight(stem, "_-0123456789"), "WTHOR", "WTH"} {
		known := name == ""
		for _, have := range list {
			known = known || strings.EqualFold(have, name)
		}
		if !known {
			list = append(list, name)
		}
	}
	return list
}

func readTable(src *record.Source, players bool) (*Names, error) {
	data, err := io.ReadAll(io.LimitReader(src.Reader, maxTable))
	if err != nil {
		return nil, err
	}
	names, err := ParseNames(data)
	if err == nil && names.Players() != players {
		err = errors.New("the names have the wrong length")
	}
	return names, err
}

// games yields the games. A chunk is read into memory of its own, because the
// games keep their parts of it.
func (r *reader) games() {
	for {
		buf := make([]byte, chunkGames*gameSize)
		n, err := io.ReadFull(r.src.Reader, buf)
		if !r.chunk(buf[:n]) {
			return
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			r.finish()
			return
		}
		if err != nil {
			if r.flush() {
				r.yield(nil, r.fault(record.KindIO, err.Error()))
			}
			return
		}
	}
}

// chunk yields the games of a part of the file, which holds whole records
// unless it is the last.
func (r *reader) chunk(b []byte) bool {
	for ; len(b) >= gameSize; b = b[gameSize:] {
		rec := b[:gameSize:gameSize]
		extra := uint64(r.count) >= uint64(r.head.games)
		if extra && (r.behind > 0 || !gameLike(rec)) {
			r.keep(rec)
			continue
		}
		if !r.flush() {
			return false
		}
		r.pending = r.game(rec)
		if extra {
			r.pending.Fault(record.Marked, record.KindHeader, 0, "behind the %d games that the header announces", r.head.games)
		}
	}
	if len(b) > 0 {
		r.keep(b)
	}
	return true
}

// keep collects bytes that are no game.
func (r *reader) keep(b []byte) {
	r.trailing = append(r.trailing, b[:min(len(b), maxTrailing-len(r.trailing))]...)
	r.behind += int64(len(b))
}

// flush yields the game that waits.
func (r *reader) flush() bool {
	g := r.pending
	r.pending = nil
	return g == nil || r.yield(g, nil)
}

// finish yields the last game and what is to be said about the end of the
// file.
func (r *reader) finish() {
	short := uint64(r.count) < uint64(r.head.games)
	if r.behind > 0 && !short && r.pending != nil {
		g := r.pending
		reason := fmt.Sprintf("%d bytes that are no game follow the last one", r.behind)
		if r.behind <= maxTrailing {
			g.Tags = append(g.Tags, record.Tag{Name: tagTrailing, Value: hex.EncodeToString(r.trailing)})
		} else {
			reason += "; they are not kept"
		}
		g.Fault(record.Note, record.KindSyntax, 0, "%s", reason)
	}
	if !r.flush() {
		return
	}
	switch {
	case short:
		r.yield(nil, r.fault(record.KindSyntax, fmt.Sprintf("the header announces %d games, the file ends after %d and %d bytes",
			r.head.games, r.count, r.behind)))
	case r.behind > 0 && r.count == 0:
		r.yield(nil, r.fault(record.KindSyntax, fmt.Sprintf("the header announces no games, %d bytes follow", r.behind)))
	}
}

// numeral returns the text of a number without allocating it each time.
func (r *reader) numeral(n int) string {
	if n < 100 {
		return strconv.Itoa(n) // allocates nothing
	}
	if n >= len(r.numerals) {
		r.numerals = append(r.numerals, make([]string, n+1-len(r.numerals)+n/2)...)
	}
	if r.numerals[n] == "" {
		r.numerals[n] = strconv.Itoa(n)
	}
	return r.numerals[n]
}
