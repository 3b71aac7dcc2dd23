package query

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// AreaWords are the words that an area begins with, and what they mean.
var AreaWords = map[string]string{
	"file": "file", "路": "file", "筋": "file", "줄": "file", "rank": "rank", "線": "rank", "线": "rank",
	"column": "column", "列": "column", "열": "column", "row": "row", "行": "row", "행": "row",
	"palace": "palace", "九宮": "palace", "九宫": "palace", "宮": "palace", "宫": "palace", "궁": "palace", "궁성": "palace",
	"own": "own", "己方": "own", "我方": "own", "自陣": "own", "자기": "own",
	"enemy": "enemy", "敵方": "enemy", "敌方": "enemy", "對方": "enemy", "对方": "enemy", "敵陣": "enemy", "상대": "enemy",
	"half": "half", "半場": "half", "半场": "half", "진영": "half",
	"river": "river", "河": "river", "河界": "river", "강": "river",
	"across": "across", "crossed": "across", "過河": "across", "过河": "across", "渡河": "across", "도하": "across",
	"corner": "corner", "corners": "corner", "角": "corner", "隅": "corner", "귀": "corner",
	"edge": "edge", "edges": "edge", "邊": "edge", "边": "edge", "辺": "edge", "변": "edge",
	"centre": "centre", "center": "centre", "中央": "centre", "中心": "centre", "天元": "centre", "중앙": "centre",
}

// fillers may stand before a place, and mean nothing.
var fillers = []string{"on", "at", "in", "the"}

// Fillers returns the words that may stand before a place, and mean nothing.
func Fillers() []string { return slices.Clone(fillers) }

// MoveWords are the words of a condition on moves, and what they mean.
var MoveWords = map[string]string{
	"any": "any", "任意": "any", "すべて": "any", "모든": "any",
	"from": "from", "從": "from", "从": "from", "自": "from", "から": "from", "에서": "from",
	"to": "to", "到": "to", "至": "to", "へ": "to", "으로": "to", "로": "to",
	"takes": "takes", "take": "takes", "captures": "takes", "capture": "takes", "x": "takes", "吃": "takes", "提": "takes", "取る": "takes", "따냄": "takes", "잡기": "takes",
	"promotes": "promotes", "becomes": "promotes", "=": "promotes", "升變": "promotes", "升变": "promotes", "成る": "promotes", "승진": "promotes",
	"check": "check", "checks": "check", "+": "check", "將軍": "check", "将军": "check", "照將": "check", "王手": "check", "장군": "check",
	"castles": "castles", "castling": "castles", "王車易位": "castles", "王车易位": "castles", "キャスリング": "castles", "캐슬링": "castles",
	"drops": "drops", "drop": "drops", "落子": "drops", "打つ": "drops", "착수": "drops",
	"passes": "passes", "pass": "passes", "虛著": "passes", "虚着": "passes", "停一手": "passes", "パス": "passes", "패스": "passes",
}

// numerals are the digits of Han numbers.
const numerals = "零一二三四五六七八九十"

// hanNumber reads a number below 100 at the head of some characters, in digits
// or as 三 and 十六, and returns how many characters it has.
func hanNumber(chars []rune) (value, n int) {
	for ; n < len(chars) && n < 3; n++ {
		digit := int(chars[n] - '0')
		if digit < 0 || digit > 9 {
			at := strings.IndexRune(numerals, chars[n])
			if at < 0 {
				break
			}
			if digit = utf8.RuneCountInString(numerals[:at]); digit == 10 {
				value = max(value, 1) * 10
				continue
			}
			if value%10 == 0 && value > 0 {
				value += digit // 十六
				continue
			}
		}
		value = value*10 + digit
	}
	return value, n
}

// Places takes a word of Chinese, Japanese or Korean apart into the words for
// places that it is made of: 三路 is file 3, 敵方九宮 the enemy palace. Nil where
// it is not made of such.
func Places(word string) []string {
	chars := []rune(word)
	var list []string
next:
	for len(chars) > 0 {
		rest := chars
		if rest[0] == '第' {
			rest = rest[1:]
		}
		if k, n := hanNumber(rest); n > 0 && n < len(rest) {
			switch unit := AreaWords[string(rest[n:n+1])]; unit {
			case "file", "rank", "column", "row":
				list = append(list, unit, strconv.Itoa(k))
				chars = rest[n+1:]
				continue
			}
		}
		for n := min(len(chars), 2); n > 0; n-- {
			if known := AreaWords[string(chars[:n])]; known != "" {
				list = append(list, known)
				chars = chars[n:]
				continue next
			}
		}
		return nil
	}
	return list
}

// placeLike reports whether a word begins an area.
func placeLike(word string) bool {
	return AreaWords[strings.ToLower(word)] != "" || pointLike(word) || Places(word) != nil
}

// pointLike reports whether a word looks like a point or a rectangle: letters,
// then digits.
func pointLike(word string) bool {
	digits := strings.TrimLeft(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz")
	return len(digits) > 0 && len(digits) < len(word) && digits[0] >= '0' && digits[0] <= '9'
}

// counted reads the words in the parentheses of a count, behind the opening one,
// and returns where the closing one stands; -1 where there is none. A set in
// brackets is one word, whatever blanks are in it.
func (l *lexer) counted() (list []token, end int) {
	var word strings.Builder
	t, bracket := token{kind: wordToken}, false
	for {
		r, n := l.peek()
		stop := n == 0 || r == ')'
		if stop || !bracket && (unicode.IsSpace(r) || r == ',' || r == '、') {
			if t.text, t.to = strings.TrimSpace(word.String()), l.at; t.text != "" {
				list = append(list, t)
			}
			word.Reset()
		} else {
			if word.Len() == 0 {
				t.from = l.at
			}
			bracket = r != ']' && (bracket || r == '[')
			word.WriteRune(r)
		}
		if n == 0 {
			return list, -1
		}
		end, l.at = l.at, l.at+n
		if stop {
			return list, end
		}
	}
}

// splitCount parts the words of a count into the pieces, at least one word, and
// the area; cut tells that a place is announced and does not follow.
func splitCount(list []token) (pieces, area []token, cut bool) {
	filler := func(t token) bool { return slices.Contains(fillers, strings.ToLower(t.text)) }
	n := min(len(list), 1)
	for n < len(list) && !filler(list[n]) && !placeLike(list[n].text) {
		n++
	}
	area = slices.DeleteFunc(slices.Clone(list[n:]), filler)
	return list[:n], area, n < len(list) && len(area) == 0
}

// spaced returns words as one text.
func spaced(list []token) string {
	var words []string
	for _, t := range list {
		words = append(words, t.text)
	}
	return strings.Join(words, " ")
}

// PieceAliases are more words for pieces, of both sides or of one: what other
// games and books call them, and the characters that records have for both.
var PieceAliases = map[string][]string{
	"king": {"general"}, "advisor": {"adviser", "guard", "mandarin"}, "elephant": {"bishop", "minister"}, "soldier": {"pawn"},
	"chariot": {"rook", "車", "车"}, "horse": {"knight", "馬", "马"}, "cannon": {"炮", "砲"}, "black cannon": {"包"},
}

// AnyPiece are the words for all pieces.
var AnyPiece = []string{"piece", "stone", "disc"}

// pieceWord reports whether a word names pieces of some game, or their side.
func pieceWord(word string) bool {
	one := strings.TrimSuffix(strings.ToLower(word), "s")
	if slices.Contains(AnyPiece, one) || PieceAliases[one] != nil || one == "red" || one == "black" || one == "white" {
		return true
	}
	for _, list := range PieceAliases {
		if slices.Contains(list, one) {
			return true
		}
	}
	return false
}
