"""Writes what is no fun to write by hand: the old site in its charsets, the sitemap, a PDF and a ZIP file."""
import zipfile
from plants import WEB

OLD, GARDEN = WEB / "old.garden.example", WEB / "garden.example"

def write(path, text, charset):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(charset))

HOME_1998 = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
<HTML><HEAD><TITLE>Orrin Hill Garden – Home Page</TITLE><LINK REL=STYLESHEET HREF="style.css"></HEAD>
<BODY BGCOLOR="#FFFFE0" TEXT="#003300" LINK="#006600" BACKGROUND="leaf.svg">
<CENTER><H1><FONT FACE="Times" COLOR="#006633">Orrin Hill Garden</FONT></H1>
<IMG SRC="//static.garden.example/img/journal/fern.svg" WIDTH=80 HEIGHT=80 ALT="Fern"><BR>
<MARQUEE>* * * Welcome to our “Home Page” * * * now with photographs * * *</MARQUEE></CENTER>
<HR>
<P>The tea room – “Café” since Easter – serves crème brûlée for £1·20, or 2€ from next year.
Entry costs £3½; señoritas and naïve visitors pay the same.
<P><A HREF="guestbook.html">Sign our guest book</A> | <A HREF="/frames/">Version with frames</A> | <A HREF="/kyoto/">A letter from Kyoto</A> | <A HREF="/cgi-bin/counter">Counter</A> | <A HREF="/visit.html">How to find us</A>
<P><I>Best viewed at 800×600. © 1998 Orrin Hill</I>
</BODY></HTML>
"""

GUESTBOOK = """<HTML><HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1252"><TITLE>Guest book</TITLE></HEAD>
<BODY BGCOLOR=#FFFFE0><H2>Guest book</H2>
<P><B>Zoë:</B> Très joli! The déjà vu of my grandmother’s garden…
<P><B>Jürgen:</B> Schöne Grüße aus Köln – „wunderbar“.
<P><B>Åse:</B> Best garden this side of Ålesund™
<P><A HREF="./">Back</A></BODY></HTML>
"""

KYOTO = """<html lang="ja"><head><title>京都からの手紙</title></head><body bgcolor="#ffffff">
<h1>京都からの手紙</h1>
<p>拝啓　オリン・ヒル植物園の皆様。銀杏の葉がすっかり黄色になりました。</p>
<p>種を三粒お送りします。ソースコードの「表」ではなく、本物の種です。</p>
<p><img src="//static.garden.example/img/journal/maple.svg" width="80" alt="紅葉"></p>
<p><a href="reply.html">返事</a> / <a href="/1998/">Orrin Hill</a></p></body></html>
"""

REPLY = """<html lang="ja"><head><meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><title>返事</title></head><body>
<h1>返事</h1><p>種は三粒とも芽を出しました。ありがとうございます。ｶﾀｶﾅもどうぞ。</p><p><a href="/kyoto/">手紙へ</a></p></body></html>
"""

UNICODE = """<!doctype html>
<html lang="en"><head><title>Names of the rose</title></head><body>
<h1>Names of the rose</h1>
<ul><li>English: rose</li><li>Ελληνικά: τριαντάφυλλο</li><li>Русский: роза</li><li>العربية: وردة</li><li>עברית: ורד</li><li>हिन्दी: गुलाब</li><li>中文: 玫瑰</li><li>日本語: 薔薇</li><li>한국어: 장미</li><li>Emoji: 🌹</li></ul>
<p><img src="//static.garden.example/img/journal/poppy.svg" width="80" alt="Not a rose"></p>
</body></html>
"""

def old_site():
    write(OLD / "1998/index.html", HOME_1998, "windows-1252")
    write(OLD / "1998/guestbook.html", GUESTBOOK, "windows-1252")
    write(OLD / "1998/style.css", '@charset "windows-1252";\nH1 { letter-spacing: 2px }\nH1:after { content: " «»" }\n', "windows-1252")
    write(OLD / "1998/leaf.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120"><path d="M60 90C30 80 30 50 60 30c30 20 30 50 0 60Z" fill="#eef0c8"/></svg>\n', "ascii")
    write(OLD / "kyoto/index.html", KYOTO, "shift_jis")
    write(OLD / "kyoto/reply.html", REPLY, "shift_jis")
    write(OLD / "unicode/index.html", UNICODE, "utf-16")
    write(OLD / "frames/index.html", """<HTML><HEAD><TITLE>Orrin Hill with frames</TITLE></HEAD>
<FRAMESET COLS="25%,75%" BORDER=1><FRAME SRC="menu.html" NAME="menu"><FRAMESET ROWS="20%,80%"><FRAME SRC="banner.html" NAME="banner"><FRAME SRC="/1998/" NAME="main"></FRAMESET>
<NOFRAMES><BODY>Your browser shows no frames. <A HREF="/1998/">Enter without.</A></BODY></NOFRAMES></FRAMESET></HTML>
""", "ascii")
    write(OLD / "frames/menu.html", '<HTML><TITLE>Menu</TITLE><BODY BGCOLOR="#CCFFCC"><A HREF="/1998/" TARGET="main">Home</A><BR><A HREF="/1998/guestbook.html" TARGET="main">Guest book</A><BR><A HREF="/kyoto/" TARGET="main">Kyoto</A></BODY></HTML>\n', "ascii")
    write(OLD / "frames/banner.html", '<HTML><TITLE>Banner</TITLE><BODY BGCOLOR="#006633" TEXT="#FFFFCC"><CENTER><H2>Orrin Hill</H2></CENTER></BODY></HTML>\n', "ascii")

def sitemap():
    pages = sorted(path.parent.relative_to(GARDEN).as_posix() for path in GARDEN.rglob("index.html"))
    skipped = ("lost", "dialogs")
    urls = [f"https://garden.example/{page}/".replace("/./", "/") for page in pages if page not in skipped]
    entries = "\n".join(f"  <url><loc>{url}</loc><lastmod>2026-10-12</lastmod></url>" for url in urls)
    write(GARDEN / "sitemap.xml", f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}\n</urlset>\n', "utf-8")

def pdf():
    """One page with a hill, a house and a title, drawn by operators."""
    drawing = b"""q 0.44 0.61 0.37 rg 60 300 m 200 420 360 420 540 300 c h f Q
q 0.12 0.30 0.22 RG 2 w 250 390 100 40 re S 250 430 m 280 480 320 480 350 430 c S Q
BT /F1 28 Tf 60 720 Td (Orrin Hill Botanic Garden) Tj 0 -34 Td /F1 14 Tf (A map of the hill. North is where the moss is.) Tj ET
"""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R /Annots [6 0 R] >>",
               b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing), b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
               b"<< /Type /Annot /Subtype /Link /Rect [60 680 400 750] /Border [0 0 0] /A << /S /URI /URI (https://garden.example/visit/) >> >>"]
    out, offsets = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table, len(objects) + 1, len(out))
    (GARDEN / "downloads/map.pdf").write_bytes(out)

def labels():
    with zipfile.ZipFile(GARDEN / "downloads/seeds.zip", "w", zipfile.ZIP_DEFLATED) as file:
        for name in ("foxglove", "honesty", "sweet pea"):
            file.writestr(zipfile.ZipInfo(f"{name}.txt", (2026, 10, 12, 6, 0, 0)), f"{name.title()}\nOrrin Hill Botanic Garden\nSow and hope.\n")

if __name__ == "__main__":
    old_site(), sitemap(), pdf(), labels()
