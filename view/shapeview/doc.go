// Package shapeview makes the answers about what is known of boards: the names
// and terms of a game, the shapes of Go with their advice, and judgements of life
// and death. It has no texts of its own but those of the values that it is given.
package shapeview
