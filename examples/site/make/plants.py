"""Draws the twelve plates of the collection, the journal's vignettes and the hero pictures as SVG."""
import math, random, sys
from pathlib import Path
from drawing import *

WEB = Path(__file__).resolve().parent.parent / "web"
PLATES = WEB / "static.garden.example/img/plants"
W, H = 600, 720

def plate(title, ground, glow):
    svg = Svg(W, H, title)
    svg.gradient("g", [(0, mix(ground, "#ffffff", .22)), (1, ground)])
    svg.rect(0, 0, W, H, fill="url(#g)")
    svg.circle(W / 2, 320, 235, fill=glow, opacity=".55")
    return svg

def soil(svg, colour, y=640):
    svg.path(f"M0 {y}C150 {y - 28} 420 {y - 24} 600 {y + 6}V720H0Z", fill=colour)

def tree_fern():
    svg = plate("Soft tree fern", "#cfe0c3", "#f3f1d8")
    soil(svg, "#5d6b42")
    for x in range(-3, 4):
        svg.path(f"M{278 + x * 7} 660C{282 + x * 6} 560 {284 + x * 5} 470 {290 + x * 4} 360", stroke=["#5a4028", "#6d4f33", "#7d5d3d"][x % 3], stroke_width="9", fill="none")
    tips = [(60, 430), (30, 300), (90, 170), (200, 95), (310, 70), (420, 95), (520, 170), (575, 300), (540, 430), (150, 520), (450, 520)]
    tones = ["#2f6b45", "#3c7d50", "#4f9160", "#2a5f3e"]
    order = sorted(range(len(tips)), key=lambda i: -tips[i][1])
    for i in order[::-1]:
        tx, ty = tips[i]
        mid = ((290 + tx) / 2, min(ty, 360) - 90 + abs(tx - 300) * .12)
        frond(svg, (292, 362), mid, (tx, ty), 46, tones[i % 4])
    for x, y, r in [(278, 330, 13), (304, 322, 15)]:
        svg.path(f"M{x} {y + 34}C{x - 4} {y + 10} {x - r} {y} {x} {y - r}c{r} -2 {r + 4} {r} {r * .5} {r}", fill="none", stroke="#7d9b52", stroke_width="6", stroke_linecap="round")
    return svg

def poppy(svg, x, y, size, colours, dark):
    outer, inner, fold = colours
    for a in (200, 340, 90):
        svg.path(petal(x, y, a, size, size * .78), fill=mix(outer, "#000000", .12))
    for a in (265, 25, 150):
        svg.path(petal(x, y, a, size * .95, size * .72, .06), fill=outer)
        for d in (-16, 0, 16):
            tip = move(x, y, a + d, size * .72)
            svg.path(f"M{pt(x, y)}L{pt(*tip)}", stroke=fold, stroke_width="1.6", opacity=".45")
    svg.circle(x, y, size * .3, fill=inner, opacity=".55")
    rng = random.Random(int(x + y))
    for i in range(46):
        a, d = rng.uniform(0, 360), rng.uniform(size * .14, size * .34)
        px, py = move(x, y, a, d)
        svg.path(f"M{pt(x, y)}L{pt(px, py)}", stroke=dark[0], stroke_width="1", opacity=".6")
        svg.circle(px, py, size * .028, fill=dark[1])
    svg.circle(x, y, size * .13, fill=dark[2])

def poppy_leaf(svg, x, y, angle, length, colour):
    for i in range(2, 8):
        px, py = move(x, y, angle, length * i / 8)
        reach = length * .36 * math.sin(math.pi * i / 8.5)
        leaf(svg, px, py, angle - 42, reach, reach * .24, colour, vein=False)
        leaf(svg, px, py, angle + 42, reach, reach * .24, mix(colour, "#0b1f16", .18), vein=False)
    leaf(svg, x, y, angle, length, length * .1, colour)

def bud(svg, x, y, size, green, peep):
    svg.path(petal(x, y, -90, size * 1.15, size * .42), fill=peep)
    svg.path(petal(x - 2, y, -102, size, size * .4), fill=green)
    svg.path(petal(x + 2, y, -78, size, size * .4), fill=mix(green, "#0b1f16", .2))

def poppies(title, ground, glow, colours, dark, soil_colour, green):
    svg = plate(title, ground, glow)
    soil(svg, soil_colour)
    stem(svg, (300, 660), (315, 450), (330, 275), 8, green)
    stem(svg, (285, 660), (230, 520), (170, 400), 7, mix(green, "#0b1f16", .12))
    stem(svg, (318, 660), (400, 540), (455, 470), 6, green)
    for x, y, a, l in [(300, 640, -150, 190), (305, 640, -28, 200), (295, 610, -120, 170), (310, 600, -62, 170)]:
        poppy_leaf(svg, x, y, a, l, green)
    bud(svg, 455, 478, 62, mix(green, "#ffffff", .12), colours[0])
    poppy(svg, 168, 392, 88, colours, dark)
    poppy(svg, 335, 250, 140, colours, dark)
    return svg

def ginkgo_leaf(svg, x, y, angle, size, colour):
    ends = [move(x, y, angle + d, size * (1 if abs(d) > 8 else .82)) for d in (-62, -30, -5, 5, 30, 62)]
    left, right = ends[0], ends[-1]
    d = f"M{pt(x, y)}Q{pt(*move(x, y, angle - 34, size * .55))} {pt(*left)}"
    d += f"Q{pt(*move(x, y, angle - 48, size * 1.12))} {pt(*ends[1])}Q{pt(*move(x, y, angle - 14, size * 1.1))} {pt(*ends[2])}L{pt(*move(x, y, angle, size * .6))}L{pt(*ends[3])}"
    d += f"Q{pt(*move(x, y, angle + 14, size * 1.1))} {pt(*ends[4])}Q{pt(*move(x, y, angle + 48, size * 1.12))} {pt(*right)}Q{pt(*move(x, y, angle + 34, size * .55))} {pt(x, y)}Z"
    svg.path(d, fill=colour)
    ribs = "".join(f"M{pt(x, y)}L{pt(*move(x, y, angle + v, size * .86))}" for v in range(-48, 49, 12) if abs(v) > 6)
    svg.path(ribs, stroke=mix(colour, "#6b4a08", .45), stroke_width="1.2", fill="none", opacity=".55")

def ginkgo():
    svg = plate("Maidenhair tree", "#f0dfae", "#fbf3d6")
    stem(svg, (90, 720), (180, 430), (500, 60), 13, "#6f5638")
    stem(svg, (215, 440), (330, 420), (470, 440), 8, "#7b6142")
    stem(svg, (300, 300), (240, 220), (130, 170), 7, "#7b6142")
    tones = ["#e2a81e", "#edbb3a", "#d4981a", "#f2c955", "#c9b13b"]
    spots = [(160, 540, 150, 120), (180, 510, -20, 100), (250, 400, 70, 115), (330, 425, 100, 120), (400, 428, 60, 125), (468, 440, 20, 130),
             (470, 438, -50, 105), (400, 430, -80, 105), (300, 300, 20, 120), (240, 225, 120, 115), (180, 190, 170, 120), (132, 170, -120, 125),
             (200, 205, -70, 105), (350, 240, 30, 120), (400, 180, 70, 110), (390, 190, -150, 115), (450, 120, 30, 115), (495, 66, -70, 120), (440, 130, -140, 105)]
    for i, (x, y, a, s) in enumerate(spots):
        px, py = move(x, y, a, 34)
        svg.path(f"M{pt(x, y)}L{pt(px, py)}", stroke="#a98a2c", stroke_width="3")
        ginkgo_leaf(svg, px, py, a, s * .82, tones[i % 5])
    return svg

def waterlily():
    svg = plate("Giant waterlily", "#9cc5bd", "#dcefe4")
    svg.rect(0, 350, W, 370, fill="#2f6f70")
    for i in range(9):
        y = 375 + i * 40
        svg.path(f"M0 {y}q75 -12 150 0t150 0t150 0t150 0", fill="none", stroke="#5b9a96", stroke_width="2", opacity=".45")
    for x, y, r in [(150, 420, 105), (470, 440, 120), (290, 600, 190), (60, 640, 90), (560, 640, 90)]:
        svg.ellipse(x, y + 12, r, r * .38, fill="#1d4b4a", opacity=".6")
        svg.ellipse(x, y + 6, r, r * .38, fill="#8a4b5a")
        svg.ellipse(x, y, r, r * .37, fill="#4f9a58")
        svg.ellipse(x, y + 3, r * .93, r * .32, fill="#63ae63")
        ribs = "".join(f"M{pt(x, y + 3)}L{pt(x + math.cos(math.radians(a)) * r * .9, y + 3 + math.sin(math.radians(a)) * r * .31)}" for a in range(0, 360, 24))
        svg.path(ribs, stroke="#8cc97f", stroke_width="2", opacity=".7")
    cx, cy = 300, 480
    for ring, (count, length, width, colour) in enumerate([(11, 150, 34, "#f6c9d6"), (9, 125, 32, "#fbdfe6"), (7, 95, 28, "#fff3f5")]):
        for i in range(count):
            a = -172 + i * (164 / (count - 1))
            svg.path(blade(cx, cy, a, length * (.72 + .28 * abs(math.sin(math.radians(a)))), width), fill=colour, stroke="#e7a9bd", stroke_width="1.5")
    for i in range(9):
        px, py = move(cx, cy - 14, -160 + i * 17, 34)
        svg.circle(px, py, 6, fill="#f0b93c")
    return svg

def barrel():
    svg = plate("Golden barrel cactus", "#f1d3b3", "#fbeedd")
    svg.path("M0 610C160 575 430 580 600 606V720H0Z", fill="#cf9c6c")
    svg.path("M0 660C200 630 420 640 600 664V720H0Z", fill="#b98253")
    def one(cx, cy, r):
        svg.ellipse(cx, cy + r * .86, r * 1.05, r * .2, fill="#7a4f2e", opacity=".35")
        svg.circle(cx, cy, r, fill="#5f8f4e")
        for i in range(-6, 7):
            rx = r * math.sin(math.pi / 2 * i / 6.4)
            svg.path(f"M{pt(cx, cy - r)}Q{pt(cx + rx * 1.9, cy)} {pt(cx + rx * .2, cy + r)}", fill="none", stroke=["#4c7a40", "#73a55e"][i % 2], stroke_width=fmt(r * .075))
            for j in range(1, 12):
                t = j / 12
                x = (1 - t) ** 2 * cx + 2 * (1 - t) * t * (cx + rx * 1.9) + t * t * (cx + rx * .2)
                y = cy - r + 2 * r * t
                spikes = "".join(f"M{pt(x, y)}L{pt(*move(x, y, a, r * .1))}" for a in (200, 235, 270, 305, 340))
                svg.path(spikes, stroke="#f3d06a", stroke_width="1.8", fill="none")
        svg.ellipse(cx, cy - r * .9, r * .3, r * .1, fill="#efe0a8")
        for i in range(7):
            px = cx - r * .24 + i * r * .08
            svg.path(blade(px, cy - r * .9, -90 + (i - 3) * 12, r * .17, r * .05), fill="#f2b632")
    one(430, 520, 92)
    one(250, 420, 190)
    one(150, 610, 62)
    return svg

def iris():
    svg = plate("Siberian iris", "#d8d3ea", "#f3effa")
    soil(svg, "#5c6f4c")
    for i, (x, a, l) in enumerate([(230, -108, 420), (260, -98, 480), (340, -84, 470), (370, -72, 430), (300, -91, 400), (210, -118, 330), (400, -62, 320)]):
        leaf(svg, x, 665, a, l, 15, ["#5b8a56", "#6d9c62", "#4c7a4c"][i % 3])
    def flower(x, y, s):
        for a, l in [(-118, .9), (-62, .9), (-90, 1)]:
            svg.path(petal(x, y, a, s * l, s * .34), fill="#6a56b8")
            svg.path(f"M{pt(x, y)}L{pt(*move(x, y, a, s * .7))}", stroke="#8f7fd6", stroke_width="2")
        for a in (160, 20, 90):
            svg.path(petal(x, y, a, s * 1.05, s * .52, .05), fill="#4a3a9c")
            svg.path(petal(x, y, a, s * .6, s * .22), fill="#f6e7a8")
            veins = "".join(f"M{pt(*move(x, y, a, s * .1))}L{pt(*move(x, y, a + d, s * .8))}" for d in (-18, -9, 0, 9, 18))
            svg.path(veins, stroke="#2f2478", stroke_width="1.6", opacity=".7", fill="none")
        svg.path(petal(x, y, -90, s * .42, s * .16), fill="#8f7fd6")
    stem(svg, (300, 660), (296, 480), (300, 260), 8, "#5b8a56")
    stem(svg, (320, 660), (390, 540), (430, 430), 7, "#4c7a4c")
    stem(svg, (285, 660), (220, 520), (170, 470), 6, "#4c7a4c")
    bud(svg, 168, 478, 74, "#6d9c62", "#5b48ac")
    flower(430, 410, 92)
    flower(300, 235, 138)
    return svg

def sunflower():
    svg = plate("Common sunflower", "#bfdbe4", "#eef6f3")
    soil(svg, "#6c7a3f")
    stem(svg, (300, 680), (318, 500), (300, 300), 15, "#5c8a3e")
    for x, y, a, l, w in [(305, 560, 200, 190, 62), (308, 510, -18, 200, 66), (306, 620, -150, 130, 40), (308, 600, -35, 140, 44)]:
        leaf(svg, x, y, a, l, w, "#639a45")
    cx, cy = 300, 270
    for ring, (r, shift, colour) in enumerate([(198, 0, "#e3a018"), (190, 7, "#f0b429"), (178, 3.5, "#f8c846")]):
        for i in range(24):
            svg.path(blade(cx, cy, i * 15 + shift, r, 26), fill=colour)
    svg.circle(cx, cy, 104, fill="#4b2e17")
    for i in range(420):
        r = 4.9 * math.sqrt(i)
        a = i * 137.508
        px, py = move(cx, cy, a, r)
        svg.circle(px, py, 3.4 - i / 400, fill=["#2f1c0d", "#7a4c21", "#a8702f"][min(2, i // 160)])
    return svg

def monstera():
    ground = "#dfe8d2"
    svg = plate("Swiss cheese plant", ground, "#f6f6e6")
    def one(cx, cy, s, angle, colour):
        g = [f'<g transform="translate({fmt(cx)} {fmt(cy)}) rotate({angle}) scale({s})">']
        edge = []
        for side in (-1, 1):
            points = [(0, -60), (side * 70, -98), (side * 130, -60), (side * 148, 0)]
            d = f"M0 -60C{side * 30} -110 {side * 110} -108 {side * 138} -40"
            cuts = [(-40, 6), (30, 8), (92, 8), (146, 6)]
            x_edge = [138, 150, 132, 92, 40]
            for k, (y, h) in enumerate(cuts):
                y2 = y + 16
                d += f"Q{side * (x_edge[k] + 12)} {(y + cuts[k][1])} {side * (x_edge[k] + 2)} {y + 26}"
                d += f"Q{side * x_edge[k] * .6} {y + 18} {side * (22 + 6 * (3 - k))} {y + 14}"
                d += f"Q{side * x_edge[k] * .62} {y + 34} {side * (x_edge[k + 1] + 6)} {y + 48}"
            d += f"Q{side * 20} 218 0 236Z"
            g.append(f'<path d="{d}" fill="{colour if side < 0 else mix(colour, "#0b1f16", .2)}"/>')
        for side in (-1, 1):
            for y in (-46, 22, 84, 138):
                g.append(f'<path d="M0 {y + 18}Q{side * 40} {y} {side * (112 - abs(y) * .35)} {y - 8}" fill="none" stroke="{mix(colour, "#ffffff", .3)}" stroke-width="2.4" opacity=".7"/>')
            for x, y in [(26, -12), (26, 46), (24, 100)]:
                g.append(f'<ellipse cx="{side * x}" cy="{y}" rx="12" ry="7" transform="rotate({-side * 24} {side * x} {y})" fill="{ground}"/>')
        g.append(f'<path d="M0 -66V228" stroke="{mix(colour, "#ffffff", .45)}" stroke-width="4"/></g>')
        svg.add("".join(g))
    stem(svg, (300, 720), (290, 560), (420, 470), 9, "#4c7a4c")
    stem(svg, (300, 720), (280, 500), (250, 210), 10, "#3f6c45")
    stem(svg, (300, 720), (220, 640), (150, 520), 9, "#4c7a4c")
    one(150, 500, .72, 34, "#5a9a5e")
    one(440, 455, .86, -32, "#4a8a55")
    one(262, 205, 1.28, 8, "#2f7048")
    return svg

def agave():
    svg = plate("Century plant", "#f0d9c8", "#fbf0e6")
    svg.path("M0 600C160 570 430 575 600 600V720H0Z", fill="#c79a74")
    tones = ["#6f9c97", "#86b0a8", "#5d8a86"]
    blades = [(180, 240), (198, 260), (342, 260), (0, 240), (216, 300), (324, 300), (232, 330), (308, 330), (250, 350), (290, 350), (270, 370)]
    for i, (a, l) in enumerate(blades):
        x, y = 300, 585
        colour = tones[i % 3]
        leaf(svg, x, y, a, l, 40, colour, vein=False)
        for side in (-1, 1):
            for k in range(3, 10):
                t = k / 10
                base = move(x, y, a, l * t)
                w = 40 * (3 * (1 - t) ** 2 * t + 1.65 * (1 - t) * t * t)
                edge = move(*base, a + side * 90, w)
                tip = move(*edge, a + side * 60, 9)
                svg.path(f"M{pt(*edge)}L{pt(*tip)}", stroke="#8a4a35", stroke_width="2.6", stroke_linecap="round")
        tip = move(x, y, a, l)
        svg.path(f"M{pt(*move(x, y, a, l - 4))}L{pt(*move(x, y, a, l + 16))}", stroke="#5a2d22", stroke_width="4", stroke_linecap="round")
    svg.path("M0 640C180 606 420 612 600 640V720H0Z", fill="#b5835c")
    for x, y, r in [(90, 668, 22), (500, 676, 30), (430, 655, 14)]:
        svg.ellipse(x, y, r, r * .6, fill="#93694a")
    return svg

def foxglove():
    svg = plate("Common foxglove", "#e8d3dc", "#faf0f3")
    soil(svg, "#5a6b48")
    for x, a, l in [(300, 195, 190), (300, -15, 190), (300, 215, 220), (300, -38, 220), (300, 238, 200), (300, -60, 200)]:
        leaf(svg, x, 655, a, l, 52, "#66935a")
    def spike(x, top, foot, n, size, tones):
        stem(svg, (foot, 660), ((x + foot) / 2, 420), (x, top), 8, "#5f8b52")
        for i in range(n):
            t = i / n
            y = top + 40 + (430 - top * .5) * t ** 1.1
            s = size * (.32 + .68 * t)
            for side in (-1, 1):
                bx = x + (foot - x) * t * .4
                a = 90 - side * 48
                g = move(bx, y + (i % 2) * 8, a, s)
                d1 = move(bx, y, a - 90, s * .16); d2 = move(bx, y, a + 90, s * .16)
                e1 = move(*g, a - 90, s * .36); e2 = move(*g, a + 90, s * .36)
                svg.path(f"M{pt(*d1)}C{pt(*move(*d1, a, s * .5))} {pt(*move(*e1, a + 180, s * .3))} {pt(*e1)}Q{pt(*move(*g, a, s * .26))} {pt(*e2)}C{pt(*move(*e2, a + 180, s * .3))} {pt(*move(*d2, a, s * .5))} {pt(*d2)}Z", fill=tones[(i + (side > 0)) % 2])
                if t > .25:
                    m = move(*g, a, -s * .02)
                    svg.add(f'<ellipse cx="{fmt(m[0])}" cy="{fmt(m[1])}" rx="{fmt(s * .3)}" ry="{fmt(s * .13)}" transform="rotate({a - 90} {fmt(m[0])} {fmt(m[1])})" fill="#f7dbe8"/>')
                    for k in (-1, 0, 1):
                        q = move(*m, a - 90, k * s * .13)
                        svg.circle(*q, s * .035, fill="#8d1f55")
        for i in range(6):
            svg.circle(x + (i % 2 * 2 - 1) * 5, top + 4 + i * 7, 5 + i * .8, fill="#a9bf7a")
    spike(430, 230, 320, 7, 62, ["#c0629a", "#ad4f8a"])
    spike(265, 70, 295, 10, 84, ["#c65b9b", "#b04488"])
    return svg

def maple_leaf(svg, x, y, angle, size, colour):
    shade = mix(colour, "#2a0508", .22)
    for i, (d, l) in enumerate([(-118, .5), (118, .5), (-78, .78), (78, .78), (-40, .95), (40, .95), (0, 1.05)]):
        leaf(svg, x, y, angle + d, size * l, size * .15, colour if i % 2 else mix(colour, "#ffffff", .08), shade, vein=True)

def maple():
    svg = plate("Japanese maple", "#f2d6cc", "#fcefe9")
    stem(svg, (600, 690), (420, 420), (70, 120), 13, "#5c3b34")
    stem(svg, (430, 450), (300, 500), (150, 480), 8, "#6b4740")
    stem(svg, (300, 290), (320, 180), (420, 90), 7, "#6b4740")
    tones = ["#b3242b", "#c93a35", "#d95a3f", "#a01c2b", "#e0784a"]
    for i, (x, y, a, s) in enumerate([(150, 480, 150, 120), (230, 492, 95, 115), (330, 480, 70, 110), (420, 90, -40, 120), (345, 170, 10, 110), (320, 220, -150, 100),
                                      (76, 124, -140, 125), (150, 180, 120, 120), (190, 200, -70, 110), (260, 260, 110, 115), (380, 390, -20, 120), (430, 460, 60, 115), (500, 560, 20, 110), (470, 510, 150, 100)]):
        p = move(x, y, a, 26)
        svg.path(f"M{pt(x, y)}L{pt(*p)}", stroke="#8a2f2c", stroke_width="3")
        maple_leaf(svg, *p, a, s * .8, tones[i % 5])
    return svg

def save(svg, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg.text())

PLANTS = {
    "tree-fern": tree_fern,
    "himalayan-poppy": lambda: poppies("Himalayan blue poppy", "#dbe4d2", "#f7f5e6", ("#4f8fd0", "#2f6cb5", "#2b5fa3"), ("#e9b93b", "#f3cf5a", "#9fb46a"), "#66784e", "#6d9a70"),
    "ginkgo": ginkgo, "giant-waterlily": waterlily, "golden-barrel": barrel, "siberian-iris": iris, "sunflower": sunflower,
    "swiss-cheese-plant": monstera, "century-plant": agave,
    "oriental-poppy": lambda: poppies("Oriental poppy", "#efe3c6", "#fbf6e4", ("#d8402f", "#7e1620", "#9c221f"), ("#2a1020", "#3a1830", "#6f8a4a"), "#6e6a3d", "#6b8f55"),
    "foxglove": foxglove, "japanese-maple": maple,
}

if __name__ == "__main__":
    for name, draw in PLANTS.items():
        save(draw(), PLATES / f"{name}.svg")
