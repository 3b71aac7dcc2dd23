// Package index is what lies between records and the stores that keep them
// searchable: it makes a [Document] of a played record, and defines the port
// [Store] behind which the embedded store and others stand.
//
// An index may answer too much, never too little: it yields blocks of lines
// that may match, and package interval decides. Positions are found by a hash
// that is the same for all pictures of a position, shapes by the 3x3 windows
// that they contain.
//
// What is known of a game beside its moves is kept in [Columns], of numbers and
// of texts. A [Selection] decides a condition on one of them, exactly: it looks
// at each distinct text of a table once, and at a few bits of each line.
//
// What a game can tell of its positions beyond their pieces is said by an
// [interval.Marker]. A store may keep what it says in columns: see [Marks].
package index
