// Package passkey checks what authenticators sign: passkeys, by the parts of Web
// Authentication, level 3 (https://www.w3.org/TR/webauthn-3/) that a server needs which
// asks for no attestation: whoever made an authenticator is as good as anybody else.
//
//	d := passkey.NewDesk()
//	challenge := d.Challenge("enter") // to the page, which has the authenticator sign it
//	count, err := d.Verify("enter", site, key, signed)
//
// A challenge is good for one purpose, once, for five minutes, in this process alone. It
// carries its own seal, so that those that nobody answers take no memory; those that were
// answered rightly are known until they end.
//
// Of the three kinds of keys that authenticators make the public part is read from what
// they send, and from nothing that a page adds. Everything that a page sends is bounded
// before it is looked at.
package passkey
