package house

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// policy is the import policy: a package may import only the packages of this
// module that its line names. A new package fails the test until its line is
// added, here and in docs/ARCHITECTURE.md. The order is that of the
// dependencies: a line names only packages above it.
const policy = `
remedy             :
remedy/shellwords    : remedy
board              :
board/draw         : board
board/picture      :
board/picture/pdf  : board/picture
board/boardtest    : board
board/picture/pdf/pdftest :
segment            :
game               : board
game/weiqi         : board game
game/weiqi/tactics : board game game/weiqi
game/weiqi/life    : board game game/weiqi
game/weiqi/life/stringgraph : board game game/weiqi/life
game/weiqi/life/proof/tiny : game/weiqi/life
game/weiqi/life/proof : board game/weiqi/life game/weiqi/life/proof/tiny
game/weiqi/life/pn : 
game/weiqi/life/search : board game game/weiqi game/weiqi/life game/weiqi/life/proof game/weiqi/life/pn
game/weiqi/life/tsumego : board game game/weiqi game/weiqi/life game/weiqi/life/proof game/weiqi/life/pn
game/weiqi/life/verdict : board game/weiqi game/weiqi/tactics game/weiqi/life game/weiqi/life/stringgraph
game/weiqi/judge   : board game game/weiqi game/weiqi/tactics game/weiqi/life game/weiqi/life/stringgraph game/weiqi/life/proof game/weiqi/life/search game/weiqi/life/verdict
game/othello       : board game
game/xiangqi/attack : board game
game/xiangqi       : board game game/xiangqi/attack
game/renju         : board game
game/chess/attack  :
game/chess/chesstest :
game/chess         : board game game/chess/attack
game/checkers/squares : board
game/checkers      : board game game/checkers/squares
game/kalah         : board game
game/tictactoe     : board game
game/connect4      : board game
game/hex           : board game
game/nim           : board game
game/switching     : board game
record/facts       :
record/charset     :
record             : board game record/charset record/facts
record/study        : board record
record/score       : board game game/weiqi game/weiqi/life record record/facts
record/sgf/split   : record record/charset
record/sgf         : board record record/charset record/facts record/sgf/split
record/gib         : board record record/facts record/charset
record/ngf         : board record record/facts record/charset
record/ugf         : board record record/facts record/charset
record/discs       : record record/charset record/facts
record/wthor       : record record/discs record/facts
record/ggf         : record record/discs record/facts
record/transcript  : record record/charset record/discs record/facts
record/epd          : record record/charset
record/acf          : game/checkers/squares record record/facts
record/pdn          : game/checkers/squares record record/facts
record/obf         : record record/discs record/facts
record/fen         :
record/pgn         : record record/facts record/charset record/fen
record/xqf         : record record/facts record/charset record/fen
record/cbridge     : record record/facts record/charset record/fen
record/cbf         : record record/facts record/charset record/fen
record/dhtmlxq     : record record/facts record/charset record/fen
record/renlib      : board record record/facts record/charset
record/rif         : board record record/facts record/charset
record/psq         : board record record/facts record/charset
text               :
record/caption     : record/facts text
workshop/textgen           : text
text/term          : board text
pattern            : board game
pattern/describe   : board game pattern
pattern/window     : board game pattern
pattern/textbase   : text
pattern/kb         : board pattern pattern/textbase pattern/window
workshop/parallel  :
workshop/mine/classify : board pattern pattern/kb
workshop/mine      : board game game/weiqi pattern pattern/kb pattern/window record workshop/mine/classify workshop/parallel
pattern/kb/shipped : pattern/kb
pattern/advise     : board game game/weiqi game/weiqi/tactics pattern pattern/kb pattern/window
pattern/prior      : board game game/weiqi pattern/window
interval           : board game pattern
pattern/relation/syntax : board game pattern pattern/textbase text
pattern/relation   : board game interval pattern pattern/relation/syntax
pattern/relation/shipped : pattern/relation/syntax
query              : board game interval pattern record/facts text
query/moves        : board game interval pattern
query/bind         : board game interval pattern query query/moves record/facts text
index              : board game pattern interval query record record/facts text
book               : board game record record/facts segment
engine/trace       : game
engine             : board engine/trace game
engine/swap        : board engine game
book/theory/internal/graph : board book engine game segment
book/theory        : book book/theory/internal/graph engine game segment
book/theory/exchange : board book book/theory book/theory/internal/graph engine game
play               : board engine engine/swap game record record/facts
store              : book/theory index interval play record record/facts segment remedy
internal/filelock      :
store/shard/internal/salvage :
store/shard/internal/catalog : book book/theory engine internal/filelock play record record/facts store store/shard/internal/salvage
store/shard/internal/retell : board game index interval query record record/facts
store/shard/internal/marks : index interval segment
store/shard/internal/table : game index interval segment store/shard/internal/marks text
store/beside       :
store/people       : store/beside
store/sheets       : record/study store/beside
store/dedupe       : store index query record record/facts
store/shard        : store store/people store/shard/internal/catalog store/shard/internal/retell game index store/dedupe store/shard/internal/marks store/shard/internal/table interval query record record/facts segment text remedy book book/theory play store/sheets
store/cluster/wire : index remedy store
store/cluster/ledger : index remedy store store/cluster/wire game query
store/cluster/rows : store index interval query store/cluster/ledger store/cluster/wire store/dedupe text
store/cluster/data : board game index record record/facts remedy store store/cluster/ledger store/cluster/rows store/cluster/wire store/dedupe text
store/cluster/changes : store/cluster/ledger store/cluster/wire
store/cluster/marks : game index interval store store/cluster/ledger store/cluster/wire
store/cluster/search : game index interval query remedy store/cluster/ledger store/cluster/marks store/cluster/wire
store/cluster      : game index interval remedy store store/cluster/data store/cluster/ledger store/cluster/marks store/cluster/changes store/cluster/search store/cluster/wire
store/staging         : store game index store/cluster store/dedupe store/shard interval query record remedy store/cluster/data store/cluster/ledger store/cluster/changes store/cluster/wire
store/remote       : book book/theory game index interval play record record/facts remedy store
retrieve           : board game index interval pattern query record/facts
ingest             : game record
engine/net         :
engine/sight       : board engine/net game game/weiqi game/weiqi/judge game/weiqi/life
workshop/counted   : board engine/sight game game/weiqi game/weiqi/judge game/weiqi/life ingest record record/score
engine/alphabeta   : board engine engine/trace game
engine/simple      : board engine game game/checkers
engine/classic     : board engine engine/trace game
engine/exact       : board game game/kalah game/weiqi
engine/patterned   : engine game pattern pattern/relation pattern/relation/shipped pattern/relation/syntax
engine/endgame      : board engine game interval segment
engine/tree         : board engine game
engine/nnue         :
engine/mating       : engine game
engine/chess        : board engine engine/trace engine/tree game game/chess game/chess/attack
engine/xiangqi      : board engine engine/mating engine/nnue engine/trace engine/tree game game/xiangqi game/xiangqi/attack
engine/reversi/eval :
engine/reversi     : board engine engine/reversi/eval engine/trace game game/othello
engine/renju       : board engine engine/trace game game/renju
engine/shaped      : board game pattern/kb pattern/kb/shipped pattern/window
engine/puct        : board engine engine/shaped engine/sight game game/weiqi game/weiqi/judge game/weiqi/life game/weiqi/life/proof game/weiqi/tactics
engine/factors     : board engine game game/checkers game/othello game/xiangqi
engine/external    : board engine game
engine/guests      : engine engine/external game
engine/external/tricks : board game game/othello game/renju game/weiqi game/xiangqi
opening            : board book engine game interval pattern text
opening/ecco       : board game interval
named              : board engine/endgame game interval opening opening/ecco pattern pattern/relation pattern/relation/syntax query text
review             : board engine game record remedy
protocol           : board engine game record
protocol/gtp       : board board/draw engine engine/trace game protocol record review
protocol/gomocup   : board engine engine/swap game protocol
protocol/nboard    : board engine game protocol record review
protocol/uci       : engine game protocol
arena              : board engine game opening play record record/facts
workshop/learn      : board engine/reversi engine/reversi/eval game game/othello record game/weiqi pattern/prior workshop/parallel
workshop/learn/judging : game/weiqi/judge game/weiqi/life game/weiqi/life/proof game/weiqi/life/verdict workshop/counted workshop/parallel
learn              : board engine game record
learn/samuel       : engine game learn record
learn/griffith     : board game learn record
learn/fitted       : engine game learn record
learn/methods      : engine game learn learn/fitted learn/griffith learn/samuel
learn/bots         : engine engine/alphabeta game learn
builtin            : board engine learn/bots learn/methods engine/factors engine/alphabeta engine/chess engine/patterned engine/puct engine/renju engine/sight engine/simple engine/reversi engine/xiangqi game game/weiqi game/weiqi/judge game/othello game/xiangqi game/renju game/chess game/checkers game/kalah game/tictactoe game/connect4 game/hex game/nim game/switching record record/sgf record/gib record/ngf record/ugf record/wthor record/ggf record/transcript record/obf record/pgn record/xqf record/cbridge record/cbf record/dhtmlxq record/epd record/pdn record/acf record/renlib record/rif record/psq
sample             :
mine/dataset       :
mine/dataset/datasettest : mine/dataset
mine/tree          : mine/dataset
mine/cluster       : mine/dataset
mine/profile       : board game index interval query mine/dataset
mine/rules         : mine/dataset
library/knowledge  : board engine/endgame game game/weiqi game/weiqi/judge game/weiqi/life index named pattern pattern/advise pattern/kb pattern/kb/shipped pattern/relation pattern/relation/shipped pattern/relation/syntax pattern/window query remedy segment text
library            : engine engine/endgame game index ingest interval library/knowledge play record record/facts remedy segment store store/remote store/shard store/staging store/people store/sheets
library/backups    : game library store
library/fetch      : internal/filelock library segment
library/cache      :
library/livebook   : board book book/theory engine game index library play record store
library/courses    : book book/theory engine engine/sight game game/weiqi index library record record/score store
library/librarian  : book book/theory engine game index library/livebook library engine/sight library/courses
library/profiles   : store store/people text
library/studies    : game library record record/study store store/sheets
library/players    : index library library/cache query record/caption remedy retrieve store text
library/ask        : board game index library library/cache library/knowledge library/players named pattern pattern/describe pattern/kb query query/bind record record/facts remedy retrieve store text text/term
library/career     : game library library/ask library/players pattern play query record record/facts retrieve store
library/drill      : engine engine/endgame game record
library/results    : board game library play record record/facts record/score store
library/cleanup    : library library/cache record/caption record/charset record/facts store text
mine/gather        : board engine game index interval library library/ask library/knowledge mine/dataset named query record/facts retrieve
mine/report        : library library/ask mine/dataset mine/gather mine/rules
mine/queue         : library library/ask library/knowledge pattern/kb pattern/relation/syntax retrieve store
mine/alike         : index library library/ask library/cache library/knowledge library/players mine/cluster mine/dataset mine/gather mine/profile named query record store
.                  : builtin game index library library/ask library/career library/knowledge library/livebook library/players library/profiles play record retrieve store book library/cleanup library/studies
server/stream      :
server/guard       :
server/passkey      :
server/passkey/passkeytest : server/passkey
server/memo        :
view        : board
view/gameview      : board board/draw engine game index library/cache opening opening/ecco record view
view/recordview    : board board/draw game record view view/gameview engine/sight record/study
view/drillview     : view
view/alikeview     : index mine/alike mine/dataset mine/profile mine/tree record/facts view
view/kifu          : board board/draw board/picture board/picture/pdf game record
view/answerview    : board game index library library/ask library/cache library/players pattern query query/bind record record/facts retrieve store view view/gameview view/recordview
view/bookview      : book book/theory engine game retrieve review view view/answerview view/gameview library/librarian library/livebook
view/playview      : board library/profiles engine engine/endgame engine/trace game play record review view view/gameview
view/journalview   : record/facts store view library/cleanup
view/careerview    : game index library/career library/players library/profiles query record retrieve view view/answerview view/gameview
view/studyview     : board game index library/profiles library/studies record record/study store store/sheets view view/answerview view/recordview
view/labview       : engine engine/classic engine/trace game view view/playview
view/libraryview   : library record store view view/gameview
view/shapeview     : engine/endgame board engine game game/weiqi game/weiqi/judge game/weiqi/life library/ask library/knowledge named pattern pattern/advise pattern/kb pattern/prior pattern/relation/syntax query retrieve text text/term view view/recordview mine/queue
view/teachview     :
view/mineview      : mine/dataset mine/queue mine/report mine/rules view
server/jobs        : game ingest internal/filelock library library/fetch query record record/charset segment store view view/recordview
server/api         : . engine/guests game index library library/ask library/fetch library/knowledge query record retrieve server/guard server/memo server/stream store view view/answerview view/gameview view/recordview store/people library/studies store/sheets
server/search      : game index library/ask pattern query retrieve server/api server/stream store text view view/answerview view/bookview view/gameview
server/records     : board board/draw game ingest query record record/facts retrieve server/api server/guard store view view/answerview view/gameview view/journalview view/libraryview view/recordview library/cleanup view/kifu board/picture
server/studies     : game library/studies record record/study server/api server/guard server/stream store store/sheets view/answerview view/gameview view/studyview
server/knowledge   : board engine engine/sight game game/weiqi game/weiqi/judge library/knowledge server/guard named pattern/advise pattern/kb record/score server/api text text/term view view/gameview view/shapeview library/courses record view/recordview mine/queue
server/manage      : library/backups . game index library/players record sample server/api server/guard server/jobs server/stream store text view view/answerview view/gameview view/libraryview
server/insights    : mine/gather mine/queue mine/report mine/rules server/api server/stream view view/mineview
server/alike       : library/players mine/alike mine/cluster mine/profile server/api view view/alikeview
server/lab         : engine/classic engine/trace server/api view view/gameview view/labview
server/people      : game library/career library/players library/profiles view/careerview view/gameview server/api server/guard server/passkey store store/people view
server/drill       : engine game library/ask library/drill record server/api store view view/drillview view/gameview view/recordview
server/play        : board book book/theory engine engine/guests game index library/cache library/livebook opening play record review server/api server/guard server/stream view view/bookview view/gameview view/playview library/librarian segment
server             : . server/alike server/api server/drill server/insights server/knowledge server/lab server/manage server/play server/records server/search server/people server/studies
web                :
cli                : . board board/draw game index ingest library library/ask library/knowledge named pattern query record record/charset remedy remedy/shellwords retrieve store text view view/gameview view/recordview
cli/convert        : cli game index ingest library/ask query record retrieve
cli/search         : . board board/draw cli cli/convert game index library/ask pattern query query/bind record/facts retrieve store text view view/answerview view/bookview view/gameview
cli/pictures       : . board/draw board/picture board/picture/pdf cli record store view/gameview view/kifu
cli/records        : . library/fetch board board/draw cli cli/convert game game/weiqi game/weiqi/judge ingest library record record/facts record/score retrieve store view view/gameview index view/answerview view/recordview library/courses
cli/knowledge      : . board board/draw cli engine game game/weiqi index library/ask library/knowledge named pattern pattern/advise pattern/kb pattern/relation/syntax query store text text/term view view/shapeview mine/queue
cli/engines        : cli engine engine/endgame engine/external engine/guests game library view view/playview
cli/play           : . board board/draw cli cli/engines engine engine/trace game library named pattern/relation/shipped play record review view view/gameview view/playview view/recordview
cli/match          : arena board board/draw cli cli/convert engine engine/guests game opening record view view/gameview
cli/protocols      : . cli cli/engines engine game game/othello library/livebook play protocol protocol/gomocup protocol/gtp protocol/nboard protocol/uci record record/ggf view/gameview
cli/book           : . book book/theory book/theory/exchange cli engine game library/livebook record review store view view/bookview view/gameview library/librarian library
cli/teach          : . cli cli/engines engine/guests game learn learn/methods record retrieve view view/teachview
cli/drill          : . board/draw cli engine engine/endgame game ingest library/ask library/drill record view/drillview view/recordview
cli/endgame        : cli engine/endgame game segment view view/gameview view/playview view/shapeview
cli/lab            : cli engine engine/classic engine/simple engine/trace game view view/labview
cli/study          : board board/draw cli engine engine/sight engine/exact engine/reversi game game/othello game/weiqi game/weiqi/judge game/weiqi/life game/weiqi/life/tsumego record record/facts record/obf record/score view view/shapeview view/recordview review
cli/sheets         : . cli library/studies record record/study store store/sheets view/recordview view/studyview
cli/mine           : . board/draw cli game mine/dataset mine/gather mine/queue mine/report mine/rules record record/facts view view/mineview view/recordview
cli/alike          : . cli index mine/alike mine/cluster mine/dataset mine/gather mine/profile mine/tree record store view view/alikeview
cli/people         : . cli library/players library/profiles retrieve store/people view view/careerview view/gameview
cli/journal        : . cli record/facts store view/journalview library/cleanup
cli/man            : . cli
cli/manage         : . board cli cli/engines game index library library/players library/results remedy/shellwords retrieve sample server store store/cluster store/cluster/wire view view/answerview view/gameview web store/cluster/ledger
workshop/selfplay  : arena builtin cli engine game game/othello opening record record/facts record/sgf sample
workshop/ladder    : arena board cli cli/match engine game
workshop/life      : board cli engine/external game game/weiqi game/weiqi/judge game/weiqi/life ingest record sample workshop/counted workshop/learn/judging
workshop/sight     : board cli engine/shaped engine/sight game/weiqi game/weiqi/judge game/weiqi/life pattern/kb/shipped record record/facts record/score workshop/counted workshop/learn workshop/learn/judging workshop/life engine engine/puct view/shapeview
workshop/bench     :
workshop/accuracy  : board cli engine game record review workshop/learn workshop/parallel
workshop/proving   : cli engine engine/classic game record review
workshop/weighing  : cli engine engine/patterned game record review
workshop/renju      : board cli engine engine/renju engine/swap game game/renju
workshop/fitting    : engine/tree game record record/facts
workshop/chess      : cli engine/chess game/chess record workshop/fitting
workshop/xiangqi    : arena cli engine engine/xiangqi game game/xiangqi record workshop/fitting
workshop/valuing   : book book/theory cli engine engine/reversi game game/othello record
workshop           : . board cli engine/reversi/eval game game/othello game/weiqi library/ask library/knowledge pattern/kb pattern/prior record retrieve view view/shapeview workshop/counted workshop/ladder workshop/learn workshop/learn/judging workshop/life workshop/mine workshop/selfplay
cmd/qipu           : builtin cli cli/drill cli/teach cli/endgame cli/journal cli/lab cli/mine cli/book cli/engines cli/knowledge cli/manage cli/match cli/play cli/protocols cli/records cli/search cli/study workshop workshop/accuracy workshop/proving workshop/sight workshop/valuing workshop/renju workshop/weighing workshop/xiangqi workshop/chess store/cluster/wire cli/alike cli/people cli/sheets cli/pictures cli/man

# For tests alone: no product package may import these.
internal/testkit       :
internal/house         :
internal/testrun       :
internal/mutate        :
internal/fuzzrun       :
internal/release       :
internal/browser       :
game/gametest          : board game internal/testkit
game/gametest/breakthrough : board game
internal/fifth         :
internal/chaos         :
game/gametest/pocket   : board game
record/recordtest      : record internal/testkit
protocol/protocoltest  : engine game internal/testkit
store/storetest        : board game index ingest interval pattern query record record/facts sample store text internal/testkit
internal/clickhouse    :
internal/chdb          : internal/testkit
`

// forTests lists the packages that only tests may import.
var forTests = []string{"internal/testkit", "internal/house", "internal/testrun", "internal/browser", "game/gametest", "game/gametest/breakthrough", "internal/fifth", "internal/chaos", "game/gametest/pocket", "record/recordtest", "protocol/protocoltest", "store/storetest", "board/picture/pdf/pdftest", "internal/clickhouse", "internal/chdb", "internal/mutate", "internal/fuzzrun", "internal/release"}

// outside lists the modules that the product may use, as docs/dependencies.md
// explains.
var outside = []string{
	"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/klauspost/compress", "golang.org/x/text",
	"github.com/danielgtaylor/huma/v2", "github.com/evanw/esbuild", "github.com/prometheus/client_golang", "golang.org/x/time",
	"modernc.org/sqlite", "github.com/ClickHouse/clickhouse-go/v2", "github.com/RoaringBitmap/roaring/v2", "github.com/zeebo/xxh3", "golang.org/x/image", "golang.org/x/sys", "golang.org/x/term", "github.com/BurntSushi/toml",
	"rsc.io/qr",
}

// outsideTests lists the modules that only packages for tests may use.
var outsideTests = []string{"github.com/chromedp/chromedp", "github.com/chromedp/cdproto", "github.com/ebitengine/purego", "github.com/ClickHouse/ch-go"}

// mayUnsafe lists the packages that may use unsafe on every system: index reads
// strings where they lie in mapped files.
var mayUnsafe = []string{"index"}

// A package that imports more of ours knows too much, and one that is longer has
// several concerns. Both are to be cut, not to be excused.
const (
	maxFanOut = 22
	maxLines  = 3000
)

// large are the packages that are longer, and why. None stands above retrieve.
var large = map[string]string{
	"interval":                     "one algebra: what works on arrival columns shares their layout down to the assembler",
	"retrieve":                     "one evaluation of the query tree: a kind of node is a few functions, which share the worker",
	"store/shard":                  "one store: adding, merging, repairing and reading share a manifest and its lock",
	"store/shard/internal/catalog": "one schema: a file a table, all in one transaction",
	"store/cluster/data":           "one layout on servers: rows, pages and their reading back",
}

// anywhere may import whatever there is: they wire all of it.
var anywhere = []string{"builtin", "cmd/qipu"}

type listed struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
}

func TestImportPolicy(t *testing.T) {
	allowed, order := readPolicy(t)
	found := map[string]bool{}
	for _, p := range listPackages(t) {
		name := local(p.ImportPath)
		found[name] = true
		may, ok := allowed[name]
		if !ok {
			t.Errorf("package %s has no line in the import policy: add one to internal/house/deps_test.go and to docs/ARCHITECTURE.md", name)
			continue
		}
		for _, imp := range p.Imports {
			if !strings.HasPrefix(imp, "qipu") {
				checkOutside(t, name, imp)
				continue
			}
			to := local(imp)
			if !slices.Contains(may, to) {
				t.Errorf("%s imports %s, which the policy does not allow", name, to)
			}
			if slices.Contains(forTests, to) && !slices.Contains(forTests, name) {
				t.Errorf("%s imports %s, which is for tests alone", name, to)
			}
		}
	}
	for i, name := range order {
		if !found[name] {
			t.Errorf("the policy names %s, which does not exist", name)
		}
		for _, to := range allowed[name] {
			if at := slices.Index(order, to); at < 0 || at > i {
				t.Errorf("%s may import %s, which stands below it in the list", name, to)
			}
		}
	}
}

// TestSizes keeps packages from growing until they know everything.
func TestSizes(t *testing.T) {
	_, order := readPolicy(t)
	for name := range large {
		if slices.Index(order, name) > slices.Index(order, "retrieve") {
			t.Errorf("%s stands above retrieve, and has to be cut", name)
		}
	}
	for _, p := range listPackages(t) {
		name := local(p.ImportPath)
		ours := 0
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, "qipu") {
				ours++
			}
		}
		if ours > maxFanOut && !slices.Contains(anywhere, name) {
			t.Errorf("%s imports %d packages of ours, and should be cut: %d are the most", name, ours, maxFanOut)
		}
		if slices.Contains(forTests, name) {
			continue
		}
		lines := 0
		for _, file := range p.GoFiles {
			data, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			lines += bytes.Count(data, []byte("\n"))
		}
		if why := large[name]; lines > maxLines && why == "" {
			t.Errorf("%s has %d lines, and should be cut: %d are the most", name, lines, maxLines)
		} else if lines <= maxLines && why != "" {
			t.Errorf("%s has %d lines by now: take it off the list of large packages", name, lines)
		}
	}
}

// TestDocs checks that the documents name every package and every dependency.
func TestDocs(t *testing.T) {
	architecture, err := os.ReadFile("../../docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, order := readPolicy(t)
	for _, name := range order {
		if name == "." {
			name = "qipu"
		}
		if !strings.Contains(string(architecture), "| `"+name+"`") {
			t.Errorf("docs/ARCHITECTURE.md does not list %s", name)
		}
	}
	dependencies, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(mod), "\n") {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.Contains(fields[0], ".") {
			continue
		}
		if want := "| " + fields[0] + " | " + fields[1] + " |"; !strings.Contains(string(dependencies), want) {
			t.Errorf("docs/dependencies.md lacks the line %s", want)
		}
	}
}

func checkOutside(t *testing.T, name, imp string) {
	t.Helper()
	first, _, _ := strings.Cut(imp, "/")
	if imp == "C" || imp == "unsafe" && !slices.Contains(mayUnsafe, name) {
		t.Errorf("%s imports %s", name, imp)
	}
	if !strings.Contains(first, ".") {
		return // standard library
	}
	modules := outside
	if slices.Contains(forTests, name) {
		modules = slices.Concat(outside, outsideTests)
	}
	for _, module := range modules {
		if imp == module || strings.HasPrefix(imp, module+"/") {
			return
		}
	}
	t.Errorf("%s imports %s: a new dependency needs its line in internal/house/deps_test.go and in docs/dependencies.md", name, imp)
}

func readPolicy(t *testing.T) (allowed map[string][]string, order []string) {
	t.Helper()
	allowed = map[string][]string{}
	for _, line := range strings.Split(policy, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, list, ok := strings.Cut(line, ":")
		if !ok {
			t.Fatalf("policy line %q has no colon", line)
		}
		name = strings.TrimSpace(name)
		allowed[name] = strings.Fields(list)
		order = append(order, name)
	}
	return allowed, order
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// local returns the path of a package inside the module, "." for its root.
func local(importPath string) string {
	return path.Clean("./" + strings.TrimPrefix(strings.TrimPrefix(importPath, "qipu"), "/"))
}
