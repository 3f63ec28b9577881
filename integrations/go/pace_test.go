package framegate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/framegate/framegate-go/api"
)

// limited is a service that lets 60 creates a minute through, ten at once, as the gateway does; reads are free.
type limited struct {
	tellsRate bool

	mutex          sync.Mutex
	tokens         float64
	at             time.Time
	creates, reads int
}

func (service *limited) RoundTrip(request *http.Request) (*http.Response, error) {
	time.Sleep(40 * time.Millisecond)
	service.mutex.Lock()
	defer service.mutex.Unlock()
	response := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: request}
	body := completed.body
	if request.Method == http.MethodGet {
		service.reads++
	} else {
		service.creates++
		now := time.Now()
		service.tokens, service.at = min(10, service.tokens+now.Sub(service.at).Seconds()), now
		body = queued.body
		if service.tokens < 1 {
			response.StatusCode = http.StatusTooManyRequests
			response.Header.Set("Retry-After", "1")
			if service.tellsRate {
				response.Header.Set("RateLimit-Policy", `"create";q=60;w=60`)
			}
			body = `{"error":{"code":"rate_limited","message":"Too many creates."}}`
		} else {
			service.tokens--
		}
	}
	response.Body = io.NopCloser(strings.NewReader(body))
	return response, nil
}

// createMany sends creates at once, on the clock of a bubble, and gives their errors.
func createMany(t *testing.T, service *limited, count int) (*Client, []error) {
	t.Helper()
	service.tokens, service.at = 10, time.Now()
	client, err := New("https://api.example.com/v1", testKey, WithTransport(service))
	if err != nil {
		t.Fatal(err)
	}
	failed := make([]error, count)
	var group sync.WaitGroup
	for number := range count {
		group.Go(func() {
			_, failed[number] = client.CreateVideo(context.Background(), fmt.Sprint("key-", number), api.CreateVideo{})
		})
	}
	group.Wait()
	return client, failed
}

func TestManyCreatesWaitOutALimitTogether(t *testing.T) {
	for _, tellsRate := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			service := &limited{tellsRate: tellsRate}
			client, failed := createMany(t, service, 50)
			if err := errors.Join(failed...); err != nil {
				t.Fatal(err)
			}
			if service.creates > 70 {
				t.Fatal(service.creates, "requests for 50 creates")
			}
			// A limit on creates delays no poll.
			began := time.Now()
			if _, err := client.Get(context.Background(), id); err != nil || time.Since(began) > time.Second {
				t.Fatal(time.Since(began), err)
			}
			// It is forgotten while unused.
			time.Sleep(2 * limitMemory)
			if turn, err := client.creates.take(time.Now(), time.Time{}); err != nil || turn.at.After(time.Now()) {
				t.Fatal(turn, err)
			}
		})
	}
}

func TestACreateWhoseTurnComesTooLateIsRefusedAndNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &limited{tellsRate: true}
		_, failed := createMany(t, service, 200)
		refused := 0
		for _, err := range failed {
			var refusal *APIError
			if err == nil {
				continue
			}
			refused++
			if !errors.As(err, &refusal) || refusal.Code != "rate_limited" || !strings.Contains(err.Error(), "key-") {
				t.Fatal(err)
			}
		}
		if refused < 50 || service.creates > 160 {
			t.Fatal(refused, "refused,", service.creates, "requests")
		}
	})
}
