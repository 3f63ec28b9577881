package framegate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Links that lead to links, at most.
const maxLinks = 40

// errIncomplete marks a download that may succeed on a repeat.
var errIncomplete = errors.New("the file is incomplete")

// Download waits for a generation like Wait and writes its file at index to path. The file arrives under another
// name in the same folder first, so path has either its old content or all of the new one. A link is followed, a
// device or a pipe is written to, and a folder, a write-protected file or an empty path is an error.
func (client *Client) Download(ctx context.Context, id string, index int, path string) error {
	target, err := targetOf(path)
	if err != nil {
		return &Error{ID: id, Err: err}
	}
	until := client.now().Add(retryFor)
	for attempts := 1; ; attempts++ {
		// Read again each time: the URLs expire.
		done, err := client.Wait(ctx, id)
		if err != nil {
			return err
		}
		if index < 0 || index >= len(done.Output.URLs) {
			return &Error{ID: id, Err: fmt.Errorf("it has %d files, none at index %d", len(done.Output.URLs), index)}
		}
		err = client.fetchTo(ctx, done.Output.URLs[index], target)
		if err == nil {
			return nil
		}
		pause := client.pause(attempts, 0)
		if !errors.Is(err, errIncomplete) || client.now().Add(pause).After(until) {
			return &Error{ID: id, Err: err}
		}
		if ended := client.sleep(ctx, pause); ended != nil {
			return &Error{ID: id, Err: after(err, ended)}
		}
	}
}

// target is the place of a file.
type target struct {
	path string
	// info describes an existing file; nil for a new one.
	info fs.FileInfo
}

// targetOf follows the links of a path and refuses one that cannot be a target.
func targetOf(path string) (*target, error) {
	if path == "" || strings.HasSuffix(path, string(filepath.Separator)) || strings.ContainsRune(path, 0) {
		return nil, fmt.Errorf("%q is not a file path", path)
	}
	info, err := os.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if info != nil && info.IsDir() {
		return nil, fmt.Errorf("%q is a folder", path)
	}
	// An administrator could write to it, but not intentionally.
	if info != nil && info.Mode().IsRegular() && info.Mode().Perm()&0o222 == 0 {
		return nil, fmt.Errorf("%q is write-protected", path)
	}
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil {
			return &target{path: path, info: info}, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return nil, fmt.Errorf("%q has too many symbolic links", path)
}

// fetchTo downloads a URL, without the key, to a target.
func (client *Client) fetchTo(ctx context.Context, address string, target *target) error {
	if target.info != nil {
		// Opened only to check that it is writable.
		file, err := os.OpenFile(target.path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		if !target.info.Mode().IsRegular() {
			return client.fetch(ctx, address, file)
		}
	}
	part := filepath.Join(filepath.Dir(target.path), fmt.Sprintf(".framegate-%x", time.Now().UnixNano()))
	file, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(part)
	defer file.Close()
	if target.info != nil {
		if err := file.Chmod(target.info.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := client.fetch(ctx, address, file); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(part, target.path)
}

func (client *Client) fetch(ctx context.Context, address string, file *os.File) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := client.files.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %w", errIncomplete, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: HTTP status %s", errIncomplete, response.Status)
	}
	// The reader marks errors of the connection; errors of the disk stay unmarked.
	if _, err := io.Copy(file, reader{response.Body}); err != nil {
		return err
	}
	return nil
}

// reader marks errors of the connection.
type reader struct{ io.Reader }

func (body reader) Read(into []byte) (int, error) {
	count, err := body.Reader.Read(into)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%w: %w", errIncomplete, err)
	}
	return count, err
}
