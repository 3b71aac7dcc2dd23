// Package house has no code: its tests keep the order of the house, which packages
// may import which, and that the documents name every package and dependency.
package house
