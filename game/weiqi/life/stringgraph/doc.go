// Package stringgraph judges boards of Go by the string graph of Park and Kim
// ("Static Analysis in Computer Go by Using String Graph", 2004).
//
// Strings (BS, WS) and empty areas (ES) are the vertices. Undirected edges join
// neighbours, a directed edge leads from what contains to what is contained. Rules
// reduce the graph: CG, SR, ER, ET, DESR, SCSR and APC. A vertex that contains two
// areas is an alive string graph (ASG); what no rule brings there is not alive.
//
//	var g stringgraph.Judge
//	j.Begin(stringgraph.Method, &b)
//	g.Judge(&b, false, &j)
//
// Under trace every reduction is a [life.Step] with the graph after it; [life.Graph.Apply]
// makes each graph from the one before, so that a trace can be replayed.
//
// # What the paper leaves open
//
// Areas are maximal, and a point is split off by SR alone. A point beside stones of
// both colours is an empty vertex of its own and a wall to the areas beside it: a
// neutral point would join the territories of both sides otherwise.
//
// SR goes over areas that touch one colour alone. Beside the enemy it takes two
// liberties that both strings share, or one where an enemy stone would be in atari.
// A single point that joins what nothing else joins is a link and half an eye, or
// none if the enemy holds its diagonals (two of them, one at the edge); a larger
// area stays whole. A point inside one string is an eye whatever the diagonals.
//
// CG is a circle over areas that neither touch the enemy nor a neutral point.
// Where one string is around the others, it is called SCSR.
//
// APC says what the theory of eye shapes says: two articulation points or more are
// two eyes, one is an eye and a half, none is one eye; six points or more are two
// eyes, if they are not the rabbity six. Dead stones that hold the dividing point, or
// fill all but one point in a shape without two eyes, leave one. The corner is not
// special.
//
// Which enemy strings are dead is what DESR needs to know and what it is there to
// find out. So the weakest group that is not alive is taken off the board, and
// everything is looked at anew, until all that is left is alive. How weak it is,
// is the sum of the influence around it, its eyes and the logarithm of its stones.
// Groups that are equally weak go together. A string that was taken off and in the
// end lies in an area of its own side, as those around it died later, is put back.
//
// Two groups that are not alive are in seki if neither has a way out but over the
// other, both or none have an eye, their own liberties are equally many, and they
// share two, or one if they have eyes. Stones in a space that is one eye even when
// they are captured are no seki.
//
// There is no side to move. A verdict that hangs on it is marked unclear: an eye or
// more and still dead, stones that lean to their own side and yet are dead, captors
// in atari, both colours equally weak, seki, and what was put back.
//
// What the method cannot see, as the paper says itself: strings that are cut and
// live together all the same, ko, one move that has to be added, squeezes; all of
// these need reading.
//
// # How far the numbers can be trusted
//
// The order in which strings are taken off decides the result. The three terms of
// weakness and their weights are those of an earlier trial that was chosen among 32
// settings on the 31 boards of the paper. How influence spreads, what is
// a seki, and that an eye and a half is not alive, were chosen here among some
// twenty variants, by counted games of the Internet. So what is measured on those
// two sets is on the high side, the more so for the boards of the paper.
package stringgraph
