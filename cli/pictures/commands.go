// Package pictures has the commands that draw boards and put games on pages.
package pictures

import (
	"github.com/spf13/cobra"

	"qipu/cli"
)

// Commands returns the commands that draw boards and put games on pages.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{drawCommand(a), printCommand(a)}
}
