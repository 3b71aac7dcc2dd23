// Package external hosts engines that are other programs, as child processes, by
// the protocol that they speak: GTP, UCI, UCCI, those of NBoard and of the Gomocup.
//
//	e, err := external.Start(ctx, external.Options{Rules: othello.Standard, Command: []string{"edax", "-gtp"}})
//	defer e.Close()
//	report, err := e.Think(ctx, task, engine.Limits{Time: time.Second}, nil)
//
// A child is not trusted. It may crash, hang, never read what it is told, print
// garbage or without end, answer what nobody asked, or make illegal moves: every
// wait has an end, every buffer a size, and what cannot be mended kills the child
// with all processes that it began. Within one thought it is started again once;
// then there is an error that names the question and tells what it printed last.
// Package tricks plays every one of these on every protocol.
//
// Behind one engine there is one small dialect for each protocol:
//
//	        board                      values                     stop
//	GTP     kept by the child, in step lz-analyze, kata-analyze   any command; genmove: kill
//	UCI     told with each question    cp, mate                   stop
//	UCCI    told with each question    score                      stop
//	NBoard  told with each question    discs                      ping
//	Gomocup told with each question    messages of Rapfi          kill
//
// Values become those of package engine: discs and pawns are what they are, a share
// of a win becomes the lead that is worth as much, a mate in n moves a win in so many
// plies. Line.Told keeps what the program itself said. A program that tells no
// values is Opaque, and its moves have none.
//
// In GTP games other than Go are written as programs have them: Othello with rank 1
// at the top and a pass only where it is forced, Renju and Gomoku by the points of Go,
// Xiangqi by the squares that a piece leaves and reaches (h2e2), the first side as r.
package external
