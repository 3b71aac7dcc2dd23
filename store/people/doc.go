// Package people keeps who uses a library, and what is theirs alone: profiles, hashes
// of the keys and of the log-ins by which they are known, and their private things.
//
// It is a small database of its own beside the catalogue, readable by the owner of the
// folder alone. So nothing that is private ever stands in a table that a search, a list
// or an export of the library reads; a profile that is removed is gone from the disk at
// once, which would cost a walk through gigabytes in the catalogue; and a command can
// change profiles while a server runs: SQLite lets one write after the other.
//
// Keys and log-ins are random texts of 130 bits, of which the database has the SHA-256
// alone. Times never run backwards in it: see [DB.Now].
package people
