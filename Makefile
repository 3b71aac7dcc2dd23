# Every target works on a fresh machine that has Golang and make.

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
TYPESCRIPT  := typescript@7.0.2
PRETTIER    := prettier@3.9.10
TARGETS     := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
VERSION     := $(shell sed -n 's/^const Version = "\(.*\)"/\1/p' qipu.go)
FUZZTIME    ?= 60s
MUTANTS     ?= 60
CORPUS      ?= $(shell go env GOCACHE)/qipu-fuzz
BENCH       ?= .
DEADCODE    := golang.org/x/tools/cmd/deadcode@v0.52.0
# Go's own limit is 10 minutes a package, which busy machines come near.
TIMEOUT     ?= 60m

export CGO_ENABLED ?= 0

# Without the paths of this folder in what is compiled, another checkout finds it in the
# cache, instead of compiling all of it again. Flags of the environment stay.
override GOFLAGS := $(filter-out -trimpath,$(GOFLAGS)) -trimpath
export GOFLAGS

# Where the shared collection of real games is, for tests that use it.
export QIPU_DATA ?= $(abspath ../shared/data)

.PHONY: run deps test race check cross deadcode bench fuzz mutants soak release clean

run: ## serve the library, and open its page
	@echo "compiling: minutes the first time, then seconds"
	@go build -v -o bin/qipu$(EXE) ./cmd/qipu
	@exec bin/qipu$(EXE) serve --open

EXE := $(shell go env GOEXE)

# What tests need that is not Golang: a browser with fonts, database servers, a C
# compiler for the race detector, Node for the tools of the client. Without them the
# tests that need them are skipped, which make test tells at its end.
# Each is a program or file and the package that it comes with; FULL=1 adds what
# replicas need, whose tests belong to soak.
DEPS := chromium=chromium /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc=fonts-noto-cjk /usr/sbin/clickhouse-server=clickhouse-server \
  gcc=gcc /usr/include/stdlib.h=libc6-dev npm=npm /usr/games/gnugo=gnugo /usr/games/fairy-stockfish=fairy-stockfish \
  /usr/games/stockfish=stockfish /usr/games/gnuchess=gnuchess
DEPS += $(if $(FULL),/usr/share/java/zookeeper.jar=libzookeeper-java java=default-jre-headless)

# The package of the servers would start one, and with the machine from then on:
# tests start their own.
deps: ## install what tests need (Debian, as root)
	@missing=; for d in $(DEPS); do command -v $${d%%=*} >/dev/null || [ -e $${d%%=*} ] || missing="$$missing $${d#*=}"; done; \
	if [ -z "$$missing" ]; then echo "deps: all is there"; exit 0; fi; \
	if ! command -v apt-get >/dev/null; then echo "no apt-get: install what stands for$$missing"; exit 1; fi; \
	if [ "$$(id -u)" != 0 ]; then echo "run make deps as root, to install$$missing"; exit 1; fi; \
	echo "installing$$missing"; \
	if [ ! -e /usr/sbin/policy-rc.d ]; then printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d; trap 'rm /usr/sbin/policy-rc.d' EXIT; fi; \
	apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing || exit 1; \
	if command -v systemctl >/dev/null; then case "$$missing" in *clickhouse*) systemctl disable clickhouse-server || true;; esac; fi

bin/testrun$(EXE): $(wildcard internal/testrun/*.go)
	@go build -o $@ ./internal/testrun

test: bin/testrun$(EXE) ## all tests, at the scale of CI; nothing is installed
	@exec bin/testrun$(EXE) -timeout $(TIMEOUT) ./...
	@if command -v gcc >/dev/null; then $(MAKE) --no-print-directory race; else echo "no C compiler: no tests under the race detector (make deps)"; fi

# The tests about goroutines, which their comments mark, under the race detector.
race: bin/testrun$(EXE)
	@CGO_ENABLED=1 exec bin/testrun$(EXE) race -timeout $(TIMEOUT) ./...

# The tools of the client are all that needs Node: what writes the types of the interface, the type checker, the
# formatter.
.PHONY: types api formatted format
types:
	QIPU_NPM=1 go test -run '^(TestTypes|TestArrowElsewhere)$$' ./server ./mine/dataset
	npm exec --yes --loglevel error --package $(TYPESCRIPT) -- tsc --noEmit -p web

api: ## write the types of the interface for the client anew
	go test -run '^TestTypes$$' ./server -rewrite

prettier = npm exec --yes --loglevel error --package $(PRETTIER) -- prettier --log-level warn $(1) 'web/{src,test}/**/*.ts'

formatted:
	@$(call prettier,--check) || { echo "not formatted (run make format)"; exit 1; }
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "not formatted (run make format):"; echo "$$files"; exit 1; fi

format: ## write Golang and TypeScript as make check wants them
	gofmt -w .
	$(call prettier,--write)

check: types formatted ## formatting, vet, staticcheck, dead code, types of the client, import policy, types on all platforms
	go vet ./...
	go run $(STATICCHECK) ./...
	@$(MAKE) --no-print-directory deadcode
	QIPU_PLATFORMS=1 go test -count 1 ./internal/house

# Functions of the product that the program does not reach: there are to be none.
deadcode: ## code that nothing reaches
	@found=$$(go run $(DEADCODE) -filter '^qipu' ./cmd/... | grep -v '^internal/'); if [ -n "$$found" ]; then echo "$$found"; echo "$$(echo "$$found" | wc -l) functions that nothing reaches"; exit 1; fi

# Compiling for each platform takes minutes, so that make check only looks at types
# there (TestPlatforms); soak and release compile.
cross:
	@for t in $(TARGETS); do echo "build $$t"; GOOS=$${t%/*} GOARCH=$${t#*/} go build ./... || exit 1; done

bench: ## measure; compare two runs with benchstat
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count 5 -timeout 60m ./...
	QIPU_BENCH=1 go test -run '^TestPerformance$$' -v -timeout 60m ./workshop/bench
	QIPU_BENCH=1 go test -run '^TestLoad$$' -v ./server
	QIPU_BENCH=1 QIPU_SCALE=full go test -run '^TestReport$$' -v -timeout 60m ./engine/reversi
	QIPU_BENCH=1 go test -run '^TestReport$$' -v ./pattern/window
	QIPU_SCALE=full go test -run '^TestBookReport$$|^TestPaper' -v ./library/livebook ./book
	QIPU_BENCH=1 go test -run 'Speed|FirstBoard' -v ./web

# What was of interest is kept beside the build cache, or in CORPUS.
fuzz: ## every fuzz target for FUZZTIME, as many at once as there are processors
	go run ./internal/fuzzrun -time $(FUZZTIME) -corpus "$(CORPUS)" ./...

mutants: ## MUTANTS slips in each package that answers rest on: which of them no test notices
	go run ./internal/mutate -n $(MUTANTS) $(if $(SEED),-seed $(SEED)) -least 92 ./interval ./query ./segment ./store ./store/shard ./store/dedupe ./book ./play

soak: bin/testrun$(EXE) ## all tests at full scale with their coverage, mutants, fuzzing, and all under the race detector (make deps FULL=1)
	@QIPU_SCALE=full exec bin/testrun$(EXE) -cover -timeout 180m ./...
	@QIPU_SERVERS=1 exec bin/testrun$(EXE) -timeout $(TIMEOUT) ./server
	@$(MAKE) --no-print-directory cross
	@if command -v gcc >/dev/null; then CGO_ENABLED=1 exec bin/testrun$(EXE) -race -timeout 180m ./...; fi
	@$(MAKE) --no-print-directory mutants
	go run ./internal/fuzzrun -execs 200000 -least 200000 -time 30m -corpus "$(CORPUS)" ./...

release: ## archives for all platforms in dist/, with manual pages, completions, lists of what is in them, and sums
	@rm -rf dist && mkdir -p dist
	@go build -trimpath -o dist/build/qipu$(EXE) ./cmd/qipu
	@for t in $(TARGETS); do \
	  os=$${t%/*}; arch=$${t#*/}; ext=; [ $$os = windows ] && ext=.exe; \
	  GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags '-s -w' -o dist/build/$$os-$$arch/qipu$$ext ./cmd/qipu || exit 1; \
	done
	go run ./internal/release -version $(VERSION) -native dist/build/qipu$(EXE) -out dist $(foreach t,$(TARGETS),dist/build/$(subst /,-,$(t))/qipu$(if $(findstring windows,$(t)),.exe))
	@rm -r dist/build

clean:
	rm -rf dist bin
