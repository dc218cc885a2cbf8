"""The chart of accuracy by cost."""

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 760, 460, 70, 60, 20
COLORS = ["#1f6f8b", "#c0562f", "#5b8c3a", "#7a4e9e", "#8bb8c8", "#e0a48c", "#b2cf9c", "#c3abd4"]


def chart(series):
    """An SVG with a line for each (name, [(cost, accuracy)])."""

    def x(cost):
        return LEFT + cost * (WIDTH - LEFT - 20)

    def y(accuracy):
        return HEIGHT - BOTTOM - accuracy * (HEIGHT - BOTTOM - TOP)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 15}" text-anchor="middle">relative cost: lines for each key of the index</text>',
        f'<text transform="translate(18 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">accuracy</text>',
    ]
    for step in range(6):
        part = step / 5
        parts.append(f'<line x1="{LEFT}" y1="{y(part):.1f}" x2="{WIDTH - 20}" y2="{y(part):.1f}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(part) + 4:.1f}" text-anchor="end">{part:.0%}</text>')
        parts.append(f'<text x="{x(part):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{part:g}</text>')
    for number, (name, points) in enumerate(series):
        color = COLORS[number % len(COLORS)]
        line = " ".join(f"{x(min(cost, 1)):.1f},{y(accuracy):.1f}" for cost, accuracy in sorted(points))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        parts.append(f'<text x="{WIDTH - 30}" y="{HEIGHT - BOTTOM - 12 - 15 * number}" text-anchor="end" fill="{color}">{name}</text>')
    return "\n".join(parts) + "\n</svg>\n"
