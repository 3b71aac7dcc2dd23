// Package shipped is the patterns of pieces that come with the program: mates,
// structures and opening systems of Xiangqi, mates and structures of chess, as text.
//
// Definitions and names were written for this base; every pattern says where it is
// known from. Positions of its checks that are from real games are single boards
// of CCPD, the Chinese Chess Practical Dataset of Yu-Han Tseng and Bo-Nian Chen
// (CC BY 4.0). Those of chess are single boards of tournament games, chosen by a
// program; nobody has judged them one by one.
package shipped

import (
	"embed"
	"sync"

	"qipu/pattern/relation/syntax"
)

//go:embed *.patterns
var files embed.FS

// Files returns the files of the base, for relation.New to lay others above them.
var Files = sync.OnceValue(func() []*syntax.File {
	list, err := syntax.Read(files, "shipped/")
	if err != nil {
		panic(err) // an embedded file cannot be missing
	}
	return list
})

// Base returns the shipped base by itself.
var Base = sync.OnceValue(func() *syntax.Base { return syntax.New(Files()...) })
