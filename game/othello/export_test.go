package othello

import "qipu/game"

// AppendTranscript appends the moves as they are written in databases and
// forums: squares run together, passes left out. game.ParseMoves reads it back.
func AppendTranscript(dst []byte, moves []game.Move) []byte {
	for _, m := range moves {
		if m != game.Pass {
			dst = Standard.AppendMove(dst, nil, m, game.AnyNotation)
		}
	}
	return dst
}
