package server

import (
	"fmt"
	"net/http"
)

// Who may ask for a route where others than the owner's machine can reach the
// server. On the own machine everybody may everything.
type Who int

// Whoever has the token is the owner. Players are the owner, and where guests may
// play everybody.
const (
	Nobody Who = iota // of no route: its policy was forgotten
	Anybody
	Players
	Owner
)

// Policy is what the guard and the memo have to know of a route. It is stated where
// the route is registered.
type Policy struct {
	Who     Who
	Keep    bool // the answer holds as long as the library does not change
	Changes bool // what answers that are kept were made from may be otherwise afterwards
	Upload  bool // the body may be large
}

// The policies that routes have.
var (
	// kept is asked with GET, and so are fresh and private. Answers about imports and
	// the last searches are fresh, and streams and files are not held in memory.
	kept  = Policy{Who: Anybody, Keep: true}
	fresh = Policy{Who: Anybody}

	// private is the owner's alone: the figures tell how much a server is used and what
	// it runs on; the list of games that are being played has their ids, which only
	// those who play them should know.
	private = Policy{Who: Owner}

	// harmless changes nothing, although its method could: it is POST because what it
	// is about is too long for an address.
	harmless = Policy{Who: Anybody}

	change    = Policy{Who: Owner, Changes: true}
	uploading = Policy{Who: Owner, Changes: true, Upload: true}

	// playing is a move in a game that is in progress: these games are in no answer
	// that is kept, and of those that end sessionChanged tells. With a hundred people
	// at play, nothing would be kept for longer than it takes one of them to move.
	// forgetting is the same for the owner alone.
	playing    = Policy{Who: Players}
	forgetting = Policy{Who: Owner}
)

// policies are those of all routes, by the pattern of the mux.
type policies map[string]Policy

// add states the policy of a route. Each has one.
func (p policies) add(policy Policy, pattern string) {
	if _, twice := p[pattern]; twice || policy.Who == Nobody {
		panic(fmt.Sprintf("server: %s has no policy, or two", pattern))
	}
	p[pattern] = policy
}

// policy returns the policy of the route that answers a request. Where there is none,
// nothing is kept, and only the owner may change anything.
func (s *Server) policy(r *http.Request) Policy {
	_, pattern := s.mux.Handler(r)
	return s.policies[pattern]
}

// keeps reports whether the answer to a request may be kept. One that was made
// without a part of the library may not: another time there may be more.
func (s *Server) keeps(r *http.Request) bool {
	return s.policy(r).Keep && !r.URL.Query().Has("partial")
}
