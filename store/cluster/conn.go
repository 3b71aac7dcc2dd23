package cluster

import "context"

// conn is a line to one server.
type conn interface {
	// exec runs a statement that returns nothing.
	exec(ctx context.Context, sql string) error

	// query runs a statement, and for each row of its answer fills dest, which
	// are pointers, and calls row. An error of row ends it. What lies behind the
	// pointers is the caller's only until the next row: texts and slices are
	// copies of their own.
	query(ctx context.Context, sql string, row func() error, dest ...any) error

	// insert adds rows to a table as one block: all of them or none. Columns are
	// slices of one length, such as []uint32, []string or [][]uint16, in the
	// order of names.
	insert(ctx context.Context, table string, names []string, columns []any) error

	close() error
}
