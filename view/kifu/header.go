package kifu

import (
	"fmt"
	"strings"

	"qipu/board"
	"qipu/board/picture/pdf"
	"qipu/record"
)

// The words of a header.
var (
	komi     = board.Names{En: "Komi", Hant: "貼目", Hans: "贴目", Ja: "コミ", Ko: "덤"}
	handicap = board.Names{En: "Handicap", Hant: "讓子", Hans: "让子", Ja: "置石", Ko: "접바둑"}
	nobody   = "?"
)

// name returns a player as headers have it.
func (k *kifu) name(side int) string {
	p := k.p.Game.Facts.Players[side]
	name := p.Name
	if name == "" {
		name = nobody
	}
	if p.Team != "" {
		name = p.Team + " " + name
	}
	if rank := p.Rank.String(); rank != "" {
		name += " " + rank
	} else if p.Rating > 0 {
		name += fmt.Sprintf(" (%d)", p.Rating)
	}
	return name
}

func (k *kifu) title() string { return k.name(0) + " – " + k.name(1) }

// header writes who played, where, when and how it ended.
func (k *kifu) header(s *sheet) {
	f := &k.p.Game.Facts
	s.paragraph(k.title(), pdf.Style{Size: s.size + 5, Bold: true})
	lang := k.o.Language
	line := func(parts ...string) {
		var list []string
		for _, p := range parts {
			if p = strings.TrimSpace(p); p != "" {
				list = append(list, p)
			}
		}
		if len(list) > 0 {
			s.paragraph(strings.Join(list, " · "), pdf.Style{Size: s.size, Gray: 0.3})
		}
	}
	line(k.info.Titles.In(lang), f.Event, f.Round, f.Place, f.Date.SGF())
	var more []string
	if f.Komi.Known {
		more = append(more, komi.In(lang)+" "+f.Komi.String())
	}
	if f.Handicap > 1 {
		more = append(more, fmt.Sprintf("%s %d", handicap.In(lang), f.Handicap))
	}
	result := f.Result.SGF(record.SidesOf(k.p.Rules))
	if result == "0" {
		result = "½–½"
	}
	more = append(more, f.Opening, result)
	line(more...)
	s.rule()
}
