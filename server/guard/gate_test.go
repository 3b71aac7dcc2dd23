package guard

import (
	"context"
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// loaded returns how many places are taken, how many requests wait and were refused.
func loaded(g *Gate) (inside, waiting, refused int) {
	inside, waiting, refused, _ = g.load()
	return inside, waiting, refused
}

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
		if inside, waiting, _ := loaded(g); inside != 3 || waiting != 57 {
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
		if inside, waiting, refused := loaded(g); inside+waiting+refused != 0 || len(g.clients) != 0 {
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
		if _, waiting, refused := loaded(g); waiting != 0 || refused != 1 {
			t.Errorf("%d wait, %d were refused", waiting, refused)
		}
	})
}

// long does heavy work of so many slices, each of a second, and logs who works.
func long(t *testing.T, g *Gate, ctx context.Context, who string, slices int, log *[]string) {
	turn, err := g.Turn(ctx, time.Hour)
	if err != nil {
		t.Error(err)
		return
	}
	defer turn.Leave()
	for range slices {
		*log = append(*log, who)
		time.Sleep(time.Second)
		if more, err := turn.Pause(ctx); !more || err != nil {
			return
		}
	}
}

// TestGateTurns: long work lends its place to clients that had less, and to no others.
func TestGateTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(1, time.Hour)
		var log []string
		one, two := of(t.Context(), 1), of(t.Context(), 2)
		go long(t, g, one, "1", 3, &log)
		synctest.Wait()
		go long(t, g, one, "1", 3, &log) // of the same client: it waits to the end of the first
		time.Sleep(1500 * time.Millisecond)
		go long(t, g, two, "2", 3, &log)
		time.Sleep(time.Minute)
		if got := fmt.Sprint(log); got != "[1 1 2 2 1 1 2 1 1]" {
			t.Errorf("worked: %s", got)
		}
		if inside, waiting, _ := loaded(g); inside+waiting != 0 || len(g.clients) != 0 {
			t.Errorf("%d inside, %d wait, %d clients", inside, waiting, len(g.clients))
		}
		// Work whose context ends while it pauses does not come back, and holds nothing.
		ctx, stop := context.WithCancel(one)
		turn, err := g.Turn(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		go func() {
			other, err := g.Enter(two)
			if err != nil {
				t.Error(err)
				return
			}
			time.Sleep(time.Minute)
			other()
		}()
		synctest.Wait()
		time.AfterFunc(time.Second, stop)
		if more, err := turn.Pause(ctx); more || err == nil {
			t.Errorf("more %v, error %v", more, err)
		}
		turn.Leave()
		time.Sleep(2 * time.Minute)
		if inside, waiting, _ := loaded(g); inside+waiting != 0 {
			t.Errorf("%d inside, %d wait after a cancel", inside, waiting)
		}
	})
}

// TestGateLight: light requests pass those that are heavy, which never have all places,
// and light ones that turn out to be heavy are.
func TestGateLight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(4, time.Hour)
		var log []string
		for who := byte(1); who <= 8; who++ {
			go long(t, g, of(t.Context(), who), "x", 10, &log)
		}
		synctest.Wait()
		if inside, waiting, _ := loaded(g); inside != 2 || waiting != 6 {
			t.Fatalf("%d heavy requests have places, %d wait", inside, waiting)
		}
		for range 3 { // with places of its own
			began := time.Now()
			leave, err := g.Enter(of(t.Context(), 9))
			if d := time.Since(began); err != nil || d > 0 {
				t.Fatalf("a light one waits %v: %v", d, err)
			}
			leave()
		}
		for range 2 {
			turn, err := g.Turn(of(t.Context(), 10), 0)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * Light)
			done := make(chan bool)
			go func() { more, _ := turn.Pause(of(t.Context(), 10)); done <- more }()
			synctest.Wait()
			if !turn.heavy {
				t.Error("still a light one")
			}
			<-done
			turn.Leave()
		}
		time.Sleep(10 * time.Minute)
		if inside, waiting, _ := loaded(g); inside+waiting != 0 || len(log) != 80 {
			t.Errorf("%d inside, %d wait, %d slices of 80", inside, waiting, len(log))
		}
	})
}

// TestGateBeside: requests that were foreseen to be light and take somewhat longer, as on a
// busy machine all do, do not wait behind heavy ones, whenever their clients came.
func TestGateBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const lights = 30
		g := NewGate(4, time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		for who := byte(1); who <= 6; who++ {
			go func() {
				for ctx.Err() == nil {
					turn, err := g.Turn(of(ctx, who), time.Second)
					if err != nil {
						return
					}
					for range 40 {
						time.Sleep(slice)
						if more, _ := turn.Pause(of(ctx, who)); !more {
							break
						}
					}
					turn.Leave()
				}
			}()
		}
		time.Sleep(20 * time.Second) // these have had much by now
		var most time.Duration
		done := make(chan time.Duration)
		for who := byte(100); who < 100+lights; who++ {
			go func() {
				most := time.Duration(0)
				time.Sleep(time.Duration(who%7) * 37 * time.Millisecond)
				for range 20 {
					began := time.Now()
					turn, err := g.Turn(of(ctx, who), 0)
					for range 3 {
						if err != nil {
							break
						}
						time.Sleep(Light / 2)
						_, err = turn.Pause(of(ctx, who))
					}
					if err != nil {
						t.Error(err)
						break
					}
					turn.Leave()
					most = max(most, time.Since(began)-3*Light/2)
					time.Sleep(500 * time.Millisecond)
				}
				done <- most
			}()
		}
		for range lights {
			most = max(most, <-done)
		}
		if most > 450*time.Millisecond {
			t.Errorf("a light request waited %v", most)
		}
		cancel()
		synctest.Wait()
		time.Sleep(time.Minute)
	})
}

// TestGateWork: of two clients that always ask, each has half of the work, however many
// requests it sends, how long these are, and whether it goes and comes again; and of
// one client so have its sessions.
func TestGateWork(t *testing.T) {
	session := func(ctx context.Context, id string) context.Context {
		return context.WithValue(ctx, identityKey{}, Identity{ID: "x", Session: id})
	}
	for name, who := range map[string][2]func(context.Context) context.Context{
		"addresses":           {func(c context.Context) context.Context { return of(c, 1) }, func(c context.Context) context.Context { return of(c, 2) }},
		"sessions":            {func(c context.Context) context.Context { return session(c, "a") }, func(c context.Context) context.Context { return session(c, "b") }},
		"profile and address": {func(c context.Context) context.Context { return session(c, "a") }, func(c context.Context) context.Context { return of(c, 2) }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := NewGate(2, time.Hour)
				ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
				defer stop()
				var had [2]time.Duration
				ask := func(i int, work time.Duration, pause bool) {
					for ctx.Err() == nil {
						turn, err := g.Turn(who[i](ctx), time.Hour)
						if err != nil {
							return
						}
						for range 5 {
							time.Sleep(work)
							if ctx.Err() == nil {
								had[i] += work
							}
							if !pause {
								break
							}
							if more, _ := turn.Pause(who[i](ctx)); !more {
								break
							}
						}
						turn.Leave()
					}
				}
				for range 32 {
					go ask(0, 30*time.Millisecond, true)
				}
				for range 3 { // so that it always wants something
					go ask(1, 10*time.Millisecond, false)
				}
				<-ctx.Done()
				time.Sleep(time.Minute)
				if share := float64(had[1]) / float64(had[0]+had[1]); share < 0.4 || share > 0.6 {
					t.Errorf("three requests have %.2f of the work beside 32", share)
				}
			})
		})
	}
}

// TestGateBudget: a request has no more work than its budget, nor more time than it has
// until its deadline, and keeps a twentieth of it to tell what was found.
func TestGateBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(2, time.Hour)
		g.budget = 10 * time.Second
		var log []string
		long(t, g, of(t.Context(), 1), "1", 100, &log)
		if len(log) != 11 {
			t.Errorf("%d seconds of work with a budget of 10", len(log))
		}
		ctx, cancel := context.WithTimeout(of(t.Context(), 1), 5100*time.Millisecond)
		defer cancel()
		log = nil
		long(t, g, ctx, "1", 100, &log)
		if len(log) != 5 || ctx.Err() != nil && len(log) < 4 {
			t.Errorf("%d seconds of work with 5 to go", len(log))
		}
		// One that waits for another to come to an end tells in time what it found.
		ctx, cancel = context.WithTimeout(of(t.Context(), 1), 100*time.Second)
		defer cancel()
		turn, err := g.Turn(ctx, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		for who := byte(2); who < 4; who++ {
			go func() {
				x, err := g.Turn(of(t.Context(), who), time.Hour)
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(30 * time.Minute) // without a pause
				x.Leave()
			}()
		}
		synctest.Wait()
		began := time.Now()
		more, err := turn.Pause(ctx)
		if d := time.Since(began); more || err != nil || d != 94*time.Second {
			t.Errorf("after %v more is %v: %v", d, more, err)
		}
		if _, waited, cut := turn.Used(); waited != 94*time.Second || !cut {
			t.Errorf("waited %v, cut %v", waited, cut)
		}
		turn.Leave()
		time.Sleep(3 * time.Hour)
		if inside, waiting, _, cut := g.load(); inside+waiting != 0 || cut != 3 {
			t.Errorf("%d inside, %d wait, %d were cut", inside, waiting, cut)
		}
	})
}

// TestGateHelp: helpers have places that nobody waits for, and heavy ones alone.
func TestGateHelp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(8, time.Hour)
		turn, err := g.Turn(of(t.Context(), 1), time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		var done []func()
		for {
			d, ok := turn.Help()
			if !ok {
				break
			}
			done = append(done, d)
		}
		if len(done) != 3 {
			t.Errorf("%d helpers where 4 places are for heavy work", len(done))
		}
		time.Sleep(time.Second)
		var log []string
		go long(t, g, of(t.Context(), 2), "2", 1, &log)
		synctest.Wait()
		done[0]()
		if _, ok := turn.Help(); ok {
			t.Error("a helper while somebody waited, and now holds the place")
		}
		for _, d := range done[1:] {
			d()
		}
		time.Sleep(time.Minute)
		turn.Leave()
		if _, ok := turn.Help(); ok {
			t.Error("a helper behind the end")
		}
		if worked, _, _ := turn.Used(); worked != 64*time.Second { // a minute and a second of its own, three of helpers
			t.Errorf("worked %v", worked)
		}
		if inside, waiting, _ := loaded(g); inside+waiting != 0 || len(log) != 1 {
			t.Errorf("%d inside, %d wait, %v", inside, waiting, log)
		}
	})
}
