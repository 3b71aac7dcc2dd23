package ask

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"
)

// Own is what whoever asks keeps for himself and can name in queries. It does not change
// once it is made.
type Own interface {
	// Key is another text for other things: what was worked out for one is not told
	// under another.
	Key() string

	Tagged(name string) *roaring.Bitmap       // nil where there is no such tag
	Collected(name string) *roaring.Bitmap    // nil where there is no such collection
	Query(name string) (text string, ok bool) // the saved query of a name
	Called(kind string) []string              // the names of a "tag", "collection" or "query"
}

// behalf is for whom is asked.
type behalf struct {
	discreet bool
	own      Own
}

type behalfKey struct{}

func behalfOf(ctx context.Context) behalf {
	b, _ := ctx.Value(behalfKey{}).(behalf)
	return b
}

// Discreet returns a context in which questions know nothing of the saved queries of
// the library: for those who may read its records, and not what its owner keeps to
// himself.
func Discreet(ctx context.Context) context.Context {
	b := behalfOf(ctx)
	b.discreet = true
	return context.WithValue(ctx, behalfKey{}, b)
}

// Privately returns a context in which questions know what somebody keeps, before what
// the library has.
func Privately(ctx context.Context, own Own) context.Context {
	b := behalfOf(ctx)
	b.own = own
	return context.WithValue(ctx, behalfKey{}, b)
}

// OnBehalf returns a context in which questions know what they know in another.
func OnBehalf(ctx, of context.Context) context.Context {
	return context.WithValue(ctx, behalfKey{}, behalfOf(of))
}

// Behalf tells contexts apart in which the same question may have different answers.
func Behalf(ctx context.Context) string {
	b := behalfOf(ctx)
	key := ownOf(ctx).Key()
	if b.discreet {
		return "others " + key
	}
	return key
}

func discreet(ctx context.Context) bool { return behalfOf(ctx).discreet }

func ownOf(ctx context.Context) Own {
	if own := behalfOf(ctx).own; own != nil {
		return own
	}
	return nothing{}
}

// nothing is what those keep who have no profile.
type nothing struct{}

func (nothing) Key() string                      { return "" }
func (nothing) Tagged(string) *roaring.Bitmap    { return nil }
func (nothing) Collected(string) *roaring.Bitmap { return nil }
func (nothing) Query(string) (string, bool)      { return "", false }
func (nothing) Called(string) []string           { return nil }
