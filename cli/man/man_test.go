package man

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/cli/manage"
)

// TestMan: a page has what the help has, nothing in it is taken for a macro, and the
// program that shows pages has nothing to say about it, where there is one.
func TestMan(t *testing.T) {
	a := &cli.App{Rooms: []cli.Room{manage.Commands, Commands}, Out: t.Output(), Err: t.Output(), LookupOS: func(string) (string, bool) { return "", false }}
	root := a.Root()
	dir := t.TempDir()
	n, err := pages(dir, root)
	if err != nil || n < 20 {
		t.Fatalf("%d pages, %v", n, err)
	}
	odd := &cobra.Command{Use: "odd", Short: "Odd - things", Long: ".PP is no macro\n'neither is this\n\n  drawn \\ line\n", Example: "  .x --y"}
	odd.Flags().Bool("flag-name", false, "what it does")
	odd.Run = func(*cobra.Command, []string) {}
	root.AddCommand(odd)
	var text strings.Builder
	if err := page(&text, odd); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		".TH \"QIPU-ODD\" 1", "qipu\\-odd \\- Odd \\- things\n", "\n\\&.PP is no macro\n\\&'neither", ".nf\n  drawn \\e line\n.fi\n", ".B \\-\\-flag\\-name\nwhat it does\n",
		"\n  .x \\-\\-y\n", ".BR qipu (1)\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, &text)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff: nobody reads the page")
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z")
	cmd.Stdin = strings.NewReader(text.String())
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "" {
		t.Errorf("groff: %v\n%s", err, out)
	}
}
