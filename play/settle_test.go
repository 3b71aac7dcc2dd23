package play_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/board"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/play"
	"qipu/record"
	"qipu/record/sgf"
)

// TestSettle ends games of Go. Commands:
//
//	begin GAME [level=N] [minutes=N]    between two people, or Black a person and White an engine
//	play MOVES                          by whoever's turn it is, engines too
//	mark A1 dead=yes                    all groups with such a stone
//	agree [side=0]                      all people, or one side
//	resume, undo, resign                see Session
//	clock                               what is left, and whose clock runs
//	record                              how it is kept
//
// After every command the game is stored and read back.
func TestSettle(t *testing.T) {
	var s *play.Session
	now := began
	testkit.Script(t, "testdata/settle.txt", func(t *testing.T, c testkit.Command) string {
		now = now.Add(10 * time.Second)
		err := error(nil)
		switch c.Name {
		case "begin":
			level := 0
			fmt.Sscan(c.Named["level"], &level)
			spec := c.Args[0]
			for _, word := range []string{"komi", "handicap"} {
				if value := c.Named[word]; value != "" {
					spec += "," + word + "=" + value
				}
			}
			s = session(t, spec, level, func(set *play.Settings) {
				minutes := 0
				fmt.Sscan(c.Named["minutes"], &minutes)
				set.Main, set.Start = time.Duration(minutes)*time.Minute, strings.TrimSpace(c.Input)
			}, "")
		case "play":
			for _, text := range c.Args {
				var m game.Move
				if m, err = s.ParseMove(text); err == nil || s.State() == play.Settling {
					err = s.Play(m, play.By{}, now)
				}
				if err != nil {
					break
				}
			}
		case "mark":
			err = s.Mark(pointsOf(s, c.Args), c.Named["dead"] == "yes")
		case "agree":
			side := -1
			fmt.Sscan(c.Named["side"], &side)
			err = s.Agree(side, now)
		case "resume":
			err = s.Resume(now)
		case "undo":
			err = s.Undo(now)
		case "resign":
			err = s.Resign(now)
		case "clock":
			left, running := s.Clocks(now)
			return fmt.Sprintf("%v, side %d runs\n", left, running)
		case "record":
			var b strings.Builder
			if err := sgf.With(record.KindOf(s.Rules())).(record.Writer).Write(&b, slices.Values([]*record.Game{s.Record(1)})); err != nil {
				t.Fatal(err)
			}
			return b.String()
		default:
			t.Fatalf("no command %q", c.Name)
		}
		if err != nil {
			return err.Error() + "\n"
		}
		s = again(t, s, now)
		return told(s)
	})
}

// pointsOf reads points.
func pointsOf(s *play.Session, names []string) (list []board.Point) {
	for _, name := range names {
		if m, err := s.Rules().ParseMove(s.Rules().Start(), name, "gtp"); err == nil {
			list = append(list, m.To())
		}
	}
	return list
}

// told tells where a game stands.
func told(s *play.Session) string {
	n, _ := s.Len()
	text := fmt.Sprintf("%s, %s to move, %d moves", s.State(), s.Rules().Info().Sides[s.Turn()].Name, n)
	names := func(list []board.Point) string {
		var words []string
		for _, p := range list {
			words = append(words, strings.ToUpper(game.FormatMove(s.Rules(), s.Rules().Start(), game.Drop(p), "gtp")))
		}
		return strings.Join(words, " ")
	}
	if c := s.Count(); c != nil {
		text += fmt.Sprintf("\n%s, dead: [%s], agreed %v", c.Outcome.Describe(s.Rules().Info()), names(c.Dead()), c.Agreed)
		if !c.Proposed {
			text += ", marked by hand"
		}
		if !c.Sure {
			text += ", not sure: " + string(c.Why)
		}
	}
	if r := s.Result(); r != nil {
		text += fmt.Sprintf("\n%s by %s, dead: [%s]", r.Facts.SGF(record.SidesOf(s.Rules())), r.Reason, names(r.Dead))
	}
	return text + "\n"
}
