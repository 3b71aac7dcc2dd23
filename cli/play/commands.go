// Package play has the commands that have an engine play or think.
package play

import (
	"github.com/spf13/cobra"

	"qipu/cli"
)

// Commands returns the commands that have an engine play or think.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{playCommand(a), matchCommand(a), analyseCommand(a), gtpCommand(a), uciCommand(a), ucciCommand(a), gomocupCommand(a), nboardCommand(a)}
}
