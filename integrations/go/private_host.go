package framegate

import (
	"net/netip"
	"regexp"
	"strings"
)

var privateNames = regexp.MustCompile(`(^|\.)(localhost|local|internal|lan|home\.arpa)$`)

// carriers is the range of carrier-grade NAT (RFC 6598).
var carriers = netip.MustParsePrefix("100.64.0.0/10")

// isPrivate reports whether plain http is acceptable for a host: this machine, or a private network. Docker's names
// without a dot count.
func isPrivate(host string) bool {
	if address, err := netip.ParseAddr(host); err == nil {
		return address.IsPrivate() || address.IsLoopback() || address.IsLinkLocalUnicast() || carriers.Contains(address)
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	return !strings.Contains(name, ".") || privateNames.MatchString(name)
}
