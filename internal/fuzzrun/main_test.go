package main

import (
	"regexp"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	p, ok := read("fuzz: elapsed: 3s, execs: 10213 (3404/sec), new interesting: 5 (total: 21)")
	if want := (progress{10213, 5, 21}); !ok || p != want {
		t.Errorf("%+v, %v", p, ok)
	}
	for _, line := range []string{"fuzz: elapsed: 0s, gathering baseline coverage: 0/192 completed", "PASS", ""} {
		if p, ok := read(line); ok {
			t.Errorf("%q is %+v", line, p)
		}
	}
}

// TestList finds the targets of a package that has some, each once.
func TestList(t *testing.T) {
	all, err := list([]string{"qipu/record/sgf", "qipu/internal/fuzzrun"}, regexp.MustCompile(""))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("record/sgf has no fuzz targets any more: choose another package")
	}
	for i := range all {
		if all[i].pkg != "qipu/record/sgf" || !strings.HasPrefix(all[i].name, "Fuzz") || i > 0 && all[i].name == all[i-1].name {
			t.Errorf("%+v", all[i])
		}
	}
	some, err := list([]string{"qipu/record/sgf"}, regexp.MustCompile("^"+all[0].name+"$"))
	if err != nil || len(some) != 1 {
		t.Errorf("%v, %v", some, err)
	}
}

// TestSum: a target that came to too little, or failed, is told of.
func TestSum(t *testing.T) {
	o := options{least: 100}
	targets := []target{{pkg: "p", name: "FuzzA", progress: progress{execs: 500, fresh: 2}}, {pkg: "p", name: "FuzzB", progress: progress{execs: 7}}}
	var w strings.Builder
	o.sum(&w, targets)
	if got := w.String(); got != "2 targets, 507 executions, 2 new inputs of interest, 0 failed, 1 with fewer than 100 executions\n" {
		t.Error(got)
	}
	for i, want := range []string{"ok  ", "few "} {
		if got := targets[i].line(100); !strings.HasPrefix(got, want) {
			t.Error(got)
		}
	}
}
