package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"qipu/server/api"
	"qipu/view"
)

// TestPeople walks through the life of a profile on the own machine: a name is made and
// chosen, keeps things, is seen by keys and log-ins, and goes.
func TestPeople(t *testing.T) {
	w := newWorld(t)
	handler := w.Guard.Wrap(w.handler)
	cookie := ""
	ask := func(status int, method, path, body string, into any) {
		t.Helper()
		r := httptest.NewRequest(method, "http://localhost"+api.Prefix+path, strings.NewReader(body))
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		if cookie != "" {
			r.Header.Set("Cookie", "qipu-login="+cookie)
		}
		a := httptest.NewRecorder()
		handler.ServeHTTP(a, r)
		if a.Code != status {
			t.Fatalf("%s %s: %d, want %d: %.300s", method, path, a.Code, status, a.Body)
		}
		for _, k := range a.Result().Cookies() {
			if cookie = k.Value; k.MaxAge < 0 {
				cookie = ""
			}
		}
		if into != nil {
			if err := json.Unmarshal(a.Body.Bytes(), into); err != nil {
				t.Fatal(err)
			}
		}
	}
	var p, other view.Person
	ask(200, "POST", "/people", `{"name":"My daughter"}`, &p)
	ask(200, "POST", "/people", `{"name":"Me","role":"owner"}`, &other)
	ask(409, "GET", "/me/access", "", nil) // nobody is chosen
	ask(200, "POST", "/people/"+p.ID+"/choose", "", nil)
	var me view.Me
	if ask(200, "GET", "/me", "", &me); me.Name != "My daughter" || me.Role != "owner" || !me.Local || cookie == "" {
		t.Errorf("%+v", me)
	}
	ask(200, "PUT", "/me", `{"name":"Mia"}`, nil)
	ask(200, "PUT", "/people/"+other.ID, `{"name":"I","role":"editor"}`, nil)

	ask(204, "POST", "/queries/note", `{"query":"board:\"XO\"","game":"othello"}`, nil)
	ask(200, "PUT", "/queries/mine", `{"query":"player:Demo"}`, nil)
	var saved view.SavedList
	if ask(200, "GET", "/queries", "", &saved); len(saved.Queries) < 1 || saved.Queries[0].Name != "mine" {
		t.Errorf("%+v", saved)
	}
	ask(204, "POST", "/queries/mine/rename", `{"name":"hers"}`, nil)
	ask(200, "GET", "/find?q=named:hers", "", nil)
	ask(204, "DELETE", "/queries/hers", "", nil)

	ask(200, "POST", "/me/labels/tag", `{"query":"player:Demo","add":["dear"]}`, nil)
	var labels view.OwnLabels
	if ask(200, "GET", "/me/labels", "", &labels); len(labels.Tags) != 1 || labels.Tags[0].Games == 0 {
		t.Errorf("%+v", labels)
	}
	var all struct{ Things []struct{ Kind, Name string } }
	if ask(200, "GET", "/me/export", "", &all); len(all.Things) == 0 {
		t.Error("nothing is exported")
	}
	ask(204, "DELETE", "/me/labels/tag/dear", "", nil)

	var link view.KeyLink
	ask(200, "POST", "/me/keys", `{"label":"phone"}`, &link)
	if !strings.Contains(link.Address, "/enter#"+link.Key) || !strings.HasPrefix(link.QR, "<svg") {
		t.Errorf("%+v", link)
	}
	ask(200, "POST", "/me/link", "", &link)
	ask(200, "POST", "/enter", `{"key":"`+link.Key+`"}`, nil) // the log-in of before ends
	var access view.Access
	if ask(200, "GET", "/me/access", "", &access); len(access.Keys) != 2 || len(access.Logins) != 1 || !access.Logins[0].Here {
		t.Errorf("%+v", access)
	}
	for _, k := range access.Keys {
		if !k.Once {
			ask(204, "DELETE", "/me/keys/"+k.ID, "", nil)
		}
	}
	ask(200, "POST", "/people/"+other.ID+"/link", "", &link)
	ask(204, "DELETE", "/people/"+other.ID+"/keys", "", nil)
	ask(http.StatusUnauthorized, "POST", "/enter", `{"key":"`+link.Key+`"}`, nil)
	ask(204, "DELETE", "/me/logins/"+access.Logins[0].ID, "", nil)
	ask(200, "POST", "/people/"+p.ID+"/choose", "", nil)
	ask(204, "DELETE", "/me", "", nil)
	if ask(200, "GET", "/me", "", &me); me.ID != "" || cookie != "" {
		t.Errorf("%+v, %q", me, cookie)
	}
	ask(204, "DELETE", "/people/"+other.ID, "", nil)
	ask(204, "POST", "/leave", "", nil)
}
