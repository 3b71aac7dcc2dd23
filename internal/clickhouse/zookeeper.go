package clickhouse

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// ErrNoZooKeeper tells that this machine cannot have replicas.
var ErrNoZooKeeper = errors.New("no ZooKeeper, which replicas need: run make deps FULL=1, which installs it")

// zooKeeperJar is where Debian has it; its manifest names what else it needs.
const zooKeeperJar = "/usr/share/java/zookeeper.jar"

// ZooKeeper is that of a fleet.
type ZooKeeper struct {
	dir     string
	port    int
	process process
}

func startZooKeeper(dir string) (*ZooKeeper, error) {
	if _, err := os.Stat(zooKeeperJar); err != nil {
		return nil, ErrNoZooKeeper
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	z := &ZooKeeper{dir: dir, port: port}
	text := fmt.Sprintf("dataDir=%s\nclientPort=%d\nclientPortAddress=127.0.0.1\ntickTime=1000\nadmin.enableServer=false\n4lw.commands.whitelist=srvr\nmaxClientCnxns=0\n",
		filepath.ToSlash(dir), port)
	if err := os.WriteFile(filepath.Join(dir, "zoo.cfg"), []byte(text), 0o600); err != nil {
		return nil, err
	}
	return z, z.start()
}

func (z *ZooKeeper) start() error {
	java, err := exec.LookPath("java")
	if err != nil {
		return ErrNoZooKeeper
	}
	if err := z.process.start(z.dir, java, "-Xmx256m", "-cp", zooKeeperJar,
		"org.apache.zookeeper.server.quorum.QuorumPeerMain", filepath.Join(z.dir, "zoo.cfg")); err != nil {
		return err
	}
	if err := z.process.wait(z.ask); err != nil {
		z.process.kill()
		return fmt.Errorf("clickhouse: ZooKeeper does not start: %w\n%s", err, z.process.output())
	}
	return nil
}

// ask asks it whether it serves; it listens a little earlier than it does.
func (z *ZooKeeper) ask() error {
	c, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(z.port)), 2*time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := c.Write([]byte("srvr")); err != nil {
		return err
	}
	answer, err := io.ReadAll(c)
	if err != nil {
		return err
	}
	if !strings.Contains(string(answer), "Mode: ") {
		return fmt.Errorf("it says %q", answer)
	}
	return nil
}

// Kill ends it as a power failure would.
func (z *ZooKeeper) Kill() { z.process.kill() }

// Start starts it again with the same data.
func (z *ZooKeeper) Start(t testing.TB) {
	t.Helper()
	if err := z.start(); err != nil {
		t.Fatal(err)
	}
}
