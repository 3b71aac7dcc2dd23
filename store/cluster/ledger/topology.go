package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"qipu/remedy"
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

// ReadTopology asks all servers that the address names, and takes the newest
// topology that one of them knows.
func ReadTopology(ctx context.Context, cfg *wire.Config, dial wire.Dialer) (*Topology, error) {
	found := make([]*Topology, len(cfg.Hosts))
	errs := make([]error, len(cfg.Hosts))
	var wg sync.WaitGroup
	for i, host := range cfg.Hosts {
		wg.Go(func() {
			line, err := dial(host, cfg.Database)
			if err != nil {
				errs[i] = err
				return
			}
			defer line.Close()
			found[i], errs[i] = TopologyOf(wire.WithLimit(ctx, min(cfg.Timeout, 5*wire.DialTimeout)), line)
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var best *Topology
	for _, t := range found {
		if t != nil && (best == nil || t.Epoch > best.Epoch) {
			best = t
		}
	}
	if best != nil {
		return best, nil
	}
	for _, err := range errs {
		if !wire.IsDown(err) && !errors.Is(err, wire.ErrNoLibrary) {
			return nil, fmt.Errorf("cluster: %w", err)
		}
	}
	for _, err := range errs {
		if errors.Is(err, wire.ErrNoLibrary) {
			return nil, remedy.ForThis(fmt.Errorf("cluster: %s: %w", cfg, wire.ErrNoLibrary), remedy.Init.With(cfg.String()))
		}
	}
	return nil, fmt.Errorf("cluster: no server of %s answers: %w", cfg, errors.Join(errs...))
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
		return nil, wire.ErrNoLibrary
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
