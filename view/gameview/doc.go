// Package gameview makes the answers about games and their positions. A Kind is a
// kind of game with what is told of it; a Standing is a position with the moves that
// led to it, from which positions, lines, openings and pictures are made.
package gameview
