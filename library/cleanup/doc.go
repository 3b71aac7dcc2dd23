// Package cleanup proposes what may be put right in the headers of a library: dates that cannot
// be, sides that are exchanged, titles of games where the event should be, teams in front of
// names, names that only the title has, results that only the title tells, and texts that were
// read in the wrong encoding.
//
// Every proposal rests on something else that the library says, and names it: another header of
// the same record, the name of its file, or what is known of its players from other records.
// Nothing is changed until somebody accepts a proposal, which is a correction of headers as any
// other: an entry of the journal, which can be undone. One that was dismissed does not come back.
package cleanup
