package web_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// TestModels runs the tests of what the client computes without a browser:
// test/*.test.ts.
func TestModels(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node on this machine: the models of the client are not tested")
	}
	files, err := filepath.Glob("test/*.test.ts")
	if err != nil || len(files) == 0 {
		t.Fatalf("tests of the client: %v, %v", files, err)
	}
	dir := t.TempDir()
	built := api.Build(api.BuildOptions{
		EntryPoints: files, Bundle: true, Write: true, Outdir: dir, OutExtension: map[string]string{".js": ".mjs"},
		Platform: api.PlatformNode, Format: api.FormatESModule, Target: api.ES2022, Sourcemap: api.SourceMapInline,
		LogLevel: api.LogLevelSilent, Loader: map[string]api.Loader{".svg": api.LoaderText, ".data": api.LoaderText},
	})
	if len(built.Errors) > 0 {
		t.Fatalf("bundling: %v", built.Errors)
	}
	made, err := filepath.Glob(filepath.Join(dir, "*.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, append([]string{"--enable-source-maps", "--test"}, made...)...)
	cmd.Env = append(os.Environ(), "NODE_DISABLE_COLORS=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
