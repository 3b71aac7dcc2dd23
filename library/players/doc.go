// Package players is who plays in a library: the book of players' names, which says
// which spellings, in which scripts, are one person, and the register of them with
// their scores. The book knows a few hundred well-known players from the
// readable file known.txt, and what the user says: names merged, split and
// renamed.
//
//	book, err := directory.Book(ctx)
//	book.Canonical("李世石")               // "Lee Sedol"
//	book.Find("Hu Ronghua", names)       // 胡榮華, 上海胡榮華, ...
//
// A book ([Identities]) is a pure function of the edits, in their order: it holds no file
// and changes nothing. To undo an edit is to mark it undone and to make the book
// anew, which gives exactly the book that would be without it.
//
// Names that [text.Fold] makes alike are one name. A name that nobody has
// listed is a person of its own: the book does not guess that two are one.
//
// [Directory] is the players of one library: it makes the [Register] of a game, and
// keeps what the user says. Records do not change by it.
package players
