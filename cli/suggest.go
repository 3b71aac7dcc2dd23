package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"qipu/text"
)

// DidYouMean returns a question in brackets that offers the nearest words, or
// nothing where none is near.
func DidYouMean(word string, known []string) string {
	if question := text.Suggest(word, slices.Values(known)); question != "" {
		return " (" + question + ")"
	}
	return ""
}

// NoArgs refuses arguments of a command that has others below it: they are
// misspelled commands.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("unknown command %q%s", args[0], DidYouMean(args[0], commandNames(cmd)))
	}
	return nil
}

func commandNames(cmd *cobra.Command) []string {
	var list []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			list = append(list, c.Name())
		}
	}
	return list
}

// flagNames returns the flags of a command as they are typed.
func flagNames(cmd *cobra.Command) []string {
	var list []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { list = append(list, "--"+f.Name) })
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { list = append(list, "--"+f.Name) })
	return list
}
