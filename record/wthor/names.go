package wthor

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"qipu/record"
)

// Names is a table of players or of tournaments. It is immutable and safe for
// concurrent use.
type Names struct {
	data  []byte // the whole file
	width int    // bytes of a record
	list  []string
}

// maxTable is the size of the largest table there can be, with room for bytes
// behind it.
const maxTable = headerSize + 1<<16*tournamentSize

// ParseNames reads a table. It keeps data, which the caller must not change
// any more.
func ParseNames(data []byte) (*Names, error) {
	if len(data) < headerSize {
		return nil, errors.New("wthor: the table is shorter than a header")
	}
	h := parseHeader(data)
	if !h.table() {
		return nil, errors.New("wthor: no table of names: the header announces none")
	}
	body := data[headerSize:]
	width := tableWidth(body, int(h.names))
	if width == 0 {
		return nil, fmt.Errorf("wthor: %d names in %d bytes: neither players of %d nor tournaments of %d bytes",
			h.names, len(body), playerSize, tournamentSize)
	}
	n := &Names{data: data, width: width, list: make([]string, h.names)}
	for i := range n.list {
		field, _, _ := bytes.Cut(body[i*width:(i+1)*width], []byte{0})
		n.list[i] = latin1(field)
	}
	return n, nil
}

// tableWidth tells how long the records of a table are, by its length or, where
// bytes follow the names, by where the names begin; 0 if neither fits.
func tableWidth(body []byte, names int) int {
	for _, width := range []int{playerSize, tournamentSize} {
		if len(body) == names*width {
			return width
		}
	}
	best, width := names*8/10, 0
	for _, w := range []int{playerSize, tournamentSize} {
		if len(body) < names*w {
			continue
		}
		starts := 1
		for i := 1; i < names; i++ {
			if body[i*w] != 0 && body[i*w-1] == 0 {
				starts++
			}
		}
		if starts > best {
			best, width = starts, w
		}
	}
	return width
}

// Players reports whether the names are those of players, not of tournaments.
func (n *Names) Players() bool { return n.width == playerSize }

// Len returns the number of names.
func (n *Names) Len() int { return len(n.list) }

// Name returns a name, or "" where the table has no such number.
func (n *Names) Name(number int) string {
	if number < 0 || number >= len(n.list) {
		return ""
	}
	return n.list[number]
}

// WriteTo writes the table as a file; one that was read is written unchanged.
func (n *Names) WriteTo(w io.Writer) (int64, error) {
	k, err := w.Write(n.data)
	return int64(k), err
}

// newNames makes a table of names in the order of their numbers; all of them
// fit, and there are no more than a table holds.
func newNames(list []string, width int) *Names {
	h := header{names: uint16(len(list))}
	n := &Names{data: h.append(make([]byte, 0, headerSize+len(list)*width)), width: width, list: list}
	for i, name := range list {
		for _, r := range name {
			n.data = append(n.data, byte(r))
		}
		n.data = append(n.data, make([]byte, headerSize+(i+1)*width-len(n.data))...)
	}
	return n
}

// fits refuses a name that a table cannot hold.
func fits(name string, width int) error {
	length := 0
	for _, r := range name {
		if r == 0 || r > 0xFF {
			return record.Inexpressible("the name %q, which is not in Latin-1", name)
		}
		length++
	}
	// Readers in C want one NUL behind the name.
	if length >= width {
		return record.Inexpressible("the name %q, which is longer than %d characters", name, width-1)
	}
	return nil
}

func latin1(b []byte) string {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			var s strings.Builder
			for _, c := range b {
				s.WriteRune(rune(c))
			}
			return s.String()
		}
	}
	return string(b)
}

// The faults of games whose names are unknown; Bind takes them back.
const (
	noPlayers     = "no table of players (.jou) came with the file: the players are numbers"
	noTournaments = "no table of tournaments (.trn) came with the file: the tournament is a number"
)

// unnamed is what the table of players calls somebody it does not know.
const unnamed = "???"

// unlistedName begins the reason of a fault: a number is not in its table.
func unlistedName(tag, number string) string {
	return strings.ToLower(tag) + " " + number + " is not in the table"
}

// name looks a number up and sets the fact that it stands for.
func name(g *record.Game, tag, number string, table *Names, fact *string) {
	i, err := strconv.ParseUint(number, 10, 16)
	if err != nil || int(i) >= table.Len() {
		g.Fault(record.Marked, record.KindHeader, 0, "%s of %d names", unlistedName(tag, number), table.Len())
		*fact = ""
		return
	}
	if *fact = table.Name(int(i)); *fact == unnamed {
		*fact = ""
	}
}
