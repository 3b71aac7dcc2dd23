// Package tree has what engines of different games share that search a tree move by
// move: the table of positions, and the time that a move may take.
package tree
