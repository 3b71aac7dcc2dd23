// Package knowledge has the commands about shapes and named patterns.
package knowledge

import (
	"github.com/spf13/cobra"

	"qipu/cli"
)

// Commands returns the commands about shapes and named patterns.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{shapesCommand(a), namesCommand(a)}
}
