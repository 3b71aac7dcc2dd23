package manage

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
)

func versionCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Example: `  qipu version
  qipu version --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if a.JSON || a.CSV {
				t := &cli.Table{Columns: []string{"version", "revision", "golang", "system"}}
				cells := []string{qipu.Version, cli.Revision(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
				told := cli.Figures{{Name: "type", Value: "version"}}
				for i, name := range t.Columns {
					told = append(told, cli.Figure{Name: name, Value: cells[i]})
				}
				t.Add(told, cells...)
				return a.Print(t)
			}
			_, err := fmt.Fprintln(a.Out, cli.Version())
			return err
		},
	}
}

func completionCommand(a *cli.App) *cobra.Command {
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
		Args:      cli.ArgCount(1, 1),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch root := cmd.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.Out, true)
			case "zsh":
				return root.GenZshCompletion(a.Out)
			case "fish":
				return root.GenFishCompletion(a.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.Out)
			}
			return cli.Usagef("unknown shell %q: the shells are bash, zsh, fish and powershell%s", args[0], cli.DidYouMean(args[0], cmd.ValidArgs))
		},
	}
}
