package bind

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/game"
	"qipu/query"
	"qipu/record/facts"
	"qipu/text"
)

// field binds a field.
func (x *binding) field(f query.Field, p *party) (query.Q, error) {
	name, side, _ := strings.Cut(f.Name, ".")
	help, ok := query.FieldOf(f.Name)
	if !ok {
		return nil, x.fail(f.At, fmt.Sprintf("there is no field %q", f.Name), query.Suggest(f.Name, query.FieldWords(f.Name), ""), nil)
	}
	switch help.Kind {
	case query.NumberValue, query.RankValue, query.DateValue:
	default:
		if f.Op != query.Is && f.Op != query.Equal {
			return nil, x.fail(f.At, fmt.Sprintf("%s cannot be compared by %v", f.Name, f.Op), "write : before the value, or = for the whole text", nil)
		}
	}
	switch name {
	case "game":
		return x.game(f)
	case "collection", "tag":
		return x.set(f)
	case "played":
		return x.played(f)
	case "added":
		return x.added(f)
	case "import":
		return x.change(f)
	case "comment":
		return x.comment(f)
	case "text":
		return x.everywhere(f)
	case "term":
		return x.term(f)
	case "endgame":
		return x.endgame(f, side)
	case "result":
		return x.result(f, p)
	case "date":
		return x.date(f)
	case "move":
		return x.move(f, side)
	case "turn":
		s, ok := sideOf(x.Rules, f.Value)
		if !ok {
			_, err := x.side(f.Value, f)
			return nil, err
		}
		return query.Turn{Side: s}, nil
	case "ply":
		from, to, ok, err := plies(f.Op, f.Value)
		switch {
		case err != nil:
			return nil, x.failValue(f, cause(err), "write a number of moves, or a range as in 10..60", nil)
		case !ok:
			return query.Const(false), nil
		}
		return query.Ply{From: from, To: to}, nil
	case "material", "imbalance":
		return x.material(f, name, side)
	case "player", "black", "white", "red", "first", "second":
		who, err := x.party(f)
		if err != nil {
			return nil, err
		}
		if _, none := who.first.(query.Const); none {
			return who.second, nil
		}
		if _, none := who.second.(query.Const); none {
			return who.first, nil
		}
		return query.Or{who.first, who.second}, nil
	}
	columns := help.Columns
	if side != "" && side != "any" {
		s, err := x.side(side, f)
		if err != nil {
			return nil, err
		}
		columns = columns[s : s+1]
	}
	var list []query.Q
	if help.Kind == query.TextValue {
		texts, err := x.texts(f)
		if err == nil && name == "event" {
			texts, err = x.eventTexts(f, texts)
		}
		if err != nil {
			return nil, err
		}
		for _, c := range columns {
			list = append(list, x.fact(c, f, texts))
		}
		return query.Simplify(query.Or(list)), nil
	}
	read := numbers(1)
	switch name {
	case "komi":
		read = numbers(2)
	case "margin":
		read = numbers(4)
	case "rank":
		read = ranks
	}
	s, err := read.read(f.Op, f.Value)
	switch {
	case err != nil:
		return nil, x.failValue(f, cause(err), "write it as in "+help.Example, nil)
	case s.low > s.high:
		return query.Const(false), nil
	}
	if name == "handicap" && s.low <= 0 && s.high >= 0 {
		return x.even(f, s), nil
	}
	for _, c := range columns {
		list = append(list, x.within(c, f, s))
	}
	if side == "any" {
		return query.Simplify(query.Or(list)), nil
	}
	return query.Simplify(query.And(list)), nil
}

// endgameWords are those for what tables say of any ending, and the names that mean it.
var endgameWords = map[string]string{
	"win": "endgame-won", "won": "endgame-won", "勝": "endgame-won", "胜": "endgame-won", "勝ち": "endgame-won", "승": "endgame-won",
	"draw": "endgame-drawn", "drawn": "endgame-drawn", "和": "endgame-drawn", "引分": "endgame-drawn", "무": "endgame-drawn",
}

// endgame binds what tables of endings know.
func (x *binding) endgame(f query.Field, side string) (query.Q, error) {
	name := f.Value
	if id := endgameWords[strings.ToLower(name)]; id != "" {
		name = id
	} else if strings.ContainsAny(name, "-") {
		name = strings.ToUpper(name)
	}
	n := query.Named{Name: name, At: f.At}
	if side != "any" {
		n.Side = side
	}
	if x.Names == nil {
		return nil, x.fail(f.At, "names are known in a library alone", "open one", nil)
	}
	inner, err := x.Names.Named(name)
	if err != nil {
		return nil, x.failValue(f, fmt.Sprintf("no table of endings knows %q", f.Value), "write win, draw or an ending as in "+`endgame:KR-KAAEE`+": qipu endgame list shows them", errors.Join(err, ErrOtherGame))
	}
	if n.Side != "" {
		return some(x.owned(n, inner))
	}
	if m, ok := inner.(*query.Mark); ok {
		return m, nil
	}
	if _, any := x.Names.(anyNames); any {
		return &query.Mark{Name: n.Name}, nil
	}
	return nil, x.failValue(f, fmt.Sprintf("%q is no ending", f.Value), "write win, draw or an ending as in endgame:KR-KAAEE", nil)
}

// even returns the condition that a handicap is small or none. Records of even
// games do not mention it, so that those without one have none; a handicap of
// one stone is none either.
func (x *binding) even(f query.Field, s span64) query.Q {
	if s.high == math.MaxInt64 {
		return query.Const(true)
	}
	above := x.within(query.Handicap, f, span64{max(s.high, 1) + 1, math.MaxInt64})
	above.Why = query.Field{Name: "handicap", Op: query.Above, Value: fmt.Sprint(max(s.high, 1))}.String()
	return query.Not{Q: above}
}

// fact returns the condition that a column of texts has one of some texts.
func (x *binding) fact(c query.Column, f query.Field, texts *query.Texts) *query.Fact {
	x.leaves++
	return &query.Fact{Column: c, Text: texts, Why: query.Field{Name: c.String(), Op: f.Op, Value: f.Value}.String()}
}

// within returns the condition that a column of numbers lies in a range.
func (x *binding) within(c query.Column, f query.Field, s span64) *query.Fact {
	x.leaves++
	return &query.Fact{Column: c, Low: s.low, High: s.high, Why: query.Field{Name: c.String(), Op: f.Op, Value: f.Value}.String()}
}

// texts returns the texts that a field means: those that contain its value, or
// with = those that are it.
func (x *binding) texts(f query.Field) (*query.Texts, error) {
	folded := text.Fold(f.Value)
	if folded == "" {
		return nil, x.failValue(f, fmt.Sprintf("%s has nothing to search for", f.Name), "write a word, or leave the field out", nil)
	}
	if x.leaves > maxBound {
		return nil, x.fail(f.At, fmt.Sprintf("the query means more than %d conditions", maxBound), "ask for less at once", nil)
	}
	if f.Op == query.Equal {
		return &query.Texts{Whole: map[string]struct{}{folded: {}}}, nil
	}
	return &query.Texts{Parts: []string{folded}}, nil
}

// playerTexts returns the names of players that a field means. The same text is
// looked up once.
func (x *binding) playerTexts(f query.Field) (*query.Texts, error) {
	texts, err := x.texts(f)
	if err != nil || x.Names == nil {
		return texts, err
	}
	who := asked{f.Value, f.Op == query.Equal}
	if known, ok := x.players[who]; ok {
		return known, nil
	}
	found, err := x.Names.Player(who.text, who.whole)
	if err != nil {
		return nil, x.fail(f.At, cause(err), "", err)
	}
	if found != nil {
		texts = found
	}
	x.players[who] = texts
	return texts, nil
}

// eventTexts adds the other names of events to the texts that a field means.
func (x *binding) eventTexts(f query.Field, texts *query.Texts) (*query.Texts, error) {
	if x.Names == nil {
		return texts, nil
	}
	also, err := x.Names.Event(text.Fold(f.Value), f.Op == query.Equal)
	if err != nil {
		return nil, x.fail(f.At, cause(err), "", err)
	}
	if len(also) == 0 {
		return texts, nil
	}
	all := &query.Texts{Parts: texts.Parts, Whole: maps.Clone(also)}
	maps.Copy(all.Whole, texts.Whole)
	return all, nil
}

// game says whether the board is one of the game that a field names: of that
// size, or where it names none of any.
func (x *binding) game(f query.Field) (query.Q, error) {
	_, variant, _ := strings.Cut(f.Value, ":")
	r, err := game.Catalog{x.Rules}.Find(f.Value)
	if err == nil {
		return query.Const(variant == "" || r.Geometry().Size == x.Rules.Geometry().Size), nil
	}
	if _, other := errors.AsType[*game.UnknownError](err); !other {
		return nil, x.failValue(f, cause(err), "", err)
	}
	if x.Games != nil {
		_, err := x.Games.Find(f.Value)
		if unknown, ok := errors.AsType[*game.UnknownError](err); ok {
			return nil, x.failValue(f, err.Error(), query.Suggest(unknown.Name, unknown.Known, ""), err)
		} else if err != nil {
			return nil, x.failValue(f, cause(err), "", err)
		}
	}
	return query.Const(false), nil
}

// set binds a collection or a tag.
func (x *binding) set(f query.Field) (query.Q, error) {
	if x.Names == nil {
		return nil, x.fail(f.At, cause(errNoNames), "", errNoNames)
	}
	get := x.Names.Collection
	if f.Name == "tag" {
		get = x.Names.Tag
	}
	set, err := get(f.Value)
	if err != nil {
		return nil, x.failValue(f, cause(err), "", err)
	}
	return games(set, f), nil
}

// played binds where a game was played.
func (x *binding) played(f query.Field) (query.Q, error) {
	if !strings.EqualFold(f.Value, "here") {
		return nil, x.failValue(f, fmt.Sprintf("%q is no place of play", f.Value), "write played:here for games of this program, not played:here for records", nil)
	}
	if x.Names == nil {
		return nil, x.fail(f.At, cause(errNoNames), "", errNoNames)
	}
	set, err := x.Names.Here()
	if err != nil {
		return nil, x.failValue(f, cause(err), "", err)
	}
	return games(set, f), nil
}

// added binds when a game came into the library.
func (x *binding) added(f query.Field) (query.Q, error) {
	s, err := scale(query.Days).read(f.Op, f.Value)
	if err != nil {
		return nil, x.failValue(f, cause(err), "write it as in added:2026-11-18 or added>=2026", nil)
	}
	if x.Names == nil {
		return nil, x.fail(f.At, cause(errNoNames), "", errNoNames)
	}
	set, err := x.Names.Added(s.low, s.high)
	if err != nil {
		return nil, x.failValue(f, cause(err), "", err)
	}
	return games(set, f), nil
}

// change binds the games of an entry of the journal.
func (x *binding) change(f query.Field) (query.Q, error) {
	n, err := strconv.ParseInt(f.Value, 10, 64)
	if err != nil || n < 1 {
		return nil, x.failValue(f, fmt.Sprintf("%q is not the number of a change", f.Value), "write the number that the journal has, as in import:1", nil)
	}
	if x.Names == nil {
		return nil, x.fail(f.At, cause(errNoNames), "", errNoNames)
	}
	set, err := x.Names.Change(n)
	if err != nil {
		return nil, x.failValue(f, cause(err), "", err)
	}
	return games(set, f), nil
}

// games returns the condition that a game is one of a set; nil is none.
func games(set *roaring.Bitmap, f query.Field) query.Games {
	if set == nil {
		set = roaring.New()
	}
	f.At = 0
	return query.Games{Set: set, Why: f.String()}
}

// term binds a word of the game: it asks for texts that have it in any of its
// forms.
func (x *binding) term(f query.Field) (query.Q, error) {
	if x.Names == nil {
		return nil, x.fail(f.At, cause(errNoNames), "", errNoNames)
	}
	q, err := x.Names.Term(f.Value)
	if err != nil {
		return nil, x.failValue(f, cause(err), "", err)
	}
	if q, err = query.Map(q, func(q query.Q) (query.Q, error) { q, _ = query.Moved(q, f.At); return q, nil }); err != nil {
		return nil, err
	}
	return x.bind(q, nil)
}

// comment binds words in comments. There is no whole text of comments: = is as
// good as a colon.
func (x *binding) comment(f query.Field) (query.Q, error) {
	texts, err := x.texts(query.Field{Name: f.Name, Value: f.Value, At: f.At})
	if err != nil {
		return nil, err
	}
	if x.Names == nil {
		return nil, x.fail(f.At, cause(errNoNames), "", errNoNames)
	}
	set, err := x.Names.Comment(texts.Parts[0])
	if err != nil {
		return nil, x.fail(f.At, cause(err), "", err)
	}
	return games(set, f), nil
}

// everywhere binds a word that may stand anywhere.
func (x *binding) everywhere(f query.Field) (query.Q, error) {
	texts, err := x.texts(f)
	if err != nil {
		return nil, err
	}
	players, err := x.playerTexts(f)
	if err != nil {
		return nil, err
	}
	events, err := x.eventTexts(f, texts)
	if err != nil {
		return nil, err
	}
	help, _ := query.FieldOf("text")
	var list query.Or
	for _, c := range help.Columns {
		if c == query.Event {
			list = append(list, x.fact(c, f, events))
			continue
		}
		if c == query.FirstPlayer || c == query.SecondPlayer {
			list = append(list, x.fact(c, f, players))
			continue
		}
		list = append(list, x.fact(c, f, texts))
	}
	if x.Names != nil && f.Op == query.Is {
		said, err := x.comment(query.Field{Name: "comment", Value: f.Value, At: f.At})
		if err != nil {
			return nil, err
		}
		list = append(list, said)
	}
	return list, nil
}

// The values of the column Result.
const (
	firstWon = 1 + iota
	secondWon
	drawn
	without
)

// resultWord returns the English word for a result of any language, as far as
// records do not have it: those facts.ParseResult reads.
func resultWord(word string) string {
	switch word = strings.ToLower(word); word {
	case "won", "wins", "勝", "胜", "勝ち", "勝利", "胜利", "贏", "赢", "승", "승리":
		return "win"
	case "lost", "loses", "負", "负", "敗", "败", "負け", "輸", "输", "패", "패배":
		return "loss"
	case "?", "*", "未知", "不明", "미상":
		return "unknown"
	case "已知", "既知":
		return "known"
	case "無", "无", "なし", "없음":
		return "none"
	}
	return word
}

// result binds how a game ended.
func (x *binding) result(f query.Field, p *party) (query.Q, error) {
	is := func(low, high int64, word string) *query.Fact {
		return x.within(query.Result, query.Field{Op: query.Is, Value: word}, span64{low, high})
	}
	won := func(side game.Side) *query.Fact {
		return is(firstWon+int64(side), firstWon+int64(side), [...]string{"first", "second"}[side&1])
	}
	unknown := query.Not{Q: is(firstWon, without, "known")}
	switch word := resultWord(f.Value); word {
	case "none":
		return is(without, without, "none"), nil
	case "known":
		return unknown.Q, nil
	case "unknown":
		return unknown, nil
	case "win", "loss":
		if p == nil {
			return nil, x.fail(f.At, fmt.Sprintf("result:%s: whose? no player stands beside it", word), `name the player, as in player:"Ke Jie" result:win, or the side, as in result:black`, nil)
		}
		if x.leaves > maxBound {
			return nil, x.fail(f.At, fmt.Sprintf("the query means more than %d conditions", maxBound), "ask for less at once", nil)
		}
		one, two := won(game.First), won(game.Second)
		if word == "loss" {
			one, two = two, one
		}
		or := query.Or{query.And{p.first, one}, query.And{p.second, two}}
		query.Walk(or, func(query.Q) bool { x.leaves++; return true })
		return query.Simplify(or), nil
	}
	if side, ok := sideOf(x.Rules, f.Value); ok {
		return won(side), nil
	}
	info := x.Rules.Info()
	sides := facts.Sides{First: info.Sides[game.First].Name, Second: info.Sides[game.Second].Name, Discs: info.Discs}
	switch r := facts.ParseResult(sides, f.Value); r.Verdict {
	case facts.FirstWon, facts.SecondWon:
		list := query.And{won(game.Side(r.Verdict - facts.FirstWon))}
		if r.Margin > 0 {
			quarters := math.Round(4 * r.Margin)
			list = append(list, x.within(query.Margin, query.Field{Op: query.Is, Value: fmt.Sprint(quarters / 4)}, span64{int64(quarters), int64(quarters)}))
		} else if r.How != "" {
			list = append(list, x.fact(query.How, query.Field{Op: query.Equal, Value: r.How}, &query.Texts{Whole: map[string]struct{}{r.How: {}}}))
		}
		return query.Simplify(list), nil
	case facts.Drawn:
		return is(drawn, drawn, "draw"), nil
	case facts.BothLost, facts.Void:
		return is(without, without, "none"), nil
	case facts.Unfinished:
		return unknown, nil
	}
	if known, ok := query.FieldOf(f.Value); ok {
		if _, err := x.side(known.Name, f); err != nil && errors.Is(err, ErrOtherGame) {
			return nil, err
		}
	}
	for _, others := range [...]facts.Sides{facts.RedFirst, facts.BlackDiscs} {
		if facts.ParseResult(others, f.Value).Verdict != facts.Unknown {
			return nil, x.failValue(f, fmt.Sprintf("%s has no result %q", info.Titles.En, f.Value), "name a side of it, or first or second", ErrOtherGame)
		}
	}
	help, _ := query.FieldOf("result")
	hint := query.Suggest(f.Value, help.Values, "write one of "+strings.Join(help.Values, ", ")+", or a result as records have it: B+R, B+3.5, 1-0")
	return nil, x.failValue(f, fmt.Sprintf("%q is no result", f.Value), hint, nil)
}

// date binds a date: all days that the game may have been played on must lie
// inside.
func (x *binding) date(f query.Field) (query.Q, error) {
	s, err := scale(query.Days).read(f.Op, f.Value)
	if err != nil {
		return nil, x.failValue(f, cause(err), "write it as in date:1990..1999-06 or date>=1990", nil)
	}
	// Each bound is a condition of its own, and prints so.
	from, to := f, f
	if f.Op == query.Is || f.Op == query.Equal {
		low, high, ranged := strings.Cut(f.Value, "..")
		if !ranged {
			high = low
		}
		from.Op, from.Value = query.AtLeast, strings.TrimSpace(low)
		to.Op, to.Value = query.AtMost, strings.TrimSpace(high)
	}
	var list query.And
	if s.low != math.MinInt64 {
		list = append(list, x.within(query.FirstDay, from, span64{s.low, math.MaxInt64}))
	}
	if s.high != math.MaxInt64 {
		list = append(list, x.within(query.LastDay, to, span64{math.MinInt64, s.high}))
	}
	return query.Simplify(list), nil
}
