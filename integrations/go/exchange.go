package framegate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/framegate/framegate-go/api"
)

const (
	// Larger than any response of the API, in bytes.
	maxResponse = 1 << 20
	// Shortest and longest pause between two attempts without a hint from the service.
	minPause = time.Second
	maxPause = 30 * time.Second
	// Random share added to a pause: clients that lost the service together return at different times.
	jitter = 0.25
)

// send sends one request.
type send func(ctx context.Context) (*http.Response, error)

// ask sends a request until it is answered by the generation in a known state, or by a final refusal. id
// names the requested generation, and is empty for a create request. With a zero until, only ctx sets
// a limit.
func (client *Client) ask(
	ctx context.Context, pace *pace, id string, until time.Time, send send,
) (*Generation, error) {
	var last error
	for attempts := 1; ; attempts++ {
		turn, err := client.awaitTurn(ctx, pace, until)
		if err != nil {
			return nil, after(last, err)
		}
		generation, retryAfter, err := attempt(ctx, id, send)
		if err == nil {
			pace.accepted(turn)
			return generation, nil
		}
		var refusal *APIError
		isRefusal := errors.As(err, &refusal)
		if isRefusal && !refusal.isTransient() {
			return nil, err
		}
		last = err
		pause := client.pause(attempts, retryAfter)
		if isRefusal && refusal.Status == http.StatusTooManyRequests {
			pace.refused(turn, client.now(), pause, refusal)
			continue
		}
		if !until.IsZero() && client.now().Add(pause).After(until) {
			return nil, err
		}
		if ended := client.sleep(ctx, pause); ended != nil {
			return nil, after(last, ended)
		}
	}
}

// awaitTurn waits until a request may be sent. The error is a limit that leaves no turn, or the error of ctx.
func (client *Client) awaitTurn(ctx context.Context, pace *pace, until time.Time) (turn, error) {
	for {
		turn, err := pace.take(client.now(), until)
		if err != nil {
			return turn, err
		}
		if wait := turn.at.Sub(client.now()); wait > 0 {
			if err := client.sleep(ctx, wait); err != nil {
				return turn, err
			}
		}
		if pace.holds(turn) {
			return turn, nil
		}
	}
}

// after returns the error that ends a call, with its earlier trouble.
func after(last, end error) error {
	if last == nil || errors.Is(last, end) {
		return end
	}
	return fmt.Errorf("%w: %w", end, last)
}

// pause returns the time until the next attempt: as the service asks, else about 1, 2, 4 … 30 seconds.
func (client *Client) pause(attempts int, retryAfter time.Duration) time.Duration {
	least := retryAfter
	if least == 0 {
		least = min(maxPause, minPause<<min(attempts-1, 5))
	}
	return time.Duration(float64(max(minPause, least)) * (1 + jitter*client.random()))
}

// attempt sends a request once. With an error it also returns the time of Retry-After.
func attempt(ctx context.Context, id string, send send) (*Generation, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	response, err := send(ctx)
	if err != nil {
		return nil, 0, fmt.Errorf("no response: %w", err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxResponse))
	if err != nil {
		return nil, 0, fmt.Errorf("the response was cut off: %w", err)
	}
	retryAfter := retryAfterOf(response.Header)
	if response.StatusCode/100 != 2 {
		return nil, retryAfter, refusalOf(response, body)
	}
	generation, err := parseGeneration(body, id)
	return generation, retryAfter, err
}

// refusalOf returns the API's description of a refusal, or only the status if another server answered.
func refusalOf(response *http.Response, body []byte) *APIError {
	refusal := &APIError{
		Status:    response.StatusCode,
		RequestID: response.Header.Get("X-Request-Id"),
		interval:  intervalOf(response.Header),
	}
	var told api.Error
	if json.Unmarshal(body, &told) == nil && told.Error.Code != "" {
		refusal.Code, refusal.Message = told.Error.Code, told.Error.Message
	}
	return refusal
}

// retryAfterOf reads Retry-After. A date is compared with the response's own, not with this machine's clock.
func retryAfterOf(headers http.Header) time.Duration {
	text := headers.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(max(0, seconds)) * time.Second
	}
	then, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(headers.Get("Date"))
	if err != nil {
		return 0
	}
	return max(0, then.Sub(now))
}
