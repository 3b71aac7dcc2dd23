package wthor

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"qipu/record"
)

// register numbers what stands in one table, players or tournaments.
//
// Numbers mean something only beside their table. A register that is fresh
// makes a table: it gives out the numbers itself, by the names, unless all games
// came with numbers of one table, which stay (see restore). Where no game
// has a name, or where there is to be no table, it keeps the numbers that the
// games have in their tags, and makes sure that they are of one table.
type register struct {
	what  string // for messages
	fresh bool
	width int // of a name in the table
	list  []string
	index map[string]uint16 // by name
	names map[uint16]string // by number, where numbers are kept
	kept  bool              // a number was kept
	named bool              // a name was given a number

	// table has the names by the numbers that the games came with; nil once these
	// are not of one table.
	table map[uint16]string
}

// newRegister returns a register whose number 0 stands for an unknown name.
func newRegister(what, zero string, width int, fresh bool) *register {
	r := &register{what: what, fresh: fresh, width: width, index: map[string]uint16{}, names: map[uint16]string{}, table: map[uint16]string{}}
	if fresh {
		r.list = []string{zero}
		r.index[""], r.index[zero] = 0, 0
	}
	return r
}

// number returns the number of the name that a tag of a game is for.
func (r *register) number(g *record.Game, tag, name string) (uint16, error) {
	switch {
	case g.Format == formatName && g.Tag(tag) != "" && (!r.fresh || nameless(g, tag)):
		return r.keep(g, tag, name)
	case r.fresh:
		return r.add(name)
	case name != "":
		return 0, record.Inexpressible("the name %q without a table of names, which comes with a file whose name ends in .wtb", name)
	}
	return 0, nil
}

// nameless reports whether a game was read without the table that has the name
// for a tag.
func nameless(g *record.Game, tag string) bool {
	missing := noPlayers
	if tag == tagTournament {
		missing = noTournaments
	}
	unlisted := unlistedName(tag, g.Tag(tag))
	for i := range g.Faults {
		if reason := g.Faults[i].Reason; reason == missing || strings.HasPrefix(reason, unlisted) {
			return true
		}
	}
	return false
}

// keep takes the number in the tag. All numbers of a file have to be those of
// one table: the same number with two names, or the other way round, shows that
// they are not.
func (r *register) keep(g *record.Game, tag, name string) (uint16, error) {
	number, err := strconv.ParseUint(g.Tag(tag), 10, 16)
	if err != nil {
		return 0, record.Inexpressible("the %s %q", strings.ToLower(tag), g.Tag(tag))
	}
	if r.named {
		return 0, record.Inexpressible("%s %d, whose name is not known, beside games with names", strings.ToLower(tag), number)
	}
	r.kept = true
	n := uint16(number)
	if name == "" {
		return n, nil
	}
	if other, ok := r.names[n]; ok && other != name {
		return 0, record.Inexpressible("%s of different tables: number %d is %q and %q", r.what, n, other, name)
	}
	if other, ok := r.index[name]; ok && other != n {
		return 0, record.Inexpressible("%s of different tables: %q is number %d and %d", r.what, name, other, n)
	}
	r.names[n], r.index[name] = name, n
	return n, nil
}

// add gives a name a number.
func (r *register) add(name string) (uint16, error) {
	if n, ok := r.index[name]; ok {
		return n, nil
	}
	switch {
	case r.kept:
		return 0, record.Inexpressible("the name %q beside numbers whose names are not known", name)
	case len(r.list) == math.MaxUint16:
		return 0, record.Inexpressible("more than %d %s", math.MaxUint16, r.what)
	}
	if err := fits(name, r.width); err != nil {
		return 0, err
	}
	n := uint16(len(r.list))
	r.list, r.index[name], r.named = append(r.list, name), n, true
	return n, nil
}

// came returns the number that a game came with, which counts as long as all are of
// one table.
func (r *register) came(g *record.Game, tag, name string) uint16 {
	n, err := strconv.ParseUint(g.Tag(tag), 10, 16)
	known, ok := r.table[uint16(n)]
	if r.table == nil || g.Format != formatName || err != nil || n == math.MaxUint16 || ok && known != name {
		r.table = nil
		return 0
	}
	r.table[uint16(n)] = name
	return uint16(n)
}

// restore has the table be the one that the games came with, as far as they tell it.
func (r *register) restore() {
	zero, last := r.list[0], slices.Max(slices.Collect(maps.Keys(r.table)))
	r.list = make([]string, int(last)+1)
	r.list[0] = zero
	for n, name := range r.table {
		r.list[n] = cmp.Or(name, zero)
	}
}

// write writes the table. Kept numbers have none: nobody knows the names.
func (r *register) write(ext string, create func(ext string) (io.Writer, error)) error {
	if r.kept {
		return nil
	}
	w, err := create(ext)
	if err != nil {
		return err
	}
	if _, err := newNames(r.list, r.width).WriteTo(w); err != nil {
		return fmt.Errorf("wthor: %w", err)
	}
	return nil
}
