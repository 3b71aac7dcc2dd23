-- Version 3: what engines and people say of positions, and games that are being
-- played. A library of an older version that is open for reading only has none
-- of these tables, and reads as if they were empty.

INSERT INTO meta VALUES ('session', 1);

-- Values of positions: truth, unlike the statistics of the book, which are
-- derived from the records. What is unknown is NULL. Values are hundredths of a
-- disc or point for the side to move.
CREATE TABLE theory (
	kind     TEXT NOT NULL,    -- the game and its board: "othello 8x8"
	key      BLOB NOT NULL,    -- 16 bytes: of the position in its smallest picture, passes folded
	position TEXT NOT NULL,    -- in that picture
	level    INTEGER,          -- of the engine that searched it
	leaf     TEXT,             -- the best move that leads to no position of this table,
	value    INTEGER,          -- and its value
	lower    INTEGER,          -- what is known of the value of the position by search
	upper    INTEGER,
	exact    INTEGER,          -- the value of the position, where it was solved
	human    INTEGER,          -- what a person set, which outranks all
	note     TEXT NOT NULL,
	changed  INTEGER NOT NULL, -- seconds since 1970
	PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;

-- Games that are being played, and those that were not kept as records.
CREATE TABLE session (
	id      INTEGER PRIMARY KEY,
	token   TEXT NOT NULL UNIQUE, -- names it in addresses; cannot be guessed
	kind    TEXT NOT NULL,        -- the game, as a spec
	state   TEXT NOT NULL,        -- JSON: settings, moves, clocks
	over    INTEGER NOT NULL,     -- 1: the game has ended
	game    INTEGER,              -- the record that it has become
	created INTEGER NOT NULL,     -- nanoseconds since 1970
	changed INTEGER NOT NULL
) STRICT;

CREATE INDEX session_open ON session (changed) WHERE over = 0;
