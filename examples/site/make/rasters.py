"""Makes the pixel pictures, the film, the sound and the font. Needs chromium-headless-shell, ffmpeg,
Pillow and fontTools; see ../README.md. The drawings come from plants.py and scenes.py."""
import math, os, random, struct, subprocess, tempfile, wave
from pathlib import Path
from PIL import Image
from drawing import *
from plants import WEB, PLATES, poppy_leaf, soil
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

STATIC = WEB / "static.garden.example"
GARDEN = WEB / "garden.example"
MEDIA = WEB / "media.garden.example"
SCRATCH = Path(os.environ.get("SCRATCH", tempfile.gettempdir()))

def render(html, width, height, name):
    """Lets Chromium draw a page."""
    page, picture = SCRATCH / f"{name}.html", SCRATCH / f"{name}.png"
    page.write_text(f'<body style="margin:0;overflow:hidden">{html}')
    page.chmod(0o644)
    command = ["chromium-headless-shell", "--no-sandbox", "--disable-gpu", f"--screenshot={picture}",
               f"--window-size={width},{height}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True)
    return Image.open(picture).convert("RGB")

def drawing(path, width, height):
    return render(f'<img src="{path.as_uri()}" style="width:{width}px;height:{height}px;object-fit:cover;display:block">', width, height, path.stem)

def png(image, path, size, colours=96):
    path.parent.mkdir(parents=True, exist_ok=True)
    image.resize(size, Image.LANCZOS).quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)

def everything_pictures(plates):
    names = ["image", "by-script", "button", "in-svg", "lazy", "observed", "in-frame", "in-srcdoc", "image-set-1x", "srcset-1x"]
    target = GARDEN / "everything"
    for name, plate in zip(names, plates.values()):
        png(plate, target / f"{name}.png", (160, 192))
        if name.endswith("1x"):
            png(plate, target / f"{name[:-2]}2x.png", (320, 384))
    list(plates.values())[10].resize((160, 192), Image.LANCZOS).save(target / "picture.webp", quality=80)
    list(plates.values())[10].resize((160, 192), Image.LANCZOS).save(target / "picture.jpg", quality=80)
    rng = random.Random(5)
    (target / "range.bin").write_bytes(bytes(rng.randrange(256) for _ in range(4096)))

def responsive(day):
    for width in (480, 960, 1440):
        image = day.resize((width, width // 2), Image.LANCZOS)
        base = STATIC / f"img/responsive/glasshouse-{width}"
        base.parent.mkdir(parents=True, exist_ok=True)
        image.save(base.with_suffix(".jpg"), quality=72, optimize=True, progressive=True)
        image.save(base.with_suffix(".webp"), quality=70, method=6)
    day.crop((560, 100, 1160, 700)).resize((480, 480), Image.LANCZOS).save(STATIC / "img/responsive/glasshouse-square.webp", quality=72, method=6)
    day.resize((960, 480), Image.LANCZOS).save(STATIC / "img/responsive/glasshouse-960.avif", quality=55)

def thumbnails(plates):
    for name, plate in plates.items():
        for width, suffix in ((240, ""), (480, "@2x")):
            path = STATIC / f"img/thumbs/{name}{suffix}.webp"
            path.parent.mkdir(parents=True, exist_ok=True)
            plate.resize((width, width * 6 // 5), Image.LANCZOS).save(path, quality=78, method=6)

FRAMES, COLUMNS, FW, FH = 72, 8, 480, 270

def film_frame(i):
    """A poppy that opens: t runs from 0 to 1."""
    t = 1 / (1 + math.exp(-9 * (i / FRAMES - .5)))
    svg = Svg(FW, FH, f"f{i}")
    dawn = i / FRAMES
    svg.gradient(f"s{i}", [(0, mix("#2b3f5c", "#cfe3e6", dawn)), (1, mix("#8a5f6e", "#f8e9c8", dawn))])
    svg.rect(0, 0, FW, FH, fill=f"url(#s{i})")
    svg.circle(380, 210 - dawn * 140, 26, fill=mix("#f0a05a", "#fbe3a0", dawn))
    svg.path("M0 220C120 190 330 200 480 225V270H0Z", fill=mix("#22382f", "#6f9d5f", dawn))
    green = mix("#2c4a35", "#6b8f55", dawn)
    sway = math.sin(i / 9) * 5
    x, y = 230 + sway, 118 - t * 16
    stem(svg, (225, 262), (220, 190), (x, y), 6, green)
    for a in (-150, -30, -118, -62):
        poppy_leaf(svg, 225, 258, a + sway * .3, 90, green)
    size = 26 + 64 * t
    red = mix("#8a1f22", "#d8402f", .3 + .7 * dawn)
    spread = .22 + .78 * t
    for base, shade in ((200, .14), (340, .14), (90, .2), (265, 0), (25, 0), (150, .05)):
        a = -90 + (((base + 90 + 180) % 360) - 180) * spread
        svg.path(petal(x, y, a, size, size * .72 * (.5 + .5 * t)), fill=mix(red, "#000000", shade))
    if t > .25:
        svg.circle(x, y, size * .3 * t, fill="#4a1020")
        svg.circle(x, y, size * .13, fill="#7f9a55")
    else:
        for side in (-14, 14):
            svg.path(petal(x, y, -90 + side, 34 * (1 - t * 2.4), 12), fill=green)
    for k in range(14):
        px = (k * 71 + i * (1.2 + k % 3)) % FW
        svg.circle(px, 60 + (k * 37 % 130) + math.sin(i / 6 + k) * 8, 1.6, fill="#fff6d6", opacity=".7")
    return svg.text()

def film():
    grid = "".join(film_frame(i) for i in range(FRAMES))
    rows = FRAMES // COLUMNS
    sheet = render(f'<style>svg{{float:left;display:block}}</style>{grid}', COLUMNS * FW, rows * FH, "film")
    (MEDIA / "films").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        for i in range(FRAMES):
            x, y = i % COLUMNS * FW, i // COLUMNS * FH
            frame = sheet.crop((x, y, x + FW, y + FH))
            frame.save(f"{directory}/{i:03}.png")
            if i == FRAMES - 4:
                frame.save(GARDEN / "everything/poster.jpg", quality=78)
                frame.save(STATIC / "img/poppy-poster.jpg", quality=80)
        subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-framerate", "12", "-i", f"{directory}/%03d.png", "-c:v", "libvpx-vp9",
                        "-b:v", "110k", "-pix_fmt", "yuv420p", "-g", "24", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1",
                        str(MEDIA / "films/poppy.webm")], check=True)

def song():
    """Something like a blackbird: sliding whistles over quiet noise."""
    rate, rng = 24000, random.Random(11)
    samples = [0.0] * (rate * 4)
    at = .2
    while at < 3.6:
        for _ in range(rng.randint(2, 4)):
            low, high, length = rng.uniform(1700, 2400), rng.uniform(2200, 3400), rng.uniform(.08, .22)
            phase = 0.0
            for k in range(int(length * rate)):
                t = k / (length * rate)
                phase += (low + (high - low) * math.sin(math.pi * t * .8) + 60 * math.sin(40 * t)) / rate
                index = int(at * rate) + k
                if index < len(samples):
                    samples[index] += .4 * math.sin(2 * math.pi * phase) * math.sin(math.pi * t)
            at += length + rng.uniform(.02, .07)
        at += rng.uniform(.25, .5)
    (MEDIA / "sounds").mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        with wave.open(file, "wb") as out:
            out.setnchannels(1), out.setsampwidth(2), out.setframerate(rate)
            out.writeframes(b"".join(struct.pack("<h", int(max(-1, min(1, s)) * 26000)) for s in samples))
        file.flush()
        subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", file.name, "-c:a", "libopus", "-b:a", "48k", "-fflags", "+bitexact",
                        "-flags:a", "+bitexact", "-map_metadata", "-1", str(MEDIA / "sounds/blackbird.ogg")], check=True)

def contour(pen, points):
    pen.moveTo(points[0])
    for point in points[1:]:
        pen.lineTo(point)
    pen.closePath()

def disc(cx, cy, r, steps=24, stretch=1.0, reverse=False):
    points = [(round(cx + r * math.cos(2 * math.pi * k / steps)), round(cy + r * stretch * math.sin(2 * math.pi * k / steps))) for k in range(steps)]
    return points if reverse else points[::-1]

def lens(x, y, angle, length, width):
    """A leaf outline as a polygon."""
    side = [(length * k / 12, width * math.sin(math.pi * k / 12)) for k in range(13)]
    points = side + [(u, -v) for u, v in side[-2:0:-1]]
    a = math.radians(angle)
    return [(round(x + u * math.cos(a) - v * math.sin(a)), round(y + u * math.sin(a) + v * math.cos(a))) for u, v in points]

def icons():
    """Six signs as a font: leaf, flower, sun, drop, clock, ticket, on the letters a to f."""
    shapes = {
        "a": [lens(180, 0, 60, 860, 200)],
        "b": [lens(400, 350, angle, 360, 110) for angle in range(0, 360, 60)] + [disc(400, 350, 90)],
        "c": [disc(400, 350, 180)] + [lens(400 + 230 * math.cos(math.radians(a)), 350 + 230 * math.sin(math.radians(a)), a, 140, 22) for a in range(0, 360, 45)],
        "d": [[(400, 760), (250, 430), (200, 290), (215, 160), (290, 50), (400, 10), (510, 50), (585, 160), (600, 290), (550, 430)][::-1]],
        "e": [disc(400, 350, 340), disc(400, 350, 280, reverse=True), [(370, 350), (370, 580), (430, 580), (430, 380), (570, 300), (540, 250)]],
        "f": [[(60, 120), (60, 580), (740, 580), (740, 120)], disc(520, 220, 30, reverse=True), disc(520, 350, 30, reverse=True), disc(520, 480, 30, reverse=True)],
    }
    glyphs, metrics = {}, {}
    for name in [".notdef", "space"]:
        glyphs[name], metrics[name] = TTGlyphPen(None).glyph(), (400, 0)
    for name, contours in shapes.items():
        pen = TTGlyphPen(None)
        for points in contours:
            contour(pen, points)
        glyphs[name] = pen.glyph()
        metrics[name] = (800, 0)
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder([".notdef", "space", *shapes])
    font.setupCharacterMap({32: "space", **{ord(name): name for name in shapes}})
    font.setupGlyf(glyphs)
    font.setupHorizontalMetrics(metrics)
    font.setupHorizontalHeader(ascent=850, descent=-150)
    font.setupNameTable({"familyName": "Orrin Icons", "styleName": "Regular"})
    font.setupOS2(sTypoAscender=850, sTypoDescender=-150, usWinAscent=850, usWinDescent=150)
    font.setupPost()
    font.font.recalcTimestamp = False
    font.font["head"].created = font.font["head"].modified = 3_850_000_000
    font.font.flavor = "woff2"
    (STATIC / "fonts").mkdir(parents=True, exist_ok=True)
    font.save(STATIC / "fonts/orrin-icons.woff2")

if __name__ == "__main__":
    plates = {path.stem: drawing(path, 600, 720) for path in sorted(PLATES.glob("*.svg"))}
    everything_pictures(plates)
    thumbnails(plates)
    responsive(drawing(STATIC / "img/glasshouse-day.svg", 1600, 800))
    favicon = render('<div style="width:64px;height:64px;background:#1f4d37;border-radius:14px"><svg viewBox="0 0 40 40" width="64" height="64" fill="#cfe0c3"><path d="M20 37V17" stroke="#cfe0c3" stroke-width="2.4"/><path d="M20 23C9 24 4 17 4 8c10-1 16 5 16 15Z"/><path d="M20 19c0-9 5-15 16-16 1 10-5 16-16 16Z"/></svg></div>', 64, 64, "favicon")
    favicon.save(GARDEN / "favicon.ico", sizes=[(16, 16), (32, 32)])
    favicon.resize((192, 192), Image.LANCZOS).quantize(32).save(STATIC / "img/icon-192.png", optimize=True)
    film()
    song()
    icons()
