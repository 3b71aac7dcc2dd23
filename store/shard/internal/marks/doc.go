// Package marks keeps what an [interval.Marker] says of the lines of a table in
// files of columns, one for each key.
//
// The files lie in a folder of their own. They are derived: whoever removes them
// loses nothing but time. No manifest names them; a file belongs to the table
// whose name and checksum its own name has:
//
//	TABLE-CHECKSUM-NUMBER.marks
//
// A [Folder] is such a folder at one moment, and a [Set] the columns of one
// table in it. Where several files have the column of a key, that of the highest
// number counts. A file that cannot be read is as good as none: what asks for
// its columns does without, and the next writer removes it.
//
//	segment "marks", version 1
//	head      u64 checksum of the table | u32 its lines | u32 keys
//	keys      u64 a key, rising
//	ends      u64 a key: where its column ends
//	columns   interval.MarkColumn, one behind the other
package marks
