// Package recordview makes the answers about records: the line that names one, and its
// tree of moves unfolded node by node.
package recordview
