// Package journal has the commands of the way back: what was changed, undoing it, the trash,
// headers that are corrected, and
// proposals for that.
package journal

import (
	"github.com/spf13/cobra"

	"qipu/cli"
)

// Commands returns the commands of the way back.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{logCommand(a), undoCommand(a), importsCommand(a), trashCommand(a), editCommand(a), cleanupCommand(a)}
}
