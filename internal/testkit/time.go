package testkit

import (
	"testing"
	"time"
)

// Patience is how long tests wait for what must come. It ends a test that would
// never end and measures nothing: machines are slow and busy, and what a test
// allows is counted in work or in processor time.
const Patience = 5 * time.Minute

// Until waits until something holds.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(Patience); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", Patience, what)
		}
	}
}

// Within fails the test where something takes more processor time than it may. The
// bound should be wide: it is there for what grows out of all proportion.
func Within(t testing.TB, what string, most time.Duration, run func()) {
	t.Helper()
	began := CPU()
	run()
	if took := CPU() - began; took > most {
		t.Errorf("%s takes %v of processor time, more than %v", what, took.Round(time.Millisecond), most)
	}
}
