// Package valuing makes the values of positions of Othello that come with the
// program: it counts the positions of games, searches those that many have reached,
// and writes what the program carries.
//
// All places are known beforehand. So each needs one search, of its moves that lead to
// no other place; the others are worth what is found behind them. Places are searched
// from the end of the game to its beginning: what the moves to other places are worth
// is known by then, and a search need not tell apart what is less.
//
// Files are text, a place or a search a line, and are only ever added to: whoever is
// interrupted goes on when it is called again.
package valuing
