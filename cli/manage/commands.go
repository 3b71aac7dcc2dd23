// Package manage has the commands that keep a library, serve it, and tell about the
// program.
package manage

import (
	"github.com/spf13/cobra"

	"qipu/cli"
)

// Commands returns the commands that keep a library, serve it, and tell about
// the program.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		collectionsCommand(a), tagsCommand(a), playersCommand(a), eventsCommand(a), deleteCommand(a), statsCommand(a), doctorCommand(a),
		reindexCommand(a), backupCommand(a), restoreCommand(a), copyCommand(a), clusterCommand(a), serveCommand(a),
		gamesCommand(a), sampleCommand(a), demoCommand(a), versionCommand(a), completionCommand(a),
	}
}
