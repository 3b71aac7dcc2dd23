package clickhouse

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"text/template"
	"time"
)

// configuration is the file of one node, in the words of servers old and new.
// Caches and pools are small: many nodes share one machine. Replicas look again
// soon after their ZooKeeper was away, which takes a minute otherwise.
var configuration = template.Must(template.New("").Parse(`<?xml version="1.0"?>
<yandex>
  <logger><level>warning</level><log>{{.Dir}}/server.log</log><errorlog>{{.Dir}}/error.log</errorlog></logger>
  <tcp_port>{{.Port}}</tcp_port>
  <interserver_http_port>{{.Between}}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  {{- if .Certificate}}
  <tcp_port_secure>{{.Secure}}</tcp_port_secure>
  <openSSL><server>
    <certificateFile>{{.Certificate}}</certificateFile>
    <privateKeyFile>{{.Key}}</privateKeyFile>
    <verificationMode>none</verificationMode>
    <loadDefaultCAFile>false</loadDefaultCAFile>
    <cacheSessions>true</cacheSessions>
    <disableProtocols>sslv2,sslv3</disableProtocols>
  </server></openSSL>
  {{- end}}
  <listen_host>127.0.0.1</listen_host>
  <max_connections>256</max_connections>
  <max_concurrent_queries>64</max_concurrent_queries>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <mark_cache_size>33554432</mark_cache_size>
  <path>{{.Dir}}/data/</path>
  <tmp_path>{{.Dir}}/tmp/</tmp_path>
  <users_config>{{.Dir}}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  {{- if .ZooKeeper}}
  <zookeeper>
    <node><host>127.0.0.1</host><port>{{.ZooKeeper}}</port></node>
    <session_timeout_ms>6000</session_timeout_ms>
  </zookeeper>
  <merge_tree><zookeeper_session_expiration_check_period>2</zookeeper_session_expiration_check_period></merge_tree>
  {{- end}}
</yandex>
`))

var users = template.Must(template.New("").Parse(`<?xml version="1.0"?>
<yandex>
  <profiles><default>
    <max_memory_usage>2000000000</max_memory_usage>
    <background_pool_size>4</background_pool_size>
    <background_schedule_pool_size>4</background_schedule_pool_size>
  </default></profiles>
  <quotas><default></default></quotas>
  <users><{{.User}}>
    {{- if .Password}}
    <password_sha256_hex>{{.Password}}</password_sha256_hex>
    {{- else}}
    <password></password>
    {{- end}}
    <networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile>
    <quota>default</quota>
  </{{.User}}></users>
</yandex>
`))

// write makes the files of a node.
func (n *Node) write() error {
	if err := os.MkdirAll(filepath.Join(n.dir, "data"), 0o700); err != nil {
		return err
	}
	if err := fill(filepath.Join(n.dir, "config.xml"), configuration, map[string]any{
		"Dir": n.dir, "Port": n.port, "Secure": n.secure, "Between": n.between,
		"Certificate": n.fleet.certificate, "Key": n.fleet.key, "ZooKeeper": n.fleet.zooKeeperPort(),
	}); err != nil {
		return err
	}
	password := ""
	if n.fleet.options.Password != "" {
		password = fmt.Sprintf("%x", sha256.Sum256([]byte(n.fleet.options.Password)))
	}
	return fill(filepath.Join(n.dir, "users.xml"), users, map[string]any{"User": n.fleet.options.User, "Password": password})
}

func fill(file string, t *template.Template, data any) error {
	w, err := os.OpenFile(file, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := t.Execute(w, data); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

// certify makes a certificate for this machine that signs itself, and its key.
func certify(dir string) (certificate, key string, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", "", err
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true, IsCA: true,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &private.PublicKey, private)
	if err != nil {
		return "", "", err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return "", "", err
	}
	certificate, key = filepath.Join(dir, "server.crt"), filepath.Join(dir, "server.key")
	if err := os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		return "", "", err
	}
	return certificate, key, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600)
}
