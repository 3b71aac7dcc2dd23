package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster/wire"
)

// Topology is the servers of a library. Every server has it, and may be asked
// for it.
type Topology struct {
	Epoch  uint32     `json:"epoch"`  // grows whenever shards are added
	Shards [][]string `json:"shards"` // the hosts of each, of which the first that answers is asked
}

// Replicas returns how many servers each shard has.
func (t *Topology) Replicas() int {
	if len(t.Shards) == 0 {
		return 0
	}
	return len(t.Shards[0])
}

// Hosts returns all servers in the order of shards.
func (t *Topology) Hosts() []string { return slices.Concat(t.Shards...) }

// String lists the shards.
func (t *Topology) String() string {
	var list []string
	for _, hosts := range t.Shards {
		list = append(list, strings.Join(hosts, ","))
	}
	return strings.Join(list, " ")
}

// topologyLimit is how long a server may take to tell the topology.
const topologyLimit = 5 * wire.DialTimeout

// ReadTopology asks all servers that the address names, and takes the newest
// topology that one of them knows.
func ReadTopology(ctx context.Context, cfg *wire.Config, dial wire.Dialer) (*Topology, error) {
	t, _, err := askTopology(ctx, cfg, dial, topologyLimit, nil)
	return t, err
}

// askTopology is ReadTopology that does not wait for those that take long: once
// one has answered, others have so much time left, and those that were away before
// have none. It returns those that may be away now, too.
func askTopology(ctx context.Context, cfg *wire.Config, dial wire.Dialer, others time.Duration, away []string) (best *Topology, silent []string, err error) {
	type answer struct {
		host string
		t    *Topology
		err  error
	}
	asking, cancel := context.WithCancel(wire.WithLimit(ctx, min(cfg.Timeout, topologyLimit)))
	defer cancel()
	answers := make(chan answer, len(cfg.Hosts))
	for _, host := range cfg.Hosts {
		go func() {
			line, err := dial(host, cfg.Database)
			if err != nil {
				answers <- answer{host: host, err: err}
				return
			}
			defer line.Close()
			t, err := TopologyOf(asking, line)
			answers <- answer{host, t, err}
		}()
	}
	// silent are those that have not answered yet, or cannot.
	silent = slices.Clone(cfg.Hosts)
	known := func(host string) bool { return slices.Contains(away, host) }
	waiting := slices.Clone(cfg.Hosts)
	var failed []answer
	var late <-chan time.Time
	for len(waiting) > 0 && (best == nil || !allOf(waiting, known)) {
		select {
		case a := <-answers:
			waiting = slices.DeleteFunc(waiting, func(host string) bool { return host == a.host })
			if !wire.IsDown(a.err) {
				silent = slices.DeleteFunc(silent, func(host string) bool { return host == a.host })
			}
			if a.err != nil {
				failed = append(failed, a)
				continue
			}
			if best == nil || a.t.Epoch > best.Epoch {
				best = a.t
			}
			if late == nil {
				late = time.After(others)
			}
		case <-late:
			waiting = nil
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
	if best != nil {
		return best, silent, nil
	}
	// In the order of the address, whoever answered first.
	slices.SortFunc(failed, func(x, y answer) int {
		return slices.Index(cfg.Hosts, x.host) - slices.Index(cfg.Hosts, y.host)
	})
	var errs []error
	for _, a := range failed {
		errs = append(errs, a.err)
	}
	for _, err := range errs {
		if !wire.IsDown(err) && !errors.Is(err, store.ErrNoLibrary) {
			return nil, nil, fmt.Errorf("cluster: %w", err)
		}
	}
	for _, err := range errs {
		if errors.Is(err, store.ErrNoLibrary) {
			return nil, nil, remedy.ForThis(fmt.Errorf("cluster: %w at %s", store.ErrNoLibrary, cfg), remedy.Init.With(cfg.String()))
		}
	}
	return nil, nil, fmt.Errorf("cluster: no server of %s answers: %w", cfg, errors.Join(errs...))
}

func allOf(list []string, is func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !is(s) })
}

// TopologyOf asks one server.
func TopologyOf(ctx context.Context, line wire.Conn) (*Topology, error) {
	t := &Topology{}
	var epoch uint32
	var shard, replica uint16
	var host string
	err := line.Query(ctx, "SELECT epoch, shard, replica, host FROM node ORDER BY epoch, shard, replica", func() error {
		if epoch != t.Epoch {
			*t = Topology{Epoch: epoch}
		}
		if int(shard) == len(t.Shards)+1 {
			t.Shards = append(t.Shards, nil)
		}
		if int(shard) != len(t.Shards) {
			return fmt.Errorf("the table node has no shard %d", len(t.Shards)+1)
		}
		// An epoch may have been written twice.
		if list := &t.Shards[shard-1]; int(replica) == len(*list)+1 {
			*list = append(*list, host)
		}
		return nil
	}, &epoch, &shard, &replica, &host)
	switch c := wire.Code(err); {
	case c == wire.CodeUnknownDatabase || c == wire.CodeUnknownTable || err == nil && len(t.Shards) == 0:
		return nil, store.ErrNoLibrary
	case err != nil:
		return nil, err
	}
	return t, nil
}

// writeTopology tells one server.
func writeTopology(ctx context.Context, line wire.Conn, t *Topology) error {
	var epochs []uint32
	var shards, replicas []uint16
	for i, list := range t.Shards {
		for j := range list {
			epochs, shards, replicas = append(epochs, t.Epoch), append(shards, uint16(i+1)), append(replicas, uint16(j+1))
		}
	}
	return line.Insert(ctx, "node", []string{"epoch", "shard", "replica", "host"}, []any{epochs, shards, replicas, t.Hosts()})
}

// Plan tells what the servers of a library become by those of an address.
func Plan(old *Topology, hosts []string, replicas int) (*Topology, error) {
	if old != nil {
		if replicas == 0 {
			replicas = old.Replicas()
		}
		if replicas != old.Replicas() {
			return nil, fmt.Errorf("cluster: the library has %d replicas of each shard, which cannot be changed to %d", old.Replicas(), replicas)
		}
	}
	replicas = max(replicas, 1)
	if len(hosts)%replicas != 0 {
		return nil, fmt.Errorf("cluster: the address names %d hosts, which is no multiple of %d replicas", len(hosts), replicas)
	}
	t := &Topology{Epoch: 1, Shards: slices.Collect(slices.Chunk(hosts, replicas))}
	if old == nil {
		return t, nil
	}
	if have := old.Hosts(); len(hosts) < len(have) || !slices.Equal(have, hosts[:len(have)]) {
		return nil, fmt.Errorf("cluster: the library is on %s: name these hosts in this order, and new ones behind them", strings.Join(have, ","))
	}
	t.Epoch = old.Epoch
	if len(t.Shards) > len(old.Shards) {
		t.Epoch++
	}
	return t, nil
}
