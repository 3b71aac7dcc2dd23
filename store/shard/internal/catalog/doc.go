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
// The package does not look into records, does not play games, does not decide
// what is a duplicate (it only finds games by the keys that it was given), does
// not read queries, gives edits no meaning, and does not touch the files of
// segments.
package catalog
