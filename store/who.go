package store

import "context"

// whoKey is the key of who acts in a context.
type whoKey struct{}

// As returns a context for what somebody does: the id of a profile, which names nobody by
// itself. The empty one is the owner of the machine that the library is on.
func As(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, whoKey{}, who)
}

// Who returns who acts in a context: "" where nobody was named.
func Who(ctx context.Context) string {
	who, _ := ctx.Value(whoKey{}).(string)
	return who
}
