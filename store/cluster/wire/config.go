package wire

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/store"
)

// Form is how an address of a library is written.
const Form = "clickhouse://USER@HOST:PORT,HOST:PORT/DATABASE"

// What names the password of the user, or the file whose first line it is.
const (
	PasswordVariable     = "QIPU_CLICKHOUSE_PASSWORD"
	PasswordFileVariable = "QIPU_CLICKHOUSE_PASSWORD_FILE"
)

// DefaultTimeout is how long a statement may run where nothing else is said.
const DefaultTimeout = 60 * time.Second

// Config tells where a library is. Make one by Parse.
type Config struct {
	User     string
	Hosts    []string // as host:port; any of them is an entry to all
	Database string

	TLS          bool
	CA           string // a file of certificates to trust beside those of the system
	PasswordFile string
	Timeout      time.Duration

	password *string // behind a pointer, so that no way of printing shows it
}

// parameters are what may follow the question mark.
var parameters = []string{"ca", "password-file", "timeout", "tls"}

// Parse reads the address of a library, and the password from where the address
// or the environment says. Addresses are seen by others, in lists of processes
// and in histories of shells: one with a password is refused.
func Parse(s string) (*Config, error) {
	if !store.OnServers(s) {
		return nil, fmt.Errorf("cluster: an address is written %s", Form)
	}
	s = s[len(store.Scheme):]
	s, query, _ := strings.Cut(s, "?")
	if strings.Contains(query, "@") {
		// It may be the rest of a password, which no error must show.
		return nil, errors.New("cluster: behind the ? of an address, @ is written %40")
	}
	at := strings.LastIndex(s, "@")
	user, rest := "", s
	if at >= 0 {
		user, rest = s[:at], s[at+1:]
	}
	if strings.Contains(user, ":") {
		return nil, fmt.Errorf("cluster: an address holds no password: set %s, or name a file by ?password-file=FILE", PasswordVariable)
	}
	c := &Config{User: "default", Timeout: DefaultTimeout}
	if user != "" {
		name, err := url.PathUnescape(user)
		if err != nil {
			return nil, fmt.Errorf("cluster: the user of the address: %w", err)
		}
		c.User = name
	}
	if err := c.parameters(query); err != nil {
		return nil, err
	}
	hosts, database, _ := strings.Cut(rest, "/")
	if !isName(database) {
		return nil, fmt.Errorf("cluster: the address names the database %q: write %s, with letters, digits and _ in the database", database, Form)
	}
	c.Database = database
	for host := range strings.SplitSeq(hosts, ",") {
		host, ok := c.host(host)
		if !ok {
			return nil, fmt.Errorf("cluster: host %d of the address is none: write HOST, HOST:PORT or [ADDRESS]:PORT", len(c.Hosts)+1)
		}
		if slices.Contains(c.Hosts, host) {
			return nil, fmt.Errorf("cluster: the address names %s twice", host)
		}
		c.Hosts = append(c.Hosts, host)
	}
	return c, c.readPassword()
}

func (c *Config) parameters(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("cluster: what follows the ? of the address cannot be read: write NAME=VALUE&NAME=VALUE")
	}
	for name, list := range values {
		value := list[len(list)-1]
		switch name {
		case "tls":
			switch value {
			case "1", "true":
				c.TLS = true
			case "0", "false":
			default:
				return fmt.Errorf("cluster: tls=%s: write tls=1 or tls=0", value)
			}
		case "ca":
			c.CA = value
		case "password-file":
			c.PasswordFile = value
		case "timeout":
			if c.Timeout, err = time.ParseDuration(value); err != nil || c.Timeout < time.Second {
				return fmt.Errorf("cluster: timeout=%s: write a time of at least a second, such as 90s", value)
			}
		case "password":
			return fmt.Errorf("cluster: an address holds no password: set %s, or name a file by ?password-file=FILE", PasswordVariable)
		default:
			return fmt.Errorf("cluster: an address has no parameter %q: there are %s", name, strings.Join(parameters, ", "))
		}
	}
	if c.CA != "" && !c.TLS {
		return errors.New("cluster: ca= is of use with tls=1 only")
	}
	return nil
}

// host completes a host with the port, and reports whether it may be one.
func (c *Config) host(s string) (string, bool) {
	port := "9000"
	if c.TLS {
		port = "9440"
	}
	name := s
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		if name = s[1 : len(s)-1]; net.ParseIP(name) == nil {
			return "", false
		}
	} else if h, p, err := net.SplitHostPort(s); err == nil {
		name, port = h, p
	} else if strings.Contains(s, ":") {
		return "", false
	}
	if n, err := strconv.ParseUint(port, 10, 16); name == "" || strings.ContainsAny(name, " '\"\\") || err != nil || n == 0 {
		return "", false
	}
	return net.JoinHostPort(name, port), true
}

// readPassword finds the password. What is said for this library goes first.
func (c *Config) readPassword() error {
	file := c.PasswordFile
	if file == "" {
		if p, ok := os.LookupEnv(PasswordVariable); ok {
			c.password = &p
			return nil
		}
		if file = os.Getenv(PasswordFileVariable); file == "" {
			return nil
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("cluster: the file of the password: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	line = strings.TrimSuffix(line, "\r")
	c.password = &line
	return nil
}

// String returns the address. It never has the password.
func (c Config) String() string {
	var b strings.Builder
	b.WriteString(store.Scheme + url.User(c.User).String() + "@" + strings.Join(c.Hosts, ",") + "/" + c.Database)
	sep := "?"
	add := func(name, value string) {
		b.WriteString(sep + name + "=" + url.QueryEscape(value))
		sep = "&"
	}
	if c.TLS {
		add("tls", "1")
	}
	if c.CA != "" {
		add("ca", c.CA)
	}
	if c.PasswordFile != "" {
		add("password-file", c.PasswordFile)
	}
	if c.Timeout != DefaultTimeout && c.Timeout != 0 {
		add("timeout", c.Timeout.String())
	}
	return b.String()
}

// GoString is String.
func (c Config) GoString() string { return c.String() }

// isName reports whether a text is a name that needs no quotes.
func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}
