// Package workshop has the commands of those who make the program.
package workshop

import (
	"github.com/spf13/cobra"

	"qipu/cli"
)

// Commands returns the commands of those who make the program.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{trainCommand(a), benchCommand(a)}
}
