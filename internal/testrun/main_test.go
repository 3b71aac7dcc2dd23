package main

import (
	"slices"
	"strings"
	"testing"
)

// TestReport: what passed is one line, what failed is told in full, and skips are
// summed up by their reasons.
func TestReport(t *testing.T) {
	events := `{"Action":"output","Package":"a","Test":"TestOne","Output":"noise\n"}
{"Action":"pass","Package":"a","Test":"TestOne/part","Elapsed":2.25}
{"Action":"pass","Package":"a","Test":"TestOne","Elapsed":2.5}
{"Action":"output","Package":"a","Test":"TestTwo","Output":"    a_test.go:3: no browser: run make deps\n"}
{"Action":"output","Package":"a","Test":"TestTwo","Output":"--- SKIP: TestTwo (0.00s)\n"}
{"Action":"skip","Package":"a","Test":"TestTwo"}
{"Action":"output","Package":"a","Output":"PASS\n"}
{"Action":"output","Package":"a","Output":"ok  \ta\t0.1s\n"}
{"Action":"pass","Package":"a"}
{"Action":"output","Package":"b","Test":"TestThree","Output":"    b_test.go:9: 1, not 2\n"}
{"Action":"output","Package":"b","Test":"TestThree","Output":"--- FAIL: TestThree (0.00s)\n"}
{"Action":"fail","Package":"b","Test":"TestThree","Elapsed":7}
{"Action":"output","Package":"b","Test":"TestFour","Output":"panic: test timed out\n"}
{"Action":"output","Package":"b","Output":"FAIL\tb\t0.1s\n"}
{"Action":"fail","Package":"b"}
`
	var b strings.Builder
	r := newReport(&b)
	if err := r.read(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	r.sum()
	want := `ok  	a	0.1s
    b_test.go:9: 1, not 2
--- FAIL: TestThree (0.00s)
FAIL	b	0.1s
panic: test timed out

2 tests passed in 2 packages, 1 were skipped
    1  no browser: run make deps
       TestTwo
the longest, in seconds:
    7  b TestThree
    2  a TestOne
`
	if b.String() != want {
		t.Errorf("it says\n%s\nnot\n%s", b.String(), want)
	}
}

// TestMarked: a line chooses one test, or all of a file.
func TestMarked(t *testing.T) {
	mark := "//qipu:" + "race"
	some := "package a\n\n// TestOne tests.\n//\n" + mark + "\nfunc TestOne(t *testing.T) {}\n\nfunc TestTwo(t *testing.T) {}\n\n" + mark + " full\nfunc TestThree(t *testing.T) {}\n"
	for _, c := range []struct {
		source string
		full   bool
		want   string
	}{
		{some, false, "TestOne"},
		{some, true, "TestOne TestThree"},
		{mark + "\n\n" + some, false, "TestOne TestTwo TestThree"},
		{"package a\nfunc TestOne(t *testing.T) {}\n", true, ""},
	} {
		if got := marked(c.source, c.full); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("chosen are %v, not %s", got, c.want)
		}
	}
}
