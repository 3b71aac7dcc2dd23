package players

// NewBook is the book of the well-known players with edits, without a library.
func NewBook(edits []Edit) *Identities { return playing.book(edits) }
