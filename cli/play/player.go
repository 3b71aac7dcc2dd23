package play

import (
	"context"

	"qipu/arena"
	"qipu/cli"
	"qipu/game"
)

// Player reads how an engine is to play, in the words of the command match.
func Player(ctx context.Context, a *cli.App, r game.Rules, spec string) (arena.Player, error) {
	return matchPlayer(ctx, a, r, spec)
}
