// Package study has the commands that prove things about a position.
package study

import (
	"github.com/spf13/cobra"

	"qipu/cli"
)

// Commands returns the commands that prove things about a position.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{judgeCommand(a), solveCommand(a), perftCommand(a)}
}
