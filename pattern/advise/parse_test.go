package advise_test

import (
	"strings"
	"testing"

	"qipu/pattern/advise"
	"qipu/pattern/kb"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{ // want is empty where nothing changes
		{"all: not self-atari", ""},
		{"purpose cut: liberties >= 2 // it can be taken", ""},
		{"purpose cut  connect :liberties>=2//why", "purpose cut connect: liberties >= 2 // why"},
		{"purpose cut purpose connect term hane: ko", "purpose cut connect term hane: ko"},
		{"all except term throw-in snapback purpose avoid: not self-atari", ""},
		{"shape a-b: liberties(4,3) >= 2 and safe( 1 , 2 )", "shape a-b: liberties(4,3) >= 2 and safe(1,2)"},
		{"all: ladder works or capture(2,2) fails and not dead", ""},
		{"all: (ladder works or ko) and (not (safe and dead(1,1)))", "all: (ladder works or ko) and not (safe and dead(1,1))"},
		{"all: ((ko or safe) or dead)", "all: ko or safe or dead"},
		{"all: not not ko", ""},
		{"all: captures = 0 and atari != 1 and liberties < 3 and liberties <= 3 and liberties > 1", ""},
		{"all: ours or theirs or snapback", ""},
	} {
		got, faults := advise.Parse("f", []byte(c.text))
		if len(faults) > 0 {
			t.Errorf("%s: %v", c.text, faults[0])
			continue
		}
		want := c.want
		if want == "" {
			want = c.text
		}
		if s := strings.TrimSpace(got.String()); s != want {
			t.Errorf("%s: is %s, want %s", c.text, s, want)
		}
	}
}

func TestParseFaults(t *testing.T) {
	for text, want := range map[string]string{
		"purpose cut liberties >= 2":           "colon",
		": ko":                                 "about nothing",
		"purpose chop: ko":                     "no purpose",
		"purpose: ko":                          "needs a name",
		"purpose term x: ko":                   "needs a name",
		"cut: ko":                              "say all, purpose",
		"all:":                                 "no question",
		"all: liberty >= 2":                    "no question",
		"all: liberties":                       "comparison",
		"all: liberties >= many":               "comparison",
		"all: liberties >= 1000000":            "comparison",
		"all: liberties(0,1) >= 2":             "a cell is",
		"all: liberties(1,2 >= 2":              "a cell is",
		"all: ladder":                          "works or fails",
		"all: (ko":                             "not closed",
		"all: ko ko":                           "too much",
		"all: ko(1,1)":                         "too much",
		"all: " + strings.Repeat("not ", 1000): "too deep",
		"all: " + strings.Repeat("(", 100000):  "too deep",
	} {
		c, faults := advise.Parse("some.txt", []byte("// first\n\nall: ko\n"+text+"\nall: safe\n"))
		if len(faults) != 1 || !strings.Contains(faults[0].Reason, want) {
			t.Errorf("%.40q: faults are %v, want one with %q", text, faults, want)
			continue
		}
		if faults[0].File != "some.txt" || faults[0].Line != 4 {
			t.Errorf("%.40q: the fault is at %s:%d", text, faults[0].File, faults[0].Line)
		}
		if len(c.Rules) != 2 {
			t.Errorf("%.40q: %d rules are left of 2", text, len(c.Rules))
		}
	}
}

func TestCheck(t *testing.T) {
	base := kb.New(kb.Parse("x.shapes", []byte(small)))
	c, faults := advise.Parse("f", []byte(`
all except shape gone: ko
term lost: ko
shape wide narrow: liberties(3,4) = 1
`))
	faults = append(faults, c.Check(base)...)
	var got []string
	for _, f := range faults {
		got = append(got, f.Error())
	}
	text := strings.Join(got, "\n")
	for _, want := range []string{`f:2`, `no shape "gone"`, `f:3`, `no term "lost"`, `f:4`, `"narrow" of 3x3 has no cell (3,4)`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
	if len(got) != 3 {
		t.Errorf("%d faults:\n%s", len(got), text)
	}
}

// FuzzParse states that what was understood can be written and is understood
// the same way, and that nothing breaks the parser.
func FuzzParse(f *testing.F) {
	f.Add("purpose cut except term throw-in: (liberties(4,3) >= 2 or ko) and not dead // why")
	f.Add("all: not (ladder works or capture(1,2) fails)\nshape x: captures != 3")
	f.Fuzz(func(t *testing.T, text string) {
		c, _ := advise.Parse("f", []byte(text))
		again, faults := advise.Parse("f", []byte(c.String()))
		if len(faults) > 0 {
			t.Fatalf("%v in\n%s", faults[0], c)
		}
		if again.String() != c.String() {
			t.Fatalf("%s\nbecame\n%s", c, again)
		}
	})
}
