-- Version 6: what became of writes that other processes asked for. A library of an
-- older version that is open for reading only has none.

INSERT INTO meta VALUES ('lane', 1);

-- The last write of each lane. Whoever does not know whether his write was done looks
-- here, and none is done twice.
CREATE TABLE lane (
	name  TEXT PRIMARY KEY,
	turn  INTEGER NOT NULL, -- the number of the write in the lane
	reply BLOB NOT NULL,    -- what was told
	at    INTEGER NOT NULL  -- rises with every write: old lanes go
) STRICT, WITHOUT ROWID;

CREATE INDEX lane_at ON lane (at);
