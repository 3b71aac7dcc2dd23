// Package judging teaches the verdict of life and death: it grows the forests of
// package verdict from boards whose owners are known.
//
//	w, lessons, err := judging.Teach(ctx, boards, judging.Options{})
//
// Boards come from package counted. Those with the players' own marks are learnt
// from as they are. Of games that tell the score alone there are many more: a judge
// that was taught by the first ones judges them, and where the score comes out as it
// was counted, or does so with a single doubtful group turned, the board is learnt
// from as well. What the score contradicts is left out.
//
// The same boards and options give the same weights, on any number of cores.
package judging
