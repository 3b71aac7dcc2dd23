package ledger

import (
	"slices"
	"strconv"
)

// Every row of the log says at which place its writer put it: behind how many rows
// that it knew of. Writers commit one at a time, so that no two rows have the same
// place, unless their writers knew nothing of each other: servers that had the rows of
// one were away, and came back later. Documents of such rows are in doubt: a game of
// theirs may be there twice. Whoever has looked into that says so in another row.
//
// Both stand among what a row adds to the tally, as kinds that no game has, with
// nothing to add: programs that do not know of them pass over them.
const (
	placeMark   = "#" // and the place
	settledMark = "~" // and the key of a row that is in doubt no more
)

// note puts a mark into the tally of a row.
func (r *Commit) note(mark string, number uint64) {
	at := len(r.Docs)
	r.Kinds = slices.Insert(r.Kinds, at, mark+strconv.FormatUint(number, 10))
	r.Main, r.Variations, r.Plies = slices.Insert(r.Main, at, 0), slices.Insert(r.Variations, at, 0), slices.Insert(r.Plies, at, 0)
}

// Put says at which place of the log a row is.
func (r *Commit) Put(place int64) { r.note(placeMark, uint64(place)) }

// Settle says that rows are in doubt no more, by their keys.
func (r *Commit) Settle(keys []uint64) {
	for _, key := range keys {
		r.note(settledMark, key)
	}
}

// origin is a row by its key, with its documents.
type origin struct {
	key uint64
	Span
}

// takeMark takes in what an entry of the tally says of places, and reports whether it
// is such a one.
func (l *Ledger) takeMark(r *Commit, kind string) bool {
	if kind == "" {
		return false
	}
	number, err := strconv.ParseUint(kind[1:], 10, 64)
	switch mark := kind[:1]; {
	case err != nil:
		return false
	case mark == settledMark:
		l.settled[number] = true
	case mark == placeMark:
		mine := origin{r.Key(), Span{r.Low, r.High}}
		if other, taken := l.places[number]; taken {
			l.doubt[mine.key], l.doubt[other.key] = mine.Span, other.Span
		} else {
			l.places[number] = mine
		}
	default:
		return false
	}
	return true
}

// doubtful returns the rows that are in doubt, and their documents, never nil.
func (l *Ledger) doubtful() (keys []uint64, docs Extent) {
	docs = Extent{}
	for key, span := range l.doubt {
		if !l.settled[key] {
			keys = append(keys, key)
			if span.Low < span.High {
				docs = append(docs, span)
			}
		}
	}
	slices.Sort(keys)
	return keys, Unite(docs)
}
