-- Version 1 of the catalogue of a library.
--
-- A library of a million games has a million rows in game and few rows in
-- everything else: texts that repeat are numbers of the table name, records are
-- in chunks of many games, and sets of games are bitmaps. Columns of numbers of
-- names are not declared as references, because checking fifteen of them would
-- double the cost of adding a game; verification checks them instead.

-- Counters: version of the schema, generation, and the next free numbers. Numbers are never used twice.
CREATE TABLE meta (
	key   TEXT PRIMARY KEY,
	value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO meta VALUES ('version', 1), ('generation', 0), ('game', 1), ('name', 1), ('chunk', 1), ('segment', 1), ('collection', 1);

-- Texts that many games share. Rows are never changed.
CREATE TABLE name (
	id   INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
) STRICT;

-- Kinds of game with their boards, and how many games there are of each.
CREATE TABLE kind (
	id    INTEGER PRIMARY KEY,
	text  TEXT NOT NULL UNIQUE,
	games INTEGER NOT NULL
) STRICT;

-- Records and original bytes of up to 64 games, compressed; see chunk.go. Rows are never changed.
CREATE TABLE chunk (
	id    INTEGER PRIMARY KEY,
	games INTEGER NOT NULL, -- slots, those of deleted games among them
	sum   INTEGER NOT NULL, -- xxh3 of data
	data  BLOB NOT NULL
) STRICT;

-- What is unknown, empty or 0 is NULL.
CREATE TABLE game (
	id       INTEGER PRIMARY KEY,
	key      INTEGER NOT NULL, -- hash of the moves
	head     INTEGER NOT NULL, -- hash of the first of them
	kind     INTEGER NOT NULL, -- kind.id
	plies    INTEGER NOT NULL,
	chunk    INTEGER NOT NULL, -- chunk.id
	slot     INTEGER NOT NULL,
	marked   INTEGER,          -- 1: a move in it breaks the rules
	added    INTEGER NOT NULL, -- seconds since 1970
	format   INTEGER,          -- name.id, as are encoding, folder, and all texts below that are not TEXT
	encoding INTEGER,
	folder   INTEGER,          -- where it was read first: the folder or archive,
	base     TEXT,             -- the name of the file in it,
	number   INTEGER,          -- the number of the game in the file
	offset   INTEGER,          -- and the place of its bytes
	-- What the headers say.
	first    INTEGER,          -- the player who moves first
	second   INTEGER,
	rank1    INTEGER,          -- 100-n for n kyu, 100+n for n dan, 200+n for n dan professional
	rank2    INTEGER,
	rating1  INTEGER,
	rating2  INTEGER,
	event    INTEGER,
	day1     INTEGER,          -- first and last day that the date may stand for, counted from 0001-01-01
	day2     INTEGER,
	date     TEXT,             -- as SGF has it
	verdict  INTEGER,          -- 1 first won, 2 second won, 3 drawn, 4 both lost, 5 void, 6 unfinished
	margin   REAL,
	how      INTEGER,
	komi     INTEGER,          -- half points
	handicap INTEGER,
	ruleset  INTEGER,
	opening  INTEGER,
	code     INTEGER,
	round    INTEGER,
	place    INTEGER,
	team1    INTEGER,
	team2    INTEGER,
	origin   INTEGER,          -- the book or site that the record was taken from
	author   INTEGER,
	clock    INTEGER           -- time limits
) STRICT;

CREATE INDEX game_key ON game (key);
CREATE INDEX game_head ON game (head);

-- Further places where the same game was found.
CREATE TABLE source (
	game   INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
	folder INTEGER NOT NULL,
	base   TEXT NOT NULL,
	number INTEGER NOT NULL,
	offset INTEGER NOT NULL,
	PRIMARY KEY (game, folder, base, number, offset)
) STRICT, WITHOUT ROWID;

-- Games that belong together though they are not one.
CREATE TABLE link (
	a   INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
	b   INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
	why TEXT NOT NULL,
	PRIMARY KEY (a, b, why),
	CHECK (a < b)
) STRICT, WITHOUT ROWID;

CREATE INDEX link_b ON link (b);

-- Games that are in no segment yet: one row with a bitmap.
CREATE TABLE waiting (
	id    INTEGER PRIMARY KEY CHECK (id = 1),
	games BLOB NOT NULL
) STRICT;

-- The manifest of the derived files.
CREATE TABLE segment (
	id         INTEGER PRIMARY KEY,
	kind       INTEGER NOT NULL,
	variations INTEGER NOT NULL,
	file       TEXT NOT NULL UNIQUE,
	lines      INTEGER NOT NULL,
	bytes      INTEGER NOT NULL,
	sum        INTEGER NOT NULL,
	version    INTEGER NOT NULL,
	games      BLOB NOT NULL, -- bitmap
	dead       BLOB NOT NULL  -- bitmap: deleted or replaced since
) STRICT;

-- Files that were read to their end.
CREATE TABLE input (
	path     TEXT PRIMARY KEY,
	size     INTEGER NOT NULL,
	modified INTEGER NOT NULL -- nanoseconds since 1970
) STRICT, WITHOUT ROWID;

CREATE TABLE collection (
	id      INTEGER PRIMARY KEY,
	name    TEXT NOT NULL UNIQUE,
	note    TEXT NOT NULL,
	created INTEGER NOT NULL, -- seconds since 1970
	games   BLOB NOT NULL     -- bitmap
) STRICT;
