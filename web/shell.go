package web

import (
	"html"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Languages returns the languages of the client as BCP 47 tags. The first is
// the one for everybody else.
func Languages() []string { return []string{"en", "zh-Hant", "zh-Hans", "ja", "ko"} }

// renderShell fills the names of this build into index.html. All of them are
// ours, and they are escaped all the same.
func renderShell(shell []byte, lang, script, style, texts string, preload []string) []byte {
	var links strings.Builder
	for _, name := range preload {
		links.WriteString(`<link rel="modulepreload" href="` + html.EscapeString(name) + "\">\n")
	}
	return []byte(strings.NewReplacer(
		"{{lang}}", html.EscapeString(lang),
		"{{script}}", html.EscapeString(script),
		"{{style}}", html.EscapeString(style),
		"{{preload}}\n", links.String(),
		"{{i18n}}", html.EscapeString(texts),
	).Replace(string(shell)))
}

// choose picks the language of the shell from an Accept-Language header. It is
// a first guess for what is shown before the client runs; the client knows the
// user's own choice.
func choose(header string) string {
	best, weight := Languages()[0], 0.0
	for tag, q := range weighted(header) {
		if lang := supported(tag); lang != "" && q > weight {
			best, weight = lang, q
		}
	}
	return best
}

// supported maps a language tag to a language of the client, or to "".
func supported(tag string) string {
	parts := strings.Split(strings.ToLower(tag), "-")
	switch parts[0] {
	case "zh", "cmn", "yue":
		traditional := func(p string) bool { return p == "hant" || p == "tw" || p == "hk" || p == "mo" || p == "yue" }
		if !slices.Contains(parts, "hans") && slices.ContainsFunc(parts, traditional) {
			return "zh-Hant"
		}
		return "zh-Hans"
	}
	if slices.Contains(Languages(), parts[0]) {
		return parts[0]
	}
	return ""
}

// weighted yields the values of a header like "ja, en;q=0.5" with their
// weights, in the order of the header. A weight that is none counts as 0.
func weighted(header string) iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for part := range strings.SplitSeq(header, ",") {
			name, params, _ := strings.Cut(part, ";")
			q := 1.0
			if v, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
				if n, err := strconv.ParseFloat(v, 64); err == nil && n >= 0 && n <= 1 {
					q = n
				} else {
					q = 0
				}
			}
			if name = strings.TrimSpace(name); name != "" && !yield(name, q) {
				return
			}
		}
	}
}

// failurePage is the page of a client that could not be bundled. It stands on
// its own: no style, since the policy of the server allows none inline.
func failurePage(text string) []byte {
	return []byte("<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light dark\">" +
		"<title>Qipu: the client is not bundled</title>\n<h1>The client could not be bundled</h1>\n" +
		"<p>Mend the sources and load this page again. The API under /api/v1 works without the client.</p>\n<pre>" +
		html.EscapeString(text) + "</pre>\n</html>\n")
}
