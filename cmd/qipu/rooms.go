package main

import "github.com/spf13/cobra"

// searchCommands returns the commands that ask the library.
func (a *app) searchCommands() []*cobra.Command {
	return []*cobra.Command{a.findCommand(), a.exploreCommand(), a.queryCommand()}
}

// recordsCommands returns the commands that read and write records.
func (a *app) recordsCommands() []*cobra.Command {
	return []*cobra.Command{a.checkCommand(), a.showCommand(), a.convertCommand(), a.drawCommand(), a.importCommand(), a.exportCommand()}
}

// knowledgeCommands returns the commands about shapes and named patterns.
func (a *app) knowledgeCommands() []*cobra.Command {
	return []*cobra.Command{a.shapesCommand(), a.namesCommand()}
}

// playCommands returns the commands that have an engine play or think, and those
// of the opening book.
func (a *app) playCommands() []*cobra.Command {
	return []*cobra.Command{a.playCommand(), a.matchCommand(), a.analyseCommand(), a.gtpCommand(), a.nboardCommand(), a.bookCommand()}
}

// studyCommands returns the commands that prove things about a position.
func (a *app) studyCommands() []*cobra.Command {
	return []*cobra.Command{a.judgeCommand(), a.solveCommand(), a.perftCommand()}
}

// manageCommands returns the commands that keep a library, serve it, and tell about
// the program.
func (a *app) manageCommands() []*cobra.Command {
	return []*cobra.Command{
		a.collectionsCommand(), a.tagsCommand(), a.playersCommand(), a.deleteCommand(), a.statsCommand(), a.doctorCommand(),
		a.reindexCommand(), a.backupCommand(), a.restoreCommand(), a.copyCommand(), a.clusterCommand(), a.serveCommand(),
		a.gamesCommand(), a.sampleCommand(), a.demoCommand(), a.versionCommand(), a.completionCommand(),
	}
}

// workshopCommands returns the commands of those who make the program.
func (a *app) workshopCommands() []*cobra.Command {
	return []*cobra.Command{a.trainCommand(), a.benchCommand()}
}
