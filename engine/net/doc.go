// Package net computes small neural nets in whole numbers, without cgo.
//
// A net is data: a file names the planes that it is shown and a list of operations
// (convolutions, poolings, dense layers) that read and write registers by name.
//
//	n, err := net.Read(data)
//	run := n.NewRun(19, 19)
//	copy(run.Plane(1), stones)      // whole numbers, n.Unit() is one
//	run.Evaluate()
//	run.Plot("point")               // a number for each point
//	run.Vector("said")              // a few numbers for the whole board
//
// Weights of convolutions are whole numbers of ten bits and a sign, activations of
// twelve bits, sums of 32 bits that cannot overflow; only what follows a pooling is
// computed in floating point, by the same code everywhere. So the portable code and
// the assembly for AVX2 and AVX-512 give the same numbers, bit for bit.
//
// # The file
//
// The word "QNET1\n", the length of a JSON text (32 bits, little endian), the text,
// zeros up to a multiple of four, then arrays that the text points into. The text is
// a [head]; package sight of the workshop writes it.
package net
