// Package wire talks to the servers of a library: addresses, connections, and a
// pool of shards and their replicas, in which the first replica that answers is
// asked. It knows no tables.
//
// A [Shard] is the servers that have the same rows. [Shard.Read] runs statements
// on one of them, [Shard.Write] waits while none takes writes, and
// [Shard.InsertOnce] writes a block that may have arrived already. Whoever gives a
// function to these must expect that it is run again from its beginning, on
// another server.
//
// Statements are those that servers of 2018 and of today understand alike.
package wire
