package cli

import (
	"testing"
	"testing/fstest"
)

func TestMemory(t *testing.T) {
	for text, want := range map[string]int64{
		"400MB": 400 << 20, "400m": 400 << 20, "400 MiB": 400 << 20, "2GB": 2 << 30, "1.5g": 3 << 29, "1TiB": 1 << 40,
		"": 0, "400": 0, "MB": 0, "10MB": 0, "-1GB": 0, "NaNGB": 0, "infGB": 0, "4e9GB": 0, "1GBB": 0, "400KB": 0,
	} {
		var m Memory
		if err := m.Set(text); (err == nil) != (want > 0) || int64(m) != want {
			t.Errorf("%q is %d, %v; want %d", text, m, err, want)
		}
	}
	m := Memory(400 << 20)
	if m.String() != "400MiB" || m.Type() != "SIZE" {
		t.Errorf("%s %s", m.String(), m.Type())
	}
}

func TestGroupLimit(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for name, c := range map[string]struct {
		root fstest.MapFS
		want int64
	}{
		"none": {fstest.MapFS{}, 0},
		"no limit": {fstest.MapFS{
			"proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("max\n"),
		}, 0},
		"its own": {fstest.MapFS{
			"proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("536870912\n"), "sys/fs/cgroup/a/memory.max": file("max\n"),
		}, 512 << 20},
		"that of a group above": {fstest.MapFS{
			"proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("536870912\n"), "sys/fs/cgroup/a/memory.max": file("268435456\n"),
		}, 256 << 20},
		"of a container, whose root is its group": {fstest.MapFS{
			"proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("268435456\n"),
		}, 256 << 20},
		"version 1": {fstest.MapFS{
			"proc/self/cgroup": file("12:cpu,cpuacct:/x\n5:memory:/docker/q\n"),
			"sys/fs/cgroup/memory/docker/q/memory.limit_in_bytes": file("134217728\n"), "sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712\n"),
		}, 128 << 20},
	} {
		if got := groupLimit(c.root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestGranted(t *testing.T) {
	limit := ""
	a := &App{LookupOS: func(name string) (string, bool) { return limit, name == "GOMEMLIMIT" && limit != "" }}
	if g := a.Granted(200 << 20); g.Bytes != 200<<20 || g.By != "--memory" || g.Heap() != 104<<20 {
		t.Errorf("%+v, heap %d", g, g.Heap())
	}
	for text, want := range map[string]int64{"1": 1, "100MiB": 100 << 20, "64KiB": 64 << 10, "2GiB": 2 << 30, "300B": 300, "off": 0, "9223372036854775807": 0, "xMiB": 0, "-3": 0} {
		if got := goLimit(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	limit = "1MiB" // less than any group has
	if g := a.Granted(0); g.Bytes != 1<<20 || g.By != "GOMEMLIMIT" {
		t.Errorf("%+v", g)
	}
}
