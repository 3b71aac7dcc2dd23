-- Version 5: a way back. What people change is an entry of the journal, with what it
-- takes to undo it; games that were deleted, and records that fuller ones took the
-- place of, are in the trash for a while; headers can be corrected. A library of an
-- older version that is open for reading only has none of these tables, and reads as
-- if they were empty.

INSERT INTO meta VALUES ('journal', 1), ('delta', 1), ('trash', 1);

-- What was done. Rows stay; an undo is a row of its own.
CREATE TABLE journal (
	id        INTEGER PRIMARY KEY,
	at        INTEGER NOT NULL, -- nanoseconds since 1970: when it was done, of what goes on when it was begun
	who       TEXT NOT NULL,    -- the id of a profile; empty for the owner of the machine
	op        TEXT NOT NULL,
	args      TEXT NOT NULL,    -- a JSON object: what people are told of it
	key       TEXT,             -- of what goes on through several transactions, such as an import
	count     INTEGER NOT NULL, -- how many games, or of other things how many of these
	undoes    INTEGER,          -- journal.id
	undone_by INTEGER,          -- journal.id
	games     BLOB NOT NULL     -- bitmap: those that it was about
) STRICT;

CREATE UNIQUE INDEX journal_key ON journal (key) WHERE key IS NOT NULL;

-- What has really changed, by transaction: compressed JSON; see journal.go.
CREATE TABLE delta (
	id      INTEGER PRIMARY KEY,
	journal INTEGER NOT NULL,
	data    BLOB NOT NULL
) STRICT;

CREATE INDEX delta_journal ON delta (journal);

-- Rows of games as they were. Their chunks stay as long as these rows do.
CREATE TABLE trash (
	id       INTEGER PRIMARY KEY,
	journal  INTEGER NOT NULL, -- what it was done by
	at       INTEGER NOT NULL, -- seconds since 1970
	replaced INTEGER NOT NULL, -- 1: the game goes on with another record
	game     INTEGER NOT NULL, -- its number; from here on the columns of game
	key      INTEGER NOT NULL,
	head     INTEGER NOT NULL,
	kind     INTEGER NOT NULL,
	plies    INTEGER NOT NULL,
	chunk    INTEGER NOT NULL,
	slot     INTEGER NOT NULL,
	marked   INTEGER,
	added    INTEGER NOT NULL,
	format   INTEGER,
	encoding INTEGER,
	folder   INTEGER,
	base     TEXT,
	number   INTEGER,
	offset   INTEGER,
	first    INTEGER,
	second   INTEGER,
	rank1    INTEGER,
	rank2    INTEGER,
	rating1  INTEGER,
	rating2  INTEGER,
	event    INTEGER,
	day1     INTEGER,
	day2     INTEGER,
	date     TEXT,
	verdict  INTEGER,
	margin   REAL,
	how      INTEGER,
	komi     INTEGER,
	handicap INTEGER,
	ruleset  INTEGER,
	opening  INTEGER,
	code     INTEGER,
	round    INTEGER,
	place    INTEGER,
	team1    INTEGER,
	team2    INTEGER,
	origin   INTEGER,
	author   INTEGER,
	clock    INTEGER
) STRICT;

CREATE INDEX trash_key ON trash (key);
CREATE INDEX trash_game ON trash (game);

-- Headers that were corrected. The rows of game have what holds; the records stay as
-- they came.
CREATE TABLE layer (
	game    INTEGER NOT NULL, -- one that is there, or in the trash
	field   TEXT NOT NULL,
	value   TEXT NOT NULL,
	journal INTEGER NOT NULL,
	PRIMARY KEY (game, field)
) STRICT, WITHOUT ROWID;

-- Dead lines of segments that are right again when their games come back out of the
-- trash. Derived: what is not listed here is indexed anew.
CREATE TABLE spare (
	segment INTEGER PRIMARY KEY,
	file    TEXT NOT NULL,
	games   BLOB NOT NULL -- bitmap
) STRICT;
