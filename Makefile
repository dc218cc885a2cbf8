# Two commands do everything: `make run` shows Varve at work, `make test` checks all that CI checks.
# What they need and the machine lacks, they install.

.PHONY: run test lint soak fuzz bench-store clean

VARVE := target/release/varve
SAMPLE := target/sample

run:
	@scripts/need.sh build
	cargo build --release --bin varve
	cargo run --quiet --release --example sample -- $(SAMPLE)
	@rm -rf $(SAMPLE)/my-archive
	$(VARVE) import $(SAMPLE)/*.warc.gz --collection $(SAMPLE)/my-archive
	$(VARVE) find $(SAMPLE)/my-archive 'garden.example/*' --fields timestamp,status,mime,url
	$(VARVE) audit $(SAMPLE)/my-archive

test: lint
	@scripts/need.sh build judges
	cargo test --workspace

lint:
	@scripts/need.sh build
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings

# The long versions of the crash tests.
soak:
	@scripts/need.sh build judges
	VARVE_SOAK=1 cargo test --release --workspace

# A million executions of every fuzz target (needs the nightly toolchain).
fuzz:
	@scripts/need.sh build fuzz
	scripts/fuzz.sh

bench-store:
	@scripts/need.sh build judges
	bench/store/run.sh

clean:
	cargo clean
	rm -rf .venv
