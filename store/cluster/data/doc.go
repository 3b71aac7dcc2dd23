// Package data writes the documents of a library on servers, and reads their
// records back: adding, deleting, places and links, claims of numbers, checks, and
// sweeping up what nobody needs.
//
// # What holds after a kill at any moment
//
//   - A document counts from the moment that one shard has its row of the log, and
//     not before. Rows of all tables are written, brought to all replicas and
//     counted before that. What a killed writer leaves is therefore either a whole
//     batch, or rows that no commit has and that nobody sees.
//   - A row of the log that only some shards have is copied to the others by the
//     next who writes (Ledger.Repair, Records.settlePending).
//   - A number is never used for two documents, whoever dies: a block of numbers is
//     claimed on all replicas before one of it is used, and what is left of it is
//     lost with the process, unless Options.Take keeps it elsewhere.
//   - Places and links are sets: written twice, they count once, and come before
//     the commit that needs them.
//   - A game is there once, whoever brings it at the same time: documents are
//     committed by one writer at a time, which looks at what others have committed
//     since it sifted its batch (Records.takeTurn, addition.overtaken). Whoever has
//     the turn gives a sign of life every second. A writer that died with it loses it
//     after turnLimit, and one that was stopped so long commits nothing when it goes
//     on. Games are deleted in turn, too: a record that takes the place of one that
//     is being deleted would stay.
//   - Where servers lost the log of a writer and got it back later, two may have known
//     nothing of each other. Places in the log tell (ledger.State.Doubt), and the next
//     who writes joins what both brought before anything else (Records.settle).
//   - A batch whose records have numbers already can be sent again: what an earlier
//     try has left is removed first, and the rows are counted before the commit.
//
// # Who may call, and in which order
//
// All methods of Records are safe for concurrent use. Whoever writes holds the
// turn (enter, leave): one batch at a time in this process. Other processes write
// at the same time; that they know nothing of each other is why numbers are
// claimed, and why there is a turn to commit among all of them, which is held for a
// moment. Under the turn come the
// token of the ledger and then its mutex; never the other way round. The mutex of
// an addition guards its counters alone: no server is asked under it.
package data
