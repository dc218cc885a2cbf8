# Two commands do everything: `make run` shows Varve at work, `make test` checks all that CI checks.
# What they need and the machine lacks, they install.

.PHONY: run test lint soak fuzz pictures bench-store bench-record bench-crawl bench-frontier bench-replay bench-interfaces bench-jawa bench-sprinter bench-aggregate bench-mementomap clean

# Pages to save instead of the example web: make run URL=https://example.org/
URL ?=

run:
	@scripts/need.sh build browser
	cargo build --release --bin varve
	@scripts/show.sh $(URL)

test: lint
	@scripts/need.sh build judges browser
	cargo test --workspace

lint:
	@scripts/need.sh build
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings

# The long versions of the crash tests.
soak:
	@scripts/need.sh build judges browser
	VARVE_SOAK=1 cargo test --release --workspace --no-fail-fast

# A million executions of every fuzz target (needs the nightly toolchain).
fuzz:
	@scripts/need.sh build fuzz
	scripts/fuzz.sh

bench-store:
	@scripts/need.sh build judges
	bench/store/run.sh

bench-record:
	@scripts/need.sh build judges browser
	bench/record/run.sh

bench-crawl:
	@scripts/need.sh build judges browser
	bench/crawl/run.sh

bench-jawa:
	@scripts/need.sh build judges browser
	bench/jawa/run.sh

bench-sprinter:
	@scripts/need.sh build judges browser
	bench/sprinter/run.sh

bench-mementomap:
	@scripts/need.sh build judges
	bench/mementomap/run.sh

bench-frontier:
	@scripts/need.sh build judges
	bench/frontier/run.sh

bench-replay:
	@scripts/need.sh build judges wrk
	bench/replay/run.sh

bench-interfaces:
	@scripts/need.sh build judges
	bench/interfaces/run.sh

bench-aggregate:
	@scripts/need.sh build judges
	bench/aggregate/run.sh

# The pictures of docs/crawling.md, taken anew from the running program.
pictures:
	@scripts/need.sh build browser
	cargo build --release --bin varve
	scripts/pictures.sh

clean:
	cargo clean
	rm -rf .venv .judges
