package wthor

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/facts"
)

// Write writes a game file. The numbers of players and tournaments are those
// in the tags; a game that has names but no numbers needs WriteAll.
func (format) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	f := file{number: tagNumber}
	return f.writeAll(w, games)
}

// WriteAll writes a game file and its tables: the players and tournaments of
// the games, numbered afresh in the order in which they come.
func WriteAll(wtb, jou, trn io.Writer, games iter.Seq[*record.Game]) error {
	players, events := newRegister(unnamed), newRegister("")
	f := file{number: func(g *record.Game, tag string) (uint16, error) {
		switch tag {
		case tagBlack:
			return players.add(g, tag, g.Facts.Players[0].Name)
		case tagWhite:
			return players.add(g, tag, g.Facts.Players[1].Name)
		}
		return events.add(g, tag, g.Facts.Event)
	}}
	if err := f.writeAll(wtb, games); err != nil {
		return err
	}
	for _, table := range []struct {
		w     io.Writer
		list  []string
		width int
	}{{jou, players.list, playerSize}, {trn, events.list, tournamentSize}} {
		names, err := newNames(table.list, table.width)
		if err != nil {
			return err
		}
		if _, err := names.WriteTo(table.w); err != nil {
			return fmt.Errorf("wthor: %w", err)
		}
	}
	return nil
}

// register numbers names.
type register struct {
	list  []string
	index map[string]uint16
}

// newRegister returns a register whose number 0 stands for an unknown name.
func newRegister(zero string) *register {
	return &register{list: []string{zero}, index: map[string]uint16{"": 0, zero: 0}}
}

func (r *register) add(g *record.Game, tag, name string) (uint16, error) {
	if name == "" && g.Format == formatName && g.Tag(tag) != "" && g.Tag(tag) != "0" && slices.ContainsFunc(g.Faults, nameless) {
		return 0, record.Inexpressible("%s %s, whose name is not known", strings.ToLower(tag), g.Tag(tag))
	}
	n, ok := r.index[name]
	if !ok {
		if len(r.list) > math.MaxUint16-1 {
			return 0, record.Inexpressible("more than %d names", math.MaxUint16)
		}
		n = uint16(len(r.list))
		r.list = append(r.list, name)
		r.index[name] = n
	}
	return n, nil
}

func nameless(f record.Fault) bool { return f.Reason == noPlayers || f.Reason == noTournaments }

// tagNumber returns the number in a tag. Without one, the name must be unknown.
func tagNumber(g *record.Game, tag string) (uint16, error) {
	fact := g.Facts.Event
	switch tag {
	case tagBlack:
		fact = g.Facts.Players[0].Name
	case tagWhite:
		fact = g.Facts.Players[1].Name
	}
	if g.Format != formatName || g.Tag(tag) == "" {
		if fact != "" {
			return 0, record.Inexpressible("the name %q without a table of names", fact)
		}
		return 0, nil
	}
	n, err := strconv.ParseUint(g.Tag(tag), 10, 16)
	if err != nil {
		return 0, record.Inexpressible("the %s %q", strings.ToLower(tag), g.Tag(tag))
	}
	return uint16(n), nil
}

// file collects a game file: the header comes first and counts the games, so
// the records wait in memory, 68 bytes each.
type file struct {
	number   func(g *record.Game, tag string) (uint16, error)
	head     header
	theory   bool // the games have theoretical scores
	records  []byte
	trailing []byte
}

func (f *file) writeAll(w io.Writer, games iter.Seq[*record.Game]) error {
	n := 0
	for g := range games {
		n++
		if n > math.MaxInt32 {
			return record.Inexpressible("more than %d games", math.MaxInt32)
		}
		if err := f.add(g, n == 1); err != nil {
			return fmt.Errorf("game %d: %w", n, err)
		}
	}
	f.head.games = uint32(n)
	if n == 0 {
		f.head.size = 8
	}
	for _, part := range [][]byte{f.head.append(nil), f.records, f.trailing} {
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("wthor: %w", err)
		}
	}
	return nil
}

// add appends the record of a game and checks that the header is right for it.
func (f *file) add(g *record.Game, first bool) error {
	if err := check(g); err != nil {
		return err
	}
	head, theory, err := headerOf(g)
	if err != nil {
		return err
	}
	if first {
		f.head, f.theory = head, theory
	}
	if head.year != f.head.year {
		return record.Inexpressible("games of %d and of %d in one file", f.head.year, head.year)
	}
	if theory != f.theory || head.empties != f.head.empties {
		return record.Inexpressible("theoretical scores for different numbers of empty squares in one file")
	}
	rec, err := f.record(g)
	if err != nil {
		return err
	}
	f.records = append(f.records, rec...)
	if text := g.Tag(tagTrailing); text != "" && g.Format == formatName {
		if f.trailing, err = hex.DecodeString(text); err != nil {
			return record.Inexpressible("the bytes %q behind the last game", text)
		}
	}
	return nil
}

// check refuses what a record has no place for.
func check(g *record.Game) error {
	if g.Kind != othelloKind {
		return record.Inexpressible("a game of %s", g.Kind)
	}
	if g.Variant != "" && g.Variant != "8x8" {
		return record.Inexpressible("a board of %s", g.Variant)
	}
	if g.Start != "" {
		return record.Inexpressible("a start position")
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Next != 0 {
			return record.Inexpressible("a variation")
		}
		if i > 0 && n.Move == "" {
			return record.Inexpressible("a node without a move")
		}
		if n.Extra == nil {
			continue
		}
		switch {
		case n.Comment != "":
			return record.Inexpressible("a comment")
		case len(n.Setup) > 0 || n.Turn != record.Unstated:
			return record.Inexpressible("a set-up")
		case len(n.Props) > 0:
			return record.Inexpressible("the property %s", n.Props[0].Name)
		}
	}
	return nil
}

// headerOf returns the header that a game asks for, and whether it has a
// theoretical score.
func headerOf(g *record.Game) (h header, theory bool, err error) {
	h.size = 8
	if g.Format != formatName {
		year := g.Facts.Date.From.Year
		if to := g.Facts.Date.To.Year; year != to && to != 0 {
			return h, false, record.Inexpressible("a game between %d and %d", year, to)
		}
		if year < 0 || year > math.MaxUint16 {
			return h, false, record.Inexpressible("the year %d", year)
		}
		h.year = uint16(year)
		return h, false, nil
	}
	var year, names uint64
	for _, field := range []struct {
		tag   string
		value *uint64
		bits  int
	}{{tagYear, &year, 16}, {tagNames, &names, 16}} {
		if text := g.Tag(field.tag); text != "" {
			if *field.value, err = strconv.ParseUint(text, 10, field.bits); err != nil {
				return h, false, record.Inexpressible("the %s %q", field.tag, text)
			}
		}
	}
	h.year, h.names = uint16(year), uint16(names)
	for _, field := range []struct {
		tag   string
		value *byte
	}{{tagSize, &h.size}, {tagSolitaires, &h.solitaires}, {tagEmpties, &h.empties}, {tagReserved, &h.reserved}} {
		if text := g.Tag(field.tag); text != "" {
			n, err := strconv.ParseUint(text, 10, 8)
			if err != nil {
				return h, false, record.Inexpressible("the %s %q", field.tag, text)
			}
			*field.value = byte(n)
		}
	}
	if text := g.Tag(tagCreated); text != "" && !h.setDate(text) {
		return h, false, record.Inexpressible("the date %q", text)
	}
	return h, g.Tag(tagTheory) != "", nil
}

// record returns the 68 bytes of a game. Where they say what the bytes say
// that the game was read from, those are taken: they may hold more behind the
// end of the moves.
func (f *file) record(g *record.Game) ([]byte, error) {
	rec := make([]byte, 0, gameSize)
	for _, tag := range []string{tagTournament, tagBlack, tagWhite} {
		n, err := f.number(g, tag)
		if err != nil {
			return nil, err
		}
		rec = binary.LittleEndian.AppendUint16(rec, n)
	}
	scores, err := scores(g)
	if err != nil {
		return nil, err
	}
	rec = append(rec, scores...)
	for _, n := range g.Main() {
		if n.Move == "" || isPass(n.Move) {
			continue
		}
		b, err := encode(n.Move)
		if err != nil {
			return nil, err
		}
		if len(rec) == gameSize {
			return nil, record.Inexpressible("more than %d moves", maxMoves)
		}
		rec = append(rec, b)
	}
	n := len(rec)
	if g.Format == formatName && len(g.Raw) == gameSize && bytes.Equal(g.Raw[:n], rec) && (n == gameSize || g.Raw[n] == 0) {
		return g.Raw, nil
	}
	return append(rec, make([]byte, gameSize-n)...), nil
}

// scores returns the real and the theoretical score of a game.
func scores(g *record.Game) ([]byte, error) {
	discs := -1
	if text := g.Tag(tagDiscs); text != "" && g.Format == formatName {
		n, err := strconv.ParseUint(text, 10, 8)
		if err != nil {
			return nil, record.Inexpressible("the score %q", text)
		}
		discs = int(n)
	} else if discs = discsOf(g.Facts.Result); discs < 0 {
		return nil, record.Inexpressible("a result without a number of discs")
	}
	theory := discs
	if text := g.Tag(tagTheory); text != "" && g.Format == formatName {
		n, err := strconv.ParseUint(text, 10, 8)
		if err != nil {
			return nil, record.Inexpressible("the theoretical score %q", text)
		}
		theory = int(n)
	}
	return []byte{byte(discs), byte(theory)}, nil
}

// discsOf returns Black's discs with empty squares to the winner, or -1 where
// the result does not tell.
func discsOf(r facts.Result) int {
	half := r.Margin / 2
	if half != math.Trunc(half) || half < 0 || half > 32 {
		return -1
	}
	switch {
	case r.Verdict == facts.Drawn:
		return 32
	case r.Verdict == facts.FirstWon && half > 0:
		return 32 + int(half)
	case r.Verdict == facts.SecondWon && half > 0:
		return 32 - int(half)
	}
	return -1
}

func isPass(move string) bool {
	switch strings.ToLower(move) {
	case "pass", "pa", "ps", "--":
		return true
	}
	return false
}

// encode returns the byte of a move: of a square, or of a number that stands
// for a byte which is no square.
func encode(move string) (byte, error) {
	if len(move) == 2 {
		column, row := move[0]|0x20-'a'+1, move[1]-'0'
		if column >= 1 && column <= 8 && row >= 1 && row <= 8 {
			return 10*row + column, nil
		}
	}
	n, err := strconv.ParseUint(move, 10, 8)
	if err != nil || n == 0 || int(n) < len(squares) && squares[n] != "" {
		return 0, record.Inexpressible("the move %q", move)
	}
	return byte(n), nil
}
