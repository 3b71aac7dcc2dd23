package ecco

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/pgn"
)

const (
	gamesArchive     = "xiangqi/xiangqi-games.tar.gz"
	formatsArchive   = "xiangqi/xiangqi-formats.tar.gz"
	positionsArchive = "xiangqi/xiangqi-positions.tar.gz"
)

const header = `# Definitions of the opening codes of Xiangqi: see the documentation of the package.
#
# Learnt from the Chinese Chess Practical Dataset, Yu-Han Tseng and Bo-Nian Chen,
# CC BY 4.0, by go test ./opening/ecco -run TestLearnt -rewrite, which needs the
# collection of real games.

`

// tagged reads games with a code from an archive, at most so many, each once.
func tagged(t testing.TB, archive string, most int) (samples []sample) {
	referee := record.NewReferee(game.Catalog{xiangqi.Standard})
	start := xiangqi.Standard.Start().(game.Planar).Planes()
	seen := map[string]bool{}
	for name, data := range testkit.Files(t, archive) {
		if len(samples) == most {
			break
		}
		if !strings.HasSuffix(strings.ToLower(name), ".pgn") {
			continue
		}
		src := &record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data)), At: bytes.NewReader(data)}
		for g, err := range pgn.Format.Read(src) {
			if err != nil {
				t.Fatal(err)
			}
			code := g.Tag("ECCO")
			if !isCode(code) {
				continue
			}
			p := referee.Play(g)
			if p.Start.Board == nil || !p.Start.Board.Equal(start) {
				continue
			}
			moves := make([]game.Move, len(p.Steps))
			for i, s := range p.Steps {
				moves[i] = s.Move
			}
			key := fmt.Sprint(moves)
			var buf [2 * rounds]uint16
			var s sample
			if seen[key] || !s.read(pack(&buf, moves)) {
				continue
			}
			seen[key] = true
			s.code = code
			samples = append(samples, s)
		}
	}
	return samples
}

// agreement counts games whose code is the right one, to the last digit, to the
// first digit, and in the letter.
type agreement struct {
	games, full, group, letter int
	wrong                      map[string]int // groups that were taken for others
}

func (a *agreement) add(got, want string) {
	a.games++
	if got == want {
		a.full++
	}
	if got[:2] == want[:2] {
		a.group++
	} else {
		if a.wrong == nil {
			a.wrong = map[string]int{}
		}
		a.wrong[want[:2]+" taken for "+got[:2]]++
	}
	if got[0] == want[0] {
		a.letter++
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(of) }

func (a *agreement) String() string {
	return fmt.Sprintf("%d games: code %.2f %%, group %.2f %%, letter %.2f %%",
		a.games, percent(a.full, a.games), percent(a.group, a.games), percent(a.letter, a.games))
}

// atLeast fails where the agreement is less than so many per cent.
func (a *agreement) atLeast(t *testing.T, full, group, letter float64) {
	t.Helper()
	t.Log(a)
	if percent(a.full, a.games) < full || percent(a.group, a.games) < group || percent(a.letter, a.games) < letter {
		t.Errorf("%v: want at least %v %%, %v %% and %v %%", a, full, group, letter)
	}
}

// worst returns the pairs of groups that are mistaken most often.
func (a *agreement) worst(most int) (lines []string) {
	for pair, n := range a.wrong {
		lines = append(lines, fmt.Sprintf("%4d %s", n, pair))
	}
	slices.Sort(lines)
	slices.Reverse(lines)
	return lines[:min(len(lines), most)]
}

// TestLearnt learns the definitions again: the file is what comes out.
func TestLearnt(t *testing.T) {
	if !testkit.Full() && !testkit.Rewriting() {
		t.Skip("learning the definitions is for QIPU_SCALE=full and for -rewrite")
	}
	samples := tagged(t, gamesArchive, -1)
	if len(samples) != 17498 {
		t.Errorf("%d games, want 17498", len(samples))
	}
	testkit.Golden(t, "codes.txt", learn(samples).append([]byte(header), 0))
}

// TestRealGames compares with the codes of the games that the definitions were
// learnt from, the whole of them at full scale.
func TestRealGames(t *testing.T) {
	var a agreement
	for _, s := range tagged(t, gamesArchive, testkit.Scale(2000, -1)) {
		code, _ := load().rules.classify(&s.line)
		a.add(code, s.code)
	}
	a.atLeast(t, 99.4, 99.7, 99.8)
}

// TestOtherGames compares with the few games of other archives that have a code.
// One has C46, which no game has that the definitions were learnt from.
func TestOtherGames(t *testing.T) {
	var a agreement
	for _, archive := range []string{formatsArchive, positionsArchive} {
		for _, s := range tagged(t, archive, -1) {
			code, _ := load().rules.classify(&s.line)
			if a.add(code, s.code); code != s.code {
				t.Logf("%s, want %s", code, s.code)
			}
		}
	}
	a.atLeast(t, 90, 100, 100)
}

// TestUnseenGames learns from four fifths of the games and compares with the codes
// of the others, five times over. Games with the same first moves are kept
// together, so that none is known already.
func TestUnseenGames(t *testing.T) {
	if !testkit.Full() {
		t.Skip("learning five times is for QIPU_SCALE=full")
	}
	samples := tagged(t, gamesArchive, -1)
	const parts = 5
	part := map[[2][rounds]step]int{}
	for _, s := range samples {
		if _, ok := part[s.steps]; !ok {
			part[s.steps] = len(part) * 2654435761 >> 7 % parts
		}
	}
	var a agreement
	for out := range parts {
		var known []sample
		for _, s := range samples {
			if part[s.steps] != out {
				known = append(known, s)
			}
		}
		rules := learn(known)
		for _, s := range samples {
			if part[s.steps] == out {
				code, _ := rules.classify(&s.line)
				a.add(code, s.code)
			}
		}
	}
	a.atLeast(t, 98.5, 99.5, 99.7)
	t.Log("\n" + strings.Join(a.worst(12), "\n"))
}
