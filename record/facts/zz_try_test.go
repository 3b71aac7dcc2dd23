package facts

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestTry(t *testing.T) {
	for _, f := range strings.Fields(os.Getenv("TRY")) {
		fh, _ := os.Open("/tmp/facts-work/" + f)
		sc := bufio.NewScanner(fh)
		sc.Buffer(nil, 1<<20)
		for sc.Scan() {
			p := strings.Split(sc.Text(), "\t")
			q := p[len(p)-1]
			q = strings.ReplaceAll(strings.Trim(q, "'\""), "\"", "\\\"")
			v, err := strconv.Unquote("\"" + q + "\"")
			if err != nil {
				fmt.Println("ERR", q)
				continue
			}
			var out string
			switch {
			case strings.Contains(f, "Date") || strings.HasPrefix(f, "DT"):
				out = ParseDate(v).String()
			case strings.HasPrefix(f, "RE"):
				r := ParseResult("weiqi", v)
				out = fmt.Sprintf("%v %s how=%s", r.Verdict, r, r.How)
			case strings.HasPrefix(f, "BR"):
				out = ParseRank(v).String()
			case strings.HasPrefix(f, "KM"):
				out = ParseKomi(v).String()
			case strings.HasPrefix(f, "RU"):
				out = ParseRuleset(v)
			}
			fmt.Printf("%s\t%q\t=> %s\n", p[0], v, out)
		}
	}
}
