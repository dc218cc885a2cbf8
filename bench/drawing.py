"""Line charts as SVG, one below the other over the same axis."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 180  # of a panel, labels included
LEFT, RIGHT, TOP, BOTTOM = 60, 90, 28, 24
COLOURS = ["#22655a", "#b4632b", "#5b4b8a", "#8a8a2b"]


@dataclass
class Panel:
    """Some lines: each a name and its points."""

    title: str
    lines: dict


def draw(path, axis, panels):
    """Writes a chart to a file."""
    right = max((x for panel in panels for points in panel.lines.values() for x, _ in points), default=1)
    parts = [frame(panel, number * HEIGHT, right or 1) for number, panel in enumerate(panels)]
    height = HEIGHT * len(panels) + 24
    parts.append(text(LEFT + (WIDTH - LEFT - RIGHT) / 2, height - 10, axis, "middle"))
    with open(path, "w") as out:
        out.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            'font-family="sans-serif" font-size="12" fill="#333">\n'
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
        )


def frame(panel, down, right):
    """One panel, so far down."""
    top = round_up(max((y for points in panel.lines.values() for _, y in points), default=1))
    across, upward = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    floor = down + TOP + upward

    def place(x, y):
        return LEFT + across * x / right, floor - upward * y / top

    parts = [text(LEFT, down + 18, panel.title, "start", bold=True)]
    for part in (0, 0.5, 1):
        _, y = place(0, top * part)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{LEFT + across}" stroke="#ddd"/>')
        parts.append(text(LEFT - 6, y + 4, f"{top * part:g}", "end"))
        x, _ = place(right * part, 0)
        parts.append(text(x, floor + 16, f"{right * part:.0f}", "middle"))
    for (name, points), colour in zip(panel.lines.items(), COLOURS):
        if points:
            parts.append(curve([place(*point) for point in points], name, colour))
    return "\n".join(parts)


def curve(places, name, colour):
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    x, y = places[-1]
    label = text(x + 6, y + 4, name, "start", colour) if name else ""
    return f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>{label}'


def text(x, y, words, anchor, colour="#333", bold=False):
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape(words)}</text>'


def round_up(value):
    """A round number that is not less."""
    size = 1e-6
    while size * 10 <= value:
        size *= 10
    return next((size * step for step in (1, 2, 5) if size * step >= value), size * 10)
