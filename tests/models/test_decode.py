"""Text in any encoding, declared or not, rightly or wrongly."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.read.decode import codec_of, decode, encoding

# Made for this test, a sentence or two for each alphabet.
TEXTS = {
    "Russian": "Писательница родилась в небольшом городе у моря и много лет преподавала в школе.",
    "Ukrainian": "Письменниця народилася в невеликому місті біля моря і багато років викладала в школі.",
    "Czech": "Spisovatelka se narodila v malém městě u moře a dlouhá léta učila na místní škole žáky řečtiny.",
    "Polish": "Pisarka urodziła się w małym mieście nad morzem i przez wiele lat uczyła w miejscowej szkole.",
    "Hungarian": "Az írónő egy tengerparti kisvárosban született; gyűjtőként is ismerték a főiskolán.",
    "Greek": "Η συγγραφέας γεννήθηκε σε μια μικρή πόλη κοντά στη θάλασσα και δίδαξε πολλά χρόνια.",
    "Turkish": "Yazar denize yakın küçük bir şehirde doğdu ve uzun yıllar şehrin okulunda öğretmenlik yaptı.",
    "Hebrew": "הסופרת נולדה בעיר קטנה ליד הים ולימדה שנים רבות בבית הספר של העיר.",
    "Arabic": "ولدت الكاتبة في مدينة صغيرة قرب البحر ودرست سنوات طويلة في مدرسة المدينة.",
    "Thai": "นักเขียนเกิดในเมืองเล็กๆ ริมทะเล และสอนอยู่ที่โรงเรียนของเมืองเป็นเวลาหลายปี",
    "Japanese": "作家は海の近くの小さな町で生まれ、長年にわたって町の学校で教えていた。",
    "Chinese": "这位作家出生在海边的一个小城，多年来一直在城里的学校教书。",
    "Taiwanese": "這位作家出生在海邊的一個小城，多年來一直在城裡的學校教書。",
    "Korean": "작가는 바닷가의 작은 도시에서 태어나 오랫동안 그 도시의 학교에서 가르쳤다.",
    "German": "Die Schriftstellerin wurde in einer kleinen Stadt geboren und lehrte über Jahre; sie hieß „Müller“.",
    "French": "L’écrivaine est née dans une petite ville près de la mer, où elle a enseigné à l’école des années.",
    "Icelandic": "Rithöfundurinn fæddist í litlum bæ við sjóinn og kenndi þar í mörg ár við skóla bæjarins.",
}
LEGACY = [
    ("Russian", "windows-1251"),
    ("Russian", "koi8-r"),
    ("Russian", "iso-8859-5"),
    ("Russian", "ibm866"),
    ("Ukrainian", "windows-1251"),
    ("Ukrainian", "koi8-u"),
    ("Czech", "windows-1250"),
    ("Czech", "iso-8859-2"),
    ("Polish", "windows-1250"),
    ("Polish", "iso-8859-2"),
    ("Greek", "windows-1253"),
    ("Greek", "iso-8859-7"),
    ("Turkish", "windows-1254"),
    ("Turkish", "iso-8859-9"),
    ("Hebrew", "windows-1255"),
    ("Arabic", "windows-1256"),
    ("Thai", "tis-620"),
    ("Japanese", "shift_jis"),
    ("Japanese", "euc-jp"),
    ("Japanese", "iso-2022-jp"),
    ("Chinese", "gb2312"),
    ("Chinese", "gb18030"),
    ("Taiwanese", "big5"),
    ("Korean", "euc-kr"),
    ("German", "windows-1252"),
    ("French", "windows-1252"),
    ("Icelandic", "iso-8859-1"),
]
DECLARED = [*LEGACY, ("Hungarian", "iso-8859-2")]  # whose letters alone look like those of the West
UNICODE = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]


def page(text: str, encoded: str, head: str = "") -> bytes:
    codec = codec_of(encoded) or encoded
    whole = f"<!DOCTYPE html><html><head>{head}<title>x</title><style>a{{b:c}}</style></head><body><p>{text}</p>"
    return whole.encode(encoded if encoded.startswith("utf") else codec)


def meta(label: str) -> str:
    return f'<meta http-equiv="Content-Type" content="text/html; charset={label}">'


@pytest.mark.parametrize(("language", "label"), LEGACY)
def test_what_nobody_declares_is_told_by_its_letters(language: str, label: str) -> None:
    assert TEXTS[language] in decode(page(TEXTS[language], label), "text/html")


@pytest.mark.parametrize(("language", "label"), DECLARED)
@pytest.mark.parametrize("where", ["header", "quoted header", "meta", "short meta", "late meta", "xml"])
def test_what_is_declared_is_heard(language: str, label: str, where: str) -> None:
    text = TEXTS[language][:12]  # too little to tell by its letters
    heads = {
        "meta": meta(label),
        "short meta": f"<META CHARSET='{label}'>",
        "late meta": f"<script>{'x' * 6000}</script>{meta(label)}",
    }
    body = page(text, label, heads.get(where, ""))
    if where == "xml":
        body = f'<?xml version="1.0" encoding="{label}"?>\n'.encode() + body
    header = {"header": f"text/html; charset={label}", "quoted header": f'text/html;Charset="{label.upper()}"'}
    assert text in decode(body, header.get(where, "text/html"))


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("encoded", UNICODE)
@pytest.mark.parametrize("declared", ["", "iso-8859-1", "windows-1251", "shift_jis", "utf-16", "nonsense"])
def test_unicode_is_read_as_such_whatever_is_declared(language: str, encoded: str, declared: str) -> None:
    body = page(TEXTS[language], encoded, meta(declared))
    assert TEXTS[language] in decode(body, f"text/html; charset={declared}")


@pytest.mark.parametrize(("language", "label"), [one for one in LEGACY if one[0] not in ("German", "French")])
def test_of_header_and_meta_the_one_that_fits_counts(language: str, label: str) -> None:
    text = TEXTS[language]
    assert text in decode(page(text, label, meta(label)), "text/html; charset=iso-8859-1")
    assert text in decode(page(text, label, meta(label)), "text/html; charset=utf-8")
    assert text in decode(page(text, label, meta("utf-8")), f"text/html; charset={label}")


@pytest.mark.parametrize("language", ["Russian", "Greek", "Hebrew", "Japanese", "Korean"])
def test_another_alphabet_is_not_latin_because_the_server_says_so(language: str) -> None:
    label = next(label for name, label in LEGACY if name == language)
    assert TEXTS[language] in decode(page(TEXTS[language], label), "text/html; charset=iso-8859-1")


@pytest.mark.parametrize("word", ["Café", "naïve", "£20", "25 °C", "Núñez", "Søren", "“quoted”", "it’s", "1990–1995"])
@pytest.mark.parametrize("declared", ["", "; charset=iso-8859-1", "; charset=us-ascii", "; charset=utf-8"])
def test_a_word_in_an_english_page_is_western(word: str, declared: str) -> None:
    text = f"The writer was born in a town by the sea, and {word} was what she said of it for many years."
    assert text in decode(page(text, "windows-1252"), f"text/html{declared}")


def test_a_spoiled_byte_does_not_change_the_encoding() -> None:
    body = page(TEXTS["German"] * 5, "utf-8").replace(b"hie\xc3\x9f", b"hie\xdf", 1)
    assert "über Jahre; sie hie\ufffd" in decode(body, "text/html")
    body = page(TEXTS["Chinese"] * 5, "gb18030") + b"\xff<p>"
    assert TEXTS["Chinese"] in decode(body, "text/html; charset=gb2312")


def test_a_script_in_another_alphabet_is_not_heard() -> None:
    script = (
        f"<script>var a = '{'x' * 500}';</script>".encode() + b"<!-- " + TEXTS["Russian"].encode("cp1251") + b" -->"
    )
    body = script + page(TEXTS["French"], "windows-1252")
    assert TEXTS["French"] in decode(body, "text/html")


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("gb2312", "gb18030"),
        ("GBK", "gb18030"),
        ("iso-8859-1", "cp1252"),
        ("latin1", "cp1252"),
        ("us-ascii", "cp1252"),
        ("iso-8859-9", "cp1254"),
        ("Shift_JIS", "cp932"),
        ("x-sjis", "cp932"),
        ("euc-kr", "cp949"),
        ("ks_c_5601-1987", "cp949"),
        ("big5", "big5hkscs"),
        ("tis-620", "cp874"),
        ("win-1251", "cp1251"),
        ("x-cp1251", "cp1251"),
        ("iso-8859-8-i", "iso8859-8"),
        ("x-mac-roman", "mac-roman"),
        ("utf8", "utf-8"),
        ("unicode-1-1-utf-8", "utf-8"),
        ("rot13", None),
        ("hex", None),
        ("undefined", None),
        ("punycode", None),
        ("utf-7", None),
        ("none", None),
        ("", None),
    ],
)
def test_labels_are_read_as_browsers_read_them(label: str, codec: str | None) -> None:
    assert codec_of(label) == codec


@given(st.binary(max_size=3000), st.text(max_size=60))
def test_any_bytes_become_text(body: bytes, content_type: str) -> None:
    assert isinstance(decode(body, content_type), str)
    assert isinstance(decode(body, f"text/html; charset={content_type}"), str)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00\x1b"), min_size=1, max_size=500))
def test_utf_8_is_never_taken_for_something_else(text: str) -> None:
    assert decode(text.encode(), "text/html; charset=utf-8").removeprefix("\ufeff") == text.removeprefix("\ufeff")


@pytest.mark.parametrize(
    "body",
    [
        b"<" * 5_000_000,
        b"<!--" * 2_000_000,
        b"<script>" * 1_000_000 + b"\xe9",
        b"\xe9" * 10_000_000,
        b"\x83\x65" * 5_000_000,
        b"<meta " * 2_000_000,
        b"<meta charset=" * 500_000 + b"\xff",
        b"<style " + b"a" * 5_000_000 + b"\xe9\xe8",
        (b"<a" + b" " * 1990) * 500 + b"\xe9\xe8" * 99,
    ],
    ids=range(9),
)
def test_no_bytes_take_long(body: bytes) -> None:
    begun = process_time()
    encoding(body, "text/html")
    assert process_time() - begun < 1.5
