package pgn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/fen"
)

func tag(tags []record.Tag, name string) string {
	value, _ := record.FindTag(tags, name)
	return value
}

// of tells which game a record is of: by what it says itself, by the shape
// of its position, by tags that only one game has, and last by its moves.
// First is the first move.
func (list kinds) of(tags []record.Tag, shapes shape, first string) (kind, reason string) {
	if k := list.named(tags); k != nil {
		return k.Name, ""
	}
	for _, name := range []string{"Game", "Variant"} {
		if word := tag(tags, name); word != "" {
			if kind, reason := kindOfWord(word); kind != "" || reason != "" {
				return kind, reason
			}
		}
	}
	rows, _, _ := strings.Cut(strings.TrimSpace(tag(tags, "FEN")), " ")
	switch strings.Count(rows, "/") {
	case 9:
		return "xiangqi", ""
	case 7:
		return list.own("chess is not a game of this program: the position has eight rows")
	}
	switch {
	case shapes&(han|wxf|far) != 0:
		return "xiangqi", ""
	case has(tags, "Red", "RedTeam", "ECCO"):
		return "xiangqi", ""
	case shapes&san != 0, has(tags, "ECO"):
		return list.own("chess is not a game of this program")
	case shapes&square != 0:
		// Chess programs write e2e4; without any sign of Xiangqi it is that.
		return list.own("chess is not a game of this program: give a Game tag if this is Xiangqi")
	case shapes&point != 0 && pawnFirst(first) && list[ownGame] != nil:
		return ownGame, ""
	case shapes&(point|pair|comma) != 0:
		return "renju", ""
	case list[ownGame] != nil && has(tags, "White") && has(tags, "Black"):
		return ownGame, "" // a game of which only the result is known
	}
	return "", "nothing tells which game this is: there is neither a Game tag nor a move"
}

// ownGame is what the standard of the format is about: records that name no game are
// of it, where the program has it.
const ownGame = "chess"

// own returns the game of the format, or the reason for refusing a record of it.
func (list kinds) own(reason string) (kind, why string) {
	if list[ownGame] != nil {
		return ownGame, ""
	}
	return "", reason
}

// pawnFirst reports whether a move may be the first one of a game of chess. Five in a
// row begins in the middle of a larger board.
func pawnFirst(move string) bool {
	return len(move) == 2 && move[0] >= 'a' && move[0] <= 'h' && (move[1] == '3' || move[1] == '4')
}

// plainWords are what sites write under Variant for the plain game.
var plainWords = []string{"standard", "from position", "normal", "chess", "classical", "none", "-", "?"}

// named returns the game that one of the two tags names; nil for none of list.
func (list kinds) named(tags []record.Tag) *record.Kind {
	for _, name := range []string{"Game", "Variant"} {
		if k, _ := list.called(tag(tags, name)); k != nil {
			return k
		}
	}
	return nil
}

// called returns the game that a word means, as users name it, and the variant.
func (list kinds) called(word string) (k *record.Kind, variant string) {
	name, more, _ := strings.Cut(strings.TrimSpace(word), ":")
	for _, k := range list {
		if nick, ok := k.Rules.Info().Answers(name); ok {
			return k, strings.Trim(nick+","+more, ",")
		}
	}
	return nil, ""
}

func has(tags []record.Tag, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, ok := record.FindTag(tags, name)
		return ok
	})
}

// kindOfWord reads the name of a game. Words that name none are neither a kind
// nor a reason.
func kindOfWord(word string) (kind, reason string) {
	w := strings.ToLower(word)
	contains := func(list ...string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(w, s) })
	}
	switch {
	case contains("国际象棋", "國際象棋"):
		return "", "chess is not a game of this program"
	case contains("chinese chess", "xiangqi", "xiang qi", "cchess", "象棋", "cờ tướng", "co tuong"):
		return "xiangqi", ""
	case contains("gomoku", "renju", "gobang", "five in a row", "五子", "连珠", "連珠", "五目", "連珠"):
		return "renju", ""
	case contains("chess", "crazyhouse", "shogi", "将棋", "將棋", "janggi", "makruk", "othello", "reversi", "checkers", "draughts", "atomic", "antichess"):
		return "", fmt.Sprintf("%s in PGN is not a game of this program", beginning(word))
	}
	return "", ""
}

// variantOf returns the variant of a record. What the tag Variant says is
// taken where it is made of words that the games know.
func (list kinds) variantOf(tags []record.Tag, kind string) string {
	if list[kind] != nil {
		var words []string
		for _, name := range []string{"Game", "Variant"} {
			if k, variant := list.called(tag(tags, name)); k != nil {
				words = append(words, variant)
			} else if word := tag(tags, name); name == "Variant" && !(kind == ownGame && slices.Contains(plainWords, strings.ToLower(word))) {
				words = append(words, word)
			}
		}
		return strings.Trim(strings.Join(words, ","), ",")
	}
	if word := tag(tags, "Variant"); word != "" && knownVariant(word, kind) {
		return word
	}
	if kind != "renju" {
		return ""
	}
	// PlayOK: kind of game, size. Six in a row does not win there: real games
	// go on after it.
	if t := tag(tags, "GameType"); t != "" && strings.EqualFold(tag(tags, "Site"), "PlayOK") {
		_, size, _ := strings.Cut(t, ",")
		if n, err := strconv.Atoi(size); err == nil && n != 15 && n >= 5 && n <= 25 {
			return fmt.Sprintf("%dx%d,standard", n, n)
		}
		return "standard"
	}
	for _, name := range []string{"Game", "Variant"} {
		w := strings.ToLower(tag(tags, name))
		switch {
		case strings.Contains(w, "renju"), strings.Contains(w, "连珠"), strings.Contains(w, "連珠"):
			return ""
		case strings.Contains(w, "standard"):
			return "standard"
		case w != "":
			return "free"
		}
	}
	return ""
}

// knownVariant reports whether a text is a list of variant words of a game.
func knownVariant(text, kind string) bool {
	for word := range strings.SplitSeq(text, ",") {
		switch word {
		case "free":
			continue
		case "asian", "check-only":
			if kind == "xiangqi" {
				continue
			}
		case "renju", "standard":
			if kind == "renju" {
				continue
			}
		default:
			w, h, ok := strings.Cut(word, "x")
			if kind == "renju" && ok && len(w) <= 2 && len(h) <= 2 && digits(w) && digits(h) {
				continue
			}
		}
		return false
	}
	return true
}

// startOf returns the position that a game begins from as game.ParseSetup reads
// it: empty for the usual one. A position that makes no sense is kept as it is,
// and refused by the rules.
func startOf(tags []record.Tag, kind string) string {
	text := tag(tags, "FEN")
	if kind != "xiangqi" {
		return strings.TrimSpace(text)
	}
	return fen.Start(text)
}

// notations are the words of the Format tag, the notations that they mean, and
// the shapes of moves that agree with them.
var notations = []struct {
	word, name string
	shapes     shape
}{
	{"Chinese", "chinese", han},
	{"Chinese-Hans", "chinese-hans", han},
	{"WXF", "wxf", wxf},
	{"ICCS", "iccs", square},
	{"UCI", "uci", square | wide},
	{"Plain", "plain", point},
	{"SGF", "sgf", pair},
	{"XY", "xy", comma},
}

// notationOf tells the notation of the moves, and what speaks against the
// Format tag.
func (list kinds) notationOf(tags []record.Tag, kind, start string, shapes shape, first string) (name, doubt string) {
	if k := list[kind]; k != nil {
		if word := tag(tags, "Format"); word != "" {
			return word, ""
		}
		return k.Notation, ""
	}
	shapes &^= null | far
	found := notationOfMoves(start, shapes, first)
	word := tag(tags, "Format")
	if word == "" {
		return found, ""
	}
	for _, n := range notations {
		if !strings.EqualFold(n.word, word) {
			continue
		}
		switch {
		case n.name == "chinese" && found == "chinese-hans":
			return found, "" // the tag does not tell the scripts apart
		case shapes&^(n.shapes|hant|hans) == 0:
			return n.name, ""
		}
		return found, fmt.Sprintf("the tag Format says %q, the moves look different", word)
	}
	return found, ""
}

func notationOfMoves(start string, shapes shape, first string) string {
	switch shapes {
	case han, han | hant, han | hant | hans:
		return "chinese"
	case han | hans:
		return "chinese-hans"
	case wxf:
		return "wxf"
	case square | wide, wide:
		return "uci"
	case square:
		if start == "" && onlyUCI(first) {
			return "uci"
		}
		return "iccs"
	case point:
		return "plain"
	case pair:
		return "sgf"
	case comma:
		return "xy"
	}
	return ""
}

// onlyUCI reports whether the first move of a game starts from a point where
// Red has a piece if ranks count from 1, and none if they count from 0.
func onlyUCI(move string) bool {
	file, rank := move[0]|0x20, move[1]
	switch rank {
	case '1':
		return true
	case '3':
		return file == 'b' || file == 'h'
	case '4':
		return (file-'a')%2 == 0
	}
	return false
}
