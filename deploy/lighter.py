"""Takes out of the image what no server loads, and then uses what is left: `lighter.py FOLDER`, `lighter.py --check`.

The folder is the site-packages of the image. `--check` runs with the image's Python and fails where something needed is missing.
"""

import shutil
import sys
from io import BytesIO
from pathlib import Path

# Tests, sources for compilers, models and parts of libraries that only others import.
FOLDERS = (
    *(
        f"twisted/{part}"
        for part in ("test", "newsfragments", "conch", "mail", "names", "pair", "positioning", "trial", "words")
    ),
    "autobahn/_flatc",
    # No site of ours serves the pages of `admin`; the library that describes the API imports its code.
    "django/contrib/admin/static",
    "django/contrib/gis",
    "lxml/html",
    "lxml/isoschematron",
    "numpy/distutils",
    "scipy/stats/_unuran",
    "jieba/lac_small",
    "jieba/posseg",
    "jieba/analyse",
    *(f"scipy/{part}" for part in ("io", "signal", "datasets", "cluster", "odr", "misc", "fftpack")),
)
# Libraries of the same kinds, each with how it is found: AVIF is no format of ours, `_simd` is for numpy's own tests.
LIBRARIES = ("PIL/_avif.*.so", "pillow.libs/libavif-*", "lxml/objectify.*.so", "numpy/_core/_simd.*.so")
# Autobahn reads its own at a start.
WITH_SOURCES = ("numpy", "scipy", "lxml", "aiohttp", "uvloop", "fontTools")
SOURCES = {".pyi", ".pxd", ".pyx", ".pxi", ".h", ".hpp", ".c", ".a"}
LANGUAGES = {"en", "zh_Hans"}
# S3, and the services that give its credentials.
SERVICES = {"s3", "signin", "sts", "sso", "sso-oidc"}


def lighten(site: Path) -> None:
    """Removes from the folder what no server loads. Errors: `FileNotFoundError` where a library keeps it elsewhere now."""
    for name in FOLDERS:
        shutil.rmtree(site / name)
    for pattern in LIBRARIES:
        if not (found := list(site.glob(pattern))):
            raise FileNotFoundError(pattern)
        for file in found:
            file.unlink()
    # The deepest first: tests have folders of tests.
    for folder in sorted(one for one in site.rglob("tests") if one.is_dir())[::-1]:
        shutil.rmtree(folder)
    for folder in (site / "botocore" / "data").iterdir():
        if folder.is_dir() and folder.name not in SERVICES:
            shutil.rmtree(folder)
    for locale in [one for one in site.rglob("locale") if one.is_dir()]:
        for folder in locale.iterdir():
            if (folder / "LC_MESSAGES").is_dir() and folder.name not in LANGUAGES:
                shutil.rmtree(folder)
    for name in WITH_SOURCES:
        for file in [one for one in (site / name).rglob("*") if one.suffix in SOURCES and one.is_file()]:
            file.unlink()
    # Jython's copies of jieba's tables.
    for file in (site / "jieba" / "finalseg").glob("*.p"):
        file.unlink()


def check() -> None:
    """Uses each lightened library as the rooms do. Errors: whatever is missing."""
    import boto3
    import django
    import jieba
    import psycopg
    from daphne.server import reactor, serverFromString
    from django.conf import settings
    from django.utils.translation import gettext, override
    from fpdf import FPDF
    from openpyxl import Workbook, load_workbook
    from pypdfium2 import PdfDocument
    from sacrebleu.metrics.bleu import BLEU
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import bellman_ford, connected_components
    from scipy.special import nctdtr, ndtr, stdtr, stdtrit
    from scipy.stats import kendalltau, pearsonr, rankdata, wilcoxon

    for name in SERVICES:
        boto3.client(name, region_name="us-east-1", aws_access_key_id="-", aws_secret_access_key="-")
    assert jieba.lcut("对话评测平台") == ["对话", "评测", "平台"], jieba.lcut("对话评测平台")
    assert BLEU(effective_order=True).sentence_score("a b c d", ["a b c d"]).score > 99
    linear_sum_assignment([[1, 2], [2, 1]])
    graph = csr_array([[0, 1], [1, 0]])
    bellman_ford(graph)
    connected_components(graph)
    assert ndtr(0) == stdtr(3, 0) == 0.5
    assert stdtrit(3, nctdtr(3, 0, 1)) > 0
    kendalltau([1, 2, 3], [1, 3, 2])
    pearsonr([1, 2, 3], [1, 3, 2])
    rankdata([3, 1, 2])
    wilcoxon([1, 2, 3, 4, -5])
    pdf = FPDF()
    pdf.add_page()
    pdf.line(1, 1, 9, 9)
    PdfDocument(bytes(pdf.output()))[0].render().to_pil().save(BytesIO(), "PNG")
    stored = BytesIO()
    Workbook().save(stored)
    load_workbook(stored, read_only=True)
    assert psycopg.pq.__impl__ == "binary"
    # Reads every plugin of Twisted, as Daphne does when it listens.
    assert serverFromString(reactor, "tcp:0:interface=127.0.0.1")
    of_django = "Enter a valid email address."
    settings.configure(USE_I18N=True)
    django.setup()
    with override("zh-hans"):
        assert gettext(of_django) != of_django


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        check()
    else:
        lighten(Path(sys.argv[1]))
