package xiangqi

import (
	"unicode/utf8"

	"qipu/game"
)

// readChinese reads Chinese notation, traditional or simplified or mixed, with
// numerals of any kind for either side:
//
//	炮二平五          piece, file, direction, number
//	前馬退六 中兵平四  place, piece, direction, number
//	二卒平６          the second of the soldiers on crowded files
//	前兵九平八        place, piece, file: the front one of those on file 9
//	前九平八 二７平６  the same without the word for soldier
func readChinese(text string) (ph phrase, ok bool) {
	var list [5]word
	n := 0
	for ; text != ""; n++ {
		r, length := utf8.DecodeRuneInString(text)
		w := wordOf(r)
		if n == len(list) || w.class == noWord {
			return ph, false
		}
		list[n] = w
		text = text[length:]
	}
	if n < 4 {
		return ph, false
	}
	w := list[:n]
	// The last two words are always a direction and a number.
	if w[n-2].class != wayWord || w[n-1].class != numberWord {
		return ph, false
	}
	ph.way, ph.n = way(w[n-2].value), uint8(w[n-1].value)
	placed := w[0].class == placeWord || w[0].class == numberWord
	switch {
	case n == 4 && w[0].class == kindWord && w[1].class == numberWord:
		ph.kind, ph.file = kind(w[0].value), uint8(w[1].value)
	case n == 4 && placed && w[1].class == kindWord:
		ph.place, ph.kind = place(w[0].value), kind(w[1].value)
	case n == 4 && placed && w[1].class == numberWord:
		ph.place, ph.kind, ph.file = place(w[0].value), soldier, uint8(w[1].value)
	case n == 5 && placed && w[1].class == kindWord && w[2].class == numberWord:
		ph.place, ph.kind, ph.file = place(w[0].value), kind(w[1].value), uint8(w[2].value)
	default:
		return ph, false
	}
	return ph, true
}

// word is one character of a Chinese text.
type word struct {
	class wordClass
	value int8
}

type wordClass uint8

const (
	noWord     wordClass = iota
	kindWord             // value is a kind
	numberWord           // 1..9
	wayWord              // a way
	placeWord            // a place
)

func wordOf(r rune) word {
	switch r {
	case '帥', '帅', '將', '将':
		return word{kindWord, int8(king)}
	case '仕', '士':
		return word{kindWord, int8(advisor)}
	case '相', '象':
		return word{kindWord, int8(elephant)}
	case '車', '车', '俥', '伡':
		return word{kindWord, int8(chariot)}
	case '馬', '马', '傌', '㐷':
		return word{kindWord, int8(horse)}
	case '炮', '砲', '包', '礮':
		return word{kindWord, int8(cannon)}
	case '兵', '卒':
		return word{kindWord, int8(soldier)}
	case '進', '进', '上':
		return word{wayWord, int8(advance)}
	case '退', '下':
		return word{wayWord, int8(retreat)}
	case '平':
		return word{wayWord, int8(sideways)}
	case '前':
		return word{placeWord, int8(front)}
	case '中':
		return word{placeWord, int8(middle)}
	case '後', '后':
		return word{placeWord, int8(rear)}
	case '一', '二', '三', '四', '五', '六', '七', '八', '九':
		return word{numberWord, hanValue(r)}
	}
	if r >= '1' && r <= '9' {
		return word{numberWord, int8(r - '0')}
	}
	if r >= '１' && r <= '９' {
		return word{numberWord, int8(r - '０')}
	}
	return word{}
}

func hanValue(r rune) int8 {
	for i, n := range hanNumbers {
		if n == r {
			return int8(i)
		}
	}
	return 0
}

var hanNumbers = [10]rune{1: '一', '二', '三', '四', '五', '六', '七', '八', '九'}

// script holds the characters that are written.
type script struct {
	pieces [2][kinds]rune
	ways   [3]rune // by way+1
	places [3]rune // front, middle, rear
}

var (
	traditional = script{
		pieces: [2][kinds]rune{{'帥', '仕', '相', '車', '馬', '炮', '兵'}, {'將', '士', '象', '車', '馬', '炮', '卒'}},
		ways:   [3]rune{'退', '平', '進'},
		places: [3]rune{'前', '中', '後'},
	}
	simplified = script{
		pieces: [2][kinds]rune{{'帅', '仕', '相', '车', '马', '炮', '兵'}, {'将', '士', '象', '车', '马', '炮', '卒'}},
		ways:   [3]rune{'退', '平', '进'},
		places: [3]rune{'前', '中', '后'},
	}
)

// appendChinese writes Red's numbers in Chinese and Black's in full-width
// digits, as records do. Numbers that count soldiers are Chinese for both.
func (ph phrase) appendChinese(dst []byte, side game.Side, sc *script) []byte {
	piece := sc.pieces[side][ph.kind]
	switch {
	case ph.place == alone:
		dst = utf8.AppendRune(dst, piece)
		dst = utf8.AppendRune(dst, numeral(side, ph.file))
	case ph.place > 0:
		dst = utf8.AppendRune(dst, hanNumbers[ph.place])
		dst = utf8.AppendRune(dst, piece)
	default:
		dst = utf8.AppendRune(dst, sc.places[front-ph.place])
		dst = utf8.AppendRune(dst, piece)
	}
	dst = utf8.AppendRune(dst, sc.ways[ph.way+1])
	return utf8.AppendRune(dst, numeral(side, ph.n))
}

func numeral(side game.Side, n uint8) rune {
	if side == game.First {
		return hanNumbers[n]
	}
	return '０' + rune(n)
}
