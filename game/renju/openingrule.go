package renju

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

// openingRule is a rule of opening with what is done under it, one act after the other.
type openingRule struct {
	game.OpeningRule
	set  []Set
	side int // the smallest board that it is played on: a square of an odd side; 0 for any
	acts []act
}

// act is a part of an opening: who does what.
type act struct {
	what   game.OpeningAct
	side   game.Side
	square int            // a stone stands within the central square of so many points a side; 0 for anywhere
	words  []string       // what can be chosen
	to     map[string]int // the act that follows a word, where it is not the next one
	offers int            // how many points are offered; 0 for the number that was chosen
}

const over = 99 // no act of any rule

// put, swap, offer and take are acts; choice is that of the other side's player.
func put(side game.Side, square int) act {
	return act{what: game.PutStone, side: side, square: square}
}

func swap(side game.Side) act {
	return act{what: game.ChooseWord, side: side, words: []string{game.SwapSides, game.KeepSides}}
}

func offer(n int) act { return act{what: game.OfferStone, side: game.First, offers: n} }

func take() act { return act{what: game.TakeOffered, side: game.Second} }

// placed are the stones of one of the 26 openings, put by one player.
var placed = []act{put(game.First, 1), put(game.First, 3), put(game.First, 5)}

// openingRules lists the rules, those of Renju first.
var openingRules = []openingRule{
	{
		OpeningRule: game.OpeningRule{Name: "soosorv-8", Titles: titles("Soosõrv-8", "索索夫-8", "索索夫-8", "Soosõrv-8", "Soosõrv-8"), Howto: board.Names{
			En:   "One player puts three stones, one of the 26 openings. The other may swap colours. White puts the 4th stone and names how many 5th moves are wanted, 1 to 8. Black's player may swap. Black offers that many, and White chooses one.",
			Hant: "一方擺三子，成二十六種開局之一，對方可交換黑白。白方下第四手，並指定第五手的打點數（1 至 8），對方可再交換。黑方給出同樣多的打點，白方選一。",
			Hans: "一方摆三子，成二十六种开局之一，对方可交换黑白。白方下第四手，并指定第五手的打点数（1 至 8），对方可再交换。黑方给出同样多的打点，白方选一。",
			Ja:   "一方が 26 の珠型のいずれかを三手まで並べ、相手は白黒を交換できます。白は 4 手目を打って 5 手目の候補数（1～8）を決め、相手はもう一度交換できます。黒がその数だけ 5 手目を示し、白が一つ選びます。",
			Ko:   "한 사람이 26가지 주형 가운데 하나로 세 수를 놓고, 상대는 흑백을 바꿀 수 있습니다. 백은 4수를 두고 5수의 개수(1~8)를 정하며, 상대는 다시 바꿀 수 있습니다. 흑이 그 수만큼 5수를 제시하고 백이 하나를 고릅니다.",
		}},
		set: []Set{SetRenju}, side: 11,
		acts: append(slices.Clone(placed), swap(game.Second), put(game.Second, 0),
			act{what: game.ChooseWord, side: game.Second, words: []string{"1", "2", "3", "4", "5", "6", "7", "8"}}, swap(game.First), offer(0), take()),
	},
	{
		OpeningRule: game.OpeningRule{Name: "taraguchi-10", Titles: titles("Taraguchi-10", "塔拉山口-10", "塔拉山口-10", "タラグチ-10", "타라구치-10"), Howto: board.Names{
			En:   "The stones go into the centre, the central 3x3, 5x5 and 7x7, and after each the other player may swap colours. Then Black puts the 5th into the central 9x9, with a last swap, or instead of swapping offers ten 5th moves anywhere, of which White chooses one.",
			Hant: "前四手依次下在天元、中央 3x3、5x5、7x7 內，每手之後對方可交換黑白。第五手下在中央 9x9 內，之後再可交換；黑方也可不交換，改為在任意處給出十個打點，由白方選一。",
			Hans: "前四手依次下在天元、中央 3x3、5x5、7x7 内，每手之后对方可交换黑白。第五手下在中央 9x9 内，之后再可交换；黑方也可不交换，改为在任意处给出十个打点，由白方选一。",
			Ja:   "4 手目までは天元、中央 3x3、5x5、7x7 の中に打ち、一手ごとに相手は白黒を交換できます。5 手目は中央 9x9 の中に打ってもう一度交換できるか、黒が交換のかわりに好きな所へ 10 個の候補を示し、白が一つ選びます。",
			Ko:   "4수까지는 천원, 중앙 3x3, 5x5, 7x7 안에 두고, 한 수마다 상대는 흑백을 바꿀 수 있습니다. 5수는 중앙 9x9 안에 두고 다시 바꿀 수 있으며, 또는 흑이 바꾸는 대신 아무 데나 열 개의 5수를 제시하고 백이 하나를 고릅니다.",
		}},
		set: []Set{SetRenju}, side: 11,
		acts: []act{
			put(game.First, 1), swap(game.Second), put(game.Second, 3), swap(game.First), put(game.First, 5), swap(game.Second), put(game.Second, 7),
			{what: game.ChooseWord, side: game.First, words: []string{game.SwapSides, game.KeepSides, game.OfferMany}, to: map[string]int{game.OfferMany: 10}},
			put(game.First, 9), {what: game.ChooseWord, side: game.Second, words: []string{game.SwapSides, game.KeepSides}, to: map[string]int{game.SwapSides: over, game.KeepSides: over}},
			offer(10), take(),
		},
	},
	{
		OpeningRule: game.OpeningRule{Name: "rif", Titles: titles("RIF", "RIF", "RIF", "RIF", "RIF"), Howto: board.Names{
			En:   "One player puts three stones, one of the 26 openings. The other may swap colours. White puts the 4th stone; Black offers two 5th moves, and White chooses one.",
			Hant: "一方擺三子，成二十六種開局之一，對方可交換黑白。白方下第四手，黑方給出兩個第五手打點，白方選一。",
			Hans: "一方摆三子，成二十六种开局之一，对方可交换黑白。白方下第四手，黑方给出两个第五手打点，白方选一。",
			Ja:   "一方が 26 の珠型のいずれかを三手まで並べ、相手は白黒を交換できます。白が 4 手目を打ち、黒が 5 手目を二つ示し、白が一つ選びます。",
			Ko:   "한 사람이 26가지 주형 가운데 하나로 세 수를 놓고, 상대는 흑백을 바꿀 수 있습니다. 백이 4수를 두고, 흑이 5수 두 곳을 제시하면 백이 하나를 고릅니다.",
		}},
		set: []Set{SetRenju}, side: 9,
		acts: append(slices.Clone(placed), swap(game.Second), put(game.Second, 0), offer(2), take()),
	},
	{
		OpeningRule: game.OpeningRule{Name: "swap2", Titles: titles("Swap2", "Swap2", "Swap2", "Swap2", "Swap2"), Howto: board.Names{
			En:   "One player puts three stones anywhere, black, white and black. The other chooses a colour, or puts two more and leaves the choice to the first.",
			Hant: "一方任意擺三子（黑、白、黑）。對方選擇執黑或執白，或再擺兩子，改由先擺的一方選擇。",
			Hans: "一方任意摆三子（黑、白、黑）。对方选择执黑或执白，或再摆两子，改由先摆的一方选择。",
			Ja:   "一方が黒・白・黒の三子を好きな所に並べます。相手は色を選ぶか、さらに二子を打って選択を譲ります。",
			Ko:   "한 사람이 흑, 백, 흑 세 수를 아무 데나 놓습니다. 상대는 색을 고르거나, 두 수를 더 놓고 선택을 넘깁니다.",
		}},
		set: []Set{SetFree, SetStandard},
		acts: []act{
			put(game.First, 0), put(game.First, 0), put(game.First, 0),
			{what: game.ChooseWord, side: game.Second, words: []string{game.SwapSides, game.KeepSides, game.PutMore}, to: map[string]int{game.SwapSides: over, game.KeepSides: over}},
			put(game.Second, 0), put(game.Second, 0), swap(game.First),
		},
	},
	{
		OpeningRule: game.OpeningRule{Name: "swap", Titles: titles("Swap", "Swap", "Swap", "Swap", "Swap"), Howto: board.Names{
			En:   "One player puts three stones anywhere, black, white and black. The other chooses a colour.",
			Hant: "一方任意擺三子（黑、白、黑），對方選擇執黑或執白。",
			Hans: "一方任意摆三子（黑、白、黑），对方选择执黑或执白。",
			Ja:   "一方が黒・白・黒の三子を好きな所に並べ、相手が色を選びます。",
			Ko:   "한 사람이 흑, 백, 흑 세 수를 아무 데나 놓으면 상대가 색을 고릅니다.",
		}},
		set:  []Set{SetFree, SetStandard},
		acts: []act{put(game.First, 0), put(game.First, 0), put(game.First, 0), swap(game.Second)},
	},
}

func titles(en, hant, hans, ja, ko string) board.Names {
	return board.Names{En: en, Hant: hant, Hans: hans, Ja: ja, Ko: ko}
}

var _ game.Opener = (*Rules)(nil)

// suits reports whether a rule is one for this board.
func (r *Rules) suits(o *openingRule) bool {
	return slices.Contains(o.set, r.set) && (o.side == 0 || r.size.W == r.size.H && r.size.W%2 == 1 && r.size.W >= o.side)
}

// OpeningRules lists the rules by which games on this board can be opened.
func (r *Rules) OpeningRules() (list []game.OpeningRule) {
	for i := range openingRules {
		if o := &openingRules[i]; r.suits(o) {
			list = append(list, o.OpeningRule)
		}
	}
	return list
}

// OpeningAsk returns what is to be decided next: see [game.Opener].
func (r *Rules) OpeningAsk(rule string, answers []game.OpeningAnswer) (*game.OpeningAsk, []game.Move, error) {
	at := slices.IndexFunc(openingRules, func(o openingRule) bool { return o.Name == rule && r.suits(&o) })
	if at < 0 {
		var names []string
		for _, o := range r.OpeningRules() {
			names = append(names, o.Name)
		}
		if len(names) == 0 {
			return nil, nil, fmt.Errorf("renju: %w for this board: %q", game.ErrOpening, rule)
		}
		return nil, nil, fmt.Errorf("renju: %w: %q; here there are %s", game.ErrOpening, rule, strings.Join(names, ", "))
	}
	o := opened{rules: r, acts: openingRules[at].acts}
	for i, a := range answers {
		ask := o.ask()
		if ask == nil {
			return nil, nil, fmt.Errorf("renju: answer %d of the opening: %w", i+1, game.Illegal("the opening is over"))
		}
		if err := ask.Check(r, a); err != nil {
			return nil, nil, fmt.Errorf("renju: answer %d of the opening: %w", i+1, err)
		}
		o.answer(a)
	}
	return o.ask(), o.moves, nil
}

// opened is how far an opening has come.
type opened struct {
	rules   *Rules
	acts    []act
	at      int // the act that is next
	moves   []game.Move
	number  int // of fifth moves, where somebody has named it
	offered []board.Point
}

// ask returns what is to be decided; nil where the opening is over.
func (o *opened) ask() *game.OpeningAsk {
	if o.at >= len(o.acts) {
		return nil
	}
	a := &o.acts[o.at]
	ask := &game.OpeningAsk{Act: a.what, Side: a.side, Words: a.words, Offered: slices.Clone(o.offered), Left: 1}
	switch a.what {
	case game.PutStone:
		for _, next := range o.acts[o.at+1:] {
			if next.what != a.what || next.side != a.side {
				break
			}
			ask.Left++
		}
		ask.Points = o.free(func(p board.Point) bool { return within(o.rules.size, p, a.square) })
	case game.OfferStone:
		ask.Left = o.wanted(a) - len(o.offered)
		taken := map[figure]bool{}
		for _, p := range o.offered {
			taken[figureOf(o.moves, p)] = true
		}
		ask.Points = o.free(func(p board.Point) bool { return !taken[figureOf(o.moves, p)] })
	case game.TakeOffered:
		ask.Points = slices.Sorted(slices.Values(o.offered))
	}
	return ask
}

func (o *opened) wanted(a *act) int {
	if a.offers > 0 {
		return a.offers
	}
	return o.number
}

// free lists the points without a stone that something is true of.
func (o *opened) free(ok func(board.Point) bool) (list []board.Point) {
	for p := range o.rules.size.Points() {
		if !slices.ContainsFunc(o.moves, func(m game.Move) bool { return m.To() == p }) && ok(p) {
			list = append(list, p)
		}
	}
	return list
}

// within reports whether a point lies in the central square of so many points a side.
func within(s board.Size, p board.Point, square int) bool {
	x, y := 2*p.X()-s.W+1, 2*p.Y()-s.H+1
	return square == 0 || max(x, -x, y, -y) < square
}

// answer takes an answer that was checked.
func (o *opened) answer(a game.OpeningAnswer) {
	now := &o.acts[o.at]
	switch now.what {
	case game.OfferStone:
		if o.offered = append(o.offered, a.At); len(o.offered) < o.wanted(now) {
			return
		}
	case game.PutStone, game.TakeOffered:
		o.moves = append(o.moves, game.Drop(a.At))
	case game.ChooseWord:
		if n, err := strconv.Atoi(a.Word); err == nil {
			o.number = n
		}
		if to, ok := now.to[a.Word]; ok {
			o.at = to
			return
		}
	}
	o.at++
}

// figure is the shape of some stones, wherever it lies on the board: sorted points with
// the colour in the top bit. Fifth moves are the same to players if they make the same
// figure in a mirror or turned; distances to the edges do not count.
type figure [5]uint16

// figureOf returns the least of the eight pictures of four moves and a fifth stone.
func figureOf(moves []game.Move, fifth board.Point) (least figure) {
	square := board.Size{W: board.MaxSide, H: board.MaxSide}
	for _, sym := range square.Symmetries() {
		var at figure
		left, top := board.MaxSide, board.MaxSide
		for k := range at {
			p := fifth
			if k < len(moves) && k < 4 {
				p = moves[k].To()
			}
			p = sym.Apply(square, p)
			left, top = min(left, p.X()), min(top, p.Y())
			at[k] = uint16(p) | uint16(k&1)<<15
		}
		for k := range at {
			at[k] -= uint16(board.At(left, top))
		}
		slices.Sort(at[:])
		if sym == board.Identity || slices.Compare(at[:], least[:]) < 0 {
			least = at
		}
	}
	return least
}
