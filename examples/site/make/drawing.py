"""Small SVG shapes from which the garden's pictures are put together."""
import math, random

def fmt(number):
    text = f"{number:.1f}"
    return text[:-2] if text.endswith(".0") else text

def pt(x, y):
    return f"{fmt(x)} {fmt(y)}"

def move(x, y, angle, distance):
    a = math.radians(angle)
    return x + math.cos(a) * distance, y + math.sin(a) * distance

class Svg:
    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.parts, self.defs = [], []

    def add(self, text):
        self.parts.append(text)

    def path(self, d, **attributes):
        self.add(f'<path d="{d}"{attrs(attributes)}/>')

    def circle(self, x, y, r, **attributes):
        self.add(f'<circle cx="{fmt(x)}" cy="{fmt(y)}" r="{fmt(r)}"{attrs(attributes)}/>')

    def ellipse(self, x, y, rx, ry, **attributes):
        self.add(f'<ellipse cx="{fmt(x)}" cy="{fmt(y)}" rx="{fmt(rx)}" ry="{fmt(ry)}"{attrs(attributes)}/>')

    def rect(self, x, y, w, h, **attributes):
        self.add(f'<rect x="{fmt(x)}" y="{fmt(y)}" width="{fmt(w)}" height="{fmt(h)}"{attrs(attributes)}/>')

    def gradient(self, name, stops, vertical=True):
        end = 'x2="0" y2="1"' if vertical else 'x2="1" y2="0"'
        inner = "".join(f'<stop offset="{o}" stop-color="{c}"/>' for o, c in stops)
        self.defs.append(f'<linearGradient id="{name}" x1="0" y1="0" {end}>{inner}</linearGradient>')

    def radial(self, name, stops):
        inner = "".join(f'<stop offset="{o}" stop-color="{c}"' + (f' stop-opacity="{p}"' if p is not None else "") + "/>"
                        for o, c, p in stops)
        self.defs.append(f'<radialGradient id="{name}">{inner}</radialGradient>')

    def text(self):
        defs = f"<defs>{''.join(self.defs)}</defs>" if self.defs else ""
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}" role="img"><title>{self.title}</title>{defs}'
                + "\n".join(self.parts) + "</svg>\n")

def attrs(attributes):
    return "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())

def mix(a, b, t):
    one, two = (tuple(int(c[i:i + 2], 16) for i in (1, 3, 5)) for c in (a, b))
    return "#" + "".join(f"{round(x + (y - x) * t):02x}" for x, y in zip(one, two))

def blade(x, y, angle, length, width, lean=0.0):
    """A leaf from its foot: a path with one bulge on each side."""
    tip = move(x, y, angle, length)
    c1 = move(*move(x, y, angle, length * .28), angle - 90, width * (1 + lean))
    c2 = move(*move(x, y, angle, length * .78), angle - 90, width * .55)
    c3 = move(*move(x, y, angle, length * .78), angle + 90, width * .55)
    c4 = move(*move(x, y, angle, length * .28), angle + 90, width * (1 - lean))
    return f"M{pt(x, y)}C{pt(*c1)} {pt(*c2)} {pt(*tip)}C{pt(*c3)} {pt(*c4)} {pt(x, y)}Z"

def leaf(svg, x, y, angle, length, width, colour, shade=None, vein=True):
    """A leaf in two tones with a midrib."""
    shade = shade or mix(colour, "#0b1f16", .22)
    svg.path(blade(x, y, angle, length, width), fill=colour)
    tip = move(x, y, angle, length)
    c3 = move(*move(x, y, angle, length * .78), angle + 90, width * .55)
    c4 = move(*move(x, y, angle, length * .28), angle + 90, width)
    svg.path(f"M{pt(x, y)}L{pt(*tip)}C{pt(*c3)} {pt(*c4)} {pt(x, y)}Z", fill=shade)
    if vein:
        end = move(x, y, angle, length * .92)
        svg.path(f"M{pt(x, y)}L{pt(*end)}", stroke=mix(colour, "#ffffff", .35), stroke_width=max(1, fmt(width * .05)) if False else fmt(max(1, width * .06)), fill="none", opacity=".7")

def curve(p0, p1, p2, steps):
    """Points and directions along a quadratic curve."""
    for i in range(steps + 1):
        t = i / steps
        x = (1 - t) ** 2 * p0[0] + 2 * (1 - t) * t * p1[0] + t * t * p2[0]
        y = (1 - t) ** 2 * p0[1] + 2 * (1 - t) * t * p1[1] + t * t * p2[1]
        dx = 2 * (1 - t) * (p1[0] - p0[0]) + 2 * t * (p2[0] - p1[0])
        dy = 2 * (1 - t) * (p1[1] - p0[1]) + 2 * t * (p2[1] - p1[1])
        yield t, x, y, math.degrees(math.atan2(dy, dx))

def frond(svg, p0, p1, p2, size, colour, pairs=22):
    """A fern's frond: leaflets in pairs along a curve."""
    shade = mix(colour, "#0b1f16", .25)
    light, dark = [], []
    for t, x, y, angle in curve(p0, p1, p2, pairs):
        if t < .1:
            continue
        length = size * math.sin(math.pi * min(1, .18 + t * .82)) ** .8 + 4
        dark.append(blade(x, y, angle + 68, length, length * .17))
        light.append(blade(x, y, angle - 68, length, length * .17))
    svg.path("".join(dark), fill=shade)
    svg.path("".join(light), fill=colour)
    svg.path(f"M{pt(*p0)}Q{pt(*p1)} {pt(*p2)}", fill="none", stroke=mix(colour, "#3b2a18", .5), stroke_width="3.5", stroke_linecap="round")

def stem(svg, p0, p1, p2, width, colour):
    svg.path(f"M{pt(*p0)}Q{pt(*p1)} {pt(*p2)}", fill="none", stroke=colour, stroke_width=fmt(width), stroke_linecap="round")

def petal(x, y, angle, length, width, notch=0.0):
    """A broad petal; a notch dents its end."""
    tip = move(x, y, angle, length * (1 - notch))
    left = move(*move(x, y, angle, length * .75), angle - 90, width)
    right = move(*move(x, y, angle, length * .75), angle + 90, width)
    l2 = move(*move(x, y, angle, length * 1.12), angle - 90, width * .5)
    r2 = move(*move(x, y, angle, length * 1.12), angle + 90, width * .5)
    return f"M{pt(x, y)}C{pt(*left)} {pt(*l2)} {pt(*tip)}C{pt(*r2)} {pt(*right)} {pt(x, y)}Z"
