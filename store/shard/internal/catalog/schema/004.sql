-- Version 4: checksums of rows. A library of an older version that is open for
-- reading only has none, and its rows are taken as they are.

-- One for each row of the tables that digest.go names: of those that can change
-- without anything else telling it.
CREATE TABLE digest (
	area INTEGER NOT NULL, -- the number of the table; see digest.go
	id   INTEGER NOT NULL, -- of the row, or a hash of its key where rows have no numbers
	sum  INTEGER NOT NULL, -- the low half of the xxh3 of all columns
	PRIMARY KEY (area, id)
) STRICT, WITHOUT ROWID;
