// Package profiles is who uses a library: names, roles, the keys by which people are
// known, and what they keep for themselves.
//
//	room := profiles.Open(dir)
//	p, err := room.Add(ctx, "Anna", people.Member)
//	key, err := room.Invite(ctx, p.ID)
//	p, login, err := room.Enter(ctx, key, "Firefox")
//
// An invitation is spent by the first who uses it; what lasts is the log-in, which is a
// new secret each time. Whoever wants to log in elsewhere makes a key, or another
// invitation. Nothing private stands in the catalogue of the library: see
// [qipu/store/people].
package profiles
