// Package cluster puts what is alike together: patterns, openings, players, games;
// whatever is described by a vector.
//
//	h, err := cluster.Join(ctx, cluster.Distances(vectors), cluster.Ward)
//	groups := h.Cut(8)
//	m, err := cluster.Train(ctx, vectors, cluster.MapOptions{Seed: 1})
//
// [Join] makes a hierarchy: the two nearest groups become one, until one is left.
// [Train] makes a self-organising map: cells of a hexagonal grid that learn to
// look like the items, so that neighbours on the map are alike. Both are drawn
// with links, so that one can walk on them.
//
// [Describe] describes the items of a table in three ways: by what they stand
// together with, by where they come about on the board, and by what follows them.
//
// All is repeatable: the same items and seed give the same answer.
package cluster
