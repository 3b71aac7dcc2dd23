// Package search has the commands that ask the library.
package search

import (
	"github.com/spf13/cobra"

	"qipu/cli"
)

// Commands returns the commands that ask the library.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{findCommand(a), exploreCommand(a), queryCommand(a)}
}
