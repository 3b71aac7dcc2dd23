package drill

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// Answer is one answer of somebody.
type Answer struct {
	At       time.Time `json:"at"`
	Exercise string    `json:"exercise"`
	Right    bool      `json:"right"`
}

// Deck is a set of exercises with the answers of one person: a file of exercises, one a
// line, and beside it a file of answers that is only ever appended to. Answers of another
// device are added by appending its file: each counts once, in the order of their times.
// Those to exercises that are gone count for the person still.
type Deck struct {
	Exercises []Exercise
	Person    Rating
	path      string
	answers   []Answer // in the order of their times
	memory    map[string]Memory
	ratings   map[string]Rating
	themes    map[string][2]int // done, right
	own       Parameters
}

// Recall is how likely an exercise is known when it comes again.
const Recall = 0.9

// Save writes a set of exercises, each once.
func Save(path string, list []Exercise) (int, error) {
	var b bytes.Buffer
	seen := map[string]bool{}
	for _, e := range list {
		if seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		line, err := json.Marshal(e)
		if err != nil {
			return 0, err
		}
		b.Write(append(line, '\n'))
	}
	return len(seen), os.WriteFile(path, b.Bytes(), 0o666)
}

// NewDeck returns a deck that lies in no file.
func NewDeck(exercises []Exercise, answers []Answer) *Deck {
	d := &Deck{Exercises: exercises, answers: slices.Clone(answers)}
	d.count()
	return d
}

// Theme is how somebody does the exercises of a theme.
type Theme struct {
	Name        string
	Done, Right int
}

// Themes returns those of which some were done, the weakest first.
func (d *Deck) Themes() (list []Theme) {
	for name, t := range d.themes {
		list = append(list, Theme{name, t[0], t[1]})
	}
	slices.SortFunc(list, func(a, b Theme) int {
		return cmp.Or(cmp.Compare(a.Right*b.Done, b.Right*a.Done), cmp.Compare(b.Done, a.Done), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Load reads a set and the answers to it.
func Load(path string) (*Deck, error) {
	d := &Deck{path: path}
	if err := lines(path, func(line []byte) error {
		var e Exercise
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		d.Exercises = append(d.Exercises, e)
		return nil
	}); err != nil {
		return nil, err
	}
	err := lines(d.log(), func(line []byte) error {
		var a Answer
		if err := json.Unmarshal(line, &a); err != nil {
			return nil // a line that a crash has cut off: the others are whole
		}
		d.answers = append(d.answers, a)
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	d.count()
	return d, nil
}

func (d *Deck) log() string { return d.path + ".answers" }

func lines(path string, do func([]byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		if err := do(in.Bytes()); err != nil {
			return fmt.Errorf("%s:%d: no exercise: %w", path, n, err)
		}
	}
	return in.Err()
}

// count works out from the answers what is known of everybody and everything.
func (d *Deck) count() {
	d.answers = inOrder(d.answers)
	d.own = Fit(d.answers)
	d.Person, d.memory, d.ratings, d.themes = Unrated, map[string]Memory{}, map[string]Rating{}, map[string][2]int{}
	known := map[string]*Exercise{}
	for i := range d.Exercises {
		e := &d.Exercises[i]
		known[e.ID], d.ratings[e.ID] = e, e.Start
	}
	for _, a := range d.answers {
		d.take(a, known[a.Exercise])
	}
}

// inOrder sorts answers by their times, each once.
func inOrder(list []Answer) []Answer {
	slices.SortStableFunc(list, func(a, b Answer) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Exercise, b.Exercise))
	})
	return slices.CompactFunc(list, func(a, b Answer) bool { return a.At.Equal(b.At) && a.Exercise == b.Exercise })
}

func (d *Deck) take(a Answer, e *Exercise) {
	m := d.memory[a.Exercise]
	if e != nil {
		result, right := 0.0, 0
		if a.Right {
			result, right = 1, 1
		}
		// One that was seen before says more of memory than of strength, and what somebody
		// chose is not the only good move.
		if m.Times == 0 && e.Kind != "guess" {
			person, exercise := d.Person, d.ratings[e.ID]
			d.Person, d.ratings[e.ID] = person.After(exercise, result), exercise.After(person, 1-result)
		}
		t := d.themes[e.Theme]
		d.themes[e.Theme] = [2]int{t[0] + 1, t[1] + right}
	}
	d.memory[a.Exercise] = d.own.After(m, a.Right, a.At)
}

// Note keeps an answer, and forces it to disk before it counts.
func (d *Deck) Note(a Answer) error {
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(d.log(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	d.answers = append(d.answers, a)
	for i := range d.Exercises {
		if d.Exercises[i].ID == a.Exercise {
			d.take(a, &d.Exercises[i])
			return nil
		}
	}
	return nil
}

// State is an exercise as it stands for somebody.
type State struct {
	Exercise
	Rating Rating
	Memory Memory
	Due    time.Time // zero for one that was never done
}

// States returns all exercises, in the order in which they should be done at a time: what
// is due, the least known first; what is new, by themes one is weak in and by how near its
// rating is; then what is not due yet.
func (d *Deck) States(now time.Time) []State {
	var list []State
	for _, e := range d.Exercises {
		s := State{Exercise: e, Rating: d.ratings[e.ID], Memory: d.memory[e.ID]}
		if s.Memory.Times > 0 {
			s.Due = s.Memory.Due(Recall)
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b State) int {
		ca, cb := a.class(now), b.class(now)
		switch {
		case ca != cb:
			return ca - cb
		case ca == 1:
			return cmp.Compare(d.distance(a), d.distance(b))
		}
		return a.Due.Compare(b.Due)
	})
	return list
}

func (s State) class(now time.Time) int {
	switch {
	case s.Memory.Times == 0:
		return 1
	case s.Due.After(now):
		return 2
	}
	return 0
}

// distance is how little an exercise suits somebody: the share of right answers to its theme
// counts like two hundred points.
func (d *Deck) distance(s State) float64 {
	t := d.themes[s.Theme]
	far := s.Rating.Points - d.Person.Points
	return max(far, -far) + 200*(float64(t[1])+1)/(float64(t[0])+2)
}
