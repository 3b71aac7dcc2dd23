// Package dedupe decides what becomes of records that come into a store: which
// of them are new, which are one with a game that is there or with another of
// the same batch, which take the place of a record that says less, and which are
// linked to one that contradicts them. It stores nothing itself.
//
// A store makes Items of the records of a Batch, has Sift decide, with a Existing
// to look up what is there, gives them numbers, and writes what Standing leaves:
//
//	items := dedupe.Items(batch.Records, batch.Prepared, kinds)
//	err := dedupe.Sift(ctx, existing, items)
//	...
//	next = dedupe.Number(items, next)
//	for _, it := range dedupe.Standing(items) {
//		... // it.ID, it.Doc, it.Entry
//	}
//	return dedupe.Tell(items), nil
//
// # What a store is asked
//
// Sift asks for the games whose moves are those of a record (ByKey), for those
// that share its first index.HeadPlies moves (ByHead), for those that are shorter
// than that and begin it (ByKey), and for those that go through the last position
// of a record that is shorter itself (Reaching). Item.Keys, Entry.Head and
// Item.Reaches tell all of it beforehand, so that a store far away can be asked
// once for a whole batch.
package dedupe
