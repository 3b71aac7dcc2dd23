package view

import "time"

// Me is who sends requests, and what that gives.
type Me struct {
	ID         string   `json:"id" doc:"Of the profile; empty for who has none"`
	Name       string   `json:"name" doc:"Of the profile; empty for who has none"`
	Role       string   `json:"role" enum:"stranger,reader,guest,member,editor,owner" doc:"What one may do; on the own machine everybody is the owner"`
	Local      bool     `json:"local" doc:"Only this machine can reach the server: names are chosen, and nobody logs in"`
	Secure     bool     `json:"secure" doc:"The connection is encrypted"`
	Waits      bool     `json:"waits" doc:"Records that one sends wait for an editor"`
	Passkeys   bool     `json:"passkeys" doc:"A passkey can be made and used here: the address is a name, and the connection is encrypted or stays on this machine"`
	Operations []string `json:"operations" doc:"Ids of the operations that one may ask for"`
}

// Person is a profile.
type Person struct {
	ID      string    `json:"id" doc:"Random, and never given again"`
	Name    string    `json:"name" doc:"What others see"`
	Role    string    `json:"role" enum:"guest,member,editor,owner" doc:"What the profile may do where others can reach the server"`
	Created time.Time `json:"created" doc:"When it was made"`
}

// People lists the profiles of a library.
type People struct {
	People []Person `json:"people" doc:"By name"`
}

// NewPerson makes a profile.
type NewPerson struct {
	Name string `json:"name" minLength:"1" maxLength:"400" doc:"A line of at most 60 characters that nobody else has"`
	Role string `json:"role,omitempty" enum:"guest,member,editor,owner," doc:"Default: member"`
}

// PersonChange changes a profile; what is left out stays.
type PersonChange struct {
	Name string `json:"name,omitempty" maxLength:"400" doc:"Another name"`
	Role string `json:"role,omitempty" enum:"guest,member,editor,owner," doc:"Another role, which holds at once"`
}

// KeyLink is a new key. It is told this once.
type KeyLink struct {
	Key     string     `json:"key" doc:"The key itself"`
	Address string     `json:"address" doc:"The page that logs its bearer in; the key is behind the #, which browsers do not send"`
	QR      string     `json:"qr" doc:"The address as a picture to be scanned: an SVG"`
	Expires *time.Time `json:"expires,omitempty" doc:"Until when it is good; without it until it is revoked"`
}

// Enter logs in.
type Enter struct {
	Key string `json:"key" minLength:"1" maxLength:"200" doc:"Of a link or from the list of keys"`
}

// KeyRow is a key of a profile, without its secret.
type KeyRow struct {
	ID      string     `json:"id" doc:"Names it in this list; it opens nothing"`
	Label   string     `json:"label" doc:"What its owner calls it"`
	Once    bool       `json:"once" doc:"It is the link of an invitation, good for one log-in"`
	Created time.Time  `json:"created" doc:"When it was made"`
	Expires *time.Time `json:"expires,omitempty" doc:"Until when it is good"`
	Used    *time.Time `json:"used,omitempty" doc:"When it was used last"`
	Revoked *time.Time `json:"revoked,omitempty" doc:"Since when it is good for nothing"`
}

// LoginRow is a browser that has logged in.
type LoginRow struct {
	ID      string    `json:"id" doc:"Names it in this list; it opens nothing"`
	Label   string    `json:"label" doc:"What kind of browser it is"`
	Here    bool      `json:"here" doc:"It is the one that asks"`
	Created time.Time `json:"created" doc:"When it logged in"`
	Seen    time.Time `json:"seen" doc:"When it came last, to the hour"`
	Expires time.Time `json:"expires" doc:"When it is logged out if it does not come back"`
}

// PasskeyRow is a passkey of a profile.
type PasskeyRow struct {
	ID      string     `json:"id" doc:"Names it in this list; it opens nothing"`
	Label   string     `json:"label" doc:"The browser that it was made in"`
	Site    string     `json:"site" doc:"The name of the server that it is bound to"`
	Created time.Time  `json:"created" doc:"When it was made"`
	Used    *time.Time `json:"used,omitempty" doc:"When it was used last"`
}

// PasskeyOffer is what a browser needs to make a passkey, or to ask one.
type PasskeyOffer struct {
	Challenge  string   `json:"challenge" doc:"To be signed, once, within five minutes"`
	Site       string   `json:"site" doc:"The name of the server that passkeys are bound to"`
	User       string   `json:"user,omitempty" doc:"Of a new passkey: the id of the profile"`
	Name       string   `json:"name,omitempty" doc:"Of a new passkey: the name of the profile"`
	Algorithms []int    `json:"algorithms,omitempty" doc:"Of a new passkey: what it may sign by, the best first"`
	Have       []string `json:"have,omitempty" doc:"Of a new passkey: those that the profile has; base64url, as all bytes here"`
}

// NewPasskey is a passkey that an authenticator has made.
type NewPasskey struct {
	Client string `json:"client" maxLength:"6000" doc:"clientDataJSON of the answer"`
	Data   string `json:"data" maxLength:"12000" doc:"The data of the authenticator"`
}

// PasskeyAnswer is a challenge that a passkey has signed.
type PasskeyAnswer struct {
	ID        string `json:"id" maxLength:"1400" doc:"By which the authenticator knows the passkey"`
	User      string `json:"user" maxLength:"100" doc:"The user handle of the answer"`
	Client    string `json:"client" maxLength:"6000" doc:"clientDataJSON of the answer"`
	Data      string `json:"data" maxLength:"12000" doc:"The data of the authenticator"`
	Signature string `json:"signature" maxLength:"1400" doc:"Of both"`
}

// Access lists how somebody gets in.
type Access struct {
	Keys     []KeyRow     `json:"keys" doc:"The newest first"`
	Passkeys []PasskeyRow `json:"passkeys" doc:"The newest first"`
	Logins   []LoginRow   `json:"logins" doc:"The one seen last first"`
}

// NewKey names a key.
type NewKey struct {
	Label string `json:"label,omitempty" maxLength:"80" doc:"What to call it"`
}

// OwnLabel is a tag or a collection of somebody's own.
type OwnLabel struct {
	Name  string `json:"name" doc:"What it is called"`
	Games int    `json:"games" doc:"Records that have it"`
}

// OwnLabels are those of a profile, which nobody else sees.
type OwnLabels struct {
	Tags        []OwnLabel `json:"tags" doc:"The one changed last first"`
	Collections []OwnLabel `json:"collections" doc:"The one changed last first"`
}
