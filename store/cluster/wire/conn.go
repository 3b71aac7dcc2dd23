package wire

import "context"

// Conn is a line to one server.
type Conn interface {
	// Exec runs a statement that returns nothing.
	Exec(ctx context.Context, sql string) error

	// Query runs a statement, and for each row of its answer fills dest, which
	// are pointers, and calls row. An error of row ends it. What lies behind the
	// pointers is the caller's only until the next row: texts and slices are
	// copies of their own.
	Query(ctx context.Context, sql string, row func() error, dest ...any) error

	// Insert adds rows to a table as one block: all of them or none. Columns are
	// slices of one length, such as []uint32, []string or [][]uint16, in the
	// order of names.
	Insert(ctx context.Context, table string, names []string, columns []any) error

	Close() error
}

// Quote writes a text as a literal. The bytes need not be valid UTF-8.
func Quote(s string) string {
	b := append(make([]byte, 0, len(s)+2), '\'')
	for i := range len(s) {
		switch c := s[i]; c {
		case 0:
			b = append(b, '\\', '0')
		case '\'', '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '\''))
}
