// Package records has the commands that read and write records.
package records

import (
	"github.com/spf13/cobra"

	"qipu/cli"
)

// Commands returns the commands that read and write records.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{checkCommand(a), showCommand(a), convertCommand(a), importCommand(a), fetchCommand(a), exportCommand(a)}
}
