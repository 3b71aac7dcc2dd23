// Package xiangqi plays Xiangqi: a board of its own that is kept move by move, an
// evaluation whose weights this project fitted, and principal variation search with
// what has proved worth it (docs/xiangqi-engine.md has the measure of each).
//
// The main type is [Engine]. What repeats is judged by the rules themselves: a line
// that comes back to a position is played on by game/xiangqi until they say who is to
// blame.
package xiangqi
