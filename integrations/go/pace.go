package framegate

import (
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const (
	// Longest interval between two requests of a limited kind.
	maxInterval = 30 * time.Second
	// How long an unused limit is remembered.
	limitMemory = time.Minute
	// Margin on the service's rate, so that varying network delays cause no refusals.
	rateMargin = 1.05
)

// turn is the time at which a request may be sent.
type turn struct {
	at time.Time
	// Number of earlier refusals; a further one voids the turn.
	era int
}

// pace is the pace of all requests of one kind from one client, so that they wait out a limit together. It counts
// like the gateway, with a token bucket: a refusal empties the bucket until the service accepts requests again;
// then requests are sent one at a time, at the service's own rate if stated, else ever faster.
type pace struct {
	burst float64
	// Interval between further requests while no limit is known; 0 for no limit.
	usual time.Duration

	mutex              sync.Mutex
	interval, shortest time.Duration
	tokens             float64
	// When there were this many tokens.
	at      time.Time
	era     int
	refusal error
}

func newPace(burst int, usual time.Duration) *pace {
	return &pace{burst: float64(burst), usual: usual, interval: usual, shortest: usual, tokens: float64(burst)}
}

// take takes the next turn. If it comes after until, the error is the refusal that set the limit; a zero until
// sets none.
func (pace *pace) take(now, until time.Time) (turn, error) {
	pace.mutex.Lock()
	defer pace.mutex.Unlock()
	if pace.refusal != nil && now.Sub(pace.at) >= limitMemory {
		pace.refusal, pace.interval, pace.shortest = nil, pace.usual, pace.usual
	}
	then := now
	if pace.at.After(then) {
		then = pace.at
	}
	left := pace.burst
	if pace.interval > 0 {
		left = min(left, pace.tokens+float64(then.Sub(pace.at))/float64(pace.interval))
	}
	at := then.Add(time.Duration(max(0, 1-left) * float64(pace.interval)))
	if pace.refusal != nil && !until.IsZero() && at.After(until) {
		return turn{}, pace.refusal
	}
	pace.at, pace.tokens = then, left-1
	return turn{at: at, era: pace.era}, nil
}

// holds reports whether nothing has been refused since the turn was taken.
func (pace *pace) holds(turn turn) bool {
	pace.mutex.Lock()
	defer pace.mutex.Unlock()
	return turn.era == pace.era
}

func (pace *pace) accepted(turn turn) {
	pace.mutex.Lock()
	defer pace.mutex.Unlock()
	if turn.era == pace.era {
		pace.interval = max(pace.shortest, pace.interval/2)
	}
}

// refused notes that a turn's request exceeded the limit, and how long the service accepts none of the kind.
func (pace *pace) refused(turn turn, now time.Time, wait time.Duration, refusal *APIError) {
	pace.mutex.Lock()
	defer pace.mutex.Unlock()
	// Of several sent together, the first refusal has already counted.
	if turn.era != pace.era {
		return
	}
	pace.era++
	told := refusal.interval
	pace.shortest = told
	if told == 0 {
		told, pace.shortest = wait, pace.usual
	}
	if pace.refusal == nil {
		pace.interval = told
	} else {
		pace.interval = max(told, min(maxInterval, 2*pace.interval))
	}
	pace.refusal, pace.tokens, pace.at = refusal, 1, now.Add(wait)
}

var quotaForm, windowForm = regexp.MustCompile(`;\s*q=(\d+)`), regexp.MustCompile(`;\s*w=(\d+)`)

// intervalOf returns the interval between two requests at the rate of RateLimit-Policy; 0 if not stated.
func intervalOf(headers http.Header) time.Duration {
	policy := headers.Get("RateLimit-Policy")
	quota, window := numberIn(quotaForm, policy), numberIn(windowForm, policy)
	if quota == 0 {
		return 0
	}
	return time.Duration(rateMargin * window / quota * float64(time.Second))
}

func numberIn(form *regexp.Regexp, text string) float64 {
	found := form.FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	number, err := strconv.Atoi(found[1])
	if err != nil {
		return 0
	}
	return float64(number)
}
