// Package relation finds patterns that are made of what pieces do to each other:
// 馬後炮, 臥槽馬, 屏風馬. Such a pattern says "a cannon gives check over a horse that
// shuts the king in", wherever on the board that is, and therefore cannot be drawn.
// Package syntax has the language that they are written in.
//
// [Compile] makes a [Set] of many, which is a [pattern.Matcher]: asked about one
// board it tells which patterns stand there, for which side, and which piece has
// which role. A [Tracker] follows a line of play and knows at every move which
// patterns hold, at the price of what has changed, and a [Marker] tells when each
// holds in a whole line. The package knows no rules of play; what it needs of them
// (reach, check, mate, mate without a piece) the position of a game offers as [Facts].
//
// A program is a pattern as one of its owners sees it, mirrored or not. Its roles are
// filled one after the other, those with the fewest places first, and each condition
// is asked as soon as the roles that it names are filled.
package relation
