#!/usr/bin/env python3
"""The figures of docs/results.md: the speed of Rust, Python, JavaScript and C beside their peers, and its growth.

    benches/results.py          # the page and its images must show what results.jsonl has
    benches/results.py --write  # makes them again
    benches/results.py run      # measures, adds a sitting to results.jsonl, and makes them

`.ci/long results` builds what `run` asks. NOTE says what is to be known about a sitting.
"""

import datetime
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE, IMAGES = ROOT / "docs/results.md", ROOT / "docs/images"
SITTINGS = ROOT / "benches/results.jsonl"
SHARED = pathlib.Path(os.environ.get("POLITE_ROBOTS_SHARED", ROOT.parent / "shared"))
UNITS = {"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}
KINDS = "parse", "parse and one question", "a visit", "check a URL", "check a path"


def output(*command, **more):
    print("==", *command, flush=True)
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def nanoseconds(text):
    value, unit = re.match(r"([\d.]+) (ns|us|µs|ms|s)", text).groups()
    return float(value) * UNITS[unit]


def cells(text, title):
    """The rows of the first table below the title."""
    rows = re.search(r"\n\| ?---.*\n((\|.*\n)+)", text[text.index(title) :])[1]
    return [row[2:-2].split(" | ") for row in rows.splitlines()]


def bench(name):
    return output("cargo", "bench", "--manifest-path", "benches/Cargo.toml", "--locked", "--bench", name)


def of_rust():
    """Each figure is its door, what is timed, the peer, and the nanoseconds of ours and of the peer."""
    for row in cells(bench("ratios"), "above 1"):
        for kind, (ours, theirs) in zip(KINDS, zip(row[1::3], row[2::3])):
            yield "Rust", f"{kind}: {row[0]}", theirs.rsplit(" ", 1)[1], nanoseconds(ours), nanoseconds(theirs)


def of_python():
    text = output("bindings/target/venv/bin/python", "bindings/python/benches/ratios.py")
    for name, times, each in re.findall(r"^([^.:]*): ([\d.]+) times faster, ([\d.]+) us each", text, re.MULTILINE):
        yield "Python", name, "Protego", float(each) * 1e3, float(each) * float(times) * 1e3
    text = output("bindings/target/venv/bin/python", "bindings/python/benches/cache.py", env={**os.environ, "HOSTS": "100"})
    for name, each, times in re.findall(r"^(?!dict)(.*): (\d+) ns, ([\d.]+) times as fast as the dict$", text, re.MULTILINE):
        yield "Python", f"RobotsCache, {name}", "a dict and Protego", float(each), float(each) * float(times)


def of_javascript():
    with tempfile.TemporaryDirectory() as folder:
        output("tar", "-xJf", SHARED / "corpus/sites-2024-robots.tar.xz", "--strip-components=1", "-C", folder)
        text = output("node", "bindings/wasm/bench/peers.mjs", folder)
    for line in text.splitlines()[1:]:
        kind, (theirs, *ours) = line.split(": ")[0], re.findall(r"(\w+) ([\d.]+ µs)", line)
        for name, time in ours:
            yield "JavaScript", f"{kind}: {name}", "robots-parser", nanoseconds(time), nanoseconds(theirs[1])


def of_c():
    text = output("bindings/c/tests/run", "bindings/target", "bench")
    theirs, *ours = re.findall(r"^  (.*?) {2,}([\d.]+)", text, re.MULTILINE)
    for name, time in ours:
        yield "C++", name, "Google's matcher", float(time), float(theirs[1])


def of_growth():
    text = bench("growth")
    counts = [10, 100, 1_000, 10_000, 100_000]
    for image, title in (("check", "Mean of one check"), ("parse", "Parsing (and dropping)")):
        rows = cells(text, title)
        yield image, {row[0]: [*zip(counts, map(nanoseconds, row[1:6]))] for row in rows}
    curves = {}
    for name, dollar in (("without `$`", ""), ("with `$`", " + `$`")):
        title = f"`*a` × k{dollar} against"
        rows = cells(text, title)
        for column, check in ((1, "first check"), (2, "later ones")):
            curves[f"{check}, {name}"] = [(int(row[0]), nanoseconds(row[column])) for row in rows]
    yield "hostile", curves


def run():
    load = os.getloadavg()[0]
    figures = [figure for door in (of_rust, of_python, of_javascript, of_c) for figure in door()]
    (model,) = set(re.findall(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE))
    sitting = {
        "date": datetime.date.today().isoformat(),
        "commit": output("git", "rev-parse", "--short", "HEAD").strip(),
        "machine": f"{os.cpu_count()} × {model}",
        "note": os.environ.get("NOTE", f"a load of {load:.0f} before it"),
        "figures": figures,
        "growth": dict(of_growth()),
    }
    with SITTINGS.open("a") as lines:
        lines.write(json.dumps(sitting, ensure_ascii=False) + "\n")


def duration(time):
    unit, size = next((unit, size) for unit, size in UNITS.items() if unit != "us" and time < 1e3 * size)
    return f"{time / size:#.3g}".rstrip(".") + f" {unit}"


def times(ratio):
    return f"{ratio:#.2g}".rstrip(".") if ratio < 100 else f"{ratio:.0f}"


def table(sittings):
    figures = {}
    for sitting in sittings:
        for door, name, *figure in sitting["figures"]:
            figures.setdefault((door, name), []).append(figure)
    yield "| door | figure | peer | ours | peer's | times as fast | least to most |"
    yield "|---|---|---|---|---|---|---|"
    for (door, name), each in figures.items():
        peers, ours, theirs = zip(*each)
        ratios = [theirs / ours for _, ours, theirs in each]
        spread = f"{times(min(ratios))} to {times(max(ratios))}, {len(each)} sittings" if len(each) > 1 else "one sitting"
        cells = door, name, peers[-1], duration(min(ours)), duration(min(theirs)), times(statistics.median(ratios)), spread
        yield f"| {' | '.join(cells)} |"


COLOURS = ["#0b6fb8", "#c2410c", "#15803d", "#9333ea", "#b91c1c", "#857a00"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 380, 70, 230, 20, 50


def image(curves, of_x):
    """Curves on logarithmic axes, whose grid has a line for each power of ten."""
    (least_x, most_x), (least_y, most_y) = (
        (math.floor(min(values) + 1e-9), math.ceil(max(values) - 1e-9))
        for values in ([math.log10(point[axis]) for curve in curves.values() for point in curve] for axis in (0, 1))
    )

    def place(x, y):
        along = LEFT + (math.log10(x) - least_x) / (most_x - least_x) * (WIDTH - LEFT - RIGHT)
        return f"{along:.1f}", f"{HEIGHT - BOTTOM - (math.log10(y) - least_y) / (most_y - least_y) * (HEIGHT - TOP - BOTTOM):.1f}"

    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    for power in range(least_y, most_y + 1):
        (left, y), (right, _) = place(10**least_x, 10**power), place(10**most_x, 10**power)
        yield f'<path d="M{left} {y}H{right}" stroke="#ddd"/><text x="62" y="{y}" dy="4" text-anchor="end">{duration(10**power)}</text>'
    for power in range(least_x, most_x + 1):
        (x, low), (_, high) = place(10**power, 10**least_y), place(10**power, 10**most_y)
        yield f'<path d="M{x} {low}V{high}" stroke="#ddd"/><text x="{x}" y="{HEIGHT - 30}" text-anchor="middle">{10**power:,}</text>'
    yield f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{of_x}</text>'
    for number, (name, curve) in enumerate(curves.items()):
        colour, (_, y) = COLOURS[number], place(*curve[-1])
        points = " ".join(",".join(place(*point)) for point in curve)
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield f'<text x="{WIDTH - RIGHT + 12}" y="{TOP + 18 * number + 10}" fill="{colour}">{name.replace("`", "")}</text>'
    yield "</svg>"


def grown(curves):
    (counts,) = {tuple(x for x, _ in curve) for curve in curves.values()}
    yield f"| rules | {' | '.join(f'{count:,}' for count in counts)} |"
    yield f"|---|{'---|' * len(counts)}"
    for name, curve in curves.items():
        yield f"| {name} | {' | '.join(duration(time) for _, time in curve)} |"


def files(sittings):
    prose = PAGE.read_text().partition("\n## Figures\n")[0]
    lines = [prose, "## Figures", ""]
    for number, one in enumerate(sittings, 1):
        lines.append(f"{number}. {one['date']}, at {one['commit']}: {one['machine']}; {one['note']}.")
    growth = {
        kind: {
            name: [(x, min(dict(one["growth"][kind][name])[x] for one in sittings)) for x, _ in curve]
            for name, curve in curves.items()
        }
        for kind, curves in sittings[-1]["growth"].items()
    }
    lines += ["", *table(sittings), "", "One check, the mean of 50 paths:", "", *grown(growth["check"])]
    yield PAGE, "\n".join([*lines, "", "Parsing:", "", *grown(growth["parse"]), ""])
    for name, curves in growth.items():
        yield IMAGES / f"growth-{name}.svg", "\n".join([*image(curves, "k" if name == "hostile" else "rules"), ""])


def main():
    if "run" in sys.argv:
        run()
    for path, text in files([json.loads(line) for line in SITTINGS.open()]):
        if len(sys.argv) > 1:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path} does not show what {SITTINGS} has; run {__file__} --write")


if __name__ == "__main__":
    main()
