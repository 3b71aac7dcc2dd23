package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"qipu/internal/testkit"
	"qipu/library"
	"qipu/sample"
	"qipu/server/api"
	"qipu/store/people"
	"qipu/view"
)

// TestCrowd has many profiles play, search, tag and answer at once while an import runs: nobody is
// refused, and everybody has what is his. A hundred of them at full scale.
//
//qipu:race
func TestCrowd(t *testing.T) {
	crowd, rounds := 8, 2
	if os.Getenv("QIPU_SCALE") == "full" {
		crowd, rounds = 100, 5
	}
	ctx, lib := t.Context(), newLibrary(t)
	files := filepath.Join(t.TempDir(), "games")
	if err := os.CopyFS(files, sample.Files()); err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Import(ctx, library.ImportOptions{}, files); err != nil {
		t.Fatal(err)
	}
	// How long anybody waits for a turn depends on what else the machine does; that nobody is
	// refused who waits does not.
	_, base := served(t, lib, func(o *Options) { o.Wait = testkit.Patience })
	logins := make([]string, crowd)
	for i := range logins {
		p, err := lib.People().Add(ctx, fmt.Sprintf("Person %d", i), people.Member)
		if err != nil {
			t.Fatal(err)
		}
		if logins[i], err = lib.People().Choose(ctx, p.ID, "test"); err != nil {
			t.Fatal(err)
		}
	}
	importing := make(chan error, 1)
	var text bytes.Buffer
	for i := range 50 * crowd {
		fmt.Fprintf(&text, "(;GM[1]SZ[9]PB[A%d]PW[B%d];B[%c%c];W[gg];B[cc])\n", i, i, 'a'+i%9, 'a'+i/9%6)
	}
	if err := os.WriteFile(filepath.Join(files, "many.sgf"), text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		_, err := lib.Import(ctx, library.ImportOptions{BatchGames: 20}, filepath.Join(files, "many.sgf"))
		importing <- err
	}()
	var mu sync.Mutex
	var took []time.Duration
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() {
			one := &person{login: logins[i], base: base + api.Prefix}
			if err := one.live(i, rounds); err != nil {
				t.Errorf("person %d: %v", i, err)
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, one.took...)
		})
	}
	wg.Wait()
	if err := <-importing; err != nil {
		t.Error(err)
	}
	if len(took) == 0 {
		t.Fatal("nobody has asked for anything")
	}
	slices.Sort(took)
	t.Logf("%d profiles, %d requests: p50 %v, p99 %v, at most %v", crowd, len(took), percentile(took, 50), percentile(took, 99), took[len(took)-1])
}

// person is a profile that has logged in.
type person struct {
	login, base string
	took        []time.Duration
}

func (p *person) ask(method, path, body string, into any) error {
	r, err := http.NewRequest(method, p.base+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	r.Header.Set("Cookie", "qipu-login="+p.login)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	began := time.Now()
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	p.took = append(p.took, time.Since(began))
	if err == nil && reply.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %d %.200s", method, path, reply.StatusCode, text)
	}
	if err == nil && into != nil {
		err = json.Unmarshal(text, into)
	}
	return err
}

// live plays, searches, tags and answers.
func (p *person) live(i, rounds int) error {
	for n := range rounds {
		var s view.Session
		if err := p.ask("POST", "/sessions", `{"game":"othello","side":"first","level":1,"name":"P"}`, &s); err != nil {
			return err
		}
		if err := p.ask("POST", "/sessions/"+s.ID+"/moves", `{"move":"f5","version":0}`, nil); err != nil {
			return err
		}
		for _, step := range [][3]string{
			{"GET", "/find?q=player:Demo", ""},
			{"POST", "/queries/note", fmt.Sprintf(`{"query":"moves>%d"}`, n)},
			{"POST", "/me/labels/tag", fmt.Sprintf(`{"query":"player:Demo","add":["mine %d %d"]}`, i, n)},
			{"GET", "/me/labels", ""},
			{"POST", "/me/boxes", fmt.Sprintf(`{"deck":"d","key":"%d","right":false}`, n)},
			{"POST", "/sessions/" + s.ID + "/resign", ""},
			{"GET", "/me/career?from=here", ""},
		} {
			if err := p.ask(step[0], step[1], step[2], nil); err != nil {
				return err
			}
		}
	}
	var c view.Career
	until := time.Now().Add(testkit.Patience)
	for {
		if err := p.ask("GET", "/me/career?from=here", "", &c); err != nil {
			return err
		}
		if c.Score.Games == rounds {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("%d games of %d are there", c.Score.Games, rounds)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
