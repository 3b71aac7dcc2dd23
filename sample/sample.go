// Package sample is the demo set that comes with the program: games of every
// kind that it knows, in many formats and encodings, so that there is something
// to search, study and check before anybody has brought records along.
//
//	fs.WalkDir(sample.Files(), ".", ...)
//
// The games were made by the authors of Qipu with their own programs. The
// opening study was written by hand; the problem of life and death and the
// mates were proved by exhaustive search. Names of players and events are
// invented. All of it is dedicated to the public domain under CC0 1.0.
//
// # What is in it
//
//	go-9x9-1.sgf         Go on 9x9, UTF-8, with the count in the last node
//	go-9x9-gbk.sgf       the same size, Chinese in GBK that the file does not declare
//	go-9x9-sjis.sgf      Japanese in Shift_JIS
//	go-13x13.sgf         two handicap stones, Korean in EUC-KR
//	go-19x19-study.sgf   an opening with variations, labels and marks
//	go-problem.sgf       life and death from a set-up, with right and wrong answers
//	othello-1.sgf        Othello, with passes
//	othello-2.ggf        with the players' evaluations and times
//	othello-3.txt        three transcripts
//	othello.wtb          four games of a WTHOR database, its players (.jou) and
//	                     tournaments (.trn)
//	xiangqi-big5.pgn     Xiangqi, traditional Chinese in Big5
//	xiangqi-hans.pgn     simplified Chinese, with comments and a variation
//	xiangqi-iccs.pgn     coordinates
//	xiangqi-ubb.txt      the text of web boards (DhtmlXQ)
//	xiangqi-draw.xqf     a draw, in the format of XQStudio
//	xiangqi-mates.pgn    three mating studies from set-up positions
//	renju-1.sgf          Renju, won by five in a row
//	renju-2.pgn          the same, another opening
//	renju-foul.pgn       lost by a forbidden move
//	gomoku.psq           free five in a row between programs (Piskvork)
//	broken-occupied.sgf  faulty on purpose: move 12 is on an occupied point
//
// Every other record is legal to the end, and the result that it states is true.
//
// Beside it there are a thousand games of Othello that the engine has played
// against itself, from every opening that has a name ([Played]); they are as
// free as the others.
package sample

import (
	"embed"
	"io/fs"
)

//go:embed games/*
var games embed.FS

//go:embed played/*
var played embed.FS

// Games is how many games an import of the demo set makes.
const Games = 28

// What the engine has played against itself, with the seed that it began with:
// package selfplay makes it.
const (
	PlayedFile  = "othello-selfplay.sgf.gz"
	PlayedGames = 1000
	Seed        = 1
)

// Files returns the files of the demo set, all in its root.
func Files() fs.FS { return sub(games, "games") }

// Played returns the games that the engine has played against itself: one file,
// PlayedFile.
func Played() fs.FS { return sub(played, "played") }

func sub(files fs.FS, dir string) fs.FS {
	root, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // only an invalid path does that
	}
	return root
}
