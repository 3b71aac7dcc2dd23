// Package catalog keeps the truth of a library: the games with their records
// and original bytes, where each was found, what the headers say, what users
// make of them (collections, tags, saved queries with what they found, edits of
// the names of players), and the manifest of the derived index files. It is one
// SQLite database in the folder of the library.
//
//	db, err := catalog.Open(ctx, dir, catalog.Options{Create: true, Holder: "qipu import"})
//	...
//	err = db.Update(ctx, func(tx *catalog.Tx) error {
//		ids, err := tx.Add(entries)
//		if err != nil {
//			return err
//		}
//		return tx.SetWaiting(ids, true)
//	})
//	games, err := db.Games(ctx, ids)
//
// The main type is [DB]. Everything is changed by [DB.Update], in one
// transaction that happens as a whole or not at all, so that games and manifest
// never disagree. One process writes at a time, which the file writer.lock
// ensures; any number of them read meanwhile, and follow the writer by
// [DB.Generation]. All methods of DB may be called by many goroutines.
//
// Adding costs little when games come in batches: records are compressed
// together, and a transaction waits for the disk once. A batch of 4,096 is
// good, and a batch of one works. The hashes of new games fall on all pages of
// their indexes, and a commit writes each page that changed: in a library of a
// million games, eight batches in one Update cost a little more than half of
// what eight Updates cost.
//
// # Who may do what
//
// Three things keep writers apart, and are taken in this order: the lock of the file
// writer.lock, from Open to Close; the token in DB.turn, by whoever is inside Update,
// Compact or Follow; the transaction of SQLite, which begins IMMEDIATE, so that it
// waits for nothing later on. The connection that writes, what it remembers (numbers
// of names, statements, checksums that a transaction has gathered) and every Tx belong
// to the holder of the token, and need no lock of their own. What is remembered is
// forgotten where a transaction does not commit.
//
// Readers take none of these. Each has a connection of the pool for as long as it
// reads, and sees one commit from the first row to the last. The mutex of the pool is
// held while a connection is taken or opened, those of chunkCache and nameCache for a
// look-up; never two at once. Numbers of names and chunks are never used twice, which is
// why caches need not be told of a commit.
//
// Every row of the tables in areas has its checksum in digest, written by the
// transaction that writes the row.
//
// The package does not look into records, does not play games, does not decide
// what is a duplicate (it only finds games by the keys that it was given), does
// not read queries, gives edits no meaning, and does not touch the files of
// segments.
package catalog
