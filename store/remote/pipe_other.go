//go:build !windows

package remote

import (
	"context"
	"errors"
	"net"
)

var errNoPipes = errors.New("remote: only Windows has named pipes")

func listenPipe() (net.Listener, string, error) { return nil, "", errNoPipes }

func dialPipe(context.Context, string) (net.Conn, error) { return nil, errNoPipes }
