package framegate

import (
	"fmt"
	"net/http"
	"time"
)

// Error is any error of a call, with the id or key that resumes it.
type Error struct {
	// ID is the generation's id; empty for a create request, which has the key.
	ID string
	// IdempotencyKey is a create request's key: the same call with it returns the generation that may
	// exist.
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

// FailedError means that a generation failed. It has been or will be refunded.
type FailedError struct {
	Generation *Generation
}

func (err *FailedError) Error() string {
	failed := err.Generation
	return fmt.Sprintf("it failed (%s): %s", failed.Error.Code, failed.Error.Message)
}

// APIError is a refusal of the service.
type APIError struct {
	// Status is the HTTP status.
	Status int
	// Code is the code to branch on; empty if something other than the service answered.
	Code      string
	Message   string
	RequestID string

	// Interval between two requests at the service's rate; 0 if not stated.
	interval time.Duration
}

func (err *APIError) Error() string {
	if err.Code == "" {
		return fmt.Sprintf("the response (HTTP status %d) is not from the service", err.Status)
	}
	return fmt.Sprintf("%s (%s, request %s)", err.Message, err.Code, err.RequestID)
}

// isTransient reports whether the same request may succeed later.
func (err *APIError) isTransient() bool {
	switch err.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return err.Status >= http.StatusInternalServerError
}
