// Package marks keeps columns of marks on servers: when something held in the lines
// of documents that no board can tell.
//
// Columns of marks lie in two tables of each shard. A row of mark is an interval of
// a line; one that is there twice counts once. A row of marked tells of which
// documents all intervals of a column are there. It comes behind them, on all
// replicas, so that what a killed build has left says nothing.
//
// A column that nobody asks for is dropped by a row of marked without documents,
// low = high = 0: from then on rows of the same turn do not count, and one who
// makes the column anew takes the next turn. Rows of mark stay for those who have
// looked before: see Columns.Clean.
//
// Columns may be missing at any time: a scan then lets every line through. All
// methods of Columns may be called at the same time. Build is done by one at a
// time in a process: it holds building, and takes mu under it for moments; nobody
// asks a server under mu.
package marks
