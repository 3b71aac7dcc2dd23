// Package drill is the room of the server in which people practise: sessions, answers, and
// sets that are made for others.
package drill

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/library/ask"
	"qipu/library/drill"
	"qipu/record"
	"qipu/server/api"
	"qipu/store"
	"qipu/view"
	"qipu/view/drillview"
	"qipu/view/gameview"
	"qipu/view/recordview"
)

type room struct {
	*api.Service
	desk *drill.Desk
}

// Register registers what can be asked here.
func Register(service *api.Service) {
	s := &room{Service: service}
	if s.Lib != nil {
		s.desk = drill.NewDesk(s.Lib.Records(), s.Lib.Records().Endings())
	}
	s.Mean(drill.ErrNoSet, http.StatusNotFound, "not-found", "List the sets that there are.")
	s.Mean(drill.ErrFull, http.StatusConflict, "too-many", "Remove some first.")
	s.Mean(drill.ErrName, http.StatusUnprocessableEntity, "name", "Write another name.")
	api.Get(s.Service, api.Mine.InTurn(), "/drill/session", "drill-session", "drill", "What one should practise now, from everywhere or of one set", s.session)
	api.Register(s.Service, api.Keeping, http.MethodPost, "/drill/answers", "drill-answer", "drill", "Keep what one has answered: answers of any device and however late, each once", s.answer)
	api.Get(s.Service, api.Mine, "/drill/sets", "drill-sets", "drill", "Sets of exercises that were made for others", s.sets)
	api.Register(s.Service, api.Teaching, http.MethodPost, "/drill/sets", "make-drill-set", "drill", "Make a set of the games that a query finds; it takes up to half a minute", s.make)
	api.Get(s.Service, api.Mine.InTurn(), "/drill/sets/{id}", "drill-sheet", "drill", "All exercises of a set, to print them", s.sheet)
	api.Register(s.Service, api.Teaching, http.MethodDelete, "/drill/sets/{id}", "drop-drill-set", "drill", "Remove a set that one has made", s.drop)
	api.Register(s.Service, api.Keeping, http.MethodPut, "/drill/sets/{id}/consent", "drill-consent", "drill", "Let the owner of a set see how one does, or no more", s.consent)
	api.Get(s.Service, api.Mine, "/drill/sets/{id}/class", "drill-class", "drill", "How those do who let the owner of the set see it: for that owner alone", s.class)
}

// owner is who practises on his own machine without a profile.
const owner = "owner"

// mine returns the person who asks.
func (s *room) mine(ctx context.Context) (string, error) {
	if id := store.Who(ctx); id != "" {
		return id, nil
	}
	if s.Owns(ctx) {
		return owner, nil
	}
	return "", api.Conflict("no-profile", "Choose a name, or log in.", "this is kept for profiles, and you have none")
}

type sessionInput struct {
	Game  string `query:"game" maxLength:"100" doc:"Only exercises of this kind of game, as a spec"`
	Set   string `query:"set" maxLength:"100" doc:"Only those of this set"`
	Count int    `query:"count" minimum:"1" maximum:"100" default:"10" doc:"How many at most: ten take about ten minutes"`
	api.Writing
}

// guesses is how many of the exercises ask what a player chose.
const guesses = 2

func (s *room) session(ctx context.Context, in *sessionInput) (*drillview.DrillSession, error) {
	person, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	w := &drillview.DrillSession{Items: []drillview.DrillItem{}, Themes: []drillview.DrillTheme{}}
	var set drill.Set
	if in.Set != "" {
		if set, err = s.desk.Set(in.Set); err != nil {
			return nil, err
		}
		x := setOf(&set, person)
		w.Set = &x
	}
	if in.Game != "" {
		if err := s.Meant(in.Game); err != nil {
			return nil, err
		}
	}
	if err := s.Wait(ctx); err != nil {
		return nil, err
	}
	answers, err := s.desk.Answers(person)
	if err != nil {
		return nil, err
	}
	all, records, err := s.gather(ctx, person, in)
	if err != nil {
		return nil, err
	}
	if in.Set == "" {
		err := s.guess(ctx, in.Game, func(list []drill.Exercise) { all = append(all, list...) }, records)
		if err != nil {
			return nil, err
		}
	}
	now := time.Now()
	deck := drill.NewDeck(all, answers)
	w.Rating = ratingOf(deck.Person)
	for _, t := range deck.Themes() {
		w.Themes = append(w.Themes, drillview.DrillTheme{Name: t.Name, Done: t.Done, Right: t.Right})
	}
	// One session is no drill of a single theme, unless there is nothing else.
	var due, later []drill.State
	fresh := map[string]int{}
	for _, st := range deck.States(now) {
		if !st.Due.IsZero() && st.Due.After(now) {
			break
		}
		if fresh[st.Theme]++; in.Set == "" && st.Due.IsZero() && fresh[st.Theme] > 2 {
			later = append(later, st)
			continue
		}
		due = append(due, st)
	}
	for _, st := range append(due, later...) {
		if len(w.Items) >= in.Count {
			if !st.Due.IsZero() {
				w.Left++
			}
			continue
		}
		item, err := s.item(&st, in.Write)
		if err != nil {
			continue // of a game or a rule that this program does not have
		}
		item.Record = records[st.ID]
		w.Items = append(w.Items, *item)
	}
	if id := store.Who(ctx); id != "" {
		cards, err := s.Lib.People().Boxes(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, c := range cards {
			if !c.Due.After(now) {
				w.Cards++
			}
		}
	}
	return w, nil
}

// gather returns the exercises that there are for somebody, and the records of those that
// are of the library.
func (s *room) gather(ctx context.Context, person string, in *sessionInput) (all []drill.Exercise, records map[string]uint32, err error) {
	records = map[string]uint32{}
	of := func(list []drill.Exercise) {
		for _, e := range list {
			if in.Game == "" || e.Game == in.Game {
				all = append(all, e)
			}
		}
	}
	if in.Set != "" {
		list, err := s.desk.Exercises(in.Set)
		of(list)
		return all, records, err
	}
	sets, err := s.desk.Sets()
	if err != nil {
		return nil, nil, err
	}
	for _, x := range sets {
		list, err := s.desk.Exercises(x.ID)
		if err != nil {
			return nil, nil, err
		}
		of(list)
	}
	for _, r := range s.Lib.Records().Rules() {
		if in.Game == "" || in.Game == r.Info().Name {
			list, err := s.desk.Endings(r)
			if err != nil {
				return nil, nil, err
			}
			of(list)
		}
	}
	if person != owner {
		if err := s.own(ctx, person, of, records); err != nil {
			return nil, nil, err
		}
	}
	return all, records, nil
}

// own adds the mistakes of somebody, as far as reviews know what was better.
func (s *room) own(ctx context.Context, person string, of func([]drill.Exercise), records map[string]uint32) error {
	reviews, err := s.Lib.People().Reviews(ctx, person)
	if err != nil {
		return err
	}
	const most = 60
	sides := map[uint32]int{}
	for _, here := range []bool{false, true} {
		seats, err := s.Lib.Careers().Seats(ctx, person, here, "")
		if err != nil {
			return err
		}
		for i := range seats {
			if side := int(seats[i].Side); side <= 1 {
				sides[seats[i].Game.ID] = side
			}
		}
	}
	referee := record.NewReferee(s.Lib.Records().Rules())
	n := 0
	for i := range reviews {
		v := &reviews[i]
		side, ok := sides[v.Record]
		if !ok || n >= most {
			continue
		}
		g, _, err := s.Lib.Records().Record(ctx, v.Record)
		if err != nil {
			continue // it was deleted, or cannot be read
		}
		p := referee.Play(g)
		for _, bad := range v.Bad {
			if bad.Side != side || bad.Best == "" || bad.Mark == "inaccuracy" || n >= most {
				continue
			}
			at, err := record.At(p, bad.Ply-1)
			if err != nil {
				continue
			}
			if e, ok := drill.Own(p.Rules, at, bad.Best, bad.Move); ok {
				e.Source, e.Ply, e.Proof = recordview.TitleOf(g), bad.Ply-1, v.By
				records[e.ID] = v.Record
				of([]drill.Exercise{e})
				n++
			}
		}
	}
	return nil
}

// guess adds what a player chose, in some games of the library that change from day to day.
func (s *room) guess(ctx context.Context, spec string, of func([]drill.Exercise), records map[string]uint32) error {
	text := "moves>30"
	if spec != "" {
		text += " game:" + spec
	}
	found, err := s.Lib.Ask(ctx, &ask.Question{Text: text})
	if err != nil || found.Found.IsEmpty() {
		return nil // an empty library has no masters
	}
	rng := rand.New(rand.NewPCG(uint64(time.Now().Unix()/86400), 7))
	referee := record.NewReferee(s.Lib.Records().Rules())
	for made, try := 0, 0; made < guesses && try < 8; try++ {
		id, err := found.Found.Select(uint32(rng.Uint64N(found.Found.GetCardinality())))
		if err != nil {
			continue
		}
		g, _, err := s.Lib.Records().Record(ctx, id)
		if err != nil {
			continue
		}
		p := referee.Play(g)
		if len(p.Steps) < 20 {
			continue
		}
		ply := 10 + rng.IntN(len(p.Steps)-15)
		at, err := record.At(p, ply)
		if err != nil || p.Steps[ply].Move == game.Pass {
			continue
		}
		if e, ok := drill.Guess(p.Rules, at, p.Steps[ply].Move); ok {
			e.Source, e.Ply = recordview.TitleOf(g), ply
			records[e.ID] = id
			of([]drill.Exercise{e})
			made++
		}
	}
	return nil
}

// item writes an exercise as it is done.
func (s *room) item(st *drill.State, write string) (*drillview.DrillItem, error) {
	k, err := s.Kinds.Find(st.Game)
	if err != nil {
		return nil, err
	}
	at, err := k.Stand(st.Position, 0, "")
	if err != nil {
		return nil, err
	}
	if at.Write, err = k.Notation(write); err != nil {
		return nil, err
	}
	m, err := k.Parse(at.Pos, st.Move)
	if err != nil {
		return nil, err
	}
	w := &drillview.DrillItem{
		Exercise: st.ID, Game: k.Spec, Position: *at.Position(true), Kind: st.Kind, Theme: st.Theme, Answer: at.Move(at.Pos, m, at.Write), Line: s.line(at, st.Line),
		Plies: st.Plies, Proof: st.Proof, Source: st.Source, Ply: st.Ply, Played: st.Played, Rating: ratingOf(st.Rating), Times: st.Memory.Times,
	}
	if played, err := k.Parse(at.Pos, st.Played); err == nil && st.Played != "" {
		w.Played = at.Move(at.Pos, played, at.Write).Text
	}
	return w, nil
}

// line reads moves, as far as they can be read.
func (s *room) line(at *gameview.Standing, texts []string) []view.Move {
	var moves []game.Move
	for _, text := range texts {
		m, err := at.Parse(at.Pos, text)
		if err != nil || at.Pos.Play(m) != nil {
			break
		}
		moves = append(moves, m)
	}
	for range moves {
		at.Pos.Undo()
	}
	return at.Ahead(moves)
}

func ratingOf(r drill.Rating) drillview.DrillRating {
	return drillview.DrillRating{Points: view.Rounded(r.Points), Within: view.Rounded(1.96 * r.Doubt)}
}

type answerInput struct{ Body drillview.DrillAnswers }

// ahead is how far a clock may be ahead of ours.
const ahead = 24 * time.Hour

func (s *room) answer(ctx context.Context, in *answerInput) (*drillview.DrillNoted, error) {
	person, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	var list []drill.Answer
	for _, a := range in.Body.Answers {
		if a.Exercise == "" || a.At.IsZero() || a.At.After(time.Now().Add(ahead)) {
			return nil, api.Bad("answer", "Set the clock right, and send it again.", "an answer has an exercise, and a time that is not to come")
		}
		list = append(list, drill.Answer{At: a.At.UTC(), Exercise: a.Exercise, Right: a.Right})
	}
	if len(list) > 0 {
		if err := s.desk.Answer(ctx, person, list); err != nil {
			return nil, err
		}
	}
	all, _, err := s.gather(ctx, person, &sessionInput{})
	if err != nil {
		return nil, err
	}
	answers, err := s.desk.Answers(person)
	return &drillview.DrillNoted{Rating: ratingOf(drill.NewDeck(all, answers).Person), Kept: len(answers)}, err
}

func setOf(x *drill.Set, person string) drillview.DrillSet {
	w := drillview.DrillSet{ID: x.ID, Name: x.Name, Query: x.Query, Made: x.Made.UTC(), Exercises: x.Exercises, Own: x.Owner == person}
	for _, p := range x.Class {
		w.Seen = w.Seen || p == person
	}
	return w
}

func (s *room) sets(ctx context.Context, _ *struct{}) (*drillview.DrillSets, error) {
	person, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.desk.Sets()
	w := &drillview.DrillSets{Sets: []drillview.DrillSet{}}
	for i := range list {
		w.Sets = append(w.Sets, setOf(&list[i], person))
	}
	return w, err
}

type makeInput struct{ Body drillview.MakeDrillSet }

// How long a set may be worked at, how many games are read for it, and by how many positions.
const (
	longestMaking = 30 * time.Second
	makingNodes   = 8000
	makingMost    = 60
)

// make cuts a set. Who makes one keeps a processor busy, and waits for his turn.
func (s *room) make(ctx context.Context, in *makeInput) (*drillview.DrillSet, error) {
	person, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	k, err := s.Kinds.Find(in.Body.Game)
	if err != nil {
		return nil, err
	}
	found, err := s.Lib.Ask(ctx, &ask.Question{Text: in.Body.Query, Game: k.Spec})
	if err != nil {
		return nil, err
	}
	if err := s.Wait(ctx); err != nil {
		return nil, err
	}
	e, err := s.Lib.Records().Engine(k.Rules, engine.Options{})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	search := &drill.Search{Engine: e, Nodes: makingNodes, Most: 2}
	until, stop := context.WithTimeout(ctx, longestMaking)
	defer stop()
	referee := record.NewReferee(s.Lib.Records().Rules())
	referee.Trace = true
	var list []drill.Exercise
	for it := found.Found.Iterator(); it.HasNext() && len(list) < makingMost && until.Err() == nil; {
		g, _, err := s.Lib.Records().Record(ctx, it.Next())
		if err != nil {
			continue // what cannot be read has no exercises
		}
		p := referee.Play(g)
		cut, err := drill.Cut(s.Lib.Records().Endings(), p, recordview.TitleOf(g))
		if err != nil {
			return nil, err
		}
		if len(cut) == 0 && !e.Info().Points {
			if cut, err = search.Cut(until, p, recordview.TitleOf(g)); err != nil && until.Err() == nil {
				return nil, err
			}
		}
		list = append(list, cut...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, api.Bad("no-exercises", "Name other games, or more of them.", "in none of these games one move alone is right, as far as half a minute shows")
	}
	x, err := s.desk.Make(ctx, drill.Set{Name: in.Body.Name, Query: in.Body.Query, Owner: person, Made: time.Now().UTC()}, list)
	w := setOf(&x, person)
	return &w, err
}

// SetInput names a set. It is embedded, which needs an exported type.
type SetInput struct {
	ID string `path:"id" maxLength:"100" doc:"The identifier of a set"`
}

type sheetInput struct {
	SetInput
	api.Writing
}

func (s *room) sheet(ctx context.Context, in *sheetInput) (*drillview.DrillSession, error) {
	person, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	set, err := s.desk.Set(in.ID)
	if err != nil {
		return nil, err
	}
	if err := s.Wait(ctx); err != nil {
		return nil, err
	}
	list, err := s.desk.Exercises(in.ID)
	if err != nil {
		return nil, err
	}
	x := setOf(&set, person)
	w := &drillview.DrillSession{Items: []drillview.DrillItem{}, Themes: []drillview.DrillTheme{}, Set: &x}
	for i := range list {
		if item, err := s.item(&drill.State{Exercise: list[i], Rating: list[i].Start}, in.Write); err == nil {
			w.Items = append(w.Items, *item)
		}
	}
	return w, nil
}

// made returns a set that who asks has made.
func (s *room) made(ctx context.Context, id string) (x drill.Set, person string, err error) {
	if person, err = s.mine(ctx); err != nil {
		return x, person, err
	}
	if x, err = s.desk.Set(id); err == nil && x.Owner != person && !s.Owns(ctx) {
		err = api.Conflict("not-yours", "Ask who has made it.", "this set is somebody else's")
	}
	return x, person, err
}

func (s *room) drop(ctx context.Context, in *SetInput) (*api.Nothing, error) {
	if _, _, err := s.made(ctx, in.ID); err != nil {
		return nil, err
	}
	if err := s.Wait(ctx); err != nil {
		return nil, err
	}
	return nil, s.desk.Drop(ctx, in.ID)
}

type consentInput struct {
	SetInput
	Body drillview.DrillConsent
}

func (s *room) consent(ctx context.Context, in *consentInput) (*api.Nothing, error) {
	person, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	return nil, s.desk.Consent(ctx, in.ID, person, in.Body.Yes)
}

func (s *room) class(ctx context.Context, in *SetInput) (*drillview.DrillClass, error) {
	x, person, err := s.made(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	list, err := s.desk.Exercises(in.ID)
	if err != nil {
		return nil, err
	}
	of := map[string]bool{}
	for _, e := range list {
		of[e.ID] = true
	}
	w := &drillview.DrillClass{Set: setOf(&x, person), Pupils: []drillview.DrillPupil{}}
	for _, id := range x.Class {
		pupil := drillview.DrillPupil{Name: id}
		if p, err := s.Lib.People().Profile(ctx, id); err == nil {
			pupil.Name = p.Name
		} else if id != owner {
			continue // who has gone is in no class
		}
		answers, err := s.desk.Answers(id)
		if err != nil {
			return nil, err
		}
		last := map[string]bool{}
		for _, a := range answers {
			if of[a.Exercise] {
				last[a.Exercise] = a.Right
				pupil.Last = a.At.UTC().Format(time.RFC3339)
			}
		}
		for _, right := range last {
			if pupil.Done++; right {
				pupil.Right++
			}
		}
		w.Pupils = append(w.Pupils, pupil)
	}
	return w, nil
}
