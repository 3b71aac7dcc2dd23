package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"qipu"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Example: `  qipu version
  qipu version --json`,
		Args: argCount(0, 0),
		RunE: func(*cobra.Command, []string) error {
			v := struct {
				Type     string `json:"type"`
				Version  string `json:"version"`
				Revision string `json:"revision"`
				Golang   string `json:"golang"`
				System   string `json:"system"`
			}{"version", qipu.Version, revision(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			switch {
			case a.json:
				return a.printJSON(v)
			case a.csv:
				t := &table{columns: []string{"version", "revision", "golang", "system"}}
				t.add(v, v.Version, v.Revision, v.Golang, v.System)
				return a.print(t)
			}
			_, err := fmt.Fprintf(a.out, "qipu %s\n", v.Version)
			return err
		},
	}
}

// revision returns the commit that the program was built from, where the
// build knows it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a completion script for bash, zsh, fish or powershell",
		Long: `Print a script that teaches a shell to complete qipu's commands, flags and games.

Bash:        source <(qipu completion bash)
Zsh:         qipu completion zsh > "${fpath[1]}/_qipu"
Fish:        qipu completion fish > ~/.config/fish/completions/qipu.fish
PowerShell:  qipu completion powershell | Out-String | Invoke-Expression`,
		Example: `  qipu completion bash
  qipu completion fish`,
		Args:      argCount(1, 1),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch root := cmd.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.out)
			}
			return usagef("unknown shell %q: the shells are bash, zsh, fish and powershell%s", args[0], didYouMean(args[0], cmd.ValidArgs))
		},
	}
}
