package api

import (
	"context"
	"fmt"
	"net/http"

	"qipu/library/ask"
	"qipu/server/guard"
	"qipu/store"
)

// Who may ask for a route where others than the owner's machine can reach the
// server. On the own machine everybody may everything.
type Who int

// Whoever has the token is the owner, as is a profile of that role. Readers are
// everybody, or where there is a token for reading who has one of the two or a profile.
// Players are members, and where guests may play all readers. Senders are members, and
// where guests may play and what is sent waits for an editor all readers. Profiles are
// all who have one, guests among them. Members, Editors and the Owner have these roles.
const (
	Nobody  Who = iota // of no route: its policy was forgotten
	Anybody            // it tells nothing of the library
	Readers
	Players
	Senders
	Profiles
	Members
	Editors
	Owner
)

// String returns the word.
func (w Who) String() string {
	return [...]string{"nobody", "anybody", "readers", "players", "senders", "profiles", "members", "editors", "owner"}[w]
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
	// those who play them should know; saved queries and the last searches of the library
	// tell what its owner is working on. Sent is what members have sent, and for
	// editors all of it: imports have the names of files and what is wrong with them. Editing is what editors
	// work on. Mine tells somebody of his own, and
	// Keeping changes it: nobody else's answers are others afterwards.
	Private = Policy{Who: Owner}
	Sent    = Policy{Who: Members}
	Editing = Policy{Who: Editors}
	Mine    = Policy{Who: Profiles}
	Keeping = Policy{Who: Profiles}

	// Harmless changes nothing, although its method could: it is POST because what it
	// is about is too long for an address.
	Harmless = Policy{Who: Readers}

	// Noting is Keeping of what answers may be made from: one's own saved queries, or
	// those of the library for its owner, who has no profile.
	Noting = Policy{Who: Profiles, Changes: true}

	// Annotating is on sheets above records: members write on their own, and only editors on
	// that of the library. No answer that is Kept tells of it.
	Annotating = Policy{Who: Members}

	// Change is of what all see, which editors look after; Owning of what the library is
	// and who may do what in it. Sending brings records.
	Change    = Policy{Who: Editors, Changes: true}
	Owning    = Policy{Who: Owner, Changes: true}
	Sending   = Policy{Who: Senders, Changes: true}
	Uploading = Policy{Who: Senders, Changes: true, Upload: true}

	// Teaching makes something for others to do, and keeps a processor busy with it.
	Teaching = Policy{Who: Members, Turn: true}

	// Entering is open to everybody: it is how one becomes somebody. Governing is who may
	// do what, which is the owner's; no answer that is Kept tells of it.
	Entering  = Policy{Who: Anybody}
	Governing = Policy{Who: Owner}

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
	if who == Nobody && (r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions) {
		who = Anybody
	}
	return s.Needs(who)
}

// Needs returns the least role that may what is somebody's to do.
func (s *Service) Needs(who Who) guard.Role {
	switch who {
	case Anybody:
		return guard.Stranger
	case Readers:
		return guard.Reader
	case Players:
		if s.Guests {
			return guard.Reader
		}
		return guard.Member
	case Senders:
		if s.Guests && s.Approve {
			return guard.Reader
		}
		return guard.Member
	case Profiles:
		return guard.Guest
	case Members:
		return guard.Member
	case Editors:
		return guard.Editor
	}
	return guard.Owner
}

// May reports whether whoever sent the request of a context may do what is somebody's
// to do.
func (s *Service) May(ctx context.Context, who Who) bool { return guard.RoleOf(ctx) >= s.Needs(who) }

// Plays reports whether whoever sent the request of a context may play, and have engines
// think.
func (s *Service) Plays(ctx context.Context) bool { return s.May(ctx, Players) }

// Owns reports whether the owner sent the request of a context.
func (s *Service) Owns(ctx context.Context) bool { return s.May(ctx, Owner) }

// Outlive returns a context for what is done for a request and may go on behind its end,
// on behalf of the same person.
func (s *Service) Outlive(ctx context.Context) context.Context {
	return ask.OnBehalf(store.As(s.Context, store.Who(ctx)), ctx)
}
