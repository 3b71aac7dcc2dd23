package guard

import (
	"mime"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// etagSuffix marks the entity tag of a compressed answer, which is another
// entity than the plain one.
const etagSuffix = "-gzip"

// compress returns a handler whose answers are compressed where the client
// takes it and it is worth it. Only gzip is used: one encoding means one tag
// besides the plain one, and little memory.
func compress(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.EnableZstd(false), gzhttp.ContentTypeFilter(compressible), gzhttp.SuffixETag(etagSuffix),
	)
	if err != nil {
		return next // the options are constant and right, as the tests see
	}
	return wrap(next)
}

// compressible reports media types that are text. Events are not: each has to
// go at once, and most are too small to gain.
func compressible(contentType string) bool {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	switch t {
	case "text/event-stream":
		return false
	case "application/json", "application/javascript", "application/x-ndjson", "application/yaml", "application/x-go-sgf":
		return true
	}
	return strings.HasPrefix(t, "text/") || strings.HasSuffix(t, "+json") || strings.HasSuffix(t, "+xml") || strings.HasSuffix(t, "+yaml")
}

// plainETags gives the handler the tags that it knows, without the mark of the
// compressed answer. If-Range is left alone: the range of a plain answer does
// not fit to a part of a compressed one.
func plainETags(r *http.Request) {
	for _, k := range []string{"If-None-Match", "If-Match"} {
		if v := r.Header.Get(k); strings.Contains(v, etagSuffix+`"`) {
			r.Header = r.Header.Clone()
			r.Header.Set(k, strings.ReplaceAll(v, etagSuffix+`"`, `"`))
		}
	}
}
