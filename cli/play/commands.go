// Package play has the commands by which people play, and have games reviewed.
package play

import (
	"github.com/spf13/cobra"

	"qipu/cli"
)

// Commands returns play and analyse.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{playCommand(a), analyseCommand(a)}
}
