package index

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/game"
	"qipu/interval"
	"qipu/query"
)

// Store keeps documents searchable. The embedded store is one; an engine on
// other machines is another.
type Store interface {
	// View returns the store as it is now. It stays so until it is closed,
	// whatever is written meanwhile.
	View(ctx context.Context) (View, error)
}

// View is a store at one moment. It is safe for concurrent use.
type View interface {
	// Tally returns how many games of each kind there are, by their names.
	Tally() []Tally

	// Scan yields the blocks that have lines a plan lets through, in a fixed
	// order. Batches are valid until the view is closed.
	Scan(ctx context.Context, p *Plan) iter.Seq2[*Batch, error]

	// Positions yields, for each key and each part of the store, the lines that
	// reach a position with that key, those of one line side by side. Order is
	// that of keys. Postings are valid until the next ones come.
	Positions(ctx context.Context, l *Lookup) iter.Seq2[*Postings, error]

	// Names yields the distinct texts of a column of texts over the games of a
	// kind, or of all kinds where it is nil, in the order of their folded forms
	// and then of the texts. The strings are the caller's. Nothing comes of a
	// column of numbers.
	Names(ctx context.Context, k *Kind, col query.Column) iter.Seq2[Name, error]

	// Comments returns the games of a kind, or of all kinds where it is nil, in
	// one of whose comments a text stands. The text is folded as package text
	// folds it; every comment has the empty one.
	Comments(ctx context.Context, k *Kind, folded string) (*roaring.Bitmap, error)

	// Missing names the parts of the store that could not be asked so far: what
	// comes of the view is partial where there are some. It is an error to meet
	// one, except for whoever allows it: see AllowPartial.
	Missing() []string

	// Guard runs code that reads the memory of batches and postings. That may
	// be a mapped file which somebody shortens: then it is an error, where it
	// would otherwise be the end of the process.
	Guard(read func() error) error

	// Close gives the view up.
	Close() error
}

// Tally counts the games of a kind.
type Tally struct {
	Kind       *Kind
	Games      int
	Variations int // lines beside the main ones
	Plies      int64
	Bytes      int64 // of the index
}

// Name is a text of a column, with the number of games that have it there.
type Name struct {
	Text, Folded string
	Games        int
}

// Plan is what an index can decide of a query: a set of lines that holds at
// least those which match.
type Plan struct {
	Kind       *Kind
	Variations bool // lines beside the main one too
	Expr       Expr

	// Facts tells that no board is to be looked at. Batches come without a
	// block, and only those of main lines.
	Facts bool

	// Columns are those of the batches that will be read.
	Columns ColumnSet

	// Marks are the keys of the columns of marks that will be read: see
	// Batch.Marks. A store that has to send them far sends no others.
	Marks []uint64
}

// Lookup asks for the lines that reach positions.
type Lookup struct {
	Kind       *Kind
	Variations bool // lines beside the main one too
	Keys       []uint64

	// Expr tells which lines are of use, nil for all. A store that has to send
	// them far leaves out others; whoever asks decides all the same.
	Expr Expr

	// Columns are those of the postings that will be read.
	Columns ColumnSet
}

// ColumnSet is a set of columns. The zero value has all of them: a store that
// has to send them far leaves out what nobody reads, and a column that was left
// out reads as unknown.
type ColumnSet uint64

// ColumnsOf returns the set of some columns, which are at least one.
func ColumnsOf(list ...query.Column) (s ColumnSet) {
	for _, col := range list {
		s |= 1 << col
	}
	return s
}

// Has reports whether a column is in the set.
func (s ColumnSet) Has(col query.Column) bool { return s == 0 || s>>col&1 != 0 }

// partialKey is that of AllowPartial in a context.
type partialKey struct{}

// AllowPartial returns a context in which a store of which a part cannot be
// reached answers without it, and tells so by View.Missing.
func AllowPartial(ctx context.Context) context.Context {
	return context.WithValue(ctx, partialKey{}, true)
}

// PartialAllowed reports whether AllowPartial was said.
func PartialAllowed(ctx context.Context) bool { return ctx.Value(partialKey{}) != nil }

// Expr is a condition on lines that an index can decide.
type Expr interface{ String() string }

// The expressions.
type (
	// All lets every line through.
	All struct{}
	// Window lets lines through that have a class of 3x3 windows.
	Window uint16
	// InCorner lets lines through that had a corner like one: see CornersOf.
	InCorner uint64
	// Reaches lets lines through that reach a position.
	Reaches uint64
	// Games lets the lines of some games through.
	Games struct{ *roaring.Bitmap }
	// Selected lets the lines of games through that a fact is true of, and no
	// others.
	Selected struct{ *Selection }
	// Marked lets lines through that have a mark of an owner in a column of one
	// of the keys. It lets every line through where a column is not kept.
	Marked struct {
		Keys []uint64
		Of   interval.Owner
		Name string
	}
	// Every lets through what all of its parts do.
	Every []Expr
	// Any lets through what one of its parts does.
	Any []Expr
)

func (All) String() string        { return "all" }
func (w Window) String() string   { return fmt.Sprintf("window %d", uint16(w)) }
func (c InCorner) String() string { return fmt.Sprintf("corner %016x", uint64(c)) }
func (r Reaches) String() string  { return fmt.Sprintf("position %016x", uint64(r)) }
func (g Games) String() string    { return fmt.Sprintf("%d games", g.GetCardinality()) }
func (m Marked) String() string   { return "marked " + m.Name }
func (e Every) String() string    { return join(e, " and ") }
func (e Any) String() string      { return join(e, " or ") }

func join(list []Expr, word string) string {
	var parts []string
	for _, e := range list {
		parts = append(parts, e.String())
	}
	return "(" + strings.Join(parts, word) + ")"
}

// Batch is a block of lines, with those that a plan lets through.
type Batch struct {
	Block *interval.Block // nil where the plan asks for facts alone
	Lanes interval.Mask
	Columns

	// Main tells that the lines are main lines of records.
	Main bool

	// Marks are the columns of marks that are kept of the lines; nil for none.
	// Fresh tells that none will be: the lines are few, and in memory.
	Marks Marks
	Fresh bool

	// Pages is how many pages of the store were read for this batch.
	Pages int
}

// N returns the number of lines of the block, whether a plan lets them through
// or not.
func (b *Batch) N() int { return b.Columns.Len() }

// Marks are what a store keeps of what markers say of the lines of a block. They
// read mapped memory: see View.Guard.
type Marks interface {
	// Has reports whether the column of a key is kept.
	Has(key uint64) bool

	// AppendMarks appends the intervals of a column in some lanes, by lane and
	// then by slot, those of a variation's trunk too. It reports false, and
	// appends none, where the column is not kept.
	AppendMarks(dst []interval.Owned, key uint64, lanes *interval.Mask) ([]interval.Owned, bool)
}

// Postings are the lines of one part of a store that reach a position.
type Postings struct {
	Key uint64
	Columns
	Rows []Posting
	Main bool
}

// Posting is a line that reaches a position. Its facts are in the Columns of
// the postings, at the index Line.
type Posting struct {
	Line  uint32
	Ply   uint16
	Next  uint16 // see Position
	Image uint8  // the picture whose hash is the key
	Turn  game.Side
}
