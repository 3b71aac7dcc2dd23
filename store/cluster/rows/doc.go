// Package rows makes the rows of documents: for each table of a library on servers
// the blocks of columns that are inserted together, sorted as the table is. It
// knows no server and has no state. A Batch is read by all who make rows of it at
// the same time, and changed by none.
//
// What the columns mean stands with the layout of the tables: see cluster/ledger.
package rows
