// Package ugf reads UGF and UGI, the formats of the Pandanet servers and their
// program for games of Go.
//
// A file has sections: [Header] with "Name=value" lines, [Data] with the moves,
// and sometimes [Figure] with comments, and others.
//
//	QP,B1,1,0      point, side and player, number of the move, seconds
//	YA,W1,222,0    a pass: the column is Y or Z
//
// Moves with the number 0 are handicap stones. Letters count from A. With
// CoordinateType=IGS rows count from below, else from above. Lang gives the
// encoding; without it the text is Shift_JIS.
//
// All headers become Tags. Seconds are properties "SECS" where they are not 0.
// ".Text,N" in [Figure] is a comment to move N; ".#,x,y,label" in it labels a
// point, a property "LB" as in SGF. Diagrams (".Fig") and the sections that are not read, [Files],
// [Remote], [MessageLine] and [ReviewNode] among them, are named in a Note and
// stay in Raw. In Winner, C is a resignation, T time, F forfeit, and a number
// points.
//
// There is no description of the format by its makers; this is what the files
// say. Read only.
package ugf
