// Package remote lets any number of processes change one library. The one that has the
// place of the writer does all changes; it listens on a socket, and the others send
// theirs to it. They read from the folder as ever.
//
// Beside the lock of the writer lie two files, which only the owner of the process may
// read:
//
//	writer.sock    the socket; elsewhere where the path of the folder is too long; a named
//	               pipe of this user alone on Windows
//	writer.key     its address and a key, new with every writer
//
// Both sides prove to each other that they know the key. After that come requests, one
// at a time on a connection. A request names its lane, which is the connection's for as
// long as the client lives, and its turn in it; whoever does the write notes both in its
// transaction. A client that is cut off before it has its answer looks for who writes
// now, takes the place itself where nobody does, and asks again: what is noted is
// answered from the note, and nothing is done twice. An answer is given when the write
// is durable.
//
// Inside a transaction that a client leads, its calls go over the connection one by one.
// A client that stalls there is rolled back after a while and told.
package remote
