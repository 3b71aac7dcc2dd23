package play

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/record/facts"
)

// Style is how the engine chooses among the moves of a book.
type Style string

// The styles.
const (
	Best  Style = "best"  // what is best, with a little variety
	Human Style = "human" // what people play, as often as they do
)

// Player is who plays a side.
type Player struct {
	Name  string `json:"name"`
	Level int    `json:"level,omitempty"` // of the engine; 0 for a person

	// Engine is the name of another program that plays, as its owner has named it. It
	// knows no levels: its Level is the highest one.
	Engine string `json:"engine,omitempty"`

	Who string `json:"who,omitempty"` // the id of the profile that plays; empty for none
}

// Title returns the name that records have: engines are known by what they are.
func (p *Player) Title() string {
	switch {
	case p.Engine != "":
		return p.Engine
	case p.Level > 0:
		return EngineName(p.Level)
	}
	return p.Name
}

// Settings are what a game is played under. They do not change, but for the players of
// an opening in which colours are swapped.
type Settings struct {
	Game      string        `json:"game"`            // the rules, as a spec
	Asked     string        `json:"asked,omitempty"` // what was asked for, where the rules are those of Rules
	Start     string        `json:"start,omitempty"` // a position text; empty for the usual start
	Players   [2]Player     `json:"players"`         // by side
	Style     Style         `json:"style,omitempty"`
	NoBook    bool          `json:"noBook,omitempty"`
	Main      time.Duration `json:"main,omitempty"`      // on the clock of each side; 0 for no clock
	Increment time.Duration `json:"increment,omitempty"` // gained with every move
	Periods   int           `json:"periods,omitempty"`   // of byo-yomi behind Main: one that a move does not use up begins anew
	Period    time.Duration `json:"period,omitempty"`    // how long each is
	Seed      uint64        `json:"seed"`                // of the engine's choices
	Opening   string        `json:"opening,omitempty"`   // the rule by which the first moves are shared out; empty for none
}

// State is whose turn it is.
type State string

// The states.
const (
	Yours    State = "yours"    // a person's
	Thinking State = "thinking" // the engine's
	Settling State = "settling" // nobody's: play has ended, and what is dead is being agreed upon
	Over     State = "over"
)

// End is what ended a game.
type End string

// The ends.
const (
	ByBoard       End = "board" // the rules
	ByResignation End = "resigned"
	ByTime        End = "time"
	ByAgreement   End = "agreed" // upon a draw
)

// By is how a move came about.
type By struct {
	Note string  // where the move is from: "book", or nothing
	Loss float64 // what a book move gave away, which counts against the budget of the game
}

// step is a move of the game.
type step struct {
	move   game.Move
	text   string    // in the first notation of the game
	side   game.Side // who made it
	forced bool      // a pass that nobody chose
	by     By
	clock  // before it
}

// clock is what both sides have left.
type clock struct {
	left  [2]time.Duration // of Main
	spare [2]int           // periods
}

// Result is how a game has ended.
type Result struct {
	Winner int `json:"winner"` // the side; -1 for none
	Reason End `json:"reason"`

	// Counts are the pieces of each side in a game that is decided by counting
	// them; nil otherwise.
	Counts []int        `json:"counts,omitempty"`
	Facts  facts.Result `json:"facts"` // as records have it
	At     time.Time    `json:"at"`

	// Dead and Land are those of the settlement where there was one: see
	// game.Settlement.
	Dead []board.Point    `json:"dead,omitempty"`
	Land [2][]board.Point `json:"land,omitzero"`

	// Fresh is how many positions of it the book did not know; it is set before
	// the record is made. Record and Known are what the library told: its number
	// in it, and whether a game of the same moves was there before.
	Fresh  int    `json:"fresh"`
	Record uint32 `json:"record,omitempty"`
	Known  bool   `json:"known,omitempty"`
}

// The errors that callers tell apart.
var (
	ErrOver     = errors.New("the game is over")
	ErrTurn     = errors.New("it is not your turn")
	ErrNoUndo   = errors.New("there is nothing to take back")
	ErrInvalid  = errors.New("such a game cannot be played")
	ErrSettling = errors.New("both sides have passed: agree about what is dead, or play on")
	ErrPlaying  = errors.New("there is nothing to agree about: the game goes on")
)

// MaxPlies bounds a game: those of Go and Xiangqi could go on for ever. It ends
// without a result then.
const MaxPlies = 2000

// maxName bounds the names of players, in bytes.
const maxName = 400

// maxPeriods bounds those of a clock.
const maxPeriods = 100

// Session is a game in progress. It is not safe for concurrent use.
type Session struct {
	settings Settings
	rules    game.Rules
	settler  game.Settler // nil where the rules see the end of a game alone
	start    *game.Setup  // nil for the usual one
	pos      game.Position
	steps    []step
	given    int // steps that were there at the beginning
	version  int
	clock
	since   time.Time // since when the clock of the side to move runs; zero where none does
	count   *Count    // while it is settled; nil otherwise
	result  *Result
	seats   *Seats // nil where whoever knows the game may move in it
	opening        // what has been decided in it
}

// New begins a game behind some moves, which may be none. The rules are those
// that Settings.Game means; see Rules. The settler is that of the game; nil where
// there is none.
func New(rules game.Rules, settler game.Settler, s Settings, line []game.Move, now time.Time) (*Session, error) {
	g := &Session{settings: s, rules: rules, settler: settler, clock: clock{[2]time.Duration{s.Main, s.Main}, [2]int{s.Periods, s.Periods}}}
	if err := g.check(); err != nil {
		return nil, err
	}
	if err := g.open(len(line)); err != nil {
		return nil, err
	}
	for _, m := range line {
		if len(g.steps) >= MaxPlies {
			return nil, fmt.Errorf("%w: the line has more than %d moves", ErrInvalid, MaxPlies)
		}
		if err := g.step(step{move: m, clock: g.clock}); err != nil {
			return nil, fmt.Errorf("%w: move %d: %w", ErrInvalid, len(g.steps)+1, err)
		}
	}
	g.passForced()
	g.given = len(g.steps)
	g.conclude(now)
	if g.result != nil || g.count != nil {
		return nil, fmt.Errorf("%w: it has ended before it begins: begin at an earlier position", ErrInvalid)
	}
	return g, nil
}

// check checks the settings and sets up the start.
func (g *Session) check() error {
	s := &g.settings
	switch {
	case len(g.rules.Info().Sides) != 2:
		return fmt.Errorf("%w: only games of two sides can be played", ErrInvalid)
	case s.Main < 0 || s.Increment < 0:
		return fmt.Errorf("%w: the clock cannot begin below zero", ErrInvalid)
	case s.Periods < 0 || s.Periods > maxPeriods || s.Periods > 0 && s.Period < time.Second:
		return fmt.Errorf("%w: there are at most %d periods of at least a second", ErrInvalid, maxPeriods)
	case s.Style != "" && s.Style != Best && s.Style != Human:
		return fmt.Errorf("%w: there is no style %q: the styles are %s and %s", ErrInvalid, s.Style, Best, Human)
	}
	people := 0
	for i := range s.Players {
		p := &s.Players[i]
		if err := g.nameOf(p); err != nil {
			return err
		}
		if p.Level < 0 || p.Level > engine.MaxLevel {
			return fmt.Errorf("%w: levels go from %d to %d", ErrInvalid, engine.MinLevel, engine.MaxLevel)
		}
		if p.Engine != "" {
			p.Level = engine.MaxLevel
		}
		if p.Level == 0 {
			people++
		}
	}
	if people == 0 {
		return fmt.Errorf("%w: nobody plays it: two engines meet in a match", ErrInvalid)
	}
	g.pos = g.rules.Start()
	if s.Start == "" {
		return nil
	}
	setup, err := game.ParseSetup(g.rules, s.Start)
	if err == nil {
		g.start = &setup
		g.pos, err = g.rules.Arrange(setup)
	}
	if err != nil {
		return fmt.Errorf("%w: the position: %w", ErrInvalid, err)
	}
	return nil
}

// nameOf cleans the name of a player.
func (g *Session) nameOf(p *Player) error {
	p.Name = facts.CleanName(p.Name)
	if len(p.Name) > maxName || strings.ContainsFunc(p.Name, func(r rune) bool { return r < ' ' || r == 0xfffd }) {
		return fmt.Errorf("%w: a name is one line of at most %d bytes", ErrInvalid, maxName)
	}
	return nil
}

// Rules returns the rules by which a kind of game is played here: its own, or
// where nobody could tell who has won by them when both sides have passed, since
// nobody settles it, the first of the same board that count what stands. In Go
// these allow no move that the others forbid, so that games can be looked at by
// either.
func Rules(r game.Rules, settler game.Settler) game.Rules {
	varied, ok := r.(game.Varied)
	if !ok || settler != nil || afterPasses(r) != game.Unscored {
		return r
	}
	for _, v := range r.Info().Variants {
		counted, err := varied.Variant(v.Name)
		if err != nil || counted.Geometry().Size != r.Geometry().Size {
			continue
		}
		if afterPasses(counted) == game.Won {
			return counted
		}
	}
	return r
}

// afterPasses returns the state of a game in which both sides pass at once;
// Ongoing where they may not.
func afterPasses(r game.Rules) game.State {
	p := r.Start()
	for range 2 {
		if p.Play(game.Pass) != nil {
			return game.Ongoing
		}
	}
	return p.Outcome().State
}

// Settings returns what the game is played under.
func (g *Session) Settings() Settings { return g.settings }

// Rules returns the rules of the game.
func (g *Session) Rules() game.Rules { return g.rules }

// Version returns a number that rises with every change.
func (g *Session) Version() int { return g.version }

// Result returns how the game has ended; nil while it goes on. It belongs to the
// session.
func (g *Session) Result() *Result { return g.result }

// Turn returns the side that acts next: the one to move, and in an opening the one that
// is asked.
func (g *Session) Turn() game.Side {
	if g.ask != nil {
		return g.ask.Side
	}
	return g.pos.Turn()
}

// Len returns how many moves there are, forced passes with them, and how many of
// them were there at the beginning.
func (g *Session) Len() (moves, given int) { return len(g.steps), g.given }

// State returns whose turn it is.
func (g *Session) State() State {
	switch {
	case g.result != nil:
		return Over
	case g.count != nil:
		return Settling
	case g.settings.Players[g.Turn()].Level > 0:
		return Thinking
	}
	return Yours
}

// Task returns the position as engines want it. It shares nothing with the
// session.
func (g *Session) Task() *engine.Task {
	t := &engine.Task{Rules: g.rules, Moves: make([]game.Move, len(g.steps))}
	if g.start != nil {
		setup := *g.start
		t.Start = &setup
	}
	for i := range g.steps {
		t.Moves[i] = g.steps[i].move
	}
	return t
}

// Position returns the position with its history. It is the session's own: whoever
// looks at it leaves it as it is.
func (g *Session) Position() game.Position { return g.pos }

// Passed returns the side that just had to pass; -1 where none had.
func (g *Session) Passed() int {
	if n := len(g.steps); n > 0 && g.steps[n-1].forced {
		return int(g.steps[n-1].side)
	}
	return -1
}

// Note returns where the engine's last move is from, where that is the last one
// but for forced passes.
func (g *Session) Note() string {
	for _, s := range slices.Backward(g.steps) {
		if !s.forced {
			return s.by.Note
		}
	}
	return ""
}

// Spent returns what the book moves of a side have given away so far.
func (g *Session) Spent() (sum float64) {
	for i := range g.steps {
		sum += g.steps[i].by.Loss
	}
	return sum
}

// ParseMove reads a move as people write it. The error wraps game.ErrSyntax or
// game.ErrIllegal.
func (g *Session) ParseMove(text string) (game.Move, error) {
	return g.rules.ParseMove(g.pos, text, game.AnyNotation)
}

// Play makes a move for the side to move. An illegal one changes nothing. Where
// the clock has run out, the game is lost instead, and the error is nil: look at
// the result.
func (g *Session) Play(m game.Move, by By, now time.Time) error {
	switch {
	case g.result != nil:
		return ErrOver
	case g.count != nil:
		return ErrSettling
	case g.Flag(now):
		return nil
	case g.ask != nil:
		if g.ask.Act == game.ChooseWord || m.To() == board.NoPoint {
			return g.unanswered()
		}
		return g.Answer(game.OpeningAnswer{At: m.To()}, by, now)
	}
	side := g.pos.Turn()
	if err := g.step(step{move: m, by: by, clock: g.clock}); err != nil {
		return err
	}
	g.tick(side, now)
	g.version++
	g.moved(int(side))
	g.passForced()
	g.conclude(now)
	return nil
}

// tick stops the clock of a side that has acted.
func (g *Session) tick(side game.Side, now time.Time) {
	if g.clocked() {
		g.clock = g.rest(side, now)
		g.left[side] += g.settings.Increment
		g.since = now
	}
}

// clocked reports whether the game is played with clocks.
func (g *Session) clocked() bool { return g.settings.Main > 0 || g.settings.Periods > 0 }

// bank returns what a side has left in all.
func (g *Session) bank(side game.Side) time.Duration {
	return g.left[side] + time.Duration(g.spare[side])*g.settings.Period
}

// rest returns the clocks at a moment, where that of a side runs: periods that are over
// are gone, and the one that has begun is whole again.
func (g *Session) rest(side game.Side, now time.Time) clock {
	c := g.clock
	if g.since.IsZero() {
		return c
	}
	if c.left[side] -= now.Sub(g.since); c.left[side] < 0 {
		if g.settings.Periods > 0 {
			c.spare[side] = max(0, c.spare[side]-int(-c.left[side]/g.settings.Period))
		}
		c.left[side] = 0
	}
	return c
}

// step plays a move and notes it with who made it and how it is written, so that
// nobody has to play the game once more to store or to keep it. A move that is
// refused changes nothing.
func (g *Session) step(s step) error {
	s.side = g.pos.Turn()
	err := g.pos.Play(s.move)
	if err == nil && s.text == "" {
		// The text depends on the position before, and only legal moves have one.
		g.pos.Undo()
		s.text = game.FormatMove(g.rules, g.pos, s.move, game.AnyNotation)
		err = g.pos.Play(s.move)
	}
	if err == nil {
		g.steps = append(g.steps, s)
	}
	return err
}

// passForced makes the passes that are the only move: nobody has to be asked.
func (g *Session) passForced() {
	var moves []game.Move
	for !g.pos.Outcome().Over() {
		if moves = g.pos.AppendMoves(moves[:0]); len(moves) != 1 || moves[0] != game.Pass {
			return
		}
		if g.step(step{move: game.Pass, forced: true, clock: g.clock}) != nil {
			return
		}
	}
}

// conclude ends the game where the board says so, or begins to settle it. An end
// that an arbiter would have to call is called.
func (g *Session) conclude(now time.Time) {
	o := g.pos.Outcome()
	switch {
	case game.Settles(o) && g.propose():
	case o.Over():
		g.end(resultBy(o, g.counted(o)), now)
	case len(g.steps) >= MaxPlies:
		g.end(&Result{Winner: -1, Reason: ByBoard, Facts: facts.Result{Verdict: facts.Unfinished}}, now)
	}
}

// resultBy returns the result of an outcome.
func resultBy(o game.Outcome, counts []int) *Result {
	r := &Result{Winner: -1, Reason: ByBoard, Facts: FactsOf(o), Counts: counts}
	if o.State == game.Won {
		r.Winner = int(o.Winner)
	}
	return r
}

func (g *Session) end(r *Result, now time.Time) {
	// Stored times have no zone and no monotonic part; the record must be the
	// same before and after a restart.
	r.At = now.UTC().Truncate(time.Second)
	g.result, g.since, g.count = r, time.Time{}, nil
}

// FactsOf returns an outcome as records have it.
func FactsOf(o game.Outcome) facts.Result {
	r := facts.Result{Margin: float64(o.Margin) / 2}
	switch o.State {
	case game.Won:
		r.Verdict = verdictFor(o.Winner)
	case game.Drawn:
		r.Verdict = facts.Drawn
	case game.Void:
		r.Verdict = facts.Void
	}
	switch o.Reason {
	case game.ByCount:
		r.How = facts.Count
	case game.ByLine:
		r.How = facts.Five
	case game.ByMate, game.ByStalemate:
		r.How = facts.Mate
	case game.ByForbidden, game.ByPerpetualCheck, game.ByPerpetualChase:
		r.How = facts.Illegal
	}
	return r
}

func verdictFor(winner game.Side) facts.Verdict {
	if winner == game.First {
		return facts.FirstWon
	}
	return facts.SecondWon
}

// counted returns the pieces of each side where their number decided: where the
// lead is that of the pieces, with the empty points or without.
func (g *Session) counted(o game.Outcome) []int {
	if o.Reason != game.ByCount {
		return nil
	}
	n := g.Counts()
	lead, empty := n[0]-n[1], g.rules.Geometry().Size.Area()-n[0]-n[1]
	if lead < 0 {
		lead = -lead
	}
	if m := o.Margin; m != 2*lead && m != 2*(lead+empty) || n[0]+n[1] == 0 {
		return nil // area, prisoners, komi; what is counted is no pieces on the board
	}
	return n
}

// Counts returns how many pieces each side has on the board.
func (g *Session) Counts() []int {
	n := make([]int, 2)
	planes, _ := game.Shown(g.pos)
	if planes == nil {
		return n
	}
	looks := g.rules.Geometry().Pieces
	for i := range planes.Of {
		if owner := looks[i].Owner; owner < len(n) {
			n[owner] += planes.Of[i].Count()
		}
	}
	return n
}

// CanUndo reports whether a move can be taken back.
func (g *Session) CanUndo() bool { return g.result == nil && g.canTakeBack(-1) }

// canTakeBack reports whether a side has something to take back; -1 for any.
func (g *Session) canTakeBack(side int) bool {
	return g.lastChoice(side) >= 0 || g.lastAnswer(side) >= 0
}

// lastChoice returns the last step that a person chose here, on one side or for -1 on
// any; -1 for none.
func (g *Session) lastChoice(side int) int {
	for i := len(g.steps) - 1; i >= g.given+g.opened(); i-- {
		if s := &g.steps[i]; !s.forced && g.settings.Players[s.side].Level == 0 && (side < 0 || side == int(s.side)) {
			return i
		}
	}
	return -1
}

// Undo takes back the last move that a person chose and all that followed it, so
// that it is that person's turn again. The clocks are what they were then.
func (g *Session) Undo(now time.Time) error {
	if g.result != nil {
		return ErrOver
	}
	if g.Flag(now) {
		return nil
	}
	if !g.canTakeBack(-1) {
		return ErrNoUndo
	}
	g.takeBackOf(-1, now)
	return nil
}

// takeBackOf takes back what a side has chosen last and all that followed; -1 for any side.
func (g *Session) takeBackOf(side int, now time.Time) {
	at := g.lastChoice(side)
	if at < 0 {
		answer := g.lastAnswer(side)
		at = g.answers[answer].steps
		defer g.unanswer(answer)
	}
	g.backTo(at, now)
}

// backTo takes a step back and all that followed.
func (g *Session) backTo(at int, now time.Time) {
	for len(g.steps) > at {
		g.clock = g.steps[len(g.steps)-1].clock
		g.takeBack()
	}
	g.count = nil
	if g.since = now; !g.clocked() || len(g.steps) == g.given {
		g.since = time.Time{}
	}
	g.version++
}

// takeBack takes the last step back.
func (g *Session) takeBack() {
	g.steps = g.steps[:len(g.steps)-1]
	g.pos.Undo()
}

// Resign gives the game up for a person: the one whose turn it is, or the only
// one.
func (g *Session) Resign(now time.Time) error { return g.resign(-1, now) }

// resign gives the game up for a side; -1 for a person as in Resign.
func (g *Session) resign(by int, now time.Time) error {
	if g.result != nil {
		return ErrOver
	}
	if g.Flag(now) {
		return nil
	}
	side := g.Turn()
	if by >= 0 {
		side = game.Side(by)
	} else if g.settings.Players[side].Level > 0 {
		side = side.Opponent()
	}
	g.lose(side, ByResignation, facts.Resign, now)
	return nil
}

// Concede gives the game up for the side to move, whoever that is: engines resign too.
func (g *Session) Concede(now time.Time) error {
	if g.result != nil {
		return ErrOver
	}
	if !g.Flag(now) {
		g.lose(g.Turn(), ByResignation, facts.Resign, now)
	}
	return nil
}

func (g *Session) lose(side game.Side, why End, how string, now time.Time) {
	winner := side.Opponent()
	g.version++
	g.end(&Result{Winner: int(winner), Reason: why, Facts: facts.Result{Verdict: verdictFor(winner), How: how}}, now)
}

// Clocks returns what is left on the clocks at a moment, and whose runs: -1 where
// none does, nil where there are none. Periods count with the rest. A clock runs from the first move on.
func (g *Session) Clocks(now time.Time) (left []time.Duration, running int) {
	if !g.clocked() {
		return nil, -1
	}
	left, running = []time.Duration{g.bank(game.First), g.bank(game.Second)}, -1
	if !g.since.IsZero() && g.result == nil {
		running = int(g.Turn())
		left[running] = max(0, left[running]-now.Sub(g.since))
	}
	return left, running
}

// Deadline returns when the clock that runs has run out; ok is false where none
// runs.
func (g *Session) Deadline() (at time.Time, ok bool) {
	if g.since.IsZero() || g.result != nil {
		return time.Time{}, false
	}
	return g.since.Add(g.bank(g.Turn())), true
}

// Flag ends the game where the clock of the side to move has run out, and
// reports whether it did.
func (g *Session) Flag(now time.Time) bool {
	at, ok := g.Deadline()
	if !ok || now.Before(at) {
		return false
	}
	side := g.Turn()
	g.left[side], g.spare[side] = 0, 0
	g.lose(side, ByTime, facts.Time, now)
	return true
}
