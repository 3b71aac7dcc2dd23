package records

import (
	"context"
	"fmt"
	"strings"

	"qipu/board"
	"qipu/cli"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/ingest"
	"qipu/record"
	"qipu/record/score"
)

// checkedScore is a record whose result was checked, as check --score --json
// prints it.
type checkedScore struct {
	File       string   `json:"file"`
	Number     int      `json:"number"`
	Agrees     bool     `json:"agrees"`
	Recorded   string   `json:"recorded"`
	Judged     string   `json:"judged"`
	Difference float64  `json:"difference"` // points
	Rules      string   `json:"rules"`      // that the record names; "" for none
	Scoring    string   `json:"scoring"`    // "area" or "territory"
	Ended      bool     `json:"ended"`      // by two passes
	Unclear    []string `json:"unclear"`    // first stones of strings that the judgement is not sure of
	Marks      string   `json:"marks"`      // what the territory marks of the record count; "" for none
	Readings   []string `json:"readings"`   // other ways to count by which the record is right
}

// countedScores counts what was checked.
type countedScores struct {
	Records  int `json:"records"`
	Counted  int `json:"counted"` // games of Go that were counted and ended by passes
	Agree    int `json:"agree"`
	Disagree int `json:"disagree"`
	Open     int `json:"open"`     // counted, but the record ends before the game did
	Broken   int `json:"broken"`   // counted, but the moves cannot be played to the end
	Rejected int `json:"rejected"` // files and records that cannot be read
}

// checkScores judges the last boards of counted games and lists those whose
// results differ.
func checkScores(ctx context.Context, a *cli.App, flags *cli.ReadFlags, all bool, paths []string) error {
	o, err := a.Options(flags)
	if err != nil {
		return err
	}
	c := &scoreChecker{app: a, all: all}
	o.Prepare = func() func(*record.Played) ingest.Deliver {
		j := judge.New()
		return func(p *record.Played) ingest.Deliver {
			x := auditRecord(j, p)
			return func(context.Context) error { return c.record(p, x) }
		}
	}
	o.OnFault = func(f *record.Fault) {
		if f.Severity == record.Rejected && c.wrong == nil {
			c.wrong = c.fault(f)
		}
	}
	if a.CSV {
		if err := a.PrintRow("file", "number", "agrees", "recorded", "judged", "difference", "rules", "scoring", "ended", "unclear", "marks", "readings"); err != nil {
			return err
		}
	}
	report, err := a.Ingest(ctx, o, paths)
	if err == nil {
		err = c.wrong
	}
	if err != nil {
		return err
	}
	c.total.Rejected = report.Rejected
	if err := c.totals(); err != nil {
		return err
	}
	switch {
	case c.total.Disagree > 0 || c.total.Broken > 0 || c.total.Rejected > 0:
		return cli.Silent(cli.ExitData)
	case c.total.Counted+c.total.Open == 0:
		return a.Nothing("there is no counted game of Go in it: want results in points, such as B+3.5")
	}
	return nil
}

// audited is what a worker makes of a record.
type audited struct {
	board  *score.Board
	audit  *score.Audit
	broken error
}

// auditRecord judges the end of a game that was counted; nil for other records.
func auditRecord(j *judge.Judge, p *record.Played) *audited {
	if _, ok := score.Margin(p.Game.Facts.Result); !ok || p.Game.Kind != weiqi.Standard.Info().Name {
		return nil
	}
	b, err := score.FromRecord(p)
	if err != nil {
		return &audited{broken: err}
	}
	r, err := j.Judge(b.Position(), judge.Options{})
	if err != nil {
		return &audited{broken: err}
	}
	return &audited{board: b, audit: b.Audit(&r.Judgement)}
}

// scoreChecker prints what check --score finds, as it is found.
type scoreChecker struct {
	app   *cli.App
	all   bool
	total countedScores
	wrong error // of printing a fault
}

// fault prints what is wrong with a file or a record; in CSV there is no place for
// it.
func (c *scoreChecker) fault(f *record.Fault) error {
	switch {
	case c.app.JSON:
		return c.app.PrintJSON(faultLine(f))
	case c.app.CSV:
		return nil
	}
	_, err := fmt.Fprintf(c.app.Out, "%v: %s\n", f.Severity, cli.Printable(f.Error()))
	return err
}

func (c *scoreChecker) record(p *record.Played, x *audited) error {
	c.total.Records++
	if x == nil {
		return nil
	}
	place := &p.Game.Place
	if x.broken != nil {
		c.total.Broken++
		return c.fault(&record.Fault{Severity: record.Marked, Kind: record.KindIllegal, Place: *place, Reason: strings.TrimPrefix(x.broken.Error(), "score: ")})
	}
	agrees := x.audit.Off() == 0
	switch {
	case !x.board.Ended && !x.board.Labelled:
		c.total.Open++
		if !c.all {
			return nil
		}
	case agrees:
		c.total.Counted++
		c.total.Agree++
		if !c.all {
			return nil
		}
	default:
		c.total.Counted++
		c.total.Disagree++
	}
	return c.show(place, x, agrees)
}

func (c *scoreChecker) show(place *record.Place, x *audited, agrees bool) error {
	b, a := x.board, x.audit
	s := checkedScore{
		File: place.File, Number: place.Number, Agrees: agrees, Recorded: score.Text(a.Recorded), Judged: score.Text(a.Judged),
		Difference: float64(a.Off()) / 2, Scoring: "area", Ended: b.Ended, Unclear: pointNames(b.Rules, a.Unclear), Readings: []string{},
	}
	if a.Scoring == weiqi.Territory {
		s.Scoring = "territory"
	}
	if b.Named {
		s.Rules = b.Rules.RuleSet().Name
	}
	if a.HasMark {
		s.Marks = score.Text(a.Marked)
	}
	for _, r := range a.Agrees {
		s.Readings = append(s.Readings, string(r))
	}
	switch {
	case c.app.JSON:
		return c.app.PrintJSON(cli.Typed("score", s))
	case c.app.CSV:
		return c.app.PrintRow(s.File, fmt.Sprint(s.Number), fmt.Sprint(agrees), s.Recorded, s.Judged, score.Points(a.Off()), s.Rules, s.Scoring,
			fmt.Sprint(s.Ended), strings.Join(s.Unclear, " "), s.Marks, strings.Join(s.Readings, " "))
	}
	_, err := fmt.Fprintf(c.app.Out, "%s: game %d: %s\n", cli.Printable(s.File), s.Number, s.sentence(a))
	return err
}

// sentence tells of one record.
func (s *checkedScore) sentence(a *score.Audit) string {
	rules := s.Rules + " rules"
	if s.Rules == "" {
		rules = "no rules named, by " + s.Scoring
	}
	text := fmt.Sprintf("recorded %s, judged %s (%s)", s.Recorded, s.Judged, rules)
	if !s.Agrees {
		points := "points"
		if a.Off() == 2 {
			points = "point"
		}
		text += fmt.Sprintf(": %s %s apart", score.Points(a.Off()), points)
	}
	for _, r := range a.Agrees {
		text += "; " + readingTexts[r]
	}
	switch {
	case !a.HasMark:
	case a.Marked == a.Recorded && !s.Agrees:
		text += "; the marks of the record agree with its result"
	case a.Marked != a.Recorded:
		text += "; the marks of the record count " + s.Marks
	}
	if !s.Ended && !a.HasMark {
		text += "; the record ends before the game did"
	}
	if len(s.Unclear) > 0 {
		text += "; unclear: " + strings.Join(s.Unclear, " ")
	}
	return text
}

var readingTexts = map[score.Reading]string{
	score.ByArea:      "it agrees by area",
	score.ByTerritory: "it agrees by territory",
	score.NoReturn:    "it agrees without points for the handicap",
	score.NoKomi:      "it agrees without komi",
	score.OtherSide:   "the same margin for the other side",
}

// pointNames writes points, never as nil.
func pointNames(r game.Rules, points []board.Point) []string {
	names := []string{}
	for _, p := range points {
		names = append(names, game.FormatMove(r, nil, game.Drop(p), game.AnyNotation))
	}
	return names
}

func (c *scoreChecker) totals() error {
	t := &c.total
	if c.app.CSV {
		return nil
	}
	if c.app.JSON {
		return c.app.PrintJSON(cli.Typed("total", t))
	}
	return c.app.Print(totals{
		{"records", "", t.Records}, {"records", "counted", t.Counted}, {"records", "agree", t.Agree}, {"records", "disagree", t.Disagree},
		{"records", "end before the game did", t.Open}, {"records", "cannot be played", t.Broken}, {"records", "cannot be read", t.Rejected},
	}.table())
}
