//go:build linux

package framegate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

/* What a download can be told to write to: the table that all clients hold. */

var whole = bytes.Repeat([]byte("Framegate "), 7_000)

// served is a client of a service whose generation has one file, which the handler answers.
func served(t *testing.T, file http.HandlerFunc) *Client {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	mux.HandleFunc("/file", func(writer http.ResponseWriter, request *http.Request) {
		if request.Header.Get("Authorization") != "" {
			t.Error("the key was sent with a download")
		}
		file(writer, request)
	})
	mux.HandleFunc("/v1/", func(writer http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(writer, generation("completed", `,"output":{"urls":["`+server.URL+`/file"]}`).body)
	})
	client, err := New(server.URL+"/v1", testKey)
	if err != nil {
		t.Fatal(err)
	}
	var clock time.Time
	client.now = func() time.Time { return clock }
	client.sleep = func(ctx context.Context, pause time.Duration) error {
		clock = clock.Add(pause)
		return ctx.Err()
	}
	return client
}

func writeWhole(writer http.ResponseWriter, _ *http.Request) { writer.Write(whole) }

type pathCase struct {
	Case, Target, End string
	Before, After     map[string]string
}

// put makes an entry of a folder as the table describes it.
func put(t *testing.T, path, kind string) {
	t.Helper()
	content, permissions := []byte("old"), fs.FileMode(0o644)
	var err error
	switch what, to, _ := strings.Cut(kind, " "); what {
	case "folder":
		err = os.Mkdir(path, 0o755)
	case "link":
		err = os.Symlink(strings.TrimPrefix(to, "to "), path)
	case "pipe":
		err = syscall.Mkfifo(path, 0o600)
	case "device":
		// Only root makes devices.
		err = os.Symlink(map[string]string{"3": "/dev/null", "7": "/dev/full"}[to], path)
	default:
		if what == "private" {
			permissions = 0o600
		}
		if what == "protected" {
			permissions = 0o444
		}
		if err = os.WriteFile(path, content, permissions); err == nil {
			err = os.Chmod(path, permissions)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// described is an entry of a folder in the words of the table. asked is that of a device.
func described(t *testing.T, path, asked string) string {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case info.IsDir():
		return "folder"
	case info.Mode()&fs.ModeNamedPipe != 0:
		return "pipe"
	case info.Mode()&fs.ModeSymlink != 0 && strings.HasPrefix(asked, "device"):
		return asked
	case info.Mode()&fs.ModeSymlink != 0:
		to, _ := os.Readlink(path)
		return "link to " + to
	case info.Mode().Perm()&0o222 == 0:
		return "protected"
	}
	content, _ := os.ReadFile(path)
	switch {
	case !bytes.Equal(content, whole):
		return string(content)
	case info.Mode().Perm()&0o077 == 0:
		return "whole, private"
	}
	return "whole"
}

func TestDownloadTargets(t *testing.T) {
	text, err := os.ReadFile("../../test/clients/downloadTargets.json")
	if errors.Is(err, fs.ErrNotExist) {
		// The module alone lacks the table.
		return
	}
	var table struct{ Paths []pathCase }
	if err == nil {
		err = json.Unmarshal(text, &table)
	}
	if err != nil || len(table.Paths) < 15 {
		t.Fatal(len(table.Paths), err)
	}
	for _, row := range table.Paths {
		t.Run(row.Case, func(t *testing.T) {
			folder := t.TempDir()
			for name, kind := range row.Before {
				put(t, filepath.Join(folder, name), kind)
			}
			piped := make(chan []byte, 1)
			if row.Before[row.Target] == "pipe" {
				go func() {
					content, _ := os.ReadFile(filepath.Join(folder, row.Target))
					piped <- content
				}()
			} else {
				piped <- whole
			}
			path := row.Target
			if path != "" {
				// Join would remove the ending that marks a folder.
				path = folder + "/" + row.Target
			}
			requests := 0
			client := served(t, func(writer http.ResponseWriter, request *http.Request) {
				requests++
				writeWhole(writer, request)
			})
			err := client.Download(context.Background(), id, 0, path)
			if (err == nil) != (row.End == "written") {
				t.Errorf("it ends with %v, not %s", err, row.End)
			}
			if row.End == "usage" && requests > 0 {
				t.Error("it was downloaded although the target cannot be meant")
			}
			if !bytes.Equal(<-piped, whole) {
				t.Error("the pipe's reader did not get it")
			}
			after := map[string]string{}
			entries, _ := os.ReadDir(folder)
			for _, entry := range entries {
				after[entry.Name()] = described(t, filepath.Join(folder, entry.Name()), row.Before[entry.Name()])
			}
			if !reflect.DeepEqual(after, row.After) {
				t.Errorf("the folder has %v, not %v", after, row.After)
			}
		})
	}
}

func TestDownloadRepeatsWhatDidNotArrive(t *testing.T) {
	attempts := 0
	client := served(t, func(writer http.ResponseWriter, request *http.Request) {
		attempts++
		switch attempts {
		case 1:
			http.Error(writer, "gone", http.StatusForbidden)
		case 2:
			writer.Header().Set("Content-Length", fmt.Sprint(len(whole)))
			writer.Write(whole[:1000])
		default:
			writeWhole(writer, request)
		}
	})
	path := filepath.Join(t.TempDir(), "boat.mp4")
	if err := client.Download(context.Background(), id, 0, path); err != nil {
		t.Fatal(err)
	}
	if content, _ := os.ReadFile(path); attempts != 3 || !bytes.Equal(content, whole) {
		t.Errorf("%d attempts, %d bytes", attempts, len(content))
	}
}

func TestDownloadThatNeverArrivesLeavesTheOldFile(t *testing.T) {
	client := served(t, func(writer http.ResponseWriter, _ *http.Request) {
		http.Error(writer, "<html>Sign in</html>", http.StatusBadGateway)
	})
	path := filepath.Join(t.TempDir(), "boat.mp4")
	put(t, path, "old")
	err := client.Download(context.Background(), id, 0, path)
	var told *Error
	if !errors.As(err, &told) || told.ID != id {
		t.Errorf("the error does not name the generation: %v", err)
	}
	if content, _ := os.ReadFile(path); string(content) != "old" {
		t.Errorf("the file is now %q", content)
	}
	if err := client.Download(context.Background(), id, 1, path); err == nil {
		t.Error("there is no second file")
	}
}
