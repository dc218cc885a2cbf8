"""Draws the wide pictures: the glasshouse by day and by night, the seasons, and small vignettes."""
import random
from drawing import *
from plants import WEB, save, poppy, ginkgo_leaf, maple_leaf, poppy_leaf

IMG = WEB / "static.garden.example/img"

def hills(svg, rows):
    for y, swell, colour in rows:
        svg.path(f"M0 {y}C300 {y - swell} 520 {y + swell * .6} 800 {y - swell * .2}S1340 {y - swell} 1600 {y - swell * .1}V800H0Z", fill=colour)

def glasshouse(svg, glass, frame, base, glow):
    """A Victorian house of glass: a dome between two wings."""
    def pane_lines(d):
        svg.path(d, fill="none", stroke=frame, stroke_width="3")
    wing = "M520 560V440Q640 372 760 440V560Z"
    other = "M960 560V440Q1080 372 1200 440V560Z"
    dome = "M720 560V400C720 250 800 200 860 196C920 200 1000 250 1000 400V560Z"
    if glow:
        svg.radial("lamp", [(0, "#ffdf8a", .9), (1, "#ffdf8a", 0)])
        svg.ellipse(860, 470, 480, 260, fill="url(#lamp)")
    for d in (wing, other):
        svg.path(d, fill=glass, stroke=frame, stroke_width="6")
    for start in (520, 960):
        for i in range(1, 8):
            x = start + i * 30
            top = 440 - 68 * (1 - ((i - 4) / 4) ** 2) * .5
            pane_lines(f"M{x} 560V{fmt(top)}")
        pane_lines(f"M{start} 470H{start + 240}M{start} 515H{start + 240}")
    palms(svg, glow)
    svg.path(dome, fill=glass, stroke=frame, stroke_width="7", opacity=".82")
    for i in range(1, 8):
        x = 720 + i * 35
        lean = (x - 860) * .25
        pane_lines(f"M{x} 560V400C{x} 300 {fmt(860 + lean * 1.4)} 230 860 196")
    for y in (260, 320, 385, 440, 500):
        half = 140 if y > 390 else 140 * (1 - ((400 - y) / 215) ** 2.4) ** .5
        pane_lines(f"M{fmt(860 - half)} {y}H{fmt(860 + half)}")
    svg.path("M860 196V150M846 164H874", stroke=frame, stroke_width="5")
    svg.circle(860, 146, 7, fill=frame)
    svg.path("M830 560V490Q860 462 890 490V560Z", fill=base, stroke=frame, stroke_width="5")
    svg.rect(500, 556, 720, 26, fill=base)

def palms(svg, glow):
    tone = "#2a5f43" if not glow else "#3c6a3e"
    for x, y, s in [(800, 420, 70), (915, 390, 84), (860, 470, 60), (610, 500, 42), (1090, 500, 46)]:
        stem(svg, (x, 556), (x + 6, (y + 556) / 2), (x, y), 6, "#6b5138")
        for a in range(-180, 1, 26):
            leaf(svg, x, y, a - (8 if a < -90 else -8), s * (.7 + .3 * abs(a + 90) / 90), 9, tone, vein=False)

def tree(svg, x, y, s, tones):
    rng = random.Random(x)
    svg.path(f"M{x - s * .05} {y}L{x - s * .02} {y - s * .6}H{x + s * .02}L{x + s * .05} {y}Z", fill="#5a4634")
    for i in range(16):
        a, d = rng.uniform(0, 360), rng.uniform(0, s * .34)
        px, py = move(x, y - s * .95, a, d)
        svg.circle(px, py, s * rng.uniform(.14, .26), fill=tones[i % len(tones)])

def cypress(svg, x, y, s, colour):
    svg.path(f"M{x} {y}C{x - s * .3} {y - s * .2} {x - s * .16} {y - s * .9} {x} {y - s}C{x + s * .16} {y - s * .9} {x + s * .3} {y - s * .2} {x} {y}Z", fill=colour)

def beds(svg, colours, greens):
    rng = random.Random(7)
    for i in range(300):
        x, y = rng.uniform(0, 1600), 640 + rng.uniform(0, 1) ** .8 * 170
        s = 5 + (y - 640) * .075
        if abs(x - 1010 - (y - 600) * .2) < 46 + (y - 600) * .42:
            continue
        svg.path(f"M{pt(x, y)}v{fmt(-s * 3)}", stroke=greens[i % 2], stroke_width="2.4")
        svg.circle(x, y - s * 3, s, fill=colours[i % len(colours)])
        svg.circle(x, y - s * 3, s * .36, fill="#f6d66b")

def hero(night):
    svg = Svg(1600, 800, "The glasshouse at Orrin Hill")
    if night:
        svg.gradient("sky", [(0, "#0d1b2a"), (.7, "#25405a"), (1, "#4f6b73")])
        rows = [(470, 90, "#24424a"), (540, 60, "#1d3a3a"), (600, 40, "#17322c")]
        lawn, path, greens = "#1c3b2d", "#57604f", ["#2f5a41", "#274c38"]
        flowers = ["#8f6fae", "#b06a86", "#7c8fc4", "#c9b46a"]
        tones = ["#1f4434", "#27513c", "#183a2d"]
    else:
        svg.gradient("sky", [(0, "#cfe3e6"), (.65, "#f2ead2"), (1, "#f8e3c0")])
        rows = [(450, 90, "#b9d0b4"), (520, 70, "#97ba93"), (585, 44, "#7aa573")]
        lawn, path, greens = "#6f9d5f", "#ead9b0", ["#4f7f48", "#5f9153"]
        flowers = ["#d8402f", "#e58a3a", "#f4e1ea", "#7a62b8", "#e7a9bd"]
        tones = ["#5d8f56", "#6fa062", "#4d7f4d"]
    svg.rect(0, 0, 1600, 800, fill="url(#sky)")
    if night:
        rng = random.Random(3)
        for _ in range(90):
            svg.circle(rng.uniform(0, 1600), rng.uniform(0, 330), rng.uniform(.8, 2.4), fill="#eef3ff", opacity=f"{rng.uniform(.4, 1):.1f}")
        svg.circle(1400, 140, 56, fill="#f3ecd0")
        svg.circle(1380, 128, 50, fill="#112031")
    else:
        svg.circle(1390, 170, 78, fill="#fbd48a")
        svg.circle(1390, 170, 120, fill="#fbd48a", opacity=".3")
        for x, y, s in [(220, 130, 1), (620, 90, .7), (1480, 110, .8)]:
            svg.path(f"M{x} {y}c{20 * s} {-36 * s} {70 * s} {-36 * s} {84 * s} {-8 * s}c{30 * s} {-14 * s} {66 * s} 0 {62 * s} {28 * s}H{x - 34 * s}c{-10 * s} {-14 * s} {10 * s} {-24 * s} {34 * s} {-20 * s}Z", fill="#ffffff", opacity=".75")
    hills(svg, rows)
    for x, y, s in [(90, 590, 210), (250, 600, 160), (420, 596, 190), (1450, 600, 200), (1560, 596, 240)]:
        tree(svg, x, y, s, tones)
    for x, s in [(602, 170), (632, 130), (1388, 175), (1420, 135)]:
        cypress(svg, x, 590, s, tones[2])
    svg.path("M0 585C300 566 1300 566 1600 585V800H0Z", fill=lawn)
    svg.add('<g transform="translate(150 0)">')
    glasshouse(svg, "#dcefe6" if not night else "#f7dd9a", "#f8f6ee" if not night else "#33413a", "#e9dfc8" if not night else "#6b5a38", night)
    svg.path("M842 582H878C910 660 1010 740 1130 800H700C790 740 836 660 842 582Z", fill=path)
    svg.add("</g>")
    beds(svg, flowers, greens)
    return svg

SEASONS = {
    "spring": ("#dcebd3", "#f9f4df", "#86b46e", ["#f3b6c8", "#fbdfe6", "#f7e28a"]),
    "summer": ("#bfe0e6", "#f7f1cf", "#5f9a58", ["#d8402f", "#f0b429", "#6a56b8"]),
    "autumn": ("#f2dcc0", "#fbefd9", "#a8843f", ["#c93a35", "#e0784a", "#edbb3a"]),
    "winter": ("#d9e4ea", "#f4f7f8", "#e8eff2", ["#ffffff", "#c7d8e0", "#a9242d"]),
}

def season(name):
    sky, glow, ground, colours = SEASONS[name]
    svg = Svg(1200, 600, f"The garden in {name}")
    svg.gradient("s", [(0, sky), (1, glow)])
    svg.rect(0, 0, 1200, 600, fill="url(#s)")
    svg.circle(900, 170, 70, fill="#ffffff", opacity=".7")
    svg.path("M0 400C260 330 420 430 640 390S1000 330 1200 380V600H0Z", fill=mix(ground, glow, .45))
    svg.path("M0 470C300 410 560 500 800 450S1100 430 1200 450V600H0Z", fill=ground)
    rng = random.Random(name)
    if name == "autumn":
        for i in range(3):
            one = Svg(0, 0, "")
            maple_leaf(one, 0, 0, 0, 34, colours[i])
            svg.defs.append(f'<g id="leaf{i}">' + "".join(one.parts) + "</g>")
    stem(svg, (330, 520), (330, 400), (350, 250), 26, "#5c4433")
    for dx, dy in [(-150, -60), (-90, -150), (40, -190), (150, -120), (190, -30)]:
        stem(svg, (345, 330), (345 + dx * .4, 290 + dy * .3), (350 + dx, 250 + dy), 10, "#5c4433")
    for i in range(30 if name == "winter" else 240):
        a, d = rng.uniform(0, 360), rng.uniform(0, 1) ** .6 * 230
        x, y = move(355, 190, a, d)
        y = 190 + (y - 190) * .75
        if name == "autumn":
            svg.add(f'<use href="#leaf{i % 3}" transform="translate({pt(x, y)}) rotate({rng.randrange(360)})"/>')
        else:
            svg.circle(x, y, rng.uniform(7, 20), fill=colours[i % 3] if name != "summer" else ["#4f8f4c", "#62a257", "#3f7c43"][i % 3], opacity=".9")
    for i in range(90):
        x, y = rng.uniform(0, 1200), rng.uniform(480, 600)
        svg.circle(x, y, 3 + (y - 470) * .06, fill=colours[i % 3])
    return svg

def vignette(name):
    svg = Svg(160, 160, name)
    svg.rect(0, 0, 160, 160, rx=80, fill={"fern": "#dbe8cf", "iris": "#e1dcf1", "maple": "#f5ddd4", "poppy": "#f4ead0"}[name])
    if name == "fern":
        frond(svg, (40, 140), (60, 60), (126, 36), 30, "#3c7d50", 14)
    elif name == "iris":
        for a in (-118, -90, -62):
            svg.path(petal(80, 88, a, 56, 20), fill="#6a56b8")
        for a in (160, 20, 90):
            svg.path(petal(80, 88, a, 54, 26), fill="#4a3a9c")
    elif name == "maple":
        maple_leaf(svg, 80, 96, -90, 66, "#c93a35")
    else:
        poppy(svg, 80, 80, 52, ("#d8402f", "#7e1620", "#9c221f"), ("#2a1020", "#3a1830", "#6f8a4a"))
    return svg

def herbarium(number):
    """A dried specimen on a sheet: every one different."""
    rng = random.Random(number)
    svg = Svg(300, 400, f"Herbarium sheet {number}")
    svg.rect(0, 0, 300, 400, fill="#f3ead6")
    svg.rect(10, 10, 280, 380, fill="none", stroke="#d9cba8", stroke_width="1.5")
    tone = rng.choice(["#7d8a52", "#8f7a48", "#6e7d58", "#8a6a4a"])
    p0, p1, p2 = (150 + rng.uniform(-30, 30), 330), (150 + rng.uniform(-60, 60), 200), (150 + rng.uniform(-50, 50), 60)
    pairs = rng.randint(5, 16)
    if pairs > 11:
        frond(svg, p0, p1, p2, rng.uniform(34, 60), tone, pairs * 2)
    else:
        stem(svg, p0, p1, p2, 3, mix(tone, "#3b2a18", .4))
        for t, x, y, angle in curve(p0, p1, p2, pairs):
            size = rng.uniform(38, 80) * (1 - t * .5)
            for side in (-1, 1):
                leaf(svg, x, y, angle + side * rng.uniform(40, 70), size, size * rng.uniform(.16, .34), tone)
        if rng.random() > .4:
            for i in range(9):
                svg.path(petal(*p2, i * 40, 26, 9), fill=rng.choice(["#b98a9a", "#c2a05a", "#8f86a8"]))
    svg.rect(180, 345, 100, 36, fill="#fbf6e8", stroke="#c9b98f")
    svg.add(f'<text x="188" y="360" font-family="Georgia,serif" font-size="10" fill="#4a3f2a">Orrin Hill No. {1000 + number * 37}</text>')
    svg.add(f'<text x="188" y="374" font-family="Georgia,serif" font-size="9" font-style="italic" fill="#6a5d44">leg. M. Ashe, {1880 + number}</text>')
    for x, y in [(p0[0], p0[1] - 10), (p1[0] * .5 + p2[0] * .25 + p0[0] * .25, 200)]:
        svg.rect(x - 14, y, 28, 7, fill="#fdfaf0", opacity=".9")
    return svg

if __name__ == "__main__":
    save(hero(False), IMG / "glasshouse-day.svg")
    save(hero(True), IMG / "glasshouse-night.svg")
    for name in SEASONS:
        save(season(name), IMG / f"seasons/{name}.svg")
    for name in ("fern", "iris", "maple", "poppy"):
        save(vignette(name), IMG / f"journal/{name}.svg")
    for number in range(1, 25):
        save(herbarium(number), IMG / f"herbarium/{number}.svg")
