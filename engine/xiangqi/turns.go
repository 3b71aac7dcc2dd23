package xiangqi

import "sync"

// turns has the threads of a thought take turns, one of them reading while the others wait:
// what they are worth is measured on any machine so, however busy it is, and the answer is
// always the same.
type turns struct {
	mu   sync.Mutex
	next *sync.Cond
	in   []bool // which threads are still reading
	who  int    // whose turn it is
}

// span is how many positions a turn has.
const span = 128

func newTurns(threads int) *turns {
	t := &turns{in: make([]bool, threads)}
	for i := range t.in {
		t.in[i] = true
	}
	t.next = sync.NewCond(&t.mu)
	return t
}

// await returns when it is the turn of a thread.
func (t *turns) await(thread int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.who != thread {
		t.next.Wait()
	}
}

// pass ends a turn, and returns with the next one.
func (t *turns) pass(thread int) {
	t.mu.Lock()
	t.on()
	t.mu.Unlock()
	t.await(thread)
}

// leave ends a thread's turns.
func (t *turns) leave(thread int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.in[thread] = false
	t.on()
}

// on gives the turn to the next thread that is still reading. The lock is held.
func (t *turns) on() {
	for n := range t.in {
		if i := (t.who + 1 + n) % len(t.in); t.in[i] {
			t.who = i
			break
		}
	}
	t.next.Broadcast()
}
