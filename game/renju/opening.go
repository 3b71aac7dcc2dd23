package renju

import (
	"strings"

	"qipu/board"
	"qipu/game"
)

// Opening is one of the 26 ways, up to symmetry, to play the first three
// stones: Black in the centre, White next to it, Black in the central 5x5.
type Opening struct {
	Code  string // "4D": number, and D for direct or I for indirect
	Names board.Names

	// Second and Third are the points of White's and Black's stone on 15x15,
	// as the opening is usually shown; the first stone is on h8.
	Second, Third board.Point
}

// The usual places of the second stone: h9 and i9.
var (
	direct   = board.At(7, 6)
	indirect = board.At(8, 6)
)

// Openings lists the 26 openings, 1D to 13D, then 1I to 13I. The Korean names
// are the readings that Korean players use; 13D and 5I sound alike there.
var Openings = []Opening{
	opening("1D", 0, 2, "Kansei", "寒星", "寒星", "寒星", "한성"),
	opening("2D", 1, 2, "Keigetsu", "溪月", "溪月", "渓月", "계월"),
	opening("3D", 2, 2, "Sosei", "疏星", "疏星", "疎星", "소성"),
	opening("4D", 1, 1, "Kagetsu", "花月", "花月", "花月", "화월"),
	opening("5D", 2, 1, "Zangetsu", "殘月", "残月", "残月", "잔월"),
	opening("6D", 1, 0, "Ugetsu", "雨月", "雨月", "雨月", "우월"),
	opening("7D", 2, 0, "Kinsei", "金星", "金星", "金星", "금성"),
	opening("8D", 0, -1, "Shogetsu", "松月", "松月", "松月", "송월"),
	opening("9D", 1, -1, "Kyugetsu", "丘月", "丘月", "丘月", "구월"),
	opening("10D", 2, -1, "Shingetsu", "新月", "新月", "新月", "신월"),
	opening("11D", 0, -2, "Zuisei", "瑞星", "瑞星", "瑞星", "서성"),
	opening("12D", 1, -2, "Sangetsu", "山月", "山月", "山月", "산월"),
	opening("13D", 2, -2, "Yusei", "遊星", "游星", "遊星", "유성"),
	opening("1I", 2, 2, "Chosei", "長星", "长星", "長星", "장성"),
	opening("2I", 2, 1, "Kyogetsu", "峽月", "峡月", "峡月", "협월"),
	opening("3I", 2, 0, "Kosei", "恆星", "恒星", "恒星", "항성"),
	opening("4I", 2, -1, "Suigetsu", "水月", "水月", "水月", "수월"),
	opening("5I", 2, -2, "Ryusei", "流星", "流星", "流星", "유성"),
	opening("6I", 1, 0, "Ungetsu", "雲月", "云月", "雲月", "운월"),
	opening("7I", 1, -1, "Hogetsu", "浦月", "浦月", "浦月", "포월"),
	opening("8I", 1, -2, "Rangetsu", "嵐月", "岚月", "嵐月", "람월"),
	opening("9I", 0, -1, "Gingetsu", "銀月", "银月", "銀月", "은월"),
	opening("10I", 0, -2, "Myojo", "明星", "明星", "明星", "명성"),
	opening("11I", -1, -1, "Shagetsu", "斜月", "斜月", "斜月", "사월"),
	opening("12I", -1, -2, "Meigetsu", "名月", "名月", "名月", "명월"),
	opening("13I", -2, -2, "Suisei", "彗星", "彗星", "彗星", "혜성"),
}

// opening describes an opening whose third stone is so far right and up of h8.
func opening(code string, right, up int, en, hant, hans, ja, ko string) Opening {
	second := direct
	if strings.HasSuffix(code, "I") {
		second = indirect
	}
	return Opening{code, board.Names{En: en, Hant: hant, Hans: hans, Ja: ja, Ko: ko}, second, board.At(7+right, 7-up)}
}

// Openings returns the 26 openings as a table, where they hold.
func (r *Rules) Openings() (text string, drawn bool) {
	if r.info.Variant != "" {
		return "", false
	}
	var b strings.Builder
	for _, o := range Openings {
		for _, p := range [...]board.Point{board.At(r.size.W/2, r.size.H/2), o.Second, o.Third} {
			b.WriteString(r.geo.Name(p) + " ")
		}
		n := o.Names
		b.WriteString(strings.Join([]string{"", n.En, n.Ja, n.Hant, n.Hans, n.Ko, strings.ToLower(n.En), o.Code}, "|") + "\n")
	}
	return b.String(), false
}

// OpeningOf names the opening of a game by its first three moves, on any board
// that has a centre. It returns false for games that begin otherwise.
func OpeningOf(s board.Size, moves []game.Move) (*Opening, bool) {
	if len(moves) < 3 {
		return nil, false
	}
	return openingOf(s, moves[0].To(), moves[1].To(), moves[2].To())
}

func openingOf(s board.Size, first, second, third board.Point) (*Opening, bool) {
	centre := board.At(s.W/2, s.H/2)
	if s.W%2 == 0 || s.H%2 == 0 || first != centre {
		return nil, false
	}
	// The centre of a smaller or larger board is moved onto h8.
	shift := func(p board.Point) (board.Point, bool) {
		x, y := p.X()-centre.X(), p.Y()-centre.Y()
		return board.At(x+7, y+7), p != board.NoPoint && max(x, -x, y, -y) <= 2
	}
	second, ok2 := shift(second)
	third, ok3 := shift(third)
	if !ok2 || !ok3 {
		return nil, false
	}
	for _, sym := range plainSize.Symmetries() {
		w, b := sym.Apply(plainSize, second), sym.Apply(plainSize, third)
		for k := range Openings {
			if o := &Openings[k]; o.Second == w && o.Third == b {
				return o, true
			}
		}
	}
	return nil, false
}

// Opening returns the name and the code of the opening that a game begins with.
func (r *Rules) Opening(moves []game.Move) (names board.Names, code string, ok bool) {
	o, ok := OpeningOf(r.Geometry().Size, moves)
	if !ok {
		return names, "", false
	}
	return o.Names, o.Code, true
}
