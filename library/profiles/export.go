package profiles

import (
	"context"
	"encoding/json"
	"time"
)

// Exported is all that is known of a profile, as one file. Secrets are not in it: nobody
// has them.
type Exported struct {
	Name    string          `json:"name"`
	Role    string          `json:"role"`
	Created time.Time       `json:"created"`
	Keys    []ExportedKey   `json:"keys"`
	Things  []ExportedThing `json:"things"`
}

// ExportedKey is a key, or a browser that has logged in.
type ExportedKey struct {
	Kind    string    `json:"kind"` // "key", "invitation", "passkey", "login"
	Label   string    `json:"label"`
	Created time.Time `json:"created"`
	Used    time.Time `json:"used,omitzero"`
	Revoked time.Time `json:"revoked,omitzero"`
}

// ExportedThing is something that the profile keeps.
type ExportedThing struct {
	Kind    string          `json:"kind"`
	Name    string          `json:"name"`
	Changed time.Time       `json:"changed"`
	Value   json.RawMessage `json:"value,omitempty"`
	Records []uint32        `json:"records,omitempty"` // their numbers in the library
	Rounds  []uint32        `json:"rounds,omitempty"`  // of games that were played here: the rounds of their records
}

// Export returns all that is known of a profile.
func (r *Room) Export(ctx context.Context, id string) (*Exported, error) {
	p, err := r.db.Profile(ctx, id)
	if err != nil {
		return nil, err
	}
	x := &Exported{Name: p.Name, Role: p.Role.String(), Created: p.Created.UTC(), Keys: []ExportedKey{}, Things: []ExportedThing{}}
	keys, err := r.db.Keys(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		kind := "key"
		if k.Once {
			kind = "invitation"
		}
		x.Keys = append(x.Keys, ExportedKey{kind, k.Label, k.Created.UTC(), k.Used.UTC(), k.Revoked.UTC()})
	}
	passkeys, err := r.db.Passkeys(ctx, id)
	if err != nil {
		return nil, err
	}
	for i := range passkeys {
		k := &passkeys[i]
		x.Keys = append(x.Keys, ExportedKey{Kind: "passkey", Label: k.Label, Created: k.Created.UTC(), Used: k.Used.UTC()})
	}
	logins, _, err := r.db.Logins(ctx, id, "")
	if err != nil {
		return nil, err
	}
	for _, l := range logins {
		x.Keys = append(x.Keys, ExportedKey{Kind: "login", Label: l.Label, Created: l.Created.UTC(), Used: l.Seen.UTC()})
	}
	things, err := r.db.AllThings(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, t := range things {
		e := ExportedThing{Kind: t.Kind, Name: t.Name, Changed: t.Changed.UTC()}
		if json.Valid([]byte(t.Value)) {
			e.Value = json.RawMessage(t.Value)
		}
		switch {
		case t.Games != nil && t.Kind == Games:
			e.Rounds = t.Games.ToArray()
		case t.Games != nil:
			e.Records = t.Games.ToArray()
		}
		x.Things = append(x.Things, e)
	}
	return x, nil
}
