// Package eval judges boards of Othello as they stand: a sum of weights of patterns,
// fitted to games by package workshop/learn and embedded.
//
//	v := eval.Trained().Evaluate(own, opp)
//
// A search keeps [Features] beside its board, and changes them with every move
// instead of reading the board anew.
package eval
