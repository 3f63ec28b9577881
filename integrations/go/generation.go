package framegate

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"
)

// Status is the state of a generation.
type Status string

// The states of a generation; the last two are final.
const (
	Queued     Status = "queued"
	Processing Status = "processing"
	Completed  Status = "completed"
	Failed     Status = "failed"
)

// Generation is a video or a set of images in the state last read.
type Generation struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	Model  string `json:"model"`
	Status Status `json:"status"`
	// Output is set once it is completed.
	Output *Output `json:"output"`
	// Error is set if it failed.
	Error   *GenerationError `json:"error"`
	Billing Billing          `json:"billing"`
	// Record is the complete generation as JSON, for the types of the package api.
	Record json.RawMessage `json:"-"`

	Object            string `json:"object"`
	RetryAfterSeconds int    `json:"retry_after_seconds"`
}

// RetryAfter is the recommended wait before the next poll.
func (generation *Generation) RetryAfter() time.Duration {
	return time.Duration(generation.RetryAfterSeconds) * time.Second
}

// Output has the finished files, which are read without the key.
type Output struct {
	URLs []string `json:"urls"`
	// ExpiresAt is when the URLs expire; reading the generation again returns new ones.
	ExpiresAt time.Time `json:"expires_at"`
}

// GenerationError is the reason why a generation failed.
type GenerationError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Retryable reports whether a new create request may succeed.
	Retryable bool `json:"retryable"`
}

// Billing is the cost of a generation, in credits.
type Billing struct {
	Status          string `json:"status"`
	CostCredits     int    `json:"cost_credits"`
	RefundedCredits int    `json:"refunded_credits"`
}

const idForm = `gen_[0-9a-hjkmnp-tv-z]{26}`

var (
	wholeID = regexp.MustCompile(`^` + idForm + `$`)
	toldID  = regexp.MustCompile(`"id"\s*:\s*"(` + idForm + `)"`)
)

// parseGeneration reads a generation in a known state, with the parts of that state. Any other successful
// response, such as a proxy's page or a partial response, is an error.
// id names the requested generation; empty for any.
func parseGeneration(body []byte, id string) (*Generation, error) {
	generation := &Generation{Record: body}
	if err := json.Unmarshal(body, generation); err != nil {
		return nil, oddResponse(body, err)
	}
	if generation.Object != "generation" || !wholeID.MatchString(generation.ID) {
		return nil, oddResponse(body, errors.New("it is not a generation"))
	}
	if id != "" && generation.ID != id {
		return nil, oddResponse(body, fmt.Errorf("it is not %s", id))
	}
	switch generation.Status {
	case Queued, Processing:
		return generation, nil
	case Completed:
		if generation.Output != nil && generation.Output.URLs != nil {
			return generation, nil
		}
	case Failed:
		if generation.Error != nil && generation.Error.Code != "" && generation.Billing.Status != "" {
			return generation, nil
		}
	}
	return nil, oddResponse(body, fmt.Errorf("its %q record is incomplete", generation.Status))
}

// oddResponse keeps the id of a malformed response: a paid generation must not be lost.
func oddResponse(body []byte, why error) error {
	if told := toldID.FindSubmatch(body); told != nil {
		return fmt.Errorf("the response is not from the service but names %s: %w", told[1], why)
	}
	return fmt.Errorf("the response is not from the service: %w", why)
}
