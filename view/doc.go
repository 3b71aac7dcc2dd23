// Package view is every answer once: plain types that JSON shows as they are
// documented, for --json, for HTTP and for TypeScript alike. The OpenAPI document
// and the types of the client are made from them; the packages below it make the
// values from those of the library. There is no HTTP in any of them.
//
// The types share nothing with those of the library, so that either may change
// without the other. A list is never null: whoever makes a value makes its
// lists. Points are numbers, counted row by row from the top left of the board
// from 0; -1 is no point. Sides are 0 for the first mover and 1 for the second.
package view
