package ecco

import (
	_ "embed"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"qipu/board"
	"qipu/game"
)

//go:embed codes.txt
var codesText string

//go:embed names.txt
var namesText string

// Holds reports whether the codes are of a game: the usual Xiangqi.
func Holds(r game.Rules) bool { return r.Info().Name == "xiangqi" && r.Info().Variant == "" }

// Entry is an opening that has a code.
type Entry struct {
	Code  string // "C23"
	Names board.Names
}

// Group is several openings that are alike: those whose codes begin alike.
type Group struct {
	Prefix string // "C" or "C2"
	Names  board.Names
}

// codebook is everything that the files say.
type codebook struct {
	rules   *node
	entries []Entry // rising
	groups  []Group // rising
	print   uint64  // hash of the rules
}

// load returns the table. Files that cannot be read are a mistake in this package,
// which its tests find; users are not to suffer from it, and find no codes.
var load = sync.OnceValue(func() *codebook {
	t, err := newTable(codesText, namesText)
	if err != nil {
		return &codebook{}
	}
	return t
})

func newTable(codes, names string) (*codebook, error) {
	t := &codebook{}
	var err error
	if t.rules, err = parseRules("codes.txt", codes); err != nil {
		return nil, err
	}
	named, err := parseNames("names.txt", names)
	if err != nil {
		return nil, err
	}
	for code := range t.rules.paths() {
		t.entries = append(t.entries, Entry{Code: code})
	}
	for prefix, n := range named {
		if len(prefix) < 3 {
			t.groups = append(t.groups, Group{prefix, n})
		} else {
			t.entries = append(t.entries, Entry{Code: prefix})
		}
	}
	slices.SortFunc(t.entries, func(a, b Entry) int { return strings.Compare(a.Code, b.Code) })
	t.entries = slices.Compact(t.entries)
	slices.SortFunc(t.groups, func(a, b Group) int { return strings.Compare(a.Prefix, b.Prefix) })
	for i := range t.entries {
		e := &t.entries[i]
		var ok bool
		if e.Names, ok = named[e.Code]; !ok { // as its group, told apart by the code
			e.Names = each(named[e.Code[:2]], func(s string) string { return s + " " + e.Code })
		}
	}
	h := fnv.New64a()
	h.Write(t.rules.append(nil, 0))
	t.print = h.Sum64()
	return t, nil
}

// Classify returns the code of a game that begins at the usual start, and the
// number of plies after which no move can change it. It is empty where no move was
// played, or where the first moves cannot have been played from there; that a game
// begins at the usual start is for the caller to know. It costs a few microseconds
// and allocates nothing.
func Classify(moves []game.Move) (code string, ply int) {
	var buf [2 * rounds]uint16
	return load().classify(pack(&buf, moves))
}

func (t *codebook) classify(moves []uint16) (code string, ply int) {
	var l line
	if t.rules == nil || !l.read(moves) {
		return "", 0
	}
	return t.rules.classify(&l)
}

// Lookup returns the opening of a code, in either case.
func Lookup(code string) (Entry, bool) {
	i, ok := load().find(strings.ToUpper(strings.TrimSpace(code)))
	if !ok {
		return Entry{}, false
	}
	return load().entries[i], true
}

func (t *codebook) find(code string) (int, bool) {
	return slices.BinarySearchFunc(t.entries, code, func(e Entry, code string) int { return strings.Compare(e.Code, code) })
}

// List returns all openings by their codes, those that have a name but too few games
// to be defined among them. The list belongs to the caller.
func List() []Entry { return slices.Clone(load().entries) }

// Groups returns the groups, letters and letters with a digit, by their prefixes.
// The list belongs to the caller.
func Groups() []Group { return slices.Clone(load().groups) }

// Definitions returns the ways in which a game comes to have the code: of each the
// conditions that hold, in the order in which they are asked. That no rule before
// them holds is not said. Few codes have a name but no definition: no game is given
// them. It walks through all rules.
func (e Entry) Definitions() (ways [][]string) {
	t := load()
	if t.rules == nil {
		return nil
	}
	for code, way := range t.rules.paths() {
		if code == e.Code {
			ways = append(ways, slices.Clone(way))
		}
	}
	return ways
}
