// Package nboard serves engines by the protocol of NBoard, an Othello program, of
// version 2.
//
//	s := nboard.Server{Rules: othello.Standard, Open: open, Format: ggf.Format}
//	err := s.Serve(ctx, os.Stdin, os.Stdout)
//
// It understands nboard, set depth, set game, set contempt, move, hint, go, ping,
// learn, analyze; set myname, status, nodestats, search, book, analysis, learned,
// pong and === are the answers. Unknown lines are ignored. Values are for the
// side to move. Any line ends a thought.
package nboard
