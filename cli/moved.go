package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// Moved returns a command that says where another one is today.
func (a *App) Moved(name, to string) *cobra.Command {
	return &cobra.Command{
		Use: name, Hidden: true, DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.sayMoved(cmd.CommandPath(), to) },
	}
}

// MovedFlag adds a flag that says which command does today what it did.
func MovedFlag(cmd *cobra.Command, name, to string) {
	f := cmd.Flags().VarPF(movedError{name, to}, name, "", "")
	f.NoOptDefVal, f.Hidden = "true", true
}

func (a *App) sayMoved(name, to string) error {
	fmt.Fprintf(a.Err, "qipu: %s is now %s\n", name, to)
	return Silent(ExitUsage)
}

// movedError is the value of a flag that is no more, and what comes of setting it: the
// command that it is today.
type movedError struct{ name, command string }

func (movedError) String() string     { return "" }
func (movedError) Type() string       { return "bool" }
func (m movedError) Set(string) error { return m }
func (m movedError) Error() string    { return "--" + m.name + " is now " + m.command }
