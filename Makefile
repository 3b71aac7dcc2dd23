# Every target works on a fresh machine that has Golang and make.

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
TYPESCRIPT  := typescript@7.0.2
PRETTIER    := prettier@3.9.10
TARGETS     := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
CROSS       ?= linux/arm64 darwin/arm64 windows/amd64
VERSION     := $(shell sed -n 's/^const Version = "\(.*\)"/\1/p' version.go)
FUZZTIME    ?= 60s
BENCH       ?= .
RACE        ?= Serve|Import|Interrupt|Progress
# A test that takes a minute and a half under the race detector: left to soak.
RACELONG    ?= TestCancelResume

export CGO_ENABLED ?= 0

# Where the shared collection of real games is, for tests that use it.
export QIPU_DATA ?= $(abspath ../shared/data)

.PHONY: run test check cross bench fuzz soak release clean

run: ## serve the library, and open its page
	go run ./cmd/qipu serve --open

test: chromium clickhouse ## all tests, at the scale of CI
	go test ./...
	@if command -v gcc >/dev/null; then $(MAKE) --no-print-directory race; else echo "no C compiler: tests without the race detector"; fi

# The tests of the pages need a browser, and fonts for what they show; without
# them those tests say so and are skipped.
.PHONY: chromium
chromium:
	@if ! command -v chromium >/dev/null && command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium fonts-noto-cjk >/dev/null; fi

# The tests of libraries on other machines need servers, which they start
# themselves; without them those tests say so and are skipped.
.PHONY: clickhouse zookeeper
clickhouse:
	@if ! command -v clickhouse-server >/dev/null && command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends clickhouse-server >/dev/null; fi

# Replicas need ZooKeeper, which is large: their tests belong to soak.
zookeeper:
	@if { [ ! -e /usr/share/java/zookeeper.jar ] || ! command -v java >/dev/null; } && command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libzookeeper-java default-jre-headless >/dev/null; fi

# The packages with goroutines, under the race detector, which needs cgo.
.PHONY: race
race:
	CGO_ENABLED=1 go test -race -run '$(RACE)' ./cmd/...
	CGO_ENABLED=1 go test -race -run 'Mixer|ScanEnds|MissingShard|TwoWriters|Ledger' ./store/cluster
	CGO_ENABLED=1 go test -race ./ingest/... ./segment ./server/stream ./server/guard ./server/memo
	CGO_ENABLED=1 go test -race -run 'AtOnce|WhileRead|WhileScanned|Backup|Merge|Close|Visible|Writers|Cancel|Explore|Paging|Facets' ./store/shard ./retrieve
	CGO_ENABLED=1 go test -race -run 'Load|Events|Cancel|Upload|Slow|EveryEmpty|Closes|Together' -skip '$(RACELONG)' ./server
	CGO_ENABLED=1 go test -race -run 'Cancel|Order|Upload|Resume' ./server/jobs
	CGO_ENABLED=1 go test -race -run 'Together|Loop|People|Groups|Pages|Example|ShapesAtOnce' .
	CGO_ENABLED=1 go test -race -run 'Together|Backup|Compact|Cancel|Open' ./catalog
	CGO_ENABLED=1 go test -race ./play ./engine ./engine/external ./protocol
	CGO_ENABLED=1 go test -race -run 'Thread|Stop|Concurrent' ./engine/reversi ./book ./book/theory

# The tools of the client are all that needs Node: what writes the types of the interface, the type checker, the
# formatter.
.PHONY: npm types api formatted format
npm:
	@if ! command -v npm >/dev/null && command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq npm >/dev/null; fi

types: npm
	QIPU_NPM=1 go test -run '^TestTypes$$' ./server
	npm exec --yes --loglevel error --package $(TYPESCRIPT) -- tsc --noEmit -p web

api: npm ## write the types of the interface for the client anew
	go test -run '^TestTypes$$' ./server -rewrite

prettier = npm exec --yes --loglevel error --package $(PRETTIER) -- prettier --log-level warn $(1) 'web/src/**/*.ts' '!web/src/api.ts'

formatted: npm
	@$(call prettier,--check) || { echo "not formatted (run make format)"; exit 1; }
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "not formatted (run make format):"; echo "$$files"; exit 1; fi

format: npm ## write Golang and TypeScript as make check wants them
	gofmt -w .
	$(call prettier,--write)

check: cross types formatted ## formatting, vet, staticcheck, types of the client, import policy, all platforms compile
	go vet ./...
	go run $(STATICCHECK) ./...
	go test ./internal/house

# Each system and each processor once; vet compiles for this machine, and soak and
# release for all.
cross:
	@for t in $(CROSS); do echo "build $$t"; GOOS=$${t%/*} GOARCH=$${t#*/} go build ./... || exit 1; done

bench: ## measure; compare two runs with benchstat
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count 5 -timeout 60m ./...
	QIPU_BENCH=1 go test -run '^TestPerformance$$' -v -timeout 60m .
	QIPU_BENCH=1 go test -run '^TestLoad$$' -v ./server
	QIPU_BENCH=1 QIPU_SCALE=full go test -run '^TestReport$$' -v -timeout 60m ./engine/reversi
	QIPU_BENCH=1 go test -run '^TestReport$$' -v ./pattern/window
	QIPU_SCALE=full go test -run '^TestBookReport$$|^TestPaper' -v . ./book
	QIPU_BENCH=1 go test -run 'Speed|FirstBoard' -v ./web

fuzz: ## every fuzz target for FUZZTIME
	@for pkg in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "fuzz $$pkg $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg || exit 1; \
	  done; done

soak: clickhouse zookeeper ## all tests at full scale
	QIPU_SCALE=full go test -timeout 60m ./...
	QIPU_SERVERS=1 go test ./server
	@$(MAKE) --no-print-directory cross CROSS='$(TARGETS)'
	@if command -v gcc >/dev/null; then $(MAKE) --no-print-directory race RACE='Serve|Import|Interrupt|Progress|Kill|Scripts' RACELONG=none; fi

release: ## binaries for all platforms in dist/
	@mkdir -p dist
	@for t in $(TARGETS); do \
	  os=$${t%/*}; arch=$${t#*/}; ext=; [ $$os = windows ] && ext=.exe; \
	  dir=dist/qipu-$(VERSION)-$$os-$$arch; mkdir -p $$dir; \
	  GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags '-s -w' -o $$dir/qipu$$ext ./cmd/qipu || exit 1; \
	  cp -r README.md LICENSE NOTICE CHANGELOG.md LICENSES $$dir/; \
	  tar -C dist -czf $$dir.tar.gz $$(basename $$dir) && rm -r $$dir && echo $$dir.tar.gz; \
	done

clean:
	rm -rf dist bin
