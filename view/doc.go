// Package view is what travels between the server and its clients: plain types
// that JSON shows as they are documented, from which the OpenAPI document and
// the TypeScript types of the client are made.
//
// The types share nothing with those of the library, so that either may change
// without the other. A list is never null: whoever makes a value makes its
// lists. Points are numbers, counted row by row from the top left of the board
// from 0; -1 is no point. Sides are 0 for the first mover and 1 for the second.
package view
