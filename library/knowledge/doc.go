// Package knowledge is what a library knows of boards: the shapes of Go and the
// relational patterns, as text in layers. What is shipped lies at the bottom, folders
// of the user above it, and the library's own files on top; what has the same id takes
// the place of what lies below.
//
// [Layers] keeps what it has read, and changes the library's own files:
//
//	layers := knowledge.Open(knowledge.Options{Dir: dir})
//	shapes := layers.Shapes()
//	found, err := shapes.Find("empty triangle")
//
// [Shapes] and [Patterns] are a base as it is at one moment, which never changes and
// may be read by many at once. A text that cannot be read is a fault of the base, and
// harms nothing else.
//
// The package knows no records: what a name finds there is a query, which others ask.
package knowledge
