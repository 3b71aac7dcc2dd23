package game

import "qipu/board"

// Stepper is a Rules that knows which points are a move away for pieces that
// step or jump. Where two boards are compared, a piece that stands there is
// taken for one that was moved, and not for another.
type Stepper interface {
	// AppendSteps appends the points that a piece on a point reaches by one
	// move on an empty board, and returns dst. Pieces that slide as far as they
	// like have none: they are close to their whole line.
	AppendSteps(dst []board.Point, piece board.Piece, at board.Point) []board.Point
}

// RelationKind is what one piece does to another.
type RelationKind uint8

// The kinds of relations.
const (
	// Attack: the piece could take the other.
	Attack RelationKind = iota
	// Protect: the piece could take back what takes the other, of its own side.
	Protect
	// Block: the piece stands where the other would have to pass.
	Block
	// Pin: the piece keeps the other from leaving, because something dearer
	// stands behind it.
	Pin
	// Screen: the piece is what the other attacks over.
	Screen
	// Join: the two are neighbours of one side.
	Join
	// Meet: the two are neighbours of different sides.
	Meet
)

// Relation is what the piece By, on From, does to the piece On, on To.
type Relation struct {
	Kind     RelationKind
	By, On   board.Piece
	From, To board.Point
}

// Relator is a Rules that knows more about what pieces do to each other than
// that they are neighbours.
type Relator interface {
	// AppendRelations appends the relations between the pieces of a board and
	// returns dst. The board need not be one that a game can have: pieces may
	// be missing, kings too. Relations that differ by points alone are listed
	// each. A symmetry of the game takes the list of a board to that of its
	// picture, in another order.
	AppendRelations(dst []Relation, b *board.Planes) []Relation
}

// Relations returns the function that lists the relations of a game: that of
// its Relator, else the contacts.
func Relations(r Rules) func(dst []Relation, b *board.Planes) []Relation {
	if s, ok := r.(Relator); ok {
		return s.AppendRelations
	}
	looks := r.Geometry().Pieces
	return func(dst []Relation, b *board.Planes) []Relation { return AppendContacts(dst, looks, b) }
}

// AppendContacts appends a relation for every two pieces on neighbouring points
// of a row or column: Join where they are of one side, Meet where not. By is
// the one with the smaller number, so that pictures have the same contacts. It
// is what all games have.
func AppendContacts(dst []Relation, looks []board.Look, b *board.Planes) []Relation {
	for i := range b.Of {
		for p := range b.Of[i].Points() {
			for _, q := range [2]board.Point{p + 1, p + board.Stride} {
				if !b.Size.Has(q) {
					continue
				}
				other := b.At(q)
				if other == board.Empty {
					continue
				}
				r := Relation{Join, board.Piece(i + 1), other, p, q}
				if looks[i].Owner != looks[other-1].Owner {
					r.Kind = Meet
				}
				if r.By > r.On {
					r.By, r.On, r.From, r.To = r.On, r.By, r.To, r.From
				}
				dst = append(dst, r)
			}
		}
	}
	return dst
}
