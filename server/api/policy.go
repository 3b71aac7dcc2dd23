package api

import (
	"context"
	"fmt"
	"net/http"

	"qipu/library/ask"
	"qipu/server/guard"
)

// Who may ask for a route where others than the owner's machine can reach the
// server. On the own machine everybody may everything.
type Who int

// Whoever has the token is the owner. Readers are everybody, or where there is a token
// for reading who has one of the two. Players are the owner, and where guests may play
// all readers.
const (
	Nobody  Who = iota // of no route: its policy was forgotten
	Anybody            // it tells nothing of the library
	Readers
	Players
	Owner
)

// String returns the word.
func (w Who) String() string {
	return [...]string{"nobody", "anybody", "readers", "players", "owner"}[w]
}

// Policy is what the guard and the memo have to know of a route. It is stated where
// the route is registered.
type Policy struct {
	Who     Who
	Keep    bool // the answer holds as long as the library does not change
	Changes bool // what answers that are Kept were made from may be otherwise afterwards
	Upload  bool // the body may be large
	Turn    bool // it waits for its turn among the requests that keep the processors busy

	// Engine is who may name another program that is to answer, in the parameter engine;
	// Nobody where there is no such parameter, or whoever may ask may name one, too.
	Engine Who
}

// InTurn returns the policy for requests that keep a processor busy.
func (p Policy) InTurn() Policy { p.Turn = true; return p }

// Hosting returns the policy for requests that may name another program. It is the
// owner's, thinks for one after the other, and may cost money: readers cannot have it
// think, unless they may play with it.
func (p Policy) Hosting() Policy { p.Engine = Players; return p }

// The policies that routes have.
var (
	// Open tells nothing of the library: how the interface is asked, and that the server
	// is up. It is asked with GET, and so are Kept, Fresh and Private.
	Open = Policy{Who: Anybody}

	// Answers of which every one is another are Fresh; streams and files are not held
	// in memory.
	Kept  = Policy{Who: Readers, Keep: true}
	Fresh = Policy{Who: Readers}

	// Private is the owner's alone: the figures tell how much a server is used and what
	// it runs on; the list of games that are being played has their ids, which only
	// those who play them should know; imports have the names of files and what is wrong
	// with them; saved queries and the last searches tell what somebody is working on.
	Private = Policy{Who: Owner}

	// Harmless changes nothing, although its method could: it is POST because what it
	// is about is too long for an address.
	Harmless = Policy{Who: Readers}

	Change    = Policy{Who: Owner, Changes: true}
	Uploading = Policy{Who: Owner, Changes: true, Upload: true}

	// Playing is a move in a game that is in progress: these games are in no answer
	// that is Kept, and of those that end the room of play tells. With a hundred people
	// at play, nothing would be Kept for longer than it takes one of them to move.
	// Forgetting is the same for the owner alone.
	Playing    = Policy{Who: Players}
	Thinking   = Policy{Who: Players} // a processor, or a program, that thinks as long as somebody looks on
	Forgetting = Policy{Who: Owner}
)

// policies are those of all routes, by the pattern of the mux.
type policies map[string]Policy

// add states the policy of a route. Each has one.
func (p policies) add(policy Policy, pattern string) {
	if _, twice := p[pattern]; twice || policy.Who == Nobody {
		panic(fmt.Sprintf("api: %s has no policy, or two; one is of %s", pattern, policy.Who))
	}
	p[pattern] = policy
}

// Policy returns the policy of the route that answers a request. Where there is none,
// nothing is Kept.
func (s *Service) Policy(r *http.Request) Policy {
	_, pattern := s.mux.Handler(r)
	return s.Policies[pattern]
}

// keeps reports whether the answer to a request may be Kept. One that was made
// without a part of the library may not: another time there may be more.
func (s *Service) keeps(r *http.Request) bool {
	return s.Policy(r).Keep && !r.URL.Query().Has("partial")
}

// needs tells the guard who may send a request. What has no policy is a page, which
// holds nothing of the library, or nothing at all.
func (s *Service) needs(r *http.Request) guard.Role {
	p := s.Policy(r)
	who := p.Who
	if p.Engine > who && r.URL.Query().Get("engine") != "" {
		who = p.Engine
	}
	switch {
	case who == Readers, who == Players && s.Guests:
		return guard.Reader
	case who == Anybody, who == Nobody && (r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions):
		return guard.Stranger
	}
	return guard.Owner
}

// Plays reports whether whoever sent the request of a context may play, and have engines
// think.
func (s *Service) Plays(ctx context.Context) bool { return s.Owns(ctx) || s.Guests }

// Owns reports whether the owner sent the request of a context.
func (s *Service) Owns(ctx context.Context) bool { return guard.RoleOf(ctx) == guard.Owner }

// Outlive returns a context for what is done for a request and may go on behind its end:
// for others than the owner it is discreet, too.
func (s *Service) Outlive(ctx context.Context) context.Context {
	if s.Owns(ctx) {
		return s.Context
	}
	return ask.Discreet(s.Context)
}
