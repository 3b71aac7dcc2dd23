// Package term knows the words of a game: 中炮, 屏風馬, 卒林線. It cuts the titles
// of games into them, says what it knows of each, and finds in many texts the
// words that it does not know yet.
//
//	d := term.Of("xiangqi")
//	for _, p := range d.Split("中炮過河車對屏風馬平炮兌車") {
//		// 中炮 and 過河車 of the first side, 對, 屏風馬 and 平炮兌車 of the second
//	}
//
// A [Dict] holds the terms of one game. [Dict.Split] finds the cheapest way to
// cut a text into terms, the little words between them, phrases that are made
// of words of the game and stand in no dictionary, and the rest. [Dict.Title]
// takes away what is before and behind the opening in the header of a game:
// event, players, result. [Dict.Find] finds a term under any of its names,
// [Dict.Forms] tells what to look for in texts to find a term there. A [Miner]
// reads many texts and lists what may be terms and is in no dictionary, for an
// expert to define.
//
// The package knows no positions. That a term is a shape on the board says its
// field "pattern", with the ids of patterns elsewhere.
//
// # Files
//
// Dictionaries are text in files whose names end in ".terms": blocks begun by
// their kind and id, one field a line, parted by empty lines. Lines that begin
// with // are comments.
//
//	term ranked-chariot
//	kind     move
//	name     Ranked chariot | 橫車 | 横车 | 横車~ | 횡차~
//	form     [左右雙]橫車 | 起[左右]?橫車
//	pattern  ranging-chariot
//	note     A chariot goes up one point, to move sideways from there.
//
//	kind     opening, move, tactic, place, piece or stage
//	name     English | 繁體 | 简体 | 日本語 | 한국어; a name that ends in ~ is a
//	         transliteration of ours and not attested
//	alias    other names in any language
//	form     other writings in texts: [左右] is one of these characters, [左右]?
//	         one of them or none, # the number of a file
//	pattern  the ids of the patterns that the term names
//	note     what a reader should know
//
// One block tells how texts of the game are written:
//
//	game xiangqi
//	same     卒兵 | 象相       characters that mean the same
//	link     轉 | 局           words between terms
//	against  對                those that part the first side's from the second's
//	first    紅                words that say whose the following is
//	second   黑
//	piece    車馬炮            what phrases are made of: pieces,
//	verb     捉保              what they do,
//	mark     左右              which and how
//
// Characters of all scripts and countries fold together as package text says,
// those of a line "same" besides, and the digits with 一 to 九.
package term
