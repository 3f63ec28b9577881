package framegate

import (
	"fmt"
	"net/http"
	"time"
)

// Error is every error of a call, with the id and the key for taking it up again.
type Error struct {
	// ID is that of the generation; empty for a create, which has the key.
	ID string
	// IdempotencyKey is that of a create: the same call with it gives the generation that may be there.
	IdempotencyKey string
	Err            error
}

func (err *Error) Error() string {
	if err.ID != "" {
		return fmt.Sprintf("framegate: generation %s: %v", err.ID, err.Err)
	}
	return fmt.Sprintf("framegate: create with the idempotency key %s: %v", err.IdempotencyKey, err.Err)
}

func (err *Error) Unwrap() error { return err.Err }

// FailedError says that a generation failed. It has been refunded, or will be.
type FailedError struct {
	Generation *Generation
}

func (err *FailedError) Error() string {
	failed := err.Generation
	return fmt.Sprintf("it failed (%s): %s", failed.Error.Code, failed.Error.Message)
}

// APIError is a refusal of the service.
type APIError struct {
	// Status is that of HTTP.
	Status int
	// Code is the word to branch on; empty where something else than the service answered.
	Code      string
	Message   string
	RequestID string

	// By the service's rate, between two requests; 0 where none is told.
	interval time.Duration
}

func (err *APIError) Error() string {
	if err.Code == "" {
		return fmt.Sprintf("the answer has status %d and is not the service's", err.Status)
	}
	return fmt.Sprintf("%s (%s, request %s)", err.Message, err.Code, err.RequestID)
}

// passes says whether the same request may succeed later.
func (err *APIError) passes() bool {
	return err.Status == http.StatusTooManyRequests || err.Status >= http.StatusInternalServerError
}
