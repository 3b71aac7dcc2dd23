// Package store has the ports of a library and the types that cross them: what
// a game, a batch, a collection, a problem is, whatever keeps it. A library in
// a folder (store/shard) and one on servers (store/staging over store/cluster)
// offer the same ports, and who uses a library names none of the two.
package store
