// Package staging is a library on servers together with a desk: a folder on this
// machine with an embedded store in it.
//
// Games that come one by one lie on the desk first, where they are safe and found
// at once, and are shipped to the servers in batches: servers want many at a
// time. Imports go straight there. What people make, such as collections, tags and
// saved queries, stays on the desk, and so do the files that are derived from
// records on this machine, such as books.
//
// All numbers of games come from blocks that the desk has claimed on the servers,
// so that a game keeps its number wherever it lies, and several desks may write
// to the same servers.
package staging
