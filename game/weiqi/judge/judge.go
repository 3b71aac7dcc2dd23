package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/proof"
	"qipu/game/weiqi/life/search"
	"qipu/game/weiqi/life/stringgraph"
	"qipu/game/weiqi/life/verdict"
)

// Method is a way to judge a board.
type Method struct {
	Name    string
	Summary string // one line

	// Proof tells that what the method says is never wrong, and that it says
	// nothing of the rest.
	Proof bool

	// Worth is what chances of the method are worth, where that was measured.
	Worth *Worth

	judge func(*Judge, *weiqi.Position, *Options, *life.Judgement)
}

// Worth is how near the chances of a method come to what became of strings, in the middle of
// games that it has not seen (qipu workshop sight fate).
type Worth struct {
	Strings int     // that were asked for
	Error   float64 // of chances, in the mean
	Wrong   float64 // the share that came out otherwise of strings it was sure of: 99 % and more
}

// Default is the name of the method that is used first where nobody names one.
const Default = "verdict"

// methods are in the order of what they claim, least first.
var methods = []Method{
	{Name: "benson", Summary: "stones that cannot be captured even if their side always passes (Benson)", Proof: true, judge: (*Judge).benson},
	{Name: "static", Summary: "stones and territory that are safe if every attack is answered, by rules alone (Müller)", Proof: true, judge: (*Judge).static},
	{Name: "search", Summary: "the same and more, by a search of every region that may be proved (Müller; Niu and Müller)", Proof: true, judge: (*Judge).search},
	{Name: "fill", Summary: "nothing is dead: the empty areas are filled, the baseline", judge: (*Judge).fill},
	{Name: "graph", Summary: "the string graph: strings and empty areas, reduced rule by rule (Park and Kim)", judge: (*Judge).graph},
	{Name: Default, Summary: "proofs first, then a weighed judgement of every string, with what is unclear", Worth: &Worth{151_139, 0.066, 0.052}, judge: (*Judge).verdict},
	{Name: Sight, Summary: "proofs first, then what a net guesses that looks at the board, at any moment of a game", Worth: &Worth{151_139, 0.0044, 0.0028}, judge: (*Judge).sight},
}

// Methods returns the methods, the one that claims least first.
func Methods() []Method { return slices.Clone(methods) }

// Options chooses how a board is judged.
type Options struct {
	// Method is the name of one of the methods. If it is empty the board is judged
	// by Default, and a judge with an eye who finds something unclear looks: Sight.
	Method string

	// Nodes bounds the moves that a searching method may play on the whole board;
	// 0 is as much as the method takes by itself.
	Nodes int

	// Trace asks for the steps; without it none are made, which is faster.
	Trace bool
}

// Report is a judgement with what follows from it.
type Report struct {
	life.Judgement
	Score weiqi.Score
}

// Judge judges boards. It keeps its buffers, so it is not for use by two at once.
type Judge struct {
	board   life.Board
	prover  proof.Prover
	strings stringgraph.Judge
	weigher *verdict.Judge
	eye     Eye              // nil: it guesses nothing
	plain   bool             // it plays nothing on
	after   *Judge           // of boards that are played on
	seeker  *search.Searcher // made when it is asked for: it is large
}

// New returns a judge with the weights of the program.
func New() *Judge { return With(nil) }

// With returns a judge whose verdicts use other weights than those of the program.
func With(w *verdict.Weights) *Judge { return &Judge{weigher: verdict.New(w)} }

// Board returns the picture of the board that was judged last; it is good until
// the next judgement.
func (j *Judge) Board() *life.Board { return &j.board }

// Judge judges a position. The report belongs to the caller. An error names a
// method that is not there.
func (j *Judge) Judge(p *weiqi.Position, o Options) (*Report, error) {
	if o.Method == "" {
		o.Method = Default
		r, err := j.Judge(p, o)
		if err != nil || j.eye == nil || !r.Early && !slices.ContainsFunc(r.Strings, func(v life.Verdict) bool { return v.Unclear }) {
			return r, err
		}
		o.Method = Sight
	}
	for i := range methods {
		if m := &methods[i]; m.Name == o.Method {
			j.board.Reset(p.Planes())
			r := new(Report)
			r.Begin(m.Name, &j.board)
			j.prover.Suicide = p.Rules().RuleSet().Suicide
			m.judge(j, p, &o, &r.Judgement)
			if !m.Proof {
				if r.Guess == nil { // else it was found before the eye made it sure of itself
					r.Early = j.isEarly(&r.Judgement)
				}
				r.Protect(&j.board, p.Rules().RuleSet().Scoring == weiqi.Territory)
			}
			r.Score = p.Score(r.ScoreOptions())
			if r.Guess != nil && !j.plain {
				r.Guess.Count = j.expect(p, r)
			}
			return r, nil
		}
	}
	return nil, fmt.Errorf("judge: no method %q: there are %s", o.Method, strings.Join(names(), ", "))
}

// isEarly reports whether so much is unclear that the game is not over.
func (j *Judge) isEarly(r *life.Judgement) bool {
	unclear, unproved := 0, 0
	for i := range r.Strings {
		if !r.Strings[i].Proved {
			unproved++
		}
		if r.Strings[i].Unclear {
			unclear++
		}
	}
	return j.board.Early(unclear, unproved)
}

func names() (list []string) {
	for _, m := range methods {
		list = append(list, m.Name)
	}
	return list
}

// benson claims what Benson's theorem proves.
func (j *Judge) benson(_ *weiqi.Position, o *Options, r *life.Judgement) {
	j.prover.JudgeBenson(&j.board, o.Trace, r)
}

// static claims what the static rules prove.
func (j *Judge) static(_ *weiqi.Position, o *Options, r *life.Judgement) {
	j.prover.JudgeStatic(&j.board, o.Trace, r)
}

// search claims what a search proves.
func (j *Judge) search(p *weiqi.Position, o *Options, r *life.Judgement) {
	j.searcher(p).Judge(&j.board, cmp.Or(o.Nodes, search.Nodes), o.Trace, r)
}

func (j *Judge) searcher(p *weiqi.Position) *search.Searcher {
	if j.seeker == nil {
		j.seeker = new(search.Searcher)
	}
	j.seeker.Suicide = p.Rules().RuleSet().Suicide
	return j.seeker
}

// XLife is how safe a string is, after R. Popma and L. V. Allis.
type XLife struct {
	// X is how often its side may leave a move unanswered and it still lives; -1 if
	// life was not shown even where every move is answered.
	X int

	// Unconditional tells that it lives however often its side passes.
	Unconditional bool

	// Known tells that X is exact; otherwise it is at least that, as far as the
	// search went.
	Known bool
}

// XLife returns how many answers the owner of the string with a stone on a point can
// do without, up to most, within a number of nodes (0: as many as a judgement by
// search). ok is false where no stone is.
func (j *Judge) XLife(p *weiqi.Position, at board.Point, most, nodes int) (x XLife, ok bool) {
	if _, ok := p.SideAt(at); !ok {
		return x, false
	}
	j.board.Reset(p.Planes())
	x.X, x.Known = j.searcher(p).XLife(&j.board, at, most, cmp.Or(nodes, search.Nodes))
	x.Unconditional = x.X == search.Infinite
	return x, true
}

// fill judges that nothing is dead.
func (j *Judge) fill(_ *weiqi.Position, _ *Options, r *life.Judgement) {
	for i := range r.Strings {
		r.Strings[i].Status, r.Strings[i].Chance, r.Groups[i].Status = life.Alive, 1, life.Alive
	}
	r.Fill(&j.board)
}

// graph judges by the string graph.
func (j *Judge) graph(_ *weiqi.Position, o *Options, r *life.Judgement) {
	j.strings.Judge(&j.board, o.Trace, r)
}

// verdict weighs what is not proved.
func (j *Judge) verdict(p *weiqi.Position, o *Options, r *life.Judgement) {
	j.prover.JudgeStatic(&j.board, o.Trace, r)
	j.weigher.Judge(p, &j.board, o.Trace, r)
	j.bentFours(p, r, o.Trace)
}
