package wire

import (
	"strconv"
	"strings"
)

// The conditions that are true and false of everything.
const (
	Always = "1"
	Never  = "0"
)

func And(list ...string) string { return joinSQL(list, " AND ", Always, Never) }
func Or(list ...string) string  { return joinSQL(list, " OR ", Never, Always) }

// joinSQL joins conditions by a word: one that is idle says nothing beside
// others, and one that decides is all that counts.
func joinSQL(list []string, word, idle, decides string) string {
	var parts []string
	for _, s := range list {
		if s == decides {
			return decides
		}
		if s != idle {
			parts = append(parts, s)
		}
	}
	switch len(parts) {
	case 0:
		return idle
	case 1:
		return parts[0]
	}
	return "(" + strings.Join(parts, word) + ")"
}

// Numbers returns a list of numbers as SQL has it.
func Numbers[T uint8 | uint16 | uint32 | uint64](list []T) string {
	b := make([]byte, 0, 11*len(list))
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(n), 10)
	}
	return string(b)
}

// BlockRows is how many rows are inserted together at most.
const BlockRows = 1 << 20

// Column makes a column of rows, as Conn.Insert takes them.
func Column[T, C any](rows []T, get func(*T) C) []C {
	list := make([]C, len(rows))
	for i := range rows {
		list[i] = get(&rows[i])
	}
	return list
}
