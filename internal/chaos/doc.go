// Package chaos runs the real program in random order: imports, deletions, tags,
// collections, saved queries, corrected headers, undos and undos of undos, profiles, questions, games that are played, backups that are
// restored and brought up to date, copies between folders and servers, exports that are read again,
// reindexing, damage, salvage, several processes at once, and kills at any moment, or when
// something begins to count. What the
// program says, and what its libraries hold afterwards, is compared with a model that
// shares no code with it: games are texts of the model's own, and it knows by itself
// which of them are where, with which tags, and who has how many.
//
// What a killed operation did is open until the next look, but never more than that:
// a game that was acknowledged is there once, one that was not is there once or not
// at all, and nothing else has changed.
//
// A sequence is made of its seed alone, and an operation chooses what it is about
// from what is there when it runs, so that a sequence that fails can be shrunk by
// leaving out operations. The test prints what is left, and how to run it again:
//
//	go test ./internal/chaos -run 'TestChaos$' -seed 7 -ops 150 -only 12,15,16
//
// QIPU_SCALE=full runs hours instead of a minute.
//
// Two more tests are about servers. A crowd brings the same games at the same time, while
// servers fail (TestCrowd), and a storm kills one command after the other, at any moment
// of its work (TestStorm):
//
//	QIPU_SCALE=full go test ./internal/chaos -run 'TestCrowd$' -seed 3
//
// A storm on folders is TestStormFolders, and TestChaosPlay kills servers in games. That
// faults are found was tried by putting some in: docs/robustness.md has the table.
// Libraries of a few hundred games have tables only after they were reindexed, as the
// first one is when a sequence begins.
package chaos
