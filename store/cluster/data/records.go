package data

import (
	"context"

	"qipu/game"
	"qipu/store/cluster/ledger"
)

// Records is the records of a library on servers, and the way of new ones into the
// tables. It is safe for concurrent use.
type Records struct {
	*ledger.Library
	games  game.Catalog
	take   func(ctx context.Context, n int) (low uint32, err error) // nil to claim numbers here
	writer writer
}

// New returns the records of a library. take returns the first of n numbers
// in a row for new documents; where it is nil, numbers are claimed in blocks, and
// what is left of one is lost with the process.
func New(l *ledger.Library, games game.Catalog, take func(ctx context.Context, n int) (low uint32, err error)) *Records {
	return &Records{Library: l, games: games, take: take, writer: newWriter()}
}
