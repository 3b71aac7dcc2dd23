// Package queue keeps what mining has found until people have judged it.
//
// A finding waits with its sentence, the query that finds its games and a few of them.
// Readers accept it, reject it with a reason, or are not sure; each has one verdict, and
// where two have read the same findings, [Queue.Agreements] tells how far they agree
// beyond chance. What is accepted becomes an entry: a query with a name, whose note says
// on what evidence and when.
//
// The queue is a file of lines in the folder that a library keeps for people: one a
// finding, readable, and in every backup.
package queue
