"""Measures the store; `run.sh` says how to start it and what can be set."""

import glob
import json
import os
import shutil

import report
from contest import Contender, contest, run, say
from report import Row, against, limit

GB = float(os.environ.get("VARVE_BENCH_GB", "1.1"))
LINES = int(os.environ.get("VARVE_BENCH_LINES", "20000000"))
ROUNDS = int(os.environ.get("VARVE_BENCH_ROUNDS", "3"))
BIN = os.path.abspath(os.environ["VARVE_BENCH_BIN"])
DIR = os.path.abspath(os.environ["VARVE_BENCH_DIR"])
SCRATCH = f"{DIR}/scratch"
VARVE, BENCH = f"{BIN}/varve", f"{BIN}/varve-bench-store"
JUDGES = os.path.abspath(".venv/bin")
LAYERS = 8

rows, inputs, raw = [], [], {"inputs": {}, "contests": {}, "lookups": {}}


def main():
    facts = report.conditions(["warcio", "fastwarc", "cdxj-indexer", "pywb"])
    facts["versions"] = {"varve": run([VARVE, "--version"])[1].split()[1], **facts["versions"]}
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    mixed = warcs("mixed records", GB, files=4, median=8500, sigma=1.4)
    small = warcs("small records", GB * 0.18, files=1, median=2000, sigma=0.3)
    try:
        audit("mixed records", mixed)
        audit("small records", small)
        index("mixed records", mixed)
        index("small records", small)
        import_files(mixed)
        sort()
        merge()
        lookups()
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
    report.write("bench/results/store", "The store, measured", rows, inputs, facts, raw)


def warcs(name, gigabytes, files, median, sigma):
    """Makes WARC files, or finds those of an earlier run."""
    wanted = [files, int(gigabytes * 1e9), median, sigma]
    words = "-".join(str(word) for word in wanted)
    home = f"{DIR}/warcs-1-{words}"
    if not os.path.exists(home):
        say(f"making {gigabytes:.2f} GB of WARC: {name}")
        made = fresh("warcs")
        facts = run([BENCH, "warcs", made, *map(str, wanted)])[1]
        with open(f"{made}/facts.json", "w") as out:
            out.write(facts)
        os.rename(made, home)
    with open(f"{home}/facts.json") as lines:
        facts = json.load(lines)
    raw["inputs"][name] = facts
    inputs.append(
        f"{name}: {facts['bytes'] / 1e6:,.0f} MB in {count(facts['files'], 'file')}, {facts['block_bytes'] / 1e6:,.0f} MB "
        f"inflated, {facts['records']:,} records, {facts['responses']:,} of them responses with a median of "
        f"{facts['stored_median'] / 1000:.1f} KB stored ({facts['stored_p10'] / 1000:.1f} KB at 10%, "
        f"{facts['stored_p99'] / 1000:.0f} KB at 99%, the largest {facts['stored_max'] / 1e6:.2f} MB)"
    )
    return sorted(glob.glob(f"{home}/*.warc.gz"))


def audit(name, files):
    """Reading every record and checking every digest."""
    say(f"audit: {name}")
    into_cache(files)
    varve, warcio, fastwarc = fight(
        f"audit, {name}",
        Contender("varve audit", [[VARVE, "audit", file] for file in files]),
        Contender("warcio check", [[f"{JUDGES}/warcio", "check", file] for file in files]),
        Contender("fastwarc check", [[f"{JUDGES}/fastwarc", "check", "-p", "-q", file] for file in files]),
    )
    what = f"check all digests, {name}"
    rows.append(against(what, varve, warcio, goal=20, note=f", {rate(files, varve.best().cpu)}"))
    rows.append(against(what, varve, fastwarc, goal=1))


def index(name, files):
    """From WARC files to a sorted CDXJ."""
    say(f"index: {name}")
    into_cache(files)
    ours, theirs = f"{SCRATCH}/index", f"{SCRATCH}/theirs.cdxj"
    varve, indexer = fight(
        f"index, {name}",
        Contender("varve", [[BENCH, "index", ours, *files]], before=lambda: fresh("index")),
        Contender("cdxj-indexer --sort", [[f"{JUDGES}/cdxj-indexer", "--sort", "-o", theirs, *files]]),
    )
    run(["cmp", f"{ours}/index.cdxj", theirs])
    rows.append(against(f"index, {name}", varve, indexer, goal=30, note=f", {rate(files, varve.best().cpu)}"))


def import_files(files):
    """Files into a collection: copied durably, checked and indexed."""
    say("import")
    into_cache(files)
    copies, pywb = f"{SCRATCH}/cp", f"{SCRATCH}/pywb"
    copy_all = f"cp {' '.join(files)} {copies} && sync {copies}/* {copies}"

    def new_pywb():
        fresh("pywb")
        run([f"{JUDGES}/wb-manager", "init", "bench"], cwd=pywb)

    varve, copied, added = fight(
        "import",
        Contender("varve import", [[VARVE, "-q", "import", *files, "-c", f"{SCRATCH}/collection"]], before=no_collection),
        Contender("cp and sync", [copy_all], before=lambda: fresh("cp")),
        Contender("wb-manager add", [[f"{JUDGES}/wb-manager", "add", "bench", *files]], before=new_pywb, cwd=pywb),
    )
    rows.append(against("import", varve, added))
    walls = [min(cost.wall for cost in contender.runs) for contender in (varve, copied)]
    rates = [rate(files, wall) for wall in walls]
    rows.append(Row("import, wall time", rates[0], f"cp and sync: {rates[1]}", f"{walls[1] / walls[0]:.2f}x"))
    for leftover in ["collection", "cp", "pywb"]:
        shutil.rmtree(f"{SCRATCH}/{leftover}")


def no_collection():
    shutil.rmtree(f"{SCRATCH}/collection", ignore_errors=True)


def sort():
    """Sorting lines that memory does not hold; what making the lines costs is taken off."""
    say(f"sort: {LINES:,} lines")
    made, _ = run(f"{BENCH} lines {LINES} > /dev/null")
    ours = fresh("plain")
    varve, sorted_lines = run([BENCH, "sort", str(LINES), ours])
    say("  GNU sort")
    gnu_out, gnu_tmp = f"{SCRATCH}/gnu.cdxj", fresh("gnu")
    command = f"{BENCH} lines {LINES} | LC_ALL=C sort -u --parallel=1 -S 48M -T {gnu_tmp} -o {gnu_out} && sync {gnu_out}"
    gnu, _ = run(command)
    run(["cmp", f"{ours}/index.cdxj", gnu_out])
    size = os.path.getsize(gnu_out)
    os.remove(gnu_out)
    inputs.append(f"index: {LINES:,} lines, {size / 1e9:.2f} GB; sorted once only")
    own, others = varve.cpu - made.cpu, gnu.cpu - made.cpu
    raw["contests"]["sort"] = {"making the lines": vars(made), "varve": vars(varve), "GNU sort": vars(gnu)}
    rows.append(Row(
        "external sort, 48 MB",
        f"{own:.2f} s CPU, {LINES / own / 1e6:.2f} M lines/s, {varve.wall - made.wall:.1f} s wall",
        f"GNU sort: {others:.2f} s CPU",
        f"{others / own:.1f}x",
    ))
    rows.append(Row("external sort, peak memory", peak(sorted_lines)))


def merge():
    """Reading the indexes of many layers as one."""
    say(f"merge: {LAYERS} layers")
    run([BENCH, "split", f"{SCRATCH}/plain", f"{SCRATCH}/layers", str(LAYERS)])
    layers = [f"{SCRATCH}/layers/{number}" for number in range(LAYERS)]
    files = " ".join(f"{layer}/index.cdxj" for layer in layers)
    varve, gnu = fight(
        "merge",
        Contender("varve", [[BENCH, "merge", *layers]]),
        Contender("sort -m", [f"LC_ALL=C sort -m {files} > /dev/null"]),
    )
    note = f", {LINES / varve.best().cpu / 1e6:.2f} M lines/s"
    rows.append(against(f"merge {LAYERS} layers", varve, gnu, note=note))
    rows.append(Row(f"merge {LAYERS} layers, peak memory", peak(varve.said)))
    shutil.rmtree(f"{SCRATCH}/layers")


def lookups():
    """The capture of a URL that is nearest to a moment."""
    say("look up")
    plain, zipnum = f"{SCRATCH}/plain", fresh("zipnum")
    run([BENCH, "zipnum", plain, zipnum])
    most = 0
    for keys in ["existing", "absent"]:
        best = look_up(f"{keys} keys", keys, plain, 100_000, 200_000)
        most = max(most, best["peak_kib"] / 1024)
        rows.append(limit(f"closest, warm, {keys} keys: mean", best["mean_us"], 20, "µs"))
        rows[-1].varve += f" (p50 {best['p50_us']:.1f}, p99 {best['p99_us']:.1f})"
    rows.append(limit("closest, warm: peak memory", most, 64, "MB"))
    best = look_up("existing keys, ZipNum", "existing", zipnum, 2_000, 10_000)
    rows.append(Row(
        "closest in ZipNum, warm: mean",
        f"{best['mean_us']:.1f} µs (p50 {best['p50_us']:.1f}, p99 {best['p99_us']:.1f}), {best['peak_kib'] / 1024:.1f} MB",
    ))
    sizes = [sum(map(os.path.getsize, glob.glob(f"{form}/*"))) / 1e9 for form in (plain, zipnum)]
    inputs.append(f"index as ZipNum: {sizes[1]:.2f} GB, {sizes[0] / sizes[1]:.1f} times smaller")
    for form, directory in [("plain", plain), ("ZipNum", zipnum)]:
        cold = look_up_cold(form, directory)
        rows.append(Row(f"closest, cold, {form}: mean of 100", cold))


def look_up(name, keys, directory, warmup, times):
    """The quietest of several processes that look up keys, all of the index in the page cache."""
    into_cache(glob.glob(f"{directory}/*"))
    command = [BENCH, "lookup", keys, directory, str(LINES), str(warmup), str(times)]
    results = [json.loads(run(command)[1]) for _ in range(ROUNDS)]
    raw["lookups"][name] = results
    return min(results, key=lambda result: result["mean_us"])


def look_up_cold(form, directory):
    os.sync()
    try:
        with open("/proc/sys/vm/drop_caches", "w") as control:
            control.write("1\n")
    except OSError:
        return "not measured: dropping the page cache needs root"
    result = json.loads(run([BENCH, "lookup", "existing", directory, str(LINES), "0", "100"])[1])
    raw["lookups"][f"cold, {form}"] = [result]
    return f"{result['mean_us']:.0f} µs (p50 {result['p50_us']:.0f}, p99 {result['p99_us']:.0f})"


def fight(name, *contenders):
    contest(ROUNDS, *contenders)
    raw["contests"][name] = {contender.name: contender.raw() for contender in contenders}
    return contenders


def fresh(name):
    """An empty scratch directory."""
    path = f"{SCRATCH}/{name}"
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def into_cache(files):
    """Reads files once, so that no contender waits for the disk."""
    for file in files:
        with open(file, "rb", buffering=0) as content:
            while content.read(1 << 20):
                pass


def peak(said):
    """The peak memory that our program tells of itself: the kernel counts that of its parent in."""
    return f"{json.loads(said)['peak_kib'] / 1024:.1f} MB"


def rate(files, seconds):
    return f"{sum(map(os.path.getsize, files)) / 1e6 / seconds:,.0f} MB/s"


def count(number, noun):
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


if __name__ == "__main__":
    main()
