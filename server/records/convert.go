package records

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"qipu/ingest"
	"qipu/record"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/recordview"
)

func (s *room) registerConvert() {
	api.Register(s.Service, api.Harmless.InTurn(), http.MethodPost, "/convert", "convert", "tools", "Write records in another format; nothing is stored", s.convert)
}

type convertInput struct {
	Body struct {
		Text     string `json:"text" maxLength:"1048576" doc:"Records in any format that is text"`
		Name     string `json:"name,omitempty" maxLength:"400" doc:"Of the file, where it is known"`
		To       string `json:"to" minLength:"1" maxLength:"40" doc:"The format"`
		Notation string `json:"notation,omitempty" maxLength:"40" doc:"Of the moves, where the format takes several"`
	}
}

// maxFaults bounds how many faults of a text are told.
const maxFaults = 1000

func (s *room) convert(ctx context.Context, in *convertInput) (*view.Converted, error) {
	b := &in.Body
	f, err := s.formatOf(b.To)
	if err != nil {
		return nil, err
	}
	if _, several := f.(record.SetWriter); several {
		return nil, api.Bad("several-files", "Import the records, and export them.", "%s needs several files", f.Info().Title)
	}
	if err := s.Wait(ctx); err != nil {
		return nil, err
	}
	w := &view.Converted{Format: f.Info().Name, Faults: []view.Fault{}}
	fault := func(x *record.Fault) {
		if len(w.Faults) < maxFaults {
			w.Faults = append(w.Faults, recordview.FaultOf(len(w.Faults)+1, x))
		}
	}
	var games []*record.Game
	_, err = ingest.Run(ctx, ingest.Options{
		Formats: s.Lib.Records().Formats(), Games: s.Lib.Records().Rules(), Workers: 1, OnFault: fault,
		Stdin: ingest.Input{Name: b.Name, Reader: strings.NewReader(b.Text)},
		Sink: ingest.SinkFunc(func(p *record.Played) error {
			g, err := record.Fit(f, p, b.Notation)
			if err == nil {
				err = record.CheckWrite(f, g)
			}
			if err != nil {
				fault(&record.Fault{Severity: record.Rejected, Kind: "inexpressible", Place: p.Game.Place, Reason: err.Error()})
				return nil
			}
			games = append(games, g)
			return nil
		}),
	}, "-")
	if err != nil {
		return nil, err
	}
	if f.Info().Single && len(games) > 1 {
		return nil, api.Bad("several-records", "Choose another format, or convert them one by one.", "a file of %s holds one record, and there are %d", f.Info().Title, len(games))
	}
	w.Records = len(games)
	if len(games) == 0 {
		return w, nil
	}
	var out bytes.Buffer
	if err := f.(record.Writer).Write(&out, slices.Values(games)); err != nil {
		return nil, err
	}
	if w.Binary = !utf8.Valid(out.Bytes()) || bytes.IndexByte(out.Bytes(), 0) >= 0; w.Binary {
		w.Text = base64.StdEncoding.EncodeToString(out.Bytes())
	} else {
		w.Text = out.String()
	}
	return w, nil
}
