package store

import "context"

// Once names a write that somebody may ask for again, because he does not know what
// became of it: whoever does the write notes it in the same transaction, and tells it
// when he is asked again.
type Once struct {
	Lane string // whose write it is: those of one lane follow each other
	Turn int64  // its number in the lane, rising from 1

	// Reply returns what is noted with it. It is called at the end of every
	// transaction of the write; ok is false in those that come before the last.
	Reply func() (reply []byte, ok bool)
}

type onceKey struct{}

// WithOnce returns a context for a write that is noted.
func WithOnce(ctx context.Context, o *Once) context.Context {
	return context.WithValue(ctx, onceKey{}, o)
}

// OnceOf returns what a write in a context is noted as; nil for nothing.
func OnceOf(ctx context.Context) *Once {
	o, _ := ctx.Value(onceKey{}).(*Once)
	return o
}
