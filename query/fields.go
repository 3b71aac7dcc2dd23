package query

import (
	"slices"
	"strings"
	"sync"

	"qipu/board"
)

// ValueKind is the kind of value that a field takes.
type ValueKind string

// The kinds of values.
const (
	TextValue   ValueKind = "text"
	NumberValue ValueKind = "number" // or a range of them
	DateValue   ValueKind = "date"   // a year, a month, a day, or a range
	RankValue   ValueKind = "rank"   // or a range of them
	SideValue   ValueKind = "side"
	WordValue   ValueKind = "word" // one of FieldHelp.Values
	NameValue   ValueKind = "name" // of something that the library keeps
	GameValue   ValueKind = "game"
	BoardValue  ValueKind = "board"
	MoveValue   ValueKind = "move"
)

// FieldHelp describes a field of the language.
type FieldHelp struct {
	Name    string      `json:"name"`    // the canonical name
	Names   board.Names `json:"names"`   // what it is called in each language
	Aliases []string    `json:"aliases"` // other words for it, of any language
	Kind    ValueKind   `json:"kind"`
	Values  []string    `json:"values,omitempty"` // of WordValue and SideValue
	Help    string      `json:"help"`
	Example string      `json:"example"`

	// Sided tells that the field is also asked of one side: rating.black.
	Sided bool `json:"sided,omitempty"`

	// Moment tells that it is true of moments, and not of games.
	Moment bool `json:"moment,omitempty"`

	// Columns are those that it looks at. Which of two columns belongs to a side
	// is up to the game.
	Columns []Column `json:"-"`
}

var SideWords = []string{"black", "white", "red", "first", "second"}

// fields is the table of all fields, in the order in which they are shown.
var fields = []FieldHelp{
	{Name: "player", Names: board.Names{En: "player", Hant: "棋手", Hans: "棋手", Ja: "棋士", Ko: "기사"}, Aliases: []string{"players", "name", "棋士", "對局者", "对局者", "対局者", "대국자"},
		Kind: TextValue, Help: "either player; names are found in other scripts and spellings too", Example: `player:"Ke Jie"`, Columns: []Column{FirstPlayer, SecondPlayer}},
	{Name: "black", Names: board.Names{En: "black", Hant: "黑方", Hans: "黑方", Ja: "黒", Ko: "흑"}, Aliases: []string{"黑", "黒番", "흑번"},
		Kind: TextValue, Help: "the player of Black, who moves first or second as the game has it", Example: "black:Shusaku", Columns: []Column{FirstPlayer, SecondPlayer}},
	{Name: "white", Names: board.Names{En: "white", Hant: "白方", Hans: "白方", Ja: "白", Ko: "백"}, Aliases: []string{"白番", "백번"},
		Kind: TextValue, Help: "the player of White", Example: "white:柯潔", Columns: []Column{SecondPlayer}},
	{Name: "red", Names: board.Names{En: "red", Hant: "紅方", Hans: "红方", Ja: "紅", Ko: "홍"}, Aliases: []string{"红"},
		Kind: TextValue, Help: "the player of Red in Xiangqi", Example: "red:胡榮華", Columns: []Column{FirstPlayer}},
	{Name: "first", Names: board.Names{En: "first", Hant: "先手", Hans: "先手", Ja: "先手", Ko: "선번"}, Aliases: []string{"先"},
		Kind: TextValue, Help: "the player who moves first", Example: "first:Tamenori", Columns: []Column{FirstPlayer}},
	{Name: "second", Names: board.Names{En: "second", Hant: "後手", Hans: "后手", Ja: "後手", Ko: "후번"}, Aliases: []string{"後"},
		Kind: TextValue, Help: "the player who moves second", Example: "second:Tamenori", Columns: []Column{SecondPlayer}},
	{Name: "result", Names: board.Names{En: "result", Hant: "結果", Hans: "结果", Ja: "結果", Ko: "결과"}, Aliases: []string{"winner", "勝負", "胜负", "승부"},
		Kind: WordValue, Values: []string{"black", "white", "red", "first", "second", "draw", "none", "unknown", "known", "win", "loss"},
		Help: "who won, also as records have it: B+R, B+3.5, 1-0, 黑勝; win and loss are those of the player that stands beside it", Example: "result:draw", Columns: []Column{Result}},
	{Name: "how", Names: board.Names{En: "how", Hant: "終局", Hans: "终局", Ja: "終局", Ko: "종국"},
		Kind: TextValue, Help: "how the game ended: resign, time, forfeit, count, judge, illegal, five, mate", Example: "how:resign", Columns: []Column{How}},
	{Name: "date", Names: board.Names{En: "date", Hant: "日期", Hans: "日期", Ja: "日付", Ko: "날짜"}, Aliases: []string{"year", "day", "年", "년"},
		Kind: DateValue, Help: "when it was played: all days that the date may mean lie inside", Example: "date:1990..1999-06", Columns: []Column{FirstDay, LastDay}},
	{Name: "event", Names: board.Names{En: "event", Hant: "賽事", Hans: "赛事", Ja: "棋戦", Ko: "대회"}, Aliases: []string{"tournament", "比賽", "比赛", "大会"},
		Kind: TextValue, Help: "the event or tournament", Example: "event:Honinbo", Columns: []Column{Event}},
	{Name: "round", Names: board.Names{En: "round", Hant: "輪次", Hans: "轮次", Ja: "回戦", Ko: "라운드"},
		Kind: TextValue, Help: "the round of the event", Example: `round:"game 3"`, Columns: []Column{Round}},
	{Name: "place", Names: board.Names{En: "place", Hant: "地點", Hans: "地点", Ja: "場所", Ko: "장소"}, Aliases: []string{"site", "location"},
		Kind: TextValue, Help: "where it was played", Example: "place:Tokyo", Columns: []Column{Place}},
	{Name: "team", Names: board.Names{En: "team", Hant: "隊伍", Hans: "队伍", Ja: "チーム", Ko: "팀"}, Aliases: []string{"club", "隊", "队"}, Sided: true,
		Kind: TextValue, Help: "the team of either player", Example: "team:上海", Columns: []Column{FirstTeam, SecondTeam}},
	{Name: "rating", Names: board.Names{En: "rating", Hant: "等級分", Hans: "等级分", Ja: "レート", Ko: "레이팅"}, Aliases: []string{"elo"}, Sided: true,
		Kind: NumberValue, Help: "the ratings of both players; rating.any is that of one of them", Example: "rating:2500..2700", Columns: []Column{FirstRating, SecondRating}},
	{Name: "rank", Names: board.Names{En: "rank", Hant: "段位", Hans: "段位", Ja: "段級", Ko: "단급"}, Aliases: []string{"grade", "title", "段級位"}, Sided: true,
		Kind: RankValue, Help: "the ranks of both players, from 30k over 1d to 9d and 1p to 9p, or titles of chess from WCM over FM and IM to GM; rank.any is that of one of them", Example: "rank>=5d", Columns: []Column{FirstRank, SecondRank}},
	{Name: "moves", Names: board.Names{En: "moves", Hant: "手數", Hans: "手数", Ja: "手数", Ko: "수순"}, Aliases: []string{"length", "步數", "步数", "총수"},
		Kind: NumberValue, Help: "how many moves the game has, counting those of both sides", Example: "moves<100", Columns: []Column{Plies}},
	{Name: "komi", Names: board.Names{En: "komi", Hant: "貼目", Hans: "贴目", Ja: "コミ", Ko: "덤"},
		Kind: NumberValue, Help: "points for moving second", Example: "komi:6.5", Columns: []Column{Komi}},
	{Name: "handicap", Names: board.Names{En: "handicap", Hant: "讓子", Hans: "让子", Ja: "置石", Ko: "접바둑"}, Aliases: []string{"置き石", "접수"},
		Kind: NumberValue, Help: "handicap stones; a game without any has 0", Example: "handicap:2..4", Columns: []Column{Handicap}},
	{Name: "margin", Names: board.Names{En: "margin", Hant: "勝差", Hans: "胜差", Ja: "目差", Ko: "집차"},
		Kind: NumberValue, Help: "the points by which it was won", Example: "margin:0.5", Columns: []Column{Margin}},
	{Name: "ruleset", Names: board.Names{En: "ruleset", Hant: "規則", Hans: "规则", Ja: "ルール", Ko: "규칙"}, Aliases: []string{"rules"},
		Kind: TextValue, Help: "the rules that were agreed on", Example: "ruleset:japanese", Columns: []Column{Ruleset}},
	{Name: "opening", Names: board.Names{En: "opening", Hant: "開局", Hans: "开局", Ja: "布石", Ko: "포석"}, Aliases: []string{"佈局", "布局", "序盤"},
		Kind: TextValue, Help: "the name of the opening", Example: "opening:中炮", Columns: []Column{Opening}},
	{Name: "code", Names: board.Names{En: "code", Hant: "編號", Hans: "编号", Ja: "分類", Ko: "분류"}, Aliases: []string{"ecco", "eco"},
		Kind: TextValue, Help: "the code of the opening", Example: "code:C21", Columns: []Column{Code}},
	{Name: "author", Names: board.Names{En: "author", Hant: "評註", Hans: "评注", Ja: "解説", Ko: "해설"}, Aliases: []string{"annotator"},
		Kind: TextValue, Help: "who wrote the comments", Example: "author:Redmond", Columns: []Column{Author}},
	{Name: "source", Names: board.Names{En: "source", Hant: "來源", Hans: "来源", Ja: "出典", Ko: "출처"}, Aliases: []string{"origin"},
		Kind: TextValue, Help: "the book or site that the record is from", Example: "source:WTHOR", Columns: []Column{Origin}},
	{Name: "played", Names: board.Names{En: "played", Hant: "對局處", Hans: "对局处", Ja: "対局元", Ko: "대국처"},
		Kind: WordValue, Values: []string{"here"}, Help: "the games that were played in this program, by guests and by its levels; not played:here are the records that were read", Example: "played:here"},
	{Name: "format", Names: board.Names{En: "format", Hant: "格式", Hans: "格式", Ja: "形式", Ko: "형식"},
		Kind: TextValue, Help: "the format of the record", Example: "format=sgf", Columns: []Column{Format}},
	{Name: "file", Names: board.Names{En: "file", Hant: "檔案", Hans: "文件", Ja: "ファイル", Ko: "파일"}, Aliases: []string{"path"},
		Kind: TextValue, Help: "the file that the record was read from", Example: "file:1998", Columns: []Column{File}},
	{Name: "comment", Names: board.Names{En: "comment", Hant: "註解", Hans: "注解", Ja: "コメント", Ko: "주석"}, Aliases: []string{"comments", "評論", "评论"},
		Kind: TextValue, Help: "words in the comments of the record", Example: "comment:妙手"},
	{Name: "term", Names: board.Names{En: "term", Hant: "術語", Hans: "术语", Ja: "用語", Ko: "용어"}, Aliases: []string{"terms"},
		Kind: NameValue, Help: "a word of the game in titles, openings or comments, in all forms that it is written in", Example: "term:卒林線"},
	{Name: "text", Names: board.Names{En: "text", Hant: "文字", Hans: "文字", Ja: "テキスト", Ko: "텍스트"}, Aliases: []string{"anywhere", "全文"},
		Kind: TextValue, Help: "everywhere: players, event, place, opening, comments and more; a word without a field asks the same", Example: "text:Honinbo",
		Columns: []Column{FirstPlayer, SecondPlayer, Event, Place, Opening, Code, Round, FirstTeam, SecondTeam, Origin, Author}},
	{Name: "game", Names: board.Names{En: "game", Hant: "棋種", Hans: "棋种", Ja: "種目", Ko: "종목"}, Aliases: []string{"kind"},
		Kind: GameValue, Help: "which game", Example: "game:go:9x9"},
	{Name: "collection", Names: board.Names{En: "collection", Hant: "合集", Hans: "合集", Ja: "棋譜集", Ko: "모음"}, Aliases: []string{"in"},
		Kind: NameValue, Help: "the games of a collection", Example: "collection:finals"},
	{Name: "tag", Names: board.Names{En: "tag", Hant: "標籤", Hans: "标签", Ja: "タグ", Ko: "태그"}, Aliases: []string{"tags"},
		Kind: NameValue, Help: "the games with a mark of yours", Example: "tag:study"},
	{Name: "added", Names: board.Names{En: "added", Hant: "加入日", Hans: "加入日", Ja: "追加日", Ko: "추가일"},
		Kind: DateValue, Help: "when a game came into the library", Example: "added:2026-11"},
	{Name: "import", Names: board.Names{En: "import", Hant: "匯入", Hans: "导入", Ja: "取込", Ko: "가져오기"}, Aliases: []string{"change"},
		Kind: NameValue, Help: "the games of an import, or of any other change, by its number in the journal", Example: "import:1"},
	{Name: "named", Names: board.Names{En: "named", Hant: "名為", Hans: "名为", Ja: "名前", Ko: "이름"}, Aliases: []string{"saved"}, Sided: true,
		Kind: NameValue, Help: "what has a name: a saved query, a mate, structure, opening, code or shape, in any language; named.red is a pattern of pieces of that side", Example: "named:馬後炮"},
	{Name: "endgame", Names: board.Names{En: "endgame", Hant: "殘局", Hans: "残局", Ja: "終盤", Ko: "종반"}, Aliases: []string{"ending", "エンドゲーム"}, Sided: true, Moment: true,
		Kind: NameValue, Help: "a position that tables of endings know: win, where somebody wins with best play, draw, or an ending by its men; endgame.red:win is won for that side", Example: "endgame:KR-KAAEE"},
	{Name: "ply", Names: board.Names{En: "ply", Hant: "第幾手", Hans: "第几手", Ja: "手目", Ko: "수째"}, Aliases: []string{"plies"}, Moment: true,
		Kind: NumberValue, Help: "how many moves have been played so far", Example: "ply:..50"},
	{Name: "turn", Names: board.Names{En: "turn", Hant: "輪走", Hans: "轮走", Ja: "手番", Ko: "차례"}, Aliases: []string{"to-move"}, Moment: true,
		Kind: SideValue, Values: SideWords, Help: "the side to move", Example: "turn:black"},
	{Name: "material", Names: board.Names{En: "material", Hant: "子力", Hans: "子力", Ja: "戦力", Ko: "기물"}, Moment: true, Sided: true,
		Kind: TextValue, Help: "the pieces of both sides and no others, by their letters, the king first: of either side, or of that which is named", Example: "material:KRPKR"},
	{Name: "imbalance", Names: board.Names{En: "imbalance", Hant: "子力差", Hans: "子力差", Ja: "駒の差", Ko: "기물차"}, Moment: true, Sided: true,
		Kind: TextValue, Help: "what one side has more than the other, and the other more than it; of all else but pawns and soldiers they have as much", Example: "imbalance:RvBN"},
	{Name: "move", Names: board.Names{En: "move", Hant: "走子", Hans: "走子", Ja: "指し手", Ko: "행마"}, Aliases: []string{"走棋"}, Sided: true, Moment: true,
		Kind: MoveValue, Values: []string{"any", "takes", "check", "promotes", "castles", "drops", "pass"},
		Help: "a move by its piece, where from and where to, what it takes, and what comes of it; move.red is one of that side", Example: "move:takes"},
	{Name: "board", Names: board.Names{En: "board", Hant: "棋形", Hans: "棋形", Ja: "形", Ko: "모양"}, Aliases: []string{"shape", "diagram", "pattern"}, Moment: true,
		Kind: BoardValue, Help: "a diagram that stands on the board", Example: `board:"XO/OX"{centre}`},
	{Name: "position", Names: board.Names{En: "position", Hant: "局面", Hans: "局面", Ja: "局面", Ko: "국면"}, Moment: true,
		Kind: BoardValue, Help: "the whole board after some moves, or of a position text, or a region of it", Example: `position:"Q16 D4"{region:C3:J9}`},
	{Name: "line", Names: board.Names{En: "line", Hant: "著法", Hans: "着法", Ja: "手順", Ko: "진행"}, Moment: true,
		Kind: BoardValue, Help: "the game begins with these moves in this order", Example: `line:"Q16 D4 C3"`},
	{Name: "fuzzy", Names: board.Names{En: "fuzzy", Hant: "相似", Hans: "相似", Ja: "類似", Ko: "유사"}, Aliases: []string{"like"}, Moment: true,
		Kind: BoardValue, Help: "boards that are like a diagram or a position, the most like first", Example: `fuzzy:"R../.n."{min:.8}`},
}

// names returns all words for a field, its canonical name first, each once.
func (f *FieldHelp) names() []string {
	var list []string
	for _, word := range append([]string{f.Name, f.Names.En, f.Names.Hant, f.Names.Hans, f.Names.Ja, f.Names.Ko}, f.Aliases...) {
		if !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

// aliases finds the fields by their words in lower case. A word that two fields
// have in common is that of the first.
var aliases = sync.OnceValue(func() map[string]*FieldHelp {
	m := map[string]*FieldHelp{}
	for i := range fields {
		for _, word := range fields[i].names() {
			if _, taken := m[strings.ToLower(word)]; !taken {
				m[strings.ToLower(word)] = &fields[i]
			}
		}
	}
	return m
})

// FieldOf returns the field that a word of any language means, in either case.
// The Name of a field that is asked of one side has it behind a dot:
// "rating.black".
func FieldOf(word string) (FieldHelp, bool) {
	base, side, sided := strings.Cut(strings.ToLower(word), ".")
	f, ok := aliases()[base]
	if !ok || !sided {
		return deref(f), ok
	}
	if side != "any" {
		s, ok := aliases()[side]
		if !ok || !slices.Contains(SideWords, s.Name) {
			return FieldHelp{}, false
		}
		side = s.Name
	}
	if !f.Sided {
		return FieldHelp{}, false
	}
	one := *f
	one.Name += "." + side
	return one, true
}

func deref(f *FieldHelp) FieldHelp {
	if f == nil {
		return FieldHelp{}
	}
	return *f
}

// Reference returns all fields in the order in which a reference shows them.
// The slices in it must not be changed.
func Reference() []FieldHelp { return slices.Clone(fields) }

// FieldWords returns the words for fields that a word may have been meant as:
// those with a side where it has a dot.
func FieldWords(word string) []string {
	var list []string
	for i := range fields {
		if !strings.Contains(word, ".") {
			list = append(list, fields[i].names()...)
			continue
		}
		if fields[i].Sided {
			for _, side := range append([]string{"any"}, SideWords...) {
				list = append(list, fields[i].Name+"."+side)
			}
		}
	}
	return list
}
