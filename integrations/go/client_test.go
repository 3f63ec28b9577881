package framegate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/framegate/framegate-go/api"
)

const id = "gen_01kagw2m5t9x3q7r8v4c6e0hjn"

var testKey = "fg_live_" + strings.Repeat("x", 38)

// response is one response of the fake service; a status of 0 cuts the connection.
type response struct {
	status     int
	body       string
	retryAfter string
}

func generation(status string, parts string) response {
	form := `{"object":"generation","id":%q,"status":%q,"billing":{"status":"charged","cost_credits":50}%s}`
	return response{status: http.StatusOK, body: fmt.Sprintf(form, id, status, parts)}
}

var (
	queued    = generation("queued", `,"retry_after_seconds":7`)
	completed = generation("completed", `,"output":{"urls":["https://media.example.com/0.mp4"]}`)
	failed    = generation("failed", `,"error":{"code":"generation_failed","message":"No."}`)
)

// fake is a service with a client of it on a clock that only its pauses move.
type fake struct {
	client *Client
	keys   []string
	pauses []time.Duration
}

// serve answers in turn; the last response is repeated.
func serve(t *testing.T, responses ...response) *fake {
	t.Helper()
	service := &fake{}
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		next := responses[min(len(service.keys), len(responses)-1)]
		service.keys = append(service.keys, request.Header.Get("Idempotency-Key"))
		if next.status == 0 {
			panic(http.ErrAbortHandler)
		}
		writer.Header().Set("Date", "Mon, 23 Nov 2026 10:00:00 GMT")
		if next.retryAfter != "" {
			writer.Header().Set("Retry-After", next.retryAfter)
		}
		writer.WriteHeader(next.status)
		fmt.Fprint(writer, next.body)
	}))
	// On a reused connection, Go itself repeats a request.
	server.Config.SetKeepAlivesEnabled(false)
	t.Cleanup(server.Close)
	client, err := New(server.URL+"/v1", testKey)
	if err != nil {
		t.Fatal(err)
	}
	var clock time.Time
	client.now = func() time.Time { return clock }
	client.random = func() float64 { return 0 }
	client.sleep = func(ctx context.Context, pause time.Duration) error {
		service.pauses = append(service.pauses, pause)
		clock = clock.Add(pause)
		return ctx.Err()
	}
	service.client = client
	return service
}

func (service *fake) create() (*Generation, error) {
	return service.client.CreateVideo(context.Background(), "key-1", api.CreateVideo{})
}

var noResponses = map[string]response{
	"a page":                    {status: 200, body: "<html>Sign in</html>"},
	"half a response":           {status: 202, body: queued.body[:60]},
	"nothing":                   {status: 204},
	"another shape":             {status: 200, body: `[]`},
	"another object":            {status: 200, body: `{"object":"list","id":"` + id + `"}`},
	"no id":                     {status: 202, body: `{"object":"generation","status":"queued"}`},
	"an unknown state":          generation("asleep", ""),
	"completed without files":   generation("completed", ""),
	"failed without a reason":   generation("failed", `,"error":{}`),
	"a file of the wrong shape": generation("completed", `,"output":{"urls":"x"}`),
	"a fault":                   {status: 500, body: `{"error":{"code":"internal_error"}}`},
	"a page of a fault":         {status: 502, body: "<html>"},
	"a limit":                   {status: 429, body: `{"error":{"code":"rate_limited"}}`},
	"a proxy's timeout":         {status: 408, body: "<html>"},
	"a proxy's refusal for now": {status: 425, body: "<html>"},
	"a line that is cut":        {},
}

func TestCreateRetriesUnusableResponsesWithTheSameKey(t *testing.T) {
	for name, wrong := range noResponses {
		t.Run(name, func(t *testing.T) {
			service := serve(t, wrong, wrong, queued)
			made, err := service.create()
			if err != nil || made.ID != id {
				t.Fatal(made, err)
			}
			if got := strings.Join(service.keys, " "); got != "key-1 key-1 key-1" {
				t.Fatal(got)
			}
		})
	}
}

func TestPersistentlyUnusableResponsesEndWithKeyAndID(t *testing.T) {
	for name, wrong := range noResponses {
		t.Run(name, func(t *testing.T) {
			service := serve(t, wrong)
			_, err := service.create()
			var told *Error
			if !errors.As(err, &told) || told.IdempotencyKey != "key-1" || !strings.Contains(err.Error(), "key-1") {
				t.Fatal(err)
			}
			if wrong.status/100 == 2 && strings.Contains(wrong.body, id) && !strings.Contains(err.Error(), id) {
				t.Fatal(err)
			}
			if len(service.keys) < 5 || len(service.keys) > 12 {
				t.Fatal(len(service.keys), "attempts")
			}
		})
	}
}

func TestARefusalIsNotRetried(t *testing.T) {
	body := `{"error":{"code":"insufficient_credits","message":"Too few.","details":[],"type":"billing_error"}}`
	for _, refused := range []response{{status: 402, body: body}, {status: 302}} {
		service := serve(t, refused)
		_, err := service.create()
		var refusal *APIError
		if !errors.As(err, &refusal) || refusal.Status != refused.status || len(service.keys) != 1 {
			t.Fatal(err, service.keys)
		}
		if refused.body != "" && refusal.Code != "insufficient_credits" {
			t.Fatal(refusal.Code)
		}
	}
}

func TestPausesFollowRetryAfter(t *testing.T) {
	limited := func(after string) response { return response{status: 429, body: "{}", retryAfter: after} }
	service := serve(t, limited("9"), limited("Mon, 23 Nov 2026 10:00:20 GMT"), limited(""), limited("0"), queued)
	if _, err := service.create(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(service.pauses); got != "[9s 20s 4s 8s]" {
		t.Fatal(got)
	}
}

func TestAWaitFollowsTheServicesPaceAndSurvivesFaults(t *testing.T) {
	for name, wrong := range noResponses {
		t.Run(name, func(t *testing.T) {
			service := serve(t, queued, wrong, queued, completed)
			done, err := service.client.Wait(context.Background(), id)
			if err != nil || done.Output.URLs[0] != "https://media.example.com/0.mp4" {
				t.Fatal(done, err)
			}
			if got := fmt.Sprint(service.pauses); got != "[7s 1s 7s]" {
				t.Fatal(got)
			}
		})
	}
}

func TestAResponseAboutAnotherGenerationIsUnusable(t *testing.T) {
	other := response{status: 200, body: strings.ReplaceAll(completed.body, id, "gen_01kagw4z8p2d6s1y5b9f3g7kwa")}
	done, err := serve(t, other, completed).client.Wait(context.Background(), id)
	if err != nil || done.ID != id {
		t.Fatal(done, err)
	}
}

func TestAFailedGenerationHasItsReason(t *testing.T) {
	_, err := serve(t, queued, failed).client.Wait(context.Background(), id)
	var why *FailedError
	if !errors.As(err, &why) || why.Generation.Error.Code != "generation_failed" {
		t.Fatal(err)
	}
}

func TestAWaitEndsWithItsContextAndNamesTheID(t *testing.T) {
	for _, last := range []response{queued, noResponses["a page"]} {
		ctx, cancel := context.WithCancel(context.Background())
		service := serve(t, last)
		pause := service.client.sleep
		service.client.sleep = func(ctx context.Context, length time.Duration) error {
			if len(service.pauses) == 2 {
				cancel()
			}
			return pause(ctx, length)
		}
		_, err := service.client.Wait(ctx, id)
		var told *Error
		if !errors.Is(err, context.Canceled) || !errors.As(err, &told) || told.ID != id {
			t.Fatal(err)
		}
	}
}

func TestASleepEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := sleep(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
}

func TestInvalidSettingsAndRequestsAreNotSent(t *testing.T) {
	invalid := []string{
		"", "api.example.com/v1", "https://api.example.com", "https:///v1", "ftp://localhost/v1",
		"https://user@api.example.com/v1", "https://api.example.com?to=/v1", "http://api.example.com/v1", "http://172.32.0.1/v1", "http://internal.example/v1",
	}
	for _, base := range invalid {
		if _, err := New(base, testKey); err == nil {
			t.Fatal(base)
		}
	}
	valid := []string{
		"https://api.example.com/v1/", "http://localhost:8080/v1", "http://gateway/v1", "http://api.internal/v1",
		"http://10.1.2.3/v1", "http://100.64.0.1/v1", "http://[::1]:8080/v1", "http://[fd00::1]/v1",
	}
	for _, base := range valid {
		if _, err := New(base, testKey); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"", "sk-x", testKey + "\n", testKey[1:], testKey + "x"} {
		if _, err := New("https://api.example.com/v1", key); err == nil {
			t.Fatal(key)
		}
	}
	service := serve(t, queued)
	if _, err := service.client.CreateImage(context.Background(), "", api.CreateImage{}); err == nil || len(service.keys) > 0 {
		t.Fatal("a create without a key")
	}
}
