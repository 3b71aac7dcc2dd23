// Package mine learns from records of Go what a base of shapes should know: how
// often each shape occurs and is played ([Count]), which further shapes are worth
// having ([Mine]), and how much of play a base explains ([Measure]).
//
// It knows no files and no libraries: games come as an iterator of [Game] values
// that [FromRecord] makes of played records.
//
// # Occurrences
//
// Everything is counted in occurrences. A shape occurs once from when it comes to
// stand at a place, in one of its pictures, until it no longer does; the
// occurrence ends well if a side then has put a stone on a good point of its own.
// So a shape that stands untouched for a hundred moves is one missed chance and
// not a hundred, and the rates of a rare fight and of a quiet corner can be
// compared.
//
// # Mining
//
// Mine looks at the 5x5 points around every empty point, for both sides, whenever
// they change. Contexts with the same 3x3 in the middle are a family: from it,
// trees grow over the other points and lines, each branch a test that parts
// often played contexts from seldom played ones, as long as support and lift
// stay significant. What a branch has found is then loosened point by point
// where that does not hurt the rate, so that a shape says no more than it must.
// Shapes are found in one half of the games and confirmed in the other by an
// exact count; both figures are reported. Good shapes are chosen by how much
// they add to what the others explain, shapes to avoid by how much less they are
// played than what they are a special case of.
//
// The same games and the same options give the same shapes, whatever the number
// of workers.
package mine
