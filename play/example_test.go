package play_test

import (
	"fmt"
	"time"

	"qipu/game/othello"
	"qipu/play"
	"qipu/record/facts"
)

// A person plays first, and the engine's side answers.
func ExampleSession() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	s, err := play.New(othello.Standard, nil, play.Settings{Game: "othello", Players: [2]play.Player{{Name: "Ada"}, {Level: 5}}}, nil, now)
	if err != nil {
		panic(err)
	}
	for _, text := range []string{"f5", "d6", "c3"} {
		fmt.Println(s.State(), text)
		m, err := s.ParseMove(text)
		if err == nil {
			err = s.Play(m, play.By{}, now)
		}
		if err != nil {
			panic(err)
		}
	}
	if err := s.Resign(now); err != nil {
		panic(err)
	}
	fmt.Println(s.State(), s.Result().Facts.SGF(facts.BlackDiscs))
	// Output:
	// yours f5
	// thinking d6
	// yours c3
	// over W+R
}
