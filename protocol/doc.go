// Package protocol is what the protocols have in common that serve an engine to
// other programs. Each has a room of its own: [qipu/protocol/gtp],
// [qipu/protocol/uci], [qipu/protocol/gomocup] and [qipu/protocol/nboard].
//
// A session is a [Desk]: a [Table] with the game that it is about, an engine that
// is opened when it is needed, and a [Feed] of lines. A thought is under way in
// the goroutine of Serve, while another reads on: what must not wait (the end of
// the input, quit, an interrupt) reaches the thought at once, everything else is
// done in its order. Lines have a greatest length; what is longer is refused and
// skipped.
//
// The package refuses to choose an engine or its strength: [Open] and the limits
// of a server say.
package protocol
