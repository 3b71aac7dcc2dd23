// Package staging is a library on servers together with a staging folder: a folder
// on this machine with an embedded store in it.
//
// Games that come one by one are staged first, where they are safe and found at
// once, and are shipped to the servers in batches: servers want many at a time.
// Imports go straight there. Collections, tags and saved queries lie on the servers, and
// the folder has a copy: see sharing. The journal and the trash are the folder's, and so
// are the files that are derived from records on this machine, such as books.
//
// All numbers of games come from blocks that the staging folder has claimed on the
// servers, so that a game keeps its number wherever it lies, and several machines
// may write to the same servers.
//
// Three things hold at every moment, a kill included:
//
//   - a game is in the folder, on the servers, or in both with one number, and
//     never in neither: it leaves the folder when the servers have it;
//   - whoever finds a game in neither looks again, because it was shipped between
//     the two looks: the set of staged games is read before the servers are asked;
//   - what is deleted on the servers is in the trash of the folder before: see Delete;
//   - one at a time adds, ships or deletes: Library.adding is held for all of it,
//     and taken before any lock of the two stores.
package staging
