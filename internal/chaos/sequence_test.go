package chaos

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// op is one operation of a sequence. What it is about it chooses by its own seed
// from what is there when it runs, so that it means something whatever operations
// before it are left out.
type op struct {
	number int
	kind   string
	place  int
	to     int // the other library, where there are two
	seed   uint64
	kill   time.Duration // after which the program is killed; 0 where it lives
	along  bool          // it runs at the same time as the operation before it
	after  time.Duration // when a crash comes; 0 for any moment
}

func (o op) String() string {
	s := fmt.Sprintf("%4d %s %c", o.number, o.kind, 'A'+o.place)
	if o.place != o.to {
		s += fmt.Sprintf(" to %c", 'A'+o.to)
	}
	if o.kill > 0 {
		s += fmt.Sprintf(", killed after %v", o.kill)
	}
	if o.along {
		s += ", at the same time"
	}
	return s
}

// kinds are the operations, each as often as it is to come.
var kinds = strings.Fields(strings.Repeat("import ", 6) + strings.Repeat("again ", 2) + strings.Repeat("delete ", 3) + strings.Repeat("return ", 2) +
	strings.Repeat("tag ", 4) + strings.Repeat("collect ", 3) + strings.Repeat("find ", 4) + strings.Repeat("explore ", 2) + strings.Repeat("count ", 2) +
	strings.Repeat("save ", 2) + strings.Repeat("mend ", 4) + "people " + strings.Repeat("serve ", 4) + strings.Repeat("play ", 5) + strings.Repeat("crash ", 2) + strings.Repeat("backup ", 3) +
	"restore copy copy pass library move move reindex compact doctor repair damage damage damage salvage salvage")

// onServers are the operations that a library on servers has.
var onServers = strings.Fields(strings.Repeat("import ", 5) + "delete return return return tag collect find find explore count mend mend mend people copy copy pass move doctor serve serve play play crash harm harm")

// deck deals kinds of operations in any order: all of them, before one comes more
// often than it should.
type deck struct{ kinds, left []string }

func (d *deck) deal(r *rand.Rand) string {
	if len(d.left) == 0 {
		d.left = slices.Clone(d.kinds)
		r.Shuffle(len(d.left), func(i, j int) { d.left[i], d.left[j] = d.left[j], d.left[i] })
	}
	kind := d.left[0]
	d.left = d.left[1:]
	return kind
}

// sequence makes the operations of a seed. The library on servers, where there is one,
// is the last place, and has half of them.
func sequence(seed uint64, n, places int, servers bool) []op {
	r := rand.New(rand.NewPCG(seed, 22))
	folders, remote := &deck{kinds: kinds}, &deck{kinds: onServers}
	list := make([]op, n)
	for i := range list {
		if i > 0 {
			if o, ok := behind(r, list[i-1], servers && list[i-1].place == places-1); ok {
				list[i] = o
				continue
			}
		}
		o := op{number: i, place: r.IntN(places), seed: r.Uint64()}
		if servers && r.IntN(4) == 0 {
			o.place = places - 1
		}
		o.to = (o.place + 1 + r.IntN(max(1, places-1))) % places
		from := folders
		if servers && o.place == places-1 {
			from = remote
		}
		o.kind = from.deal(r)
		if !slices.Contains([]string{"copy", "pass", "library", "restore"}, o.kind) {
			o.to = o.place
		} else if o.kind == "library" && servers && o.to == places-1 {
			o.to = 1 - o.place
		}
		if i > 0 && r.IntN(3) == 0 {
			o.along = true
			if o.place != list[i-1].place && o.place == o.to && list[i-1].place == list[i-1].to && (!servers || max(o.place, list[i-1].place) < places-1) {
				o.place, o.to = list[i-1].place, list[i-1].place // they meet in one library
			}
		}
		if r.IntN(3) == 0 {
			o.kill = time.Duration(1+r.IntN(40)) * time.Millisecond
			if servers && o.to == places-1 {
				o.kill *= 20
			}
		}
		list[i] = o
	}
	return list
}

// behind returns what comes at the same time as an import or a game that is played:
// the same games once more, which on servers somebody else brings, or a crash.
func behind(r *rand.Rand, before op, remote bool) (op, bool) {
	o := op{number: before.number + 1, place: before.place, to: before.place, along: true}
	switch {
	case before.kind == "import" && (r.IntN(3) == 0 || remote && !before.along):
		o.kind, o.seed = "import", before.seed
	case (before.kind == "import" || before.kind == "play") && r.IntN(3) == 0:
		o.kind, o.seed = "crash", r.Uint64()
	default:
		return o, false
	}
	return o, true
}

// alone are operations that put libraries in the place of others, or read two: what
// runs beside them would have to be modelled in all orders.
var alone = []string{"restore", "pass", "library", "move", "return", "copy", "serve", "damage", "salvage", "compact", "harm", "mend"}

// together reports whether an operation may run at the same time as others.
func together(group []op, o op) bool {
	if len(group) == 0 {
		return true
	}
	if !o.along || len(group) >= 4 {
		return false
	}
	return !slices.ContainsFunc(append(slices.Clone(group), o), func(o op) bool { return slices.Contains(alone, o.kind) })
}
