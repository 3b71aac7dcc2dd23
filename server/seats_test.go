package server

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"qipu/server/api"
	"qipu/view"
)

// TestSeats has two people play at two screens: one has a profile, the other a name that
// he says. Who watches cannot do anything, whatever key he sends; nothing that he is told
// has a key; and the record is found as one of the profile's own.
func TestSeats(t *testing.T) {
	w := newWorld(t)
	handler := w.Guard.Wrap(w.handler)
	ask := func(status int, method, path, body, seat, cookie string, into any) string {
		t.Helper()
		r := httptest.NewRequest(method, "http://localhost"+api.Prefix+path, strings.NewReader(body))
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		if seat != "" {
			r.Header.Set("Qipu-Seat", seat)
		}
		if cookie != "" {
			r.Header.Set("Cookie", "qipu-login="+cookie)
		}
		a := httptest.NewRecorder()
		handler.ServeHTTP(a, r)
		if a.Code != status {
			t.Fatalf("%s %s: %d, want %d: %.300s", method, path, a.Code, status, a.Body)
		}
		if into != nil {
			if err := json.Unmarshal(a.Body.Bytes(), into); err != nil {
				t.Fatal(err)
			}
		}
		for _, k := range a.Result().Cookies() {
			return k.Value
		}
		return a.Body.String()
	}
	var p view.Person
	ask(200, "POST", "/people", `{"name":"Ada"}`, "", "", &p)
	ada := ask(200, "POST", "/people/"+p.ID+"/choose", "", "", "", nil)

	var a, b, seen view.Session
	ask(422, "POST", "/sessions", `{"game":"xiangqi","invite":true,"name":"A\u202eda"}`, "", "", nil)
	ask(422, "POST", "/sessions", `{"game":"xiangqi","invite":true,"name":"`+strings.Repeat("x", 90)+`"}`, "", "", nil)
	ask(200, "POST", "/sessions", `{"game":"xiangqi","invite":true,"periods":3,"period":30,"minutes":10}`, "", ada, &a)
	if a.Seats == nil || a.Seats.You != 0 || len(a.Seats.Key) < 26 || a.Players[0].Name != "Ada" || !a.Seats.Draws {
		t.Fatalf("%+v", a.Seats)
	}
	game := "/sessions/" + a.ID
	move := game + "/moves"
	ask(409, "POST", move, `{"move":"h2e2"}`, a.Seats.Key, "", nil) // nobody has come
	var old, invitation view.Invitation
	ask(403, "POST", game+"/invite", "", "", "", nil)
	ask(200, "POST", game+"/invite", "", a.Seats.Key, "", &old)
	ask(200, "POST", game+"/invite", "", "", ada, &invitation) // known without the key
	if !strings.Contains(invitation.Address, "s="+a.ID) || !strings.HasSuffix(invitation.Address, "#"+invitation.Key) || !strings.HasPrefix(invitation.QR, "<svg") {
		t.Errorf("%+v", invitation)
	}
	ask(409, "POST", game+"/sit", `{"name":"Mallory"}`, old.Key, "", nil)
	ask(422, "POST", game+"/sit", `{"name":"B\u0007"}`, invitation.Key, "", nil)
	ask(200, "POST", game+"/sit", `{"name":"Bea"}`, invitation.Key, "", &b)
	if b.Seats.You != 1 || b.Seats.Key == invitation.Key || b.Players[1].Name != "Bea" || !b.Seats.Known[0] || b.Seats.Known[1] {
		t.Errorf("%+v", b)
	}
	ask(409, "POST", game+"/sit", `{"name":"Mallory"}`, invitation.Key, "", nil)

	for _, key := range []string{"", invitation.Key, a.ID, strings.Repeat("A", 26), b.Seats.Key[:25]} {
		for path, body := range map[string]string{"/moves": `{"move":"h2e2"}`, "/resign": "", "/undo": "", "/offer": `{"what":"draw"}`, "/decline": "", "/invite": "", "/resume": "", "/agree": `{}`, "/marks": `{"points":[0],"dead":true}`, "/rematch": ""} {
			status := 403
			if path == "/rematch" {
				status = 409 // it goes on
			}
			ask(status, "POST", game+path, body, key, "", nil)
		}
	}
	text := ask(200, "GET", game, "", "", "", &seen)
	if seen.Seats.You != -1 || seen.Seats.Key != "" || strings.Contains(text, a.Seats.Key) || strings.Contains(text, p.ID) || seen.Version != b.Version {
		t.Errorf("who watches is told %s", text)
	}
	if ask(200, "GET", game, "", b.Seats.Key, "", &seen); seen.Seats.You != 1 || seen.Seats.Key != "" {
		t.Errorf("%+v", seen.Seats)
	}
	ask(409, "POST", move, `{"move":"h2e2"}`, b.Seats.Key, "", nil) // it is not his turn
	ask(200, "POST", move, `{"move":"h2e2"}`, a.Seats.Key, "", nil)
	ask(409, "POST", game+"/undo", "", a.Seats.Key, "", nil)
	ask(200, "POST", move, `{"move":"h9g7"}`, b.Seats.Key, "", nil)
	ask(200, "POST", game+"/offer", `{"what":"draw"}`, a.Seats.Key, "", nil)
	ask(200, "POST", game+"/decline", "", b.Seats.Key, "", nil)
	ask(200, "POST", game+"/resign", "", b.Seats.Key, "", &seen)
	if seen.Result == nil || seen.Result.Winner != 0 || seen.Result.Record == 0 || seen.Players[1].Name != "Bea" {
		t.Fatalf("%+v", seen.Result)
	}
	if own, err := w.lib.People().PlayedHere(t.Context(), p.ID); err != nil || own[0] == nil || own[0].GetCardinality() != 1 || own[1] != nil {
		t.Errorf("%v, %v: it is not among Ada's games", own, err)
	}
	ask(403, "POST", game+"/rematch", "", "", "", nil)
	ask(200, "POST", game+"/rematch", "", b.Seats.Key, "", &b)
	if ask(200, "GET", game, "", "", "", &seen); seen.Seats.Next != b.ID || b.Seats.You != 0 || b.Players[1].Name != "Ada" || b.Clock.Periods[0] != 3 {
		t.Errorf("%+v %+v", seen.Seats, b)
	}
	if ask(200, "POST", "/sessions/"+b.ID+"/sit", `{}`, "", ada, &a); a.Seats.You != 1 || !a.Seats.Taken[1] {
		t.Errorf("%+v", a.Seats)
	}
	if own, err := w.lib.People().PlayedHere(t.Context(), p.ID); err != nil || own[1] == nil || own[1].GetCardinality() != 1 {
		t.Errorf("%v, %v: the rematch is not among Ada's games", own, err)
	}
}
