package study

import (
	"maps"
	"slices"
	"time"

	"qipu/record"
)

// Log is the operations of a sheet that one place knows, above its base. It is not safe
// for concurrent use.
type Log struct {
	base *record.Game // never changed
	ops  map[ID]*Op
	kids map[ID][]*Op         // what was added below a node
	sets map[ID]map[Key][]*Op // what was said of it
	ends map[string]uint64    // by device: all up to here are known
	last map[string]*Op       // of each device
	act  map[ID][]*Op         // by the first of them
	top  uint64               // the clock
	rank map[int32]int        // of the nodes of the base: which sibling each is
}

// NewLog returns the log of a sheet on which nobody has written yet. The base must have a
// root; it stays the caller's, who must not change it.
func NewLog(base *record.Game) *Log {
	l := &Log{base: base, ops: map[ID]*Op{}, kids: map[ID][]*Op{}, sets: map[ID]map[Key][]*Op{}, ends: map[string]uint64{}, last: map[string]*Op{}, act: map[ID][]*Op{}, rank: map[int32]int{}}
	for i := range base.Nodes {
		k := 0
		for c := base.Nodes[i].Child; c != 0; c = base.Nodes[c].Next {
			l.rank[c] = k
			k++
		}
	}
	return l
}

// Base returns the record below the sheet.
func (l *Log) Base() *record.Game { return l.base }

// Len returns how many operations there are.
func (l *Log) Len() int { return len(l.ops) }

// Clock returns the latest that was seen.
func (l *Log) Clock() uint64 { return l.top }

// Seen returns how far all devices are known.
func (l *Log) Seen() Seen { return maps.Clone(l.ends) }

// Op returns an operation; nil where it is not known.
func (l *Log) Op(id ID) *Op { return l.ops[id] }

// Put takes an operation in, which must be right by Check and belongs to the log from
// then on. One that is known changes nothing: then it returns false.
func (l *Log) Put(o *Op) bool {
	if l.ops[o.ID] != nil {
		return false
	}
	l.ops[o.ID] = o
	if o.Key == "" {
		l.kids[o.Node] = append(l.kids[o.Node], o)
	} else {
		m := l.sets[o.Node]
		if m == nil {
			m = map[Key][]*Op{}
			l.sets[o.Node] = m
		}
		m[o.Key] = append(m[o.Key], o)
	}
	first := o.first()
	l.act[first] = append(l.act[first], o)
	l.top = max(l.top, o.Clock)
	for l.ops[ID{o.ID.Device, l.ends[o.ID.Device] + 1}] != nil {
		l.ends[o.ID.Device]++
	}
	return true
}

// first names the first operation of what one was done with.
func (o *Op) first() ID {
	if o.Act != 0 {
		return ID{o.ID.Device, o.Act}
	}
	return o.ID
}

// Ops returns all operations in an order in which each stands behind those that its
// writer had seen.
func (l *Log) Ops() []*Op {
	list := slices.Collect(maps.Values(l.ops))
	slices.SortFunc(list, order)
	return list
}

// Since returns those that somebody who has seen so much does not know.
func (l *Log) Since(s Seen) []*Op {
	list := l.Ops()
	return slices.DeleteFunc(list, func(o *Op) bool { return s.Has(o.ID) })
}

func order(x, y *Op) int {
	if y.after(x) {
		return -1
	}
	if x.after(y) {
		return 1
	}
	return 0
}

// Pen writes on a log for one device and one person.
type Pen struct {
	log        *Log
	device, by string
	act        uint64
	knows      Seen  // of other devices, where that is not all
	Wrote      []*Op // all that it has written
}

// Pen returns one for a device. All that it writes is one act, which is undone as one.
func (l *Log) Pen(device, by string) *Pen { return &Pen{log: l, device: device, by: by} }

// Knows tells that who writes has not seen all that there is, but so much.
func (p *Pen) Knows(s Seen) *Pen {
	p.knows = s
	return p
}

// Add writes that a node comes below another, and returns its name.
func (p *Pen) Add(parent ID, side record.Side, move string, at time.Time) ID {
	return p.write(&Op{Node: parent, Value: move, Side: int8(side)}, at)
}

// Set writes a value of a node.
func (p *Pen) Set(node ID, key Key, value string, at time.Time) ID {
	return p.write(&Op{Node: node, Key: key, Value: value}, at)
}

func (p *Pen) write(o *Op, at time.Time) ID {
	l := p.log
	o.ID = ID{p.device, l.ends[p.device] + 1}
	o.Clock, o.By, o.At = l.top+1, p.by, at
	if o.Seen = maps.Clone(p.knows); o.Seen == nil {
		o.Seen = maps.Clone(l.ends)
	}
	delete(o.Seen, p.device)
	if p.act == 0 {
		p.act = o.ID.Seq
	}
	if p.act != o.ID.Seq {
		o.Act = p.act
	}
	l.Put(o)
	p.Wrote = append(p.Wrote, o)
	return o.ID
}

// standing returns the operations that stand under a key of a node, the one that counts
// first: those that are not off, and that no other knew which is not off.
func (l *Log) standing(node ID, key Key) []*Op {
	list := l.sets[node][key]
	if len(list) == 0 {
		return nil
	}
	var live []*Op
	for _, o := range list {
		if key == Off || !l.off(o) {
			live = append(live, o)
		}
	}
	if len(live) == 0 {
		return nil
	}
	// Few values stand at once, and a later one has mostly seen all before: from the
	// latest on, each is held against those that stand already.
	slices.SortFunc(live, func(x, y *Op) int { return order(y, x) })
	var out []*Op
	for i, o := range live {
		known := false
		for _, later := range live[:i] {
			if known = later.saw(o.ID); known {
				break
			}
		}
		if !known {
			out = append(out, o)
		}
	}
	return out
}

// Counts reports whether an operation was not undone.
func (l *Log) Counts(o *Op) bool { return !l.off(o) }

// off reports whether an operation was undone. It is undone with all of its act.
func (l *Log) off(o *Op) bool {
	first := o.first()
	if l.sets[first] == nil {
		return false
	}
	for _, x := range l.standing(first, Off) {
		return x.Value == "1"
	}
	return false
}

// Undo returns the act that undoing takes back next for somebody: the last of his own
// that counts. Redo is the one that was undone last, as long as he has done nothing else
// since. Both are names of operations, whose Off is to be set; ok is false for none.
func (l *Log) Undo(by string) (act ID, ok bool) {
	acts := l.acts(by)
	for _, o := range slices.Backward(acts) {
		if !l.off(o) {
			return o.ID, true
		}
	}
	return ID{}, false
}

// Redo is told with Undo.
func (l *Log) Redo(by string) (act ID, ok bool) {
	for _, o := range slices.Backward(l.acts(by)) {
		if !l.off(o) {
			break
		}
		act, ok = o.ID, true
	}
	return act, ok
}

// acts returns the first operation of all that somebody did, but for what undid others.
func (l *Log) acts(by string) (list []*Op) {
	for id, ops := range l.act {
		o := l.ops[id]
		if o == nil || o.Key == Off || ops[0].By != by || o.By != by {
			continue
		}
		list = append(list, o)
	}
	slices.SortFunc(list, order)
	return list
}
