// Package attack has the squares of a chess board as numbers and sets, and tables of where
// pieces go from each: what the rules and an engine both need. Fill makes the tables; who has
// a position has had them made.
package attack
