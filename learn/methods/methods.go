// Package methods lists the ways of learning, and keeps what was learnt in files.
package methods

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"qipu/engine"
	"qipu/game"
	"qipu/learn"
	"qipu/learn/fitted"
	"qipu/learn/griffith"
	"qipu/learn/samuel"
)

// Ground is what is learnt about: a game, and its factors.
type Ground struct {
	Rules   game.Rules
	Factors engine.Factors // nil where the game has none
	Quiet   any            // what knows which moves must be read before a position is judged; may be nil
}

// Method is a way of learning.
type Method struct {
	*learn.Card
	Counts bool // it needs factors

	New  func(g *Ground, seed uint64) learn.Learner
	read func(text []byte, g *Ground) (learn.Model, error)
}

// reader reads a model that counts factors.
func reader[M any, P interface {
	*M
	learn.Model
	With(engine.Factors) error
}](text []byte, g *Ground) (learn.Model, error) {
	m := P(new(M))
	if err := json.Unmarshal(text, m); err != nil {
		return nil, err
	}
	return m, m.With(g.Factors)
}

// All lists them, the oldest first.
func All() []Method {
	return []Method{
		{&samuel.Card1959, true, func(g *Ground, _ uint64) learn.Learner { return samuel.NewPolynomial(g.Factors) }, reader[samuel.Polynomial]},
		{&samuel.Card1967, true, func(g *Ground, _ uint64) learn.Learner { return samuel.NewSignature(g.Factors) }, reader[samuel.Signature]},
		{&griffith.Card1974, false, func(g *Ground, _ uint64) learn.Learner { return griffith.New(g.Rules) }, func(text []byte, g *Ground) (learn.Model, error) {
			m := new(griffith.Table)
			if err := json.Unmarshal(text, m); err != nil {
				return nil, err
			}
			return m, m.With(g.Rules)
		}},
		{&fitted.CardNow, true, func(g *Ground, seed uint64) learn.Learner { return fitted.New(g.Factors, seed) }, reader[fitted.Model]},
	}
}

// ErrUnknown tells that no method has a name.
var ErrUnknown = errors.New("no method of learning has this name")

// Find returns the method of a name.
func Find(name string) (Method, error) {
	for _, m := range All() {
		if m.Name == name {
			return m, nil
		}
	}
	return Method{}, fmt.Errorf("%w: %q", ErrUnknown, name)
}

// Fits tells why a method cannot learn a game, if so.
func (m *Method) Fits(g *Ground) error {
	if m.Counts && g.Factors == nil {
		return fmt.Errorf("%s needs factors, and %s has none: griffith74 learns every game", m.Name, g.Rules.Info().Titles.En)
	}
	return nil
}

// version is that of the files.
const version = 1

// Taught is what was learnt, with how.
type Taught struct {
	Version int             `json:"version"`
	Method  string          `json:"method"`
	Game    string          `json:"game"`
	Query   string          `json:"query"`
	Games   int             `json:"games"`
	Seed    uint64          `json:"seed"`
	Held    int             `json:"held"`   // positions of openings that were kept aside
	First   float64         `json:"first"`  // share of them in which the move that was made is liked most
	Chance  float64         `json:"chance"` // the same by chance
	C       float64         `json:"c"`      //
	Model   json.RawMessage `json:"model"`
}

// most bounds the files that are read, in bytes.
const most = 64 << 20

// Save writes what was learnt, at once or not at all.
func (t *Taught) Save(path string, m learn.Model) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	t.Version, t.Model = version, text
	if text, err = json.Marshal(t); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".taught-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(append(text, '\n'))
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// Read reads what was learnt, without its model.
func Read(path string) (*Taught, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%s: larger than %d bytes", path, most)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := new(Taught)
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(t); err != nil {
		return nil, fmt.Errorf("%s: what was taught cannot be read: %w", path, err)
	}
	if t.Version != version {
		return nil, fmt.Errorf("%s: taught by version %d of this method, and this program has version %d: teach it anew", path, t.Version, version)
	}
	return t, nil
}

// Open returns the model.
func (t *Taught) Open(g *Ground) (learn.Model, error) {
	m, err := Find(t.Method)
	if err != nil {
		return nil, err
	}
	if err := m.Fits(g); err != nil {
		return nil, err
	}
	model, err := m.read(t.Model, g)
	if err != nil {
		return nil, fmt.Errorf("what %s learnt: %w", t.Method, err)
	}
	return model, nil
}
