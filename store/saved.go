package store

import (
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

// Saved is a query that a user gave a name, or that a search noted by itself.
type Saved struct {
	ID        int64
	Name      string // empty for an automatic one
	Fold      string // the name in the form in which the caller compares names; default: in lower case
	Kind      string // the game it is about; may be empty
	Query     string // in the query language
	Described string // a name that describes the position, which others may have too; may be empty
	Alias     string // Described in the form of Fold; default: that of Fold for an automatic one, else in lower case
	Auto      bool   // noted by a search, and not named yet
	Note      string
	Created   time.Time
	Used      time.Time // when it was saved or searched last

	// What the last search found. It holds as long as Stamp is that of the version
	// of the library. Games that were deleted since are not counted in Found any more,
	// and Hits still counts their places.
	Stamp int64 // of the library when it was searched; 0: never
	Found int   // games
	Hits  int   // places in them

	// Games are those found at a version. They are given to SaveQuery, where nil
	// means that nothing is known; SavedGames returns them.
	Games   *roaring.Bitmap
	Version Version
}
