package weiqi

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

// KoRule says which repetitions are forbidden.
type KoRule uint8

// The ko rules.
const (
	// SimpleKo forbids to retake at once a single stone that has just taken a
	// single stone.
	SimpleKo KoRule = iota
	// PositionalSuperko forbids a stone that recreates any earlier arrangement
	// of the whole board.
	PositionalSuperko
	// SituationalSuperko forbids a stone that recreates an earlier arrangement
	// of the whole board with the same side to move next.
	SituationalSuperko
)

// Scoring says what is counted.
type Scoring uint8

// The ways to score.
const (
	ByRuleSet Scoring = iota // in ScoreOptions: as the rule set says
	Area                     // living stones and surrounded points
	Territory                // surrounded points and prisoners
)

// The names of the rule sets.
const (
	Japanese    = "japanese"
	Chinese     = "chinese"
	AGA         = "aga"
	NewZealand  = "new-zealand"
	TrompTaylor = "tromp-taylor"
	Computer    = "computer" // as programs play each other: Chinese, and counted as it stands
)

// RuleSet holds everything in which the rule sets differ here; the table of
// them is in the documentation of the package.
type RuleSet struct {
	Name    string
	Ko      KoRule
	Suicide bool // a string without liberties may be made, and is taken off
	Scoring Scoring
	Komi    int // of an even game, in half points

	// LongCycle lets either side claim a game without result when the whole
	// board comes back with the same side to move.
	LongCycle bool

	// SekiEyes tells that eyes of stones in seki count as territory.
	SekiEyes bool

	// PassStones tells that who passes hands over a stone as a prisoner.
	PassStones bool

	// WhiteLast tells that the game ends with a pass by White, be it the third
	// pass in a row.
	WhiteLast bool

	// AsItStands tells that two passes end the game counted with every stone
	// alive; otherwise the players agree on dead stones first.
	AsItStands bool

	// GivesBack is what White receives for a handicap of n stones when the area
	// is counted: n points, n-1 points, or nothing.
	GivesBack Compensation
}

// Compensation is what White receives for handicap stones in an area count.
type Compensation uint8

// The compensations in use.
const (
	Nothing        Compensation = iota
	EveryStone                  // n points
	AllButOneStone              // n-1 points
)

var ruleSets = []RuleSet{
	{Name: Japanese, Scoring: Territory, Komi: 13, LongCycle: true},
	{Name: Chinese, Ko: PositionalSuperko, Scoring: Area, Komi: 15, SekiEyes: true, GivesBack: EveryStone},
	{Name: AGA, Ko: SituationalSuperko, Scoring: Area, Komi: 15, SekiEyes: true, PassStones: true, WhiteLast: true, GivesBack: AllButOneStone},
	{Name: Computer, Ko: PositionalSuperko, Scoring: Area, Komi: 15, SekiEyes: true, AsItStands: true, GivesBack: EveryStone},
	{Name: NewZealand, Ko: SituationalSuperko, Suicide: true, Scoring: Area, Komi: 14, SekiEyes: true, AsItStands: true},
	{Name: TrompTaylor, Ko: PositionalSuperko, Suicide: true, Scoring: Area, Komi: 15, SekiEyes: true, AsItStands: true},
}

// RuleSets returns all rule sets, the default first.
func RuleSets() []RuleSet { return append([]RuleSet(nil), ruleSets...) }

// handicapKomi is the default komi of handicap games, in half points.
const handicapKomi = 1

// NoKomi as Options.Komi means that White gets no komi at all.
const NoKomi = math.MinInt

// maxKomi bounds komi, in half points.
const maxKomi = 4 * board.MaxSide * board.MaxSide

// Options chooses rules; the zero value means Standard.
type Options struct {
	Size     board.Size // 19x19 if zero
	RuleSet  string     // a name such as Japanese; Japanese if empty
	Komi     int        // in half points; 0 means as usual, NoKomi none
	Handicap int        // stones on the usual points: 0, or 2 to 9
}

// Rules is the game of Go on one size of board under one rule set. It
// implements game.Rules and game.Varied, is immutable and safe for concurrent
// use.
type Rules struct {
	options  Options // with defaults filled in, but Komi 0 where it is as usual
	size     board.Size
	sizeKey  uint64
	set      *RuleSet
	komi     int
	handicap board.Plane // the stones that Black starts with
	info     game.Info
	geometry board.Geometry
}

var (
	_ game.Rules  = (*Rules)(nil)
	_ game.Varied = (*Rules)(nil)
)

// Standard is Go on 19x19 under Japanese rules. They refuse the fewest moves,
// so that records whose rules nobody noted play through: see the package
// documentation.
var Standard = game.Must(New(Options{}))

// New returns the rules that the options ask for.
func New(o Options) (*Rules, error) {
	if o.Size == (board.Size{}) {
		o.Size = board.Size{W: 19, H: 19}
	}
	if !o.Size.Valid() {
		return nil, fmt.Errorf("weiqi: board of %v: 1 to %d columns and rows are possible", o.Size, board.MaxSide)
	}
	if o.RuleSet == "" {
		o.RuleSet = Japanese
	}
	r := &Rules{size: o.Size, sizeKey: o.Size.Key(), set: findRuleSet(o.RuleSet)}
	if r.set == nil {
		return nil, fmt.Errorf("weiqi: no rule set is called %q: there are %s", o.RuleSet, strings.Join(ruleSetNames(), ", "))
	}
	points, err := handicapPoints(o.Size, o.Handicap)
	if err != nil {
		return nil, err
	}
	for _, p := range points {
		r.handicap.Add(p)
	}
	if err := r.setKomi(&o); err != nil {
		return nil, err
	}
	r.options = o
	r.geometry = newGeometry(o.Size)
	r.info = newInfo(o.Size, r.variant(), r.set.Scoring)
	return r, nil
}

// setKomi fills in r.komi and makes o.Komi 0 where it is the usual one, so
// that equal rules have equal options.
func (r *Rules) setKomi(o *Options) error {
	usual := r.set.Komi
	if o.Handicap > 0 {
		usual = handicapKomi
	}
	switch o.Komi {
	case 0:
		r.komi = usual
	case NoKomi:
		r.komi = 0
	default:
		if o.Komi < -maxKomi || o.Komi > maxKomi {
			return fmt.Errorf("weiqi: komi %s is out of range", halves(o.Komi))
		}
		r.komi = o.Komi
	}
	if r.komi == usual {
		o.Komi = 0
	}
	return nil
}

func findRuleSet(name string) *RuleSet {
	for i := range ruleSets {
		if strings.EqualFold(ruleSets[i].Name, name) {
			return &ruleSets[i]
		}
	}
	return nil
}

func ruleSetNames() []string {
	var list []string
	for _, s := range ruleSets {
		list = append(list, s.Name)
	}
	return list
}

// variant returns the canonical spec: what differs from Standard, in the order
// size, rule set, komi, handicap.
func (r *Rules) variant() string {
	var list []string
	if r.size != (board.Size{W: 19, H: 19}) {
		list = append(list, r.size.String())
	}
	if r.set != &ruleSets[0] {
		list = append(list, r.set.Name)
	}
	if r.options.Komi != 0 {
		list = append(list, "komi="+halves(r.komi))
	}
	if r.options.Handicap != 0 {
		list = append(list, fmt.Sprintf("handicap=%d", r.options.Handicap))
	}
	return strings.Join(list, ",")
}

// halves writes half points: 13 as "6.5", 14 as "7".
func halves(n int) string { return strconv.FormatFloat(float64(n)/2, 'f', -1, 64) }

// Variant returns the rules changed by words such as "13x13", "chinese",
// "komi=7.5" and "handicap=4", parted by commas, in any order and case.
func (r *Rules) Variant(spec string) (game.Rules, error) {
	o := r.options
	for word := range strings.SplitSeq(spec, ",") {
		if err := o.change(strings.ToLower(strings.TrimSpace(word))); err != nil {
			return nil, err
		}
	}
	v, err := New(o)
	if err != nil {
		return nil, err
	}
	return v, nil
}

func (o *Options) change(word string) error {
	key, value, _ := strings.Cut(word, "=")
	switch {
	case word == "":
		return nil
	case findRuleSet(word) != nil:
		o.RuleSet = word
		return nil
	case key == "komi":
		points, err := strconv.ParseFloat(value, 64)
		half := points * 2
		if err != nil || half != math.Trunc(half) || math.Abs(half) > maxKomi {
			return fmt.Errorf("weiqi: %q: komi is a number of points or half points, as in komi=6.5", word)
		}
		if o.Komi = int(half); o.Komi == 0 {
			o.Komi = NoKomi
		}
		return nil
	case key == "handicap":
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("weiqi: %q: handicap is a number of stones, as in handicap=4", word)
		}
		o.Handicap = n
		return nil
	case word[0] >= '0' && word[0] <= '9':
		size, err := board.ParseSize(word)
		if err != nil {
			return fmt.Errorf("weiqi: %w", err)
		}
		o.Size = size
		return nil
	}
	return fmt.Errorf("weiqi: %q is no variant: write a size as in 13x13, a rule set (%s), komi=6.5 or handicap=4",
		word, strings.Join(ruleSetNames(), ", "))
}

// handicapPoints returns the usual points for n handicap stones in the order
// of the fixed_handicap command of GTP.
func handicapPoints(s board.Size, n int) ([]board.Point, error) {
	most := 4
	if s.W%2 == 1 && s.W >= 9 {
		most = 9
	}
	switch {
	case n == 0:
		return nil, nil
	case !s.Square() || s.W < 7:
		return nil, fmt.Errorf("weiqi: no handicap points on %v: the board must be square, 7x7 or larger", s)
	case n < 2 || n > most:
		return nil, fmt.Errorf("weiqi: handicap of %d on %v: 2 to %d stones are possible", n, s, most)
	}
	lo := edgeLine(s.W)
	mid, hi := s.W/2, s.W-1-lo
	list := []board.Point{
		board.At(lo, hi), board.At(hi, lo), board.At(lo, lo), board.At(hi, hi),
		board.At(lo, mid), board.At(hi, mid), board.At(mid, hi), board.At(mid, lo),
	}
	if n >= 5 && n%2 == 1 {
		return append(list[:n-1], board.At(mid, mid)), nil
	}
	return list[:n], nil
}

// edgeLine returns how far from the edge star points lie, counted from 0: on
// the third line of small boards, on the fourth of large ones.
func edgeLine(n int) int {
	if n < 13 {
		return 2
	}
	return 3
}

// Size returns the size of the board.
func (r *Rules) Size() board.Size { return r.size }

// RuleSet returns the rule set in force.
func (r *Rules) RuleSet() RuleSet { return *r.set }

// Ruleset returns the name of the rule set in force.
func (r *Rules) Ruleset() string { return r.set.Name }

// Handicap returns the number of handicap stones. Those who serve the game by GTP
// ask for it.
func (r *Rules) Handicap() int { return r.options.Handicap }

// Komi returns the komi in half points.
func (r *Rules) Komi() int { return r.komi }

// Lead returns the lead that is worth 73 per cent of a win, in points as engines
// count them that know little of the game: in their eyes a single stone on a
// large board leads by twenty, and no lead of that size decides anything yet.
func (r *Rules) Lead() float64 { return 20 }

// Info returns the facts about the game.
func (r *Rules) Info() *game.Info { return &r.info }

// Geometry returns what a picture of the board needs.
func (r *Rules) Geometry() *board.Geometry { return &r.geometry }

// Start returns a new *Position at the start of the game: an empty board with
// Black to move, or the handicap stones with White to move.
func (r *Rules) Start() game.Position {
	p := newPosition(r)
	if r.options.Handicap > 0 {
		p.fill(Black, &r.handicap)
		p.turn = White
	}
	return p
}

// Arrange returns a new *Position with the given stones, turn, ko point and
// prisoners; the superko rules know no history before it. It refuses strings
// without liberties and ko points where no ko can be.
func (r *Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	if s.Prisoners[0] < 0 || s.Prisoners[1] < 0 || s.Prisoners[0] > math.MaxInt32/2 || s.Prisoners[1] > math.MaxInt32/2 {
		return nil, fmt.Errorf("weiqi: %d and %d prisoners are impossible", s.Prisoners[0], s.Prisoners[1])
	}
	p := newPosition(r)
	p.turn = s.Turn
	p.prisoners = [2]int32{int32(s.Prisoners[0]), int32(s.Prisoners[1])}
	p.fill(Black, &s.Board.Of[0])
	p.fill(White, &s.Board.Of[1])
	for side := range p.stones {
		for q := range p.stones[side].Points() {
			if p.head(cellOf(q)).libs == 0 {
				return nil, fmt.Errorf("weiqi: the %s stone at %s has no liberty", r.info.Sides[side].Name, r.gtp(q))
			}
		}
	}
	if s.Ko != board.NoPoint {
		if !r.size.Has(s.Ko) || !p.koPossible(cellOf(s.Ko)) {
			return nil, fmt.Errorf("weiqi: no ko at %s: no single stone can have been taken there just now", r.gtp(s.Ko))
		}
		p.ko = cellOf(s.Ko)
	}
	return p, nil
}

// fill lays stones on an empty board without capturing.
func (p *Position) fill(side game.Side, stones *board.Plane) {
	for q := range stones.Points() {
		p.hash ^= key(stoneOf(side), cellOf(q))
		p.put(&frame{}, stoneOf(side), cellOf(q))
	}
}

// koPossible reports whether the last move can have taken a single stone on c
// in a ko: c is surrounded by stones of the side that moved last, and exactly
// one of them, alone, has no liberty but c.
func (p *Position) koPossible(c cell) bool {
	takers := 0
	for _, d := range c.neighbours() {
		switch p.colour[d] {
		case edge:
		case stoneOf(p.turn.Opponent()):
			if h := p.head(d); h.libs == p.contacts(c, p.node[d].head) {
				if h.size != 1 {
					return false
				}
				takers++
			}
		default:
			return false
		}
	}
	return p.colour[c] == empty && takers == 1
}
