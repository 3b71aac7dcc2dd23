-- Version 2: what users make beside collections: saved queries, tags, and edits
-- of the names of players. A library of version 1 that is open for reading only
-- has none of these tables, and reads as if they were empty.

INSERT INTO meta VALUES ('saved', 1), ('tag', 1), ('edit', 1);

-- Queries that users named, and those that searches noted by themselves.
CREATE TABLE saved (
	id         INTEGER PRIMARY KEY,
	name       TEXT UNIQUE,      -- NULL for an automatic one, as is fold
	fold       TEXT UNIQUE,      -- the name in the form in which names are compared
	alias      TEXT NOT NULL,    -- described in that form; many may have the same, or none
	kind       TEXT NOT NULL,    -- the game it is about; may be empty
	query      TEXT NOT NULL,
	described  TEXT NOT NULL,    -- a name that describes the position; may be empty
	note       TEXT NOT NULL,
	auto       INTEGER NOT NULL, -- 1: noted by a search, and not named yet
	created    INTEGER NOT NULL, -- seconds since 1970
	used       INTEGER NOT NULL, -- nanoseconds since 1970
	generation INTEGER NOT NULL, -- of the library when it was searched; 0: never
	found      INTEGER NOT NULL, -- games in the bitmap
	hits       INTEGER NOT NULL, -- places in games
	games      BLOB NOT NULL     -- bitmap; the last column, so that lists do not read it
) STRICT;

CREATE INDEX saved_query ON saved (query, kind);
CREATE INDEX saved_auto ON saved (used) WHERE auto = 1;

-- Marks on games.
CREATE TABLE tag (
	id      INTEGER PRIMARY KEY,
	name    TEXT NOT NULL UNIQUE,
	created INTEGER NOT NULL, -- seconds since 1970
	games   BLOB NOT NULL     -- bitmap
) STRICT;

-- What users said about the names of players. Rows are never deleted.
CREATE TABLE edit (
	id        INTEGER PRIMARY KEY,
	op        TEXT NOT NULL,
	names     TEXT NOT NULL,    -- a JSON array of texts
	into_name TEXT NOT NULL,
	undone    INTEGER NOT NULL,
	at        INTEGER NOT NULL  -- seconds since 1970
) STRICT;
