package guard

import (
	"context"
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// of returns the context of a request of the nth client.
func of(ctx context.Context, n byte) context.Context {
	return context.WithValue(ctx, clientKey{}, netip.AddrFrom4([4]byte{203, 0, 113, n}))
}

// TestGateFair: a client with many requests leaves a place to the others, and takes turns
// with them where all places are taken.
func TestGateFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(4, time.Hour)
		work := func(who byte, n int) {
			for range n {
				go func() {
					leave, err := g.Enter(of(t.Context(), who))
					if err != nil {
						return
					}
					time.Sleep(time.Second)
					leave()
				}()
			}
		}
		work(1, 60)
		synctest.Wait()
		if inside, waiting, _ := g.load(); inside != 3 || waiting != 57 {
			t.Fatalf("one client has %d places, %d requests wait", inside, waiting)
		}
		for who := byte(2); who < 6; who++ {
			began := time.Now()
			leave, err := g.Enter(of(t.Context(), who))
			if d := time.Since(began); err != nil || d > 0 {
				t.Errorf("client %d waits %v: %v", who, d, err)
			}
			leave()
		}
		// Four others want a place at once: one has it at once, the rest after the first
		// that becomes free, before any more of the first client.
		var waits []time.Duration
		done := make(chan time.Duration)
		for who := byte(2); who < 6; who++ {
			go func() {
				began := time.Now()
				leave, err := g.Enter(of(t.Context(), who))
				if err != nil {
					t.Error(err)
					return
				}
				done <- time.Since(began)
				time.Sleep(time.Second)
				leave()
			}()
		}
		for range 4 {
			waits = append(waits, <-done)
		}
		if last := waits[3]; last > time.Second {
			t.Errorf("the last of four others waited %v", last)
		}
		time.Sleep(time.Minute)
		if inside, waiting, refused := g.load(); inside+waiting+refused != 0 || len(g.clients) != 0 {
			t.Errorf("%d inside, %d wait, %d refused, %d clients", inside, waiting, refused, len(g.clients))
		}
	})
}

// TestGateQueue: the requests of one client that wait are bounded, those of another are
// no reason to refuse.
func TestGateQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(2, time.Hour)
		ctx, stop := context.WithCancel(t.Context())
		for range mostWaiting + 1 {
			go g.Enter(of(ctx, 1))
		}
		synctest.Wait()
		if _, err := g.Enter(of(ctx, 1)); err == nil {
			t.Error("one more may wait")
		}
		leave, err := g.Enter(of(ctx, 2))
		if err != nil {
			t.Error(err)
		}
		leave()
		stop()
		synctest.Wait()
		if _, waiting, refused := g.load(); waiting != 0 || refused != 1 {
			t.Errorf("%d wait, %d were refused", waiting, refused)
		}
	})
}

// TestGateTurns: long work lends its place to clients that wait, and to no others.
func TestGateTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(1, time.Hour)
		var log []string
		long := func(who byte) {
			pause, leave, err := g.Turns(of(t.Context(), who))
			if err != nil {
				t.Error(err)
				return
			}
			defer leave()
			for range 3 {
				log = append(log, fmt.Sprint(who))
				time.Sleep(time.Second)
				pause()
			}
		}
		go long(1)
		synctest.Wait()
		go long(1) // of the same client: it waits to the end of the first
		time.Sleep(1500 * time.Millisecond)
		go long(2)
		time.Sleep(time.Minute)
		if got := fmt.Sprint(log); got != "[1 1 2 1 2 1 2 1 1]" && got != "[1 1 2 1 2 2 1 1 1]" {
			t.Errorf("worked: %s", got)
		}
		if inside, waiting, _ := g.load(); inside+waiting != 0 {
			t.Errorf("%d inside, %d wait", inside, waiting)
		}
		// Work whose context ends while it pauses does not come back, and holds nothing.
		ctx, stop := context.WithCancel(of(t.Context(), 1))
		pause, leave, err := g.Turns(ctx)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			other, err := g.Enter(of(t.Context(), 2))
			if err != nil {
				t.Error(err)
				return
			}
			time.Sleep(time.Minute)
			other()
		}()
		synctest.Wait()
		time.AfterFunc(time.Second, stop)
		pause()
		leave()
		time.Sleep(2 * time.Minute)
		if inside, waiting, _ := g.load(); inside+waiting != 0 {
			t.Errorf("%d inside, %d wait after a cancel", inside, waiting)
		}
	})
}
