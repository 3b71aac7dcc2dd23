package breakthrough_test

import (
	"testing"

	"qipu/game/gametest"
	"qipu/game/gametest/breakthrough"
)

func TestLaws(t *testing.T) { gametest.Run(t, breakthrough.Rules{}, gametest.Options{}) }

func TestPerft(t *testing.T) { gametest.Perft(t, breakthrough.Rules{}, "testdata/perft.txt") }

func TestPlaythrough(t *testing.T) {
	gametest.Playthrough(t, breakthrough.Rules{}, "testdata/play.txt")
}
