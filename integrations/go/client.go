// Package framegate makes videos and images through the API of a Framegate gateway. Creates have an
// idempotency key, so that a repeated one is never charged twice; Wait can be resumed by id.
//
// The package api has every operation and type of the API, generated from its document.
package framegate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/framegate/framegate-go/api"
)

// Version is the version of this client, which requests send in User-Agent.
const Version = "0.1.0"

const (
	// Time limit of a request.
	requestTimeout = 30 * time.Second
	// How long a create request or a read is retried after temporary faults.
	retryFor = 2 * time.Minute
)

// Client makes generations and waits for them. Goroutines may share it; their calls wait out a limit together.
type Client struct {
	// API has one method for each operation, which sends one request.
	API *api.Client

	// Creates are charged, so a service is likely to limit them: they are not sent all at once.
	creates, polls *pace
	// files downloads without the key, and follows redirects.
	files *http.Client

	now    func() time.Time
	sleep  func(ctx context.Context, pause time.Duration) error
	random func() float64
}

// Option changes a new Client.
type Option func(*http.Client)

// WithTransport sends requests through the given transport, for example with a proxy or certificates.
func WithTransport(transport http.RoundTripper) Option {
	return func(client *http.Client) { client.Transport = transport }
}

// keyForm is the form in which gateways issue keys.
var keyForm = regexp.MustCompile(`^fg_live_[0-9A-Za-z]{38}$`)

// New creates a client of the gateway at baseURL, which ends in /v1. The key goes only there.
func New(baseURL, apiKey string, options ...Option) (*Client, error) {
	baseURL = strings.TrimRight(strings.TrimSpace(baseURL), "/")
	address, err := url.Parse(baseURL)
	if err != nil || address.Host == "" || strings.ContainsAny(baseURL, "?#@") || !strings.HasSuffix(baseURL, "/v1") {
		return nil, fmt.Errorf("framegate: the base URL %q must look like https://api.example.com/v1", baseURL)
	}
	if address.Scheme != "https" && !(address.Scheme == "http" && isPrivate(address.Hostname())) {
		return nil, fmt.Errorf("framegate: the base URL of %s must begin with https://: otherwise others on the network could read the API key", address.Host)
	}
	if !keyForm.MatchString(apiKey) {
		return nil, fmt.Errorf("framegate: this is not an API key: it must be fg_live_ followed by 38 letters and digits")
	}
	sender := &http.Client{
		// A redirect would take the key elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for _, option := range options {
		option(sender)
	}
	agent := fmt.Sprintf("framegate-go/%s (%s)", Version, runtime.Version())
	headers := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+apiKey)
		request.Header.Set("User-Agent", agent)
		return nil
	}
	generated, err := api.NewClient(baseURL, api.WithHTTPClient(sender), api.WithRequestEditorFn(headers))
	if err != nil {
		return nil, fmt.Errorf("framegate: %w", err)
	}
	return &Client{
		API:     generated,
		creates: newPace(10, 100*time.Millisecond),
		polls:   newPace(10, 0),
		files:   &http.Client{Transport: sender.Transport},
		now:     time.Now,
		sleep:   sleep,
		random:  rand.Float64,
	}, nil
}

// CreateVideo creates a video and charges its cost. Store the key with your order before the call: whatever
// happens, the same call with the same key returns the same video and is not charged twice.
func (client *Client) CreateVideo(ctx context.Context, key string, body api.CreateVideo) (*Generation, error) {
	params := &api.CreateVideoParams{IdempotencyKey: key}
	return client.create(ctx, key, func(ctx context.Context) (*http.Response, error) {
		return client.API.CreateVideo(ctx, params, body)
	})
}

// CreateImage creates images in the same way.
func (client *Client) CreateImage(ctx context.Context, key string, body api.CreateImage) (*Generation, error) {
	params := &api.CreateImageParams{IdempotencyKey: key}
	return client.create(ctx, key, func(ctx context.Context) (*http.Response, error) {
		return client.API.CreateImage(ctx, params, body)
	})
}

func (client *Client) create(ctx context.Context, key string, send send) (*Generation, error) {
	if key == "" {
		return nil, fmt.Errorf("framegate: a create request needs an idempotency key")
	}
	until := client.now().Add(retryFor)
	generation, err := client.ask(ctx, client.creates, "", until, send)
	if err != nil {
		return nil, &Error{IdempotencyKey: key, Err: err}
	}
	return generation, nil
}

// Get reads a generation, retrying after temporary faults.
func (client *Client) Get(ctx context.Context, id string) (*Generation, error) {
	generation, err := client.poll(ctx, id, client.now().Add(retryFor))
	if err != nil {
		return nil, &Error{ID: id, Err: err}
	}
	return generation, nil
}

// Wait waits for a generation for as long as ctx allows, polling at the service's intervals. It waits out
// limits, restarts and broken connections. The error of a failed generation wraps a *FailedError; after any
// other error the generation continues, and Wait can be called again with its id.
func (client *Client) Wait(ctx context.Context, id string) (*Generation, error) {
	for {
		generation, err := client.poll(ctx, id, time.Time{})
		if err == nil && generation.Status == Failed {
			err = &FailedError{Generation: generation}
		}
		if err == nil && generation.Status != Completed {
			err = client.sleep(ctx, max(time.Second, generation.RetryAfter()))
			if err == nil {
				continue
			}
		}
		if err != nil {
			return nil, &Error{ID: id, Err: err}
		}
		return generation, nil
	}
}

func (client *Client) poll(ctx context.Context, id string, until time.Time) (*Generation, error) {
	return client.ask(ctx, client.polls, id, until, func(ctx context.Context) (*http.Response, error) {
		return client.API.GetGeneration(ctx, id)
	})
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
