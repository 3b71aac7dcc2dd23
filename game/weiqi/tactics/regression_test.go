package tactics_test

import (
	"bytes"
	"fmt"
	"path"
	"strconv"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/tactics"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/sgf"
)

// The questions of published test suites that this package can answer: ladders
// and attacks with their expected answers, and the moves of two suites of
// blunders, which run in a lost ladder or put a string into atari.
func TestRegression(t *testing.T) {
	files := map[string][]byte{}
	for name, data := range testkit.Files(t, "go-testsets/regression.tar.gz") {
		files[path.Clean(name)] = data
	}
	right, all := map[string]int{}, map[string]int{}
	for name, data := range files {
		if path.Ext(name) != ".tst" {
			continue
		}
		s := &suite{t: t, name: name, files: files, right: right, all: all}
		for line := range strings.Lines(string(data)) {
			s.line(strings.TrimSpace(line))
		}
	}
	least := map[string]int{"go_ladder": 13, "attack": 2, "self-atari": 7, "lost ladder": 18}
	for kind, n := range least {
		t.Logf("%s: %d of %d as expected", kind, right[kind], all[kind])
		if right[kind] < n {
			t.Errorf("%s: %d of %d, want at least %d", kind, right[kind], all[kind], n)
		}
	}
}

// suite walks through one script.
type suite struct {
	t          *testing.T
	name       string
	files      map[string][]byte
	right, all map[string]int
	p          *weiqi.Position
	question   []string // that waits for its expected answer
}

func (s *suite) line(text string) {
	if answer, ok := strings.CutPrefix(text, "#? ["); ok {
		s.answer(strings.TrimRight(answer, "]*"))
		s.question = nil
		return
	}
	f := strings.Fields(text)
	if len(f) == 0 || strings.HasPrefix(text, "#") {
		return
	}
	switch f[0] {
	case "loadsgf":
		s.load(f[1:])
	case "play", "trymove":
		s.play(f[1], f[2])
	case "black", "white":
		s.play(f[0], f[1])
	case "popgo":
		if s.p != nil {
			s.p.Undo()
		}
	default:
		s.question = f
	}
}

func (s *suite) load(args []string) {
	s.p = nil
	data, ok := s.files[path.Join(path.Dir(s.name), args[0])]
	if !ok {
		return // the other half of the suites
	}
	for g, err := range sgf.Format.Read(&record.Source{Name: args[0], Reader: bytes.NewReader(data), Size: int64(len(data))}) {
		if err != nil {
			return
		}
		played := record.NewReferee(game.Catalog{weiqi.Standard}).Play(g)
		steps := len(played.Steps)
		if len(args) > 1 {
			n, err := strconv.Atoi(args[1])
			if err != nil || n-1 > steps {
				return
			}
			steps = n - 1
		}
		if p, err := record.At(played, steps); err == nil {
			s.p = p.(*weiqi.Position)
		}
		return
	}
}

func (s *suite) point(text string) (board.Point, bool) {
	m, err := s.p.Rules().ParseMove(s.p, text, weiqi.GTP)
	return m.To(), err == nil || m != game.NoMove
}

func (s *suite) play(side, at string) {
	if s.p == nil {
		return
	}
	if to, ok := s.point(at); !ok || s.p.Force(sideOf(side), game.Drop(to)) != nil {
		s.p = nil // a command before it that is not known here has changed the board
	}
}

func sideOf(name string) game.Side {
	if strings.HasPrefix(strings.ToLower(name), "w") {
		return weiqi.White
	}
	return weiqi.Black
}

func (s *suite) answer(want string) {
	if s.p == nil || len(s.question) < 3 {
		return
	}
	command, arg := s.question[1], s.question[2]
	r := tactics.New(s.p)
	switch {
	case command == "go_ladder", command == "go_static_ladder":
		at, _ := s.point(arg)
		s.count("go_ladder", want, status(r, at))
	case command == "attack":
		at, _ := s.point(arg)
		prey, _ := s.p.SideAt(at)
		r.Limit(100_000)
		got := r.Capture(at, prey.Opponent())
		text := "0"
		switch got.Verdict {
		case tactics.Caught:
			text = "1 " + s.gtp(got.Line[0])
		case tactics.Ko:
			text = "3 " + s.gtp(got.Line[0])
		case tactics.Unknown:
			text = "unknown"
		}
		s.count("attack", want, text)
	case strings.HasSuffix(s.name, "blunder_selfatari_19.tst"):
		at, _ := s.point(strings.TrimPrefix(want, "!"))
		s.count("self-atari", "true", fmt.Sprint(r.After(sideOf(arg), at).SelfAtari()))
	case strings.HasSuffix(s.name, "blunder_long_ladder_19.tst") && strings.HasPrefix(want, "!"):
		for _, move := range strings.Split(strings.Trim(want, "!()"), "|") {
			at, ok := s.point(move)
			if !ok {
				return
			}
			if s.p.Force(sideOf(arg), game.Drop(at)) == nil {
				s.count("lost ladder", "true", fmt.Sprint(lost(r, at)))
				s.p.Undo()
			}
		}
	}
}

func (s *suite) gtp(at board.Point) string {
	return game.FormatMove(s.p.Rules(), s.p, game.Drop(at), weiqi.GTP)
}

func (s *suite) count(kind, want, got string) {
	s.all[kind]++
	if want == got {
		s.right[kind]++
		return
	}
	if got != "unknown" && kind != "lost ladder" {
		s.t.Errorf("an answer that claims to be proved is wrong")
	}
	s.t.Logf("%s: %s: got %s, want %s", s.name, strings.Join(s.question, " "), got, want)
}

// lost reports whether the stone on a point runs in a ladder that works, or
// gives an atari that does not: a string of two liberties was to be caught and
// is not.
func lost(r *tactics.Reader, at board.Point) bool {
	p := r.Position()
	side, _ := p.SideAt(at)
	if r.Ladder(at, side.Opponent()).Verdict == tactics.Caught {
		return true
	}
	for _, h := range p.AppendTouching(nil, at, side.Opponent()) {
		if p.Liberties(h, 2) == 1 && r.Ladder(h, side.Opponent()).Verdict == tactics.Free {
			return true
		}
	}
	return false
}

// status says of a ladder what the suite calls it.
func status(r *tactics.Reader, at board.Point) string {
	prey, _ := r.Position().SideAt(at)
	switch {
	case r.Ladder(at, prey).Verdict == tactics.Caught:
		return "captured"
	case r.Ladder(at, prey.Opponent()).Verdict == tactics.Caught:
		return "unsettled"
	}
	return "escaped"
}
