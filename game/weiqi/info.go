package weiqi

import (
	"strconv"

	"qipu/board"
	"qipu/game"
)

// The notations.
const (
	GTP     game.Notation = "gtp"
	SGF     game.Notation = "sgf"
	Numbers game.Notation = "1-1"
)

func newInfo(s board.Size, variant string, by Scoring) game.Info {
	symmetries := game.BoardSymmetries(s)
	// Exchanging the colours keeps the moves and their consequences; komi,
	// handicap and who moves first are the only things that tell them apart.
	for _, sym := range s.Symmetries() {
		symmetries = append(symmetries, game.Symmetry{Board: sym, Swap: true})
	}
	return game.Info{
		Name:    "weiqi",
		Titles:  board.Names{En: "Go", Hant: "圍棋", Hans: "围棋", Ja: "囲碁", Ko: "바둑"},
		Howto:   howto(by),
		Tools:   []string{"judge", "shapes"},
		Aliases: []string{"go", "baduk", "igo"},
		Ko:      true,
		Sides: []game.SideInfo{
			{Name: "black", Titles: board.Names{En: "Black", Hant: "黑方", Hans: "黑方", Ja: "黒", Ko: "흑"}, Letters: "bBxX"},
			{Name: "white", Titles: board.Names{En: "White", Hant: "白方", Hans: "白方", Ja: "白", Ko: "백"}, Letters: "wWoO"},
		},
		Notations: []game.NotationInfo{
			{Name: GTP, Summary: "column letter without I, row number from the bottom: Q16, pass"},
			{Name: SGF, Summary: "column and row letter from the top left: pd; nothing, or tt up to 19x19, is a pass"},
			{Name: Numbers, Summary: "column and row number from the top left: 16-4, pass"},
		},
		Usual: []string{"9x9", "13x13"},
		Variants: []game.VariantInfo{
			{Name: "WxH", Summary: "size of the board, 1x1 to 25x25; 19x19 if not given"},
			{Name: Japanese, Summary: "simple ko, territory, komi 6.5; the default"},
			{Name: Chinese, Summary: "positional superko, area, komi 7.5"},
			{Name: AGA, Summary: "situational superko, area with pass stones, komi 7.5"},
			{Name: Computer, Summary: "chinese, with the area as it stands: nobody has to agree on dead stones"},
			{Name: NewZealand, Summary: "situational superko, suicide, area as it stands, komi 7"},
			{Name: TrompTaylor, Summary: "positional superko, suicide, area as it stands, komi 7.5"},
			{Name: "komi=POINTS", Summary: "komi in points or half points; 0.5 in handicap games if not given"},
			{Name: "handicap=STONES", Summary: "2 to 9 black stones on the star points, White moves first"},
		},
		Choices:    choices,
		Variant:    variant,
		Symmetries: symmetries,
	}
}

// howto is the rules in short. How a game is won goes by what is counted: points that
// a side surrounds and stones that it has taken, or its stones with what they surround.
func howto(by Scoring) board.Names {
	n := board.Names{
		En:   "Take turns placing stones. Stones without a free point beside them are captured. Two passes end the game, and the larger area wins: one's stones and the points that they surround.",
		Hant: "輪流落子，沒有氣的棋子會被提走。雙方連續停一手後終局，以己方活子與所圍之點合計，多者獲勝。",
		Hans: "轮流落子，没有气的棋子会被提走。双方连续停一手后终局，以己方活子与所围之点合计，多者获胜。",
		Ja:   "交互に石を打ち、呼吸点のない石は取られます。両者が続けてパスすると終局し、生きた石と囲った点を合わせて多い方が勝ちです。",
		Ko:   "번갈아 돌을 놓고, 활로가 없는 돌은 따냅니다. 둘 다 연달아 패스하면 끝나고, 살아 있는 돌과 둘러싼 점을 더해 많은 쪽이 이깁니다.",
	}
	if by == Territory {
		n = board.Names{
			En:   "Take turns placing stones. Stones without a free point beside them are captured. Two passes end the game, and the larger territory wins: the empty points that one surrounds, and the stones that one has captured.",
			Hant: "輪流落子，沒有氣的棋子會被提走。雙方連續停一手後終局，以所圍空點與提子合計，多者獲勝。",
			Hans: "轮流落子，没有气的棋子会被提走。双方连续停一手后终局，以所围空点与提子合计，多者获胜。",
			Ja:   "交互に石を打ち、呼吸点のない石は取られます。両者が続けてパスすると終局し、囲った空点（地）とアゲハマを合わせて多い方が勝ちです。",
			Ko:   "번갈아 돌을 놓고, 활로가 없는 돌은 따냅니다. 둘 다 연달아 패스하면 끝나고, 둘러싼 빈 점(집)과 따낸 돌을 더해 많은 쪽이 이깁니다.",
		}
	}
	return n
}

// choices are what players agree upon before a game. The rules by which programs
// play each other are not among them.
var choices = []game.Choice{
	{Titles: board.Names{En: "Board", Hant: "棋盤", Hans: "棋盘", Ja: "盤", Ko: "바둑판"}, Values: []game.ChoiceValue{{Word: "19x19"}, {Word: "13x13"}, {Word: "9x9"}}},
	{Titles: board.Names{En: "Rules", Hant: "規則", Hans: "规则", Ja: "ルール", Ko: "규칙"}, Values: []game.ChoiceValue{
		{Word: Japanese, Titles: board.Names{En: "Japanese", Hant: "日本規則", Hans: "日本规则", Ja: "日本ルール", Ko: "일본 룰"}},
		{Word: Chinese, Titles: board.Names{En: "Chinese", Hant: "中國規則", Hans: "中国规则", Ja: "中国ルール", Ko: "중국 룰"}},
		{Word: AGA, Titles: board.Names{En: "AGA", Hant: "AGA 規則", Hans: "AGA 规则", Ja: "AGA ルール", Ko: "AGA 룰"}},
		{Word: NewZealand, Titles: board.Names{En: "New Zealand", Hant: "紐西蘭規則", Hans: "新西兰规则", Ja: "ニュージーランドルール", Ko: "뉴질랜드 룰"}},
	}},
	{Titles: board.Names{En: "Handicap", Hant: "讓子", Hans: "让子", Ja: "置き石", Ko: "접바둑"}, Values: counted("handicap=",
		board.Names{En: "None", Hant: "不讓子", Hans: "不让子", Ja: "なし", Ko: "없음"}, "2", "3", "4", "5", "6", "7", "8", "9")},
	{Titles: board.Names{En: "Komi", Hant: "貼目", Hans: "贴目", Ja: "コミ", Ko: "덤"}, Values: counted("komi=",
		board.Names{En: "By the rules", Hant: "依規則", Hans: "按规则", Ja: "ルール通り", Ko: "규칙대로"}, "0", "0.5", "3.5", "5.5", "6.5", "7.5")},
}

// counted returns the answers of a choice whose words end with numbers.
func counted(word string, usual board.Names, numbers ...string) []game.ChoiceValue {
	list := []game.ChoiceValue{{Titles: usual}}
	for _, n := range numbers {
		list = append(list, game.ChoiceValue{Word: word + n, Titles: board.Names{En: n, Hant: n, Hans: n, Ja: n, Ko: n}})
	}
	return list
}

func newGeometry(s board.Size) board.Geometry {
	rows := make([]string, s.H)
	for y := range rows {
		rows[y] = strconv.Itoa(s.H - y)
	}
	return board.Geometry{
		Size:   s,
		Lines:  board.Grid(s, false),
		Dots:   stars(s),
		Labels: board.Labels{Top: board.Letters(s.W, 'A', "I"), Left: rows},
		Pieces: []board.Look{
			{
				Names: board.Names{En: "black stone", Hant: "黑子", Hans: "黑子", Ja: "黒石", Ko: "흑돌"},
				Owner: int(Black), Swap: 2, Letters: "Xx#*Bb", Symbol: "●",
				Fill: "#161616", Edge: "#000000", Ink: "#f5f5f5",
			},
			{
				Names: board.Names{En: "white stone", Hant: "白子", Hans: "白子", Ja: "白石", Ko: "백돌"},
				Owner: int(White), Swap: 1, Letters: "OoWw", Symbol: "○",
				Fill: "#f7f5ef", Edge: "#55504a", Ink: "#161616",
			},
		},
		Theme: board.Theme{Board: "#e2b565", Line: "#3a2a14", Mark: "#1f6fb4"},
	}
}

// stars returns the star points: nine from 15x15 on, the corners and the
// centre from 7x7 on, only the centre below. An even side has no middle line,
// so boards with one have no star points there.
func stars(s board.Size) []board.Spot {
	dots := []board.Spot{}
	if s.W < 5 || s.H < 5 {
		return dots
	}
	columns, rows := starLines(s.W), starLines(s.H)
	for _, y := range rows {
		for _, x := range columns {
			inside := 0
			if x == s.W/2 && s.W%2 == 1 {
				inside++
			}
			if y == s.H/2 && s.H%2 == 1 {
				inside++
			}
			// A point in the middle of a side needs room along that side.
			if inside == 1 && (s.W < 15 || s.H < 15) {
				continue
			}
			dots = append(dots, board.Spot{X: float64(x), Y: float64(y)})
		}
	}
	return dots
}

// starLines returns the lines of a side of n points that star points lie on.
func starLines(n int) []int {
	var list []int
	lo := edgeLine(n)
	if n >= 7 {
		list = append(list, lo)
	}
	if n%2 == 1 {
		list = append(list, n/2)
	}
	if n >= 7 {
		list = append(list, n-1-lo)
	}
	return list
}
