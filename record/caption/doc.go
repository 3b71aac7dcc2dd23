// Package caption reads titles that tell a game, as collections of Xiangqi have them where
// others have the name of an event:
//
//	第6屆全國象棋錦標賽 040-黑龍江王嘉良先負北京劉文哲 中炮過河車對屏風馬
//
// It finds who is named, for which teams, who moved first and how it ended, and what of the
// title is the event, its round and the opening. Names are not guessed by their place: a
// [Lexicon] learns from the headers of other records which words are players and which are
// teams, so that a town is not taken for a player. What cannot be accounted for in full is
// left alone.
package caption
