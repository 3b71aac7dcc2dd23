// Package kifu lays a recorded game on pages: its header, diagrams with their moves and
// comments, as books print games. Games in which pieces are put on points get diagrams with
// numbered moves; others get lists of moves, with the board behind each.
package kifu
