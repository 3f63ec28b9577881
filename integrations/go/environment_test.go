package framegate

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

/* Settings of the machine that Go reads by itself: the table that all clients hold, and rows of Go's own. */

const childAddress = "FRAMEGATE_TEST_CHILD_ADDRESS"

// TestMain is a separate program in a child process, because Go reads a proxy once.
func TestMain(m *testing.M) {
	if address := os.Getenv(childAddress); address != "" {
		os.Stdout.WriteString(endOfRead(address))
		return
	}
	os.Exit(m.Run())
}

func endOfRead(address string) string {
	client, err := New(address, testKey)
	if err != nil {
		return "usage"
	}
	client.sleep = func(context.Context, time.Duration) error { return errors.New("once is enough") }
	if _, err := client.Get(context.Background(), id); err != nil {
		return "connection"
	}
	return "response"
}

type environment struct {
	Case  string            `json:"case"`
	Netrc string            `json:"netrc"`
	Env   map[string]string `json:"env"`
	Ends  struct {
		Go string `json:"go"`
	} `json:"ends"`
	// address of the child's gateway; empty for the server itself.
	address string
}

// ofGo are cases that the table cannot have: Go sends nothing for this machine through a proxy. SERVER is the server,
// which is the proxy here.
func ofGo() []environment {
	remote := "http://gateway.lan/v1"
	row := func(name, end string, env map[string]string) environment {
		each := environment{Case: name, Env: env, address: remote}
		each.Ends.Go = end
		return each
	}
	return []environment{
		row("a proxy", "response", map[string]string{"HTTP_PROXY": "SERVER"}),
		row("a proxy that is not there, for another machine", "connection",
			map[string]string{"HTTP_PROXY": "http://127.0.0.1:9"}),
		row("a proxy that is not for the gateway", "connection",
			map[string]string{"HTTP_PROXY": "SERVER", "NO_PROXY": ".lan"}),
		row("a program of a web server, which takes no proxy from a request", "connection",
			map[string]string{"HTTP_PROXY": "SERVER", "REQUEST_METHOD": "GET"}),
		row("a resolver and a protocol that GODEBUG chooses", "response",
			map[string]string{"HTTP_PROXY": "SERVER", "GODEBUG": "netdns=go,http2client=0"}),
	}
}

// tableOfAll is the table of the repository; the module alone lacks it.
func tableOfAll(t *testing.T) []environment {
	t.Helper()
	text, err := os.ReadFile("../../test/clients/environments.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var rows []environment
	if err == nil {
		err = json.Unmarshal(text, &rows)
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestEnvironments(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range append(tableOfAll(t), ofGo()...) {
		t.Run(row.Case, func(t *testing.T) {
			var served, foreign atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
				served.Add(1)
				if request.Header.Get("Authorization") != "Bearer "+testKey {
					foreign.Add(1)
				}
				writer.Write([]byte(queued.body))
			}))
			defer server.Close()
			address := row.address
			if address == "" {
				address = server.URL + "/v1"
			}
			home := t.TempDir()
			if err := os.WriteFile(filepath.Join(home, ".netrc"), []byte(row.Netrc), 0o600); err != nil {
				t.Fatal(err)
			}
			child := exec.Command(program)
			child.Env = []string{"HOME=" + home, childAddress + "=" + address}
			for name, value := range row.Env {
				child.Env = append(child.Env, name+"="+strings.ReplaceAll(value, "SERVER", server.URL))
			}
			output, err := child.Output()
			if err != nil || string(output) != row.Ends.Go {
				t.Errorf("it ends with %q (%v), not %q", output, err, row.Ends.Go)
			}
			if (served.Load() > 0) != (row.Ends.Go == "response") || foreign.Load() > 0 {
				t.Errorf("%d requests, %d of them without the key", served.Load(), foreign.Load())
			}
		})
	}
}
