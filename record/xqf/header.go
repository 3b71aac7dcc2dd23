package xqf

import (
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/facts"
)

// Offsets in the header.
const (
	pieceAt    = 0x10
	pieceEnd   = pieceAt + slots
	blackAt    = 0x32 // 1 where Black is to move
	resultAt   = 0x33
	typeAt     = 0x40
	encodingAt = 0x1F0 // the writer's own: the name of the encoding, NUL-padded
	headerSize = 0x400

	encodingLen = 16
)

// field is a text field of the header: a Pascal string of size bytes, its
// length byte included.
type field struct {
	name string
	at   int
	size int
}

var fields = [...]field{
	{"Title", 0x50, 64},
	{"TitleB", 0x90, 64},
	{"Event", 0xD0, 64},
	{"Date", 0x110, 16},
	{"Site", 0x120, 16},
	{"Red", 0x130, 16},
	{"Black", 0x140, 16},
	{"TimeRule", 0x150, 64},
	{"RedTime", 0x190, 16},
	{"BlackTime", 0x1A0, 16},
	{"Remark", 0x1B0, 32},
	{"Annotator", 0x1D0, 16},
	{"Author", 0x1E0, 16},
}

// Names of the headers that are numbers in the file.
const (
	tagResult = "Result"
	tagType   = "Type"
)

// The texts of the numbers, where they have one.
var (
	results = [...]string{"", "1-0", "0-1", "1/2-1/2"}
	types   = [...]string{"full", "opening", "middlegame", "endgame"}
)

// codeText returns the text of a number; codeOf finds it again.
func codeText(texts []string, code int) string {
	if code < len(texts) {
		return texts[code]
	}
	return strconv.Itoa(code)
}

func codeOf(texts []string, text string, most int) (int, bool) {
	for i, t := range texts {
		if t == text {
			return i, true
		}
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= len(texts) && n <= most && strconv.Itoa(n) == text
}

// fieldOf returns the text field of a name, or nil.
func fieldOf(name string) *field {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

// fillFacts sets the facts from the tags.
func fillFacts(g *record.Game) {
	f := &g.Facts
	f.Players[0] = facts.Player{Name: g.Tag("Red"), Team: g.Tag("RedTeam")}
	f.Players[1] = facts.Player{Name: g.Tag("Black"), Team: g.Tag("BlackTeam")}
	f.Event = g.Tag("Event")
	f.Round = g.Tag("Round")
	f.Place = g.Tag("Site")
	f.Date = facts.ParseDate(g.Tag("Date"))
	f.Opening = strings.TrimSpace(g.Tag("Opening") + " " + g.Tag("Variation"))
	f.Code = g.Tag("ECCO")
	f.Source = g.Tag("Source")
	f.Author = g.Tag("Annotator")
	f.Time = g.Tag("TimeRule")
	switch g.Tag(tagResult) {
	case results[1]:
		f.Result.Verdict = facts.FirstWon
	case results[2]:
		f.Result.Verdict = facts.SecondWon
	case results[3]:
		f.Result.Verdict = facts.Drawn
	}
}
