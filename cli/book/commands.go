// Package book has the commands of the opening book.
package book

import (
	"github.com/spf13/cobra"

	"qipu/cli"
)

// Commands returns the commands of the opening book.
func Commands(a *cli.App) []*cobra.Command { return []*cobra.Command{bookCommand(a)} }
