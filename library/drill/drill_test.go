package drill_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"qipu/engine/endgame"
	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/library/drill"
	"qipu/record"
)

var begin = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

// learner is somebody whose memory is known, and is none of ours: what was learnt fades
// by halves, a right answer multiplies how long that takes by a number of the item's own,
// a wrong one divides it.
type learner struct {
	rng   *rand.Rand
	half  []float64 // days
	grows []float64
	last  []time.Time
}

func newLearner(seed uint64, items int) *learner {
	l := &learner{rng: rand.New(rand.NewPCG(seed, 0))}
	for range items {
		l.half = append(l.half, 0)
		l.grows = append(l.grows, 1.6+1.2*l.rng.Float64())
		l.last = append(l.last, begin)
	}
	return l
}

func (l *learner) knows(i int, now time.Time) float64 {
	if l.half[i] == 0 {
		return 0
	}
	return math.Exp2(-float64(now.Sub(l.last[i])) / float64(day) / l.half[i])
}

func (l *learner) answer(i int, now time.Time) bool {
	right := l.rng.Float64() < l.knows(i, now)
	switch {
	case l.half[i] == 0:
		l.half[i] = 2 + 4*l.rng.Float64()
	case right:
		l.half[i] *= l.grows[i]
	default:
		l.half[i] = max(1, l.half[i]/3)
	}
	l.last[i] = now
	return right
}

// mean is how much is known of all items on average.
func (l *learner) mean(now time.Time) (sum float64) {
	for i := range l.half {
		sum += l.knows(i, now)
	}
	return sum / float64(len(l.half))
}

const items, days = 80, 200

// TestSchedule: behind the answers of some learners what is foretold of others is right
// within three in a hundred, and these know as much as by fixed boxes after fewer
// repetitions.
func TestSchedule(t *testing.T) {
	// Learners with boxes of 1, 2, 4 ... days; their answers fit the parameters.
	var answers []drill.Answer
	boxed, boxedKnown := 0, 0.0
	for seed := range uint64(learners) {
		l := newLearner(seed, items)
		box, due := make([]int, items), make([]int, items)
		for d := range days {
			now := begin.Add(time.Duration(d) * day)
			for i := range items {
				if due[i] > d {
					continue
				}
				right := l.answer(i, now)
				if box[i]++; !right {
					box[i] = 0
				}
				due[i] = d + 1<<min(box[i], 6)
				answers = append(answers, drill.Answer{At: now.Add(time.Duration(i) * time.Second), Exercise: string(rune('a'+seed)) + string(rune(0x4E00+i)), Right: right})
				boxed++
			}
			boxedKnown += l.mean(now)
		}
	}
	p := drill.Fit(answers)
	if p == drill.Usual {
		t.Fatal("the answers of learners change nothing")
	}
	boxedKnown /= learners * days

	for _, recall := range []float64{0.85, 0.9} {
		// Whoever is asked so answers otherwise than by boxes: what is fitted again is theirs.
		own := drill.Fit(append(slices.Clone(answers), study(p, recall, 100).answers...))
		got := study(own, recall, 200)
		wrong := got.foretold - got.right
		t.Logf("asked at %.2f: foretold %.3f, right %.3f; known %.3f after %d repetitions, by boxes %.3f after %d", recall, got.foretold, got.right, got.known, got.done, boxedKnown, boxed)
		if math.Abs(wrong) > 0.03 {
			t.Errorf("asked at %.2f: recall is foretold %.3f too high", recall, wrong)
		}
		if recall == 0.9 && (got.known < boxedKnown || got.done >= boxed) {
			t.Errorf("%d repetitions for a recall of %.3f; boxes need %d for %.3f", got.done, got.known, boxed, boxedKnown)
		}
	}
}

const learners = 3

// studied is what came of learners who were asked by the schedule.
type studied struct {
	answers         []drill.Answer
	foretold, right float64 // of what was asked again
	known           float64 // of all items on average
	done            int
}

func study(p drill.Parameters, recall float64, seeds uint64) (s studied) {
	asked := 0
	for seed := range uint64(learners) {
		l := newLearner(seeds+seed, items)
		memory := make([]drill.Memory, items)
		for d := range days {
			now := begin.Add(time.Duration(d) * day)
			for i := range items {
				m := memory[i]
				if m.Times > 0 && m.Due(recall).After(now) {
					continue
				}
				ok := l.answer(i, now)
				if m.Times > 0 {
					s.foretold += m.Recall(now)
					if asked++; ok {
						s.right++
					}
				}
				s.answers = append(s.answers, drill.Answer{At: now, Exercise: string(rune('a'+seeds+seed)) + string(rune(0x4E00+i)), Right: ok})
				memory[i] = p.After(m, ok, now)
				s.done++
			}
			s.known += l.mean(now)
		}
	}
	s.known /= learners * days
	s.foretold, s.right = s.foretold/float64(asked), s.right/float64(asked)
	return s
}

// TestRating: somebody of a known strength is rated so, within the interval.
func TestRating(t *testing.T) {
	inside := 0
	const people = 200
	for seed := range uint64(people) {
		rng := rand.New(rand.NewPCG(seed, 1))
		truth := drill.Rating{Points: 1100 + 800*rng.Float64()}
		own := drill.Unrated
		for range 60 {
			e := drill.Rating{Points: own.Points - 300 + 600*rng.Float64(), Doubt: 50}
			result := 0.0
			if rng.Float64() < truth.Expect(drill.Rating{Points: e.Points}) {
				result = 1
			}
			own = own.After(e, result)
		}
		if math.Abs(own.Points-truth.Points) < 1.96*own.Doubt {
			inside++
		}
	}
	if inside < people*90/100 {
		t.Errorf("the interval has the truth for %d of %d", inside, people)
	}
}

// ending is a game that ends in one: a position and moves from it.
func ending(t *testing.T, text string, moves ...string) *record.Played {
	s, err := game.ParseSetup(xiangqi.Standard, text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := xiangqi.Standard.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	g := &record.Played{Game: &record.Game{}, Rules: xiangqi.Standard, Start: s}
	for _, text := range moves {
		m, err := xiangqi.Standard.ParseMove(p, text, game.AnyNotation)
		if err == nil {
			err = p.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
		g.Steps = append(g.Steps, record.Step{Move: m})
	}
	return g
}

// TestDeck: exercises are cut where one move is right, kept, done and come again; answers
// of two devices are brought together.
func TestDeck(t *testing.T) {
	tables := endgame.Open("")
	defer tables.Close()
	s := "1N3k3/9/8b/9/9/9/9/3K5/9/9 w"
	start, err := game.ParsePosition(xiangqi.Standard, s)
	if err != nil {
		t.Fatal(err)
	}
	line, err := tables.Line(xiangqi.Standard, start, 100)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range line {
		texts = append(texts, game.FormatMove(xiangqi.Standard, start, m, game.AnyNotation))
		if err := start.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	list, err := drill.Cut(tables, ending(t, s, texts...), "game 1")
	if err != nil || len(list) < 3 {
		t.Fatalf("%d exercises, %v", len(list), err)
	}
	for _, e := range list {
		p, err := game.ParsePosition(xiangqi.Standard, e.Position)
		if err != nil {
			t.Fatal(err)
		}
		right := 0
		for _, m := range p.AppendMoves(nil) {
			v, _, err := drill.Refute(tables, xiangqi.Standard, p, m)
			if err != nil {
				t.Fatal(err)
			}
			if v.Word() == "won" || e.Kind == "save" && v.Word() == "drawn" {
				right++
			}
		}
		if right != 1 || e.Kind == "win" && len(e.Line) != e.Plies {
			t.Errorf("%s: %d right moves, %+v", e.Position, right, e)
		}
	}

	path := filepath.Join(t.TempDir(), "set")
	n, err := drill.Save(path, append(list, list...))
	if err != nil || n != len(list) {
		t.Fatalf("%d of %d, %v", n, len(list), err)
	}
	first, err := drill.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := drill.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range []*drill.Deck{first, second} {
		at := begin.Add(time.Duration(i) * time.Hour)
		if err := d.Note(drill.Answer{At: at, Exercise: d.States(at)[0].ID, Right: i == 0}); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(path+".answers", os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"at":"2030-01-01T00:00:00Z","exercise":"gone","right":true}` + "\n" + `{"at":"20`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := drill.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, s := range again.States(begin.Add(day)) {
		done += s.Memory.Times
	}
	if done != 2 || again.Person.Doubt >= drill.Unrated.Doubt {
		t.Errorf("%d answers of two devices, rating %+v", done, again.Person)
	}
	if s := again.States(begin.Add(1000 * day))[0]; s.Memory.Times == 0 {
		t.Errorf("what is due does not come first: %+v", s)
	}
}
