package catalog

import (
	"database/sql/driver"
	"strings"
	"time"

	"qipu/record/facts"
)

// Source is where a game was found.
type Source struct {
	File   string // path; "archive.tar.gz!inner/name.sgf" inside an archive
	Number int    // of the game in the file, from 1
	Offset int64  // of its bytes in the (decompressed) file
}

// split parts the path of a source into folder, which many share, and base.
func (s Source) split() (folder, base string) {
	i := strings.LastIndexAny(s.File, `/\!`) + 1
	return s.File[:i], s.File[i:]
}

// Entry is a game to be stored.
type Entry struct {
	Kind      string // "weiqi 19x19"
	Key, Head uint64 // hashes of the moves and of the first of them; games can be found by both
	Plies     int
	Facts     *facts.Facts // may be nil
	Format    string
	Encoding  string
	Marked    bool // a move in it breaks the rules
	Source    Source

	Record, Raw []byte // the encoded record and the original bytes; only read
}

// Game is a stored game without its record: what lists show.
type Game struct {
	ID        uint32
	Kind      string
	Key, Head uint64
	Plies     int
	Facts     facts.Facts
	Format    string
	Encoding  string
	Marked    bool
	Source    Source // where it was found first
	Added     time.Time
}

// RankNumber returns the number under which a rank is stored. It rises with
// the strength as facts.Rank.Strength does, so that ranks can be compared in
// the database: 100-n for n kyu, 100+n for n dan, 200+n for a professional.
// Unknown ranks, and ones beyond 99, have ok false.
func RankNumber(r facts.Rank) (n int, ok bool) {
	if r.Grade < 1 || r.Grade > 99 {
		return 0, false
	}
	switch r.Scale {
	case 'k':
		return 100 - r.Grade, true
	case 'd':
		return 100 + r.Grade, true
	case 'p':
		return 200 + r.Grade, true
	}
	return 0, false
}

// Storable returns headers as a catalogue gives them back: it keeps dates as text
// and ranks within bounds.
func Storable(f facts.Facts) facts.Facts {
	if _, _, ok := f.Date.Bounds(); ok {
		f.Date = facts.ParseDate(f.Date.SGF())
	} else {
		f.Date = facts.Date{}
	}
	if !f.Komi.Known {
		f.Komi = facts.Komi{}
	}
	for i := range f.Players {
		if _, ok := RankNumber(f.Players[i].Rank); !ok {
			f.Players[i].Rank = facts.Rank{}
		}
	}
	if f.Result.Margin != f.Result.Margin {
		f.Result.Margin = 0 // not a number
	}
	return f
}

func rankOf(n int) facts.Rank {
	switch {
	case n <= 0 || n == 100 || n == 200:
		return facts.Rank{}
	case n < 100:
		return facts.Rank{Grade: 100 - n, Scale: 'k'}
	case n < 200:
		return facts.Rank{Grade: n - 100, Scale: 'd'}
	}
	return facts.Rank{Grade: n - 200, Scale: 'p'}
}

// dateText returns a date as SGF has it, which facts.ParseDate reads back. Nine
// dates in ten are a day, for which this has a fast way.
func dateText(d facts.Date) string {
	f := d.From
	if d.From != d.To || d.Approx || f.Month == 0 || f.Day == 0 || f.Year < 1000 || f.Year > 9999 {
		return d.SGF()
	}
	digit := func(n int) byte { return byte('0' + n%10) }
	return string([]byte{
		digit(f.Year / 1000), digit(f.Year / 100), digit(f.Year / 10), digit(f.Year),
		'-', digit(f.Month / 10), digit(f.Month), '-', digit(f.Day / 10), digit(f.Day),
	})
}

// orNil returns a number for the database, NULL for 0.
func orNil(n int) driver.Value {
	if n == 0 {
		return nil
	}
	return int64(n)
}

// num, intOf, textOf and blobOf read a column. What has another type, as it may
// in a damaged database, reads as nothing.
func num(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func intOf(v driver.Value) int { return int(num(v)) }

func blobOf(v driver.Value) []byte {
	b, _ := v.([]byte)
	return b
}

func textOf(v driver.Value) string {
	s, _ := v.(string)
	return s
}
