package wthor

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"

	"qipu/record"
	"qipu/record/discs"
	"qipu/record/facts"
)

// maxGames is how many games one file may get. They wait in memory; the whole
// database of fifty years has a quarter of that.
const maxGames = 500_000

// Write writes a game file without tables. The numbers of players and
// tournaments are those in the tags, which must be of one edition of the
// database; a game that has names but no numbers needs WriteSet.
func (format) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	f := newFile(false)
	if err := f.addAll(games); err != nil {
		return err
	}
	return f.write(w)
}

// WriteSet writes a game file (wtb) and its tables (jou, trn): the players and
// tournaments of the games, under their numbers where all games were read from
// files of one edition, else numbered afresh in the order in which they come.
// Games that were read without tables keep their numbers, and get no tables;
// they cannot stand beside games with names. Nothing is created unless all
// games can be written.
func (format) WriteSet(create func(ext string) (io.Writer, error), games iter.Seq[*record.Game]) error {
	f := newFile(true)
	if err := f.addAll(games); err != nil {
		return err
	}
	f.restore()
	wtb, err := create("wtb")
	if err != nil {
		return err
	}
	if err := f.write(wtb); err != nil {
		return err
	}
	if err := f.players.write("jou", create); err != nil {
		return err
	}
	return f.events.write("trn", create)
}

// file collects a game file: the header comes first and counts the games, so
// the records wait in memory, 68 bytes each.
type file struct {
	players, events *register

	head     header
	theory   bool // the games have theoretical scores
	editions bool // the games come from files of different dates
	records  []byte
	came     [][3]uint16 // the numbers that the games came with
	trailing []byte
}

func newFile(fresh bool) *file {
	return &file{players: newRegister("players", unnamed, playerSize, fresh), events: newRegister("tournaments", "", tournamentSize, fresh)}
}

func (f *file) addAll(games iter.Seq[*record.Game]) error {
	n := 0
	for g := range games {
		if n++; n > maxGames {
			return fmt.Errorf("wthor: %w", record.Inexpressible("more than %d games in one file", maxGames))
		}
		if err := f.add(g, n == 1); err != nil {
			return fmt.Errorf("wthor: game %d: %w", n, err)
		}
	}
	f.head.games = uint32(n)
	if n == 0 {
		f.head.size = 8
	}
	return nil
}

// restore puts back the numbers that the games came with, where they are of one table.
func (f *file) restore() {
	for i, r := range []*register{f.events, f.players, f.players} {
		if f.editions || r.kept || r.table == nil || len(f.came) == 0 {
			continue
		}
		for j := range f.came {
			binary.LittleEndian.PutUint16(f.records[j*gameSize+2*i:], f.came[j][i])
		}
		r.restore()
	}
}

func (f *file) write(w io.Writer) error {
	for _, part := range [][]byte{f.head.append(nil), f.records, f.trailing} {
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("wthor: %w", err)
		}
	}
	return nil
}

// add appends the record of a game and checks that the header is right for it.
func (f *file) add(g *record.Game, first bool) error {
	g = g.WithoutBlanks()
	if err := discs.CheckLine(g, false); err != nil {
		return err
	}
	head, theory, err := headerOf(g)
	if err != nil {
		return err
	}
	if first {
		f.head, f.theory = head, theory
	}
	if err := f.join(head, theory); err != nil {
		return err
	}
	rec, err := f.record(g)
	if err != nil {
		return err
	}
	// Numbers of different editions of the database mean different people.
	if f.editions && (f.players.kept || f.events.kept) {
		return record.Inexpressible("numbers of players or tournaments from files of different dates, without their names")
	}
	f.records = append(f.records, rec...)
	if text := g.Tag(tagTrailing); text != "" && g.Format == formatName {
		if f.trailing, err = hex.DecodeString(text); err != nil {
			return record.Inexpressible("the bytes %q behind the last game", text)
		}
	}
	return nil
}

// join makes the header right for a further game. What speaks of the games has
// to be the same for all; what speaks of the file is dropped where it is not.
func (f *file) join(h header, theory bool) error {
	switch {
	case h.year != f.head.year:
		return record.Inexpressible("games of %d and of %d in one file", f.head.year, h.year)
	case h.empties != f.head.empties || theory != f.theory && h.empties != 0:
		// With no square empty, the theoretical score is the real one.
		return record.Inexpressible("theoretical scores for different numbers of empty squares in one file")
	case h.solitaires != f.head.solitaires:
		return record.Inexpressible("games and solitaires in one file")
	}
	if h.created != f.head.created {
		f.head.created, f.editions = [4]byte{}, true
	}
	if h.size != f.head.size {
		f.head.size = 8
	}
	if h.names != f.head.names {
		f.head.names = 0
	}
	if h.reserved != f.head.reserved {
		f.head.reserved = 0
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
		_, empties, ok := carriedTheory(g)
		h.empties = empties
		return h, ok, nil
	}
	for _, field := range []struct {
		tag   string
		short *uint16
		byte  *byte
	}{
		{tagYear, &h.year, nil}, {tagNames, &h.names, nil},
		{tagSize, nil, &h.size}, {tagSolitaires, nil, &h.solitaires}, {tagEmpties, nil, &h.empties}, {tagReserved, nil, &h.reserved},
	} {
		text, bits := g.Tag(field.tag), 8
		if field.short != nil {
			bits = 16
		}
		n, err := strconv.ParseUint(text, 10, bits)
		switch {
		case text == "":
		case err != nil:
			return h, false, record.Inexpressible("the %s %q", field.tag, text)
		case field.short != nil:
			*field.short = uint16(n)
		default:
			*field.byte = byte(n)
		}
	}
	if text := g.Tag(tagCreated); text != "" && !h.setDate(text) {
		return h, false, record.Inexpressible("the date %q", text)
	}
	return h, g.Tag(tagTheory) != "", nil
}

// record returns the 68 bytes of a game. Where they say what the bytes say
// that the game was read from, those are taken behind the end of the moves,
// where they may hold more.
func (f *file) record(g *record.Game) ([]byte, error) {
	rec := make([]byte, 0, gameSize)
	var came [3]uint16
	for i, field := range []struct {
		table     *register
		tag, name string
	}{
		{f.events, tagTournament, g.Facts.Event},
		{f.players, tagBlack, g.Facts.Players[0].Name},
		{f.players, tagWhite, g.Facts.Players[1].Name},
	} {
		n, err := field.table.number(g, field.tag, field.name)
		if err != nil {
			return nil, err
		}
		rec = binary.LittleEndian.AppendUint16(rec, n)
		came[i] = field.table.came(g, field.tag, field.name)
	}
	f.came = append(f.came, came)
	scores, err := scores(g)
	if err != nil {
		return nil, err
	}
	rec = append(rec, scores...)
	for _, n := range g.Main() {
		if n.Move == "" || discs.IsPass(n.Move) {
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
	if g.Format == formatName && len(g.Raw) == gameSize && bytes.Equal(g.Raw[scoresAt:n], rec[scoresAt:]) && (n == gameSize || g.Raw[n] == 0) {
		return append(rec, g.Raw[n:]...), nil
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
	if carried, _, ok := carriedTheory(g); ok {
		theory = int(carried)
	} else if text := g.Tag(tagTheory); text != "" && g.Format == formatName {
		n, err := strconv.ParseUint(text, 10, 8)
		if err != nil {
			return nil, record.Inexpressible("the theoretical score %q", text)
		}
		theory = int(n)
	}
	return []byte{byte(discs), byte(theory)}, nil
}

// carriedTheory returns the theoretical score that a game has brought along
// through another format, and the empty squares that it is for.
func carriedTheory(g *record.Game) (discs, empties byte, ok bool) {
	d, err1 := strconv.ParseUint(g.Tag(tagTheory), 10, 8)
	e, err2 := strconv.ParseUint(g.Tag(tagEmpties), 10, 8)
	if g.Format == formatName || err1 != nil || err2 != nil || d > 64 || e > maxMoves {
		return 0, 0, false
	}
	return byte(d), byte(e), true
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
