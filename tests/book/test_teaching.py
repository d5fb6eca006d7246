"""What the teaching pages promise: exercises with level, minutes and reasons; figures and results
that exist whatever sources are missing; slides made of the chapters' own figures."""

import importlib
import re
from types import SimpleNamespace

import nbformat
import pandas as pd
import pytest
import yaml

from runner import notebooks
from vlmbias import ledger, paths

TEACH = paths.root() / "book/teach"
MATERIAL = [
    *TEACH.glob("*.m*"),  # .md, and .markdown of the slides
    TEACH / "quiz.yaml",
    paths.root() / "book/teach.md",
]
NOTEBOOKS = sorted((paths.root() / "notebooks").glob("*/*.py"))
SOLUTION = re.compile(r"\{solution-start\} (\S+)\n(.*?)```\{solution-end\}", re.DOTALL)


@pytest.fixture
def extension(monkeypatch):
    monkeypatch.syspath_prepend(str(paths.root() / "book/_ext"))
    return importlib.import_module


# --- exercises ------------------------------------------------------------------------------------


def test_every_exercise_says_how_hard_and_how_long_it_is_and_whether_it_needs_code(extension):
    found = extension("exercises").every()
    written = [re.findall("^# :::{exercise}", path.read_text(), re.M) for path in NOTEBOOKS]
    assert len(found) == sum(map(len, written)) == len({one.label for one in found})
    assert not [one for one in found if not 5 <= one.minutes <= 30], "5 to 30 minutes each"


def test_exercises_are_numbered_within_their_chapter(extension):
    numbers = {}
    for one in extension("exercises").every():
        numbers.setdefault(one.notebook, []).append(one.number)
    assert all(own == list(range(1, len(own) + 1)) for own in numbers.values())

    counted = {
        "a": {"exercise": {"x": (21,), "y": (22,)}, "figure": {"f": (3,)}},
        "b": {"exercise": {"z": (23,)}},
    }
    extension("exercises").number_within_pages(None, SimpleNamespace(toc_fignumbers=counted))
    assert counted == {
        "a": {"exercise": {"x": (1,), "y": (2,)}, "figure": {"f": (3,)}},
        "b": {"exercise": {"z": (1,)}},
    }


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("", "must supply"),
        (":level: hard\n:minutes: 5\n:code: no\n", "hard"),
        (":level: advanced\n:minutes: soon\n:code: no\n", "soon"),
    ],
)
def test_an_exercise_without_them_is_refused(extension, tmp_path, options, named):
    place = tmp_path / "one.py"
    cell = f"# A page\n\n:::{{exercise}} A title\n:label: a\n{options}How many?\n:::\n"
    place.write_text("# %% [markdown]\n" + "".join(f"# {line}\n" for line in cell.splitlines()))
    with pytest.raises(ValueError, match=f"(?s)p/one, exercise 'A title': give level.*{named}"):
        list(extension("exercises").in_notebook("p/one", place))


@pytest.fixture(scope="module")
def prose():
    """Of every notebook its text, without its code."""
    cells = {path: notebooks.read(path).cells for path in NOTEBOOKS}
    return {
        path: "\n\n".join(one.source for one in own if one.cell_type == "markdown")
        for path, own in cells.items()
    }


def test_every_solution_gives_its_reason_in_words(prose):
    for path, text in prose.items():
        solutions = dict(SOLUTION.findall(text))
        assert set(solutions) == set(re.findall(r"^:label: (\S+)$", text, re.MULTILINE)), path
        for label, own in solutions.items():
            said = re.sub(r"^:class:.*$|^```.*$|\$[^$]*\$", "", own, flags=re.MULTILINE)
            assert len(re.findall(r"[a-z]{2,}", said)) >= 12, f"{label}: no reason in words"


def test_an_exercise_that_a_chapter_refers_to_by_number_exists(prose):
    for path, text in prose.items():
        count = len(re.findall(r"^:::\{exercise\}", text, re.MULTILINE))
        named = map(int, re.findall(r"\b[Ee]xercise (\d+)", text))
        assert all(1 <= number <= count for number in named), path


# --- plans, notes, slides and quiz name what is there ---------------------------------------------


def there_always(name: str) -> tuple[set[str], set[str]]:
    """Anchors and first parts of result keys of a notebook, outside cells that need a source."""
    anchors, keys = set(), set()
    for cell in notebooks.read(paths.root() / "notebooks" / f"{name}.py").cells:
        if any(tag.startswith("needs-") for tag in notebooks.tags(cell)):
            continue
        if cell.cell_type == "markdown":
            named = re.findall(r"^\(([\w-]+)\)=$|^:label: (\S+)$", cell.source, re.MULTILINE)
            anchors |= {"".join(one) for one in named}
            continue
        if "figures.show(" in cell.source:
            anchors |= set(re.findall(r'\bname="([\w-]+)"', cell.source))
        if "vb.note(" in cell.source:
            keys |= set(re.findall(r"[(,]\s*(\w+)=", cell.source))
    return anchors, keys


@pytest.fixture(scope="module")
def always():
    names = [f"{path.parent.name}/{path.stem}" for path in NOTEBOOKS]
    return {name: there_always(name) for name in names}


def test_figures_and_results_that_are_named_exist_whatever_sources_are_missing(always):
    everywhere = set().union(*(anchors for anchors, _ in always.values()))
    option = re.compile(r"^:::\{admonition\} An option.*?^:::$", re.MULTILINE | re.DOTALL)
    for path in MATERIAL:
        text = path.read_text()
        assert set(re.findall(r"\{ref\}`[^<`]*<([^>]+)>`", text)) <= everywhere, path
        for page, name in re.findall(r"^\{figure\} (\S+) (\S+)$", text, re.MULTILINE):
            assert name in always[page][0], f"{page} has no figure {name} without sources"
        # a box "An option" says itself that it needs something
        for page, key in re.findall(r"\{result\}`([\w/]+)::(\w+)", option.sub("", text)):
            assert key in always[page][1], f"{page} glues no {key} without sources"


def test_a_figure_that_needs_a_source_is_not_taken_for_one_that_is_there(always):
    anchors, keys = always["calibration/ieat"]
    assert "ieat-answer" in anchors and "null" in keys
    assert not anchors & {"ieat-agreement", "ieat-opened"} and "gap" not in keys


# --- slides ---------------------------------------------------------------------------------------


@pytest.fixture
def staged(tmp_path):
    """A staged book with one page and one figure."""
    picture = (
        '<figure class="vb-figure" id="the-line" data-more=""><div class="vb-card">'
        '<img alt="A line that rises." src="data:,"/></div>'
        '<figcaption>It rises.<span class="vb-source">Data: ours.</span></figcaption></figure>'
    )
    new = nbformat.v4
    output = new.new_output("display_data", data={"text/html": f"<p>before</p>{picture}"})
    page = tmp_path / "notebooks/p/page.ipynb"
    page.parent.mkdir(parents=True)
    nbformat.write(new.new_notebook(cells=[new.new_code_cell("show()", outputs=[output])]), page)
    return tmp_path


def test_a_slide_shows_the_chapter_s_figure_with_alt_text_source_and_a_link(extension, staged):
    text = (
        "# p = {claim}`variation.lighting-p`\n\n---\n\n## One\n\n{figure} p/page the-line\n\n"
        "Notes:\nSay **this**.\n"
    )
    page = extension("slides").deck(text, staged, back="session-1.html")
    assert page.count("<section") == 2 and 'id="s2"' in page and "<h1>p = 0.06</h1>" in page
    assert 'alt="A line that rises."' in page and "Data: ours." in page
    assert '<a href="../../notebooks/p/page.html#the-line">' in page
    notes = page.split('<details class="notes">')[1]
    assert "Say <strong>this</strong>." in notes and "{figure}" not in page
    assert not re.search(r"(src|href)=\"https?:", page)


@pytest.mark.parametrize(("page", "name"), [("p/page", "no-such"), ("p/other", "the-line")])
def test_a_slide_says_so_where_its_figure_is_missing(extension, staged, page, name):
    shown = extension("slides").deck(f"# A\n---\n{{figure}} {page} {name}\n", staged, back="x.html")
    assert 'class="missing"' in shown and name in shown and f"notebooks/{page}.html" in shown


def test_slides_give_no_answer_of_the_quiz_away():
    quiz = yaml.safe_load((TEACH / "quiz.yaml").read_text())
    keys = {
        key for one in quiz for key in re.findall(r"\{result\}`([^:`]+::[\w.]+)", one["because"])
    }
    numbers = {one["answer"] for one in quiz if re.fullmatch(r"[\d.]*[./]\d+", str(one["answer"]))}
    assert len(keys) >= 3 and {"1/924", "1.95", "2.45"} <= numbers
    for path in TEACH.glob("slides-*.markdown"):
        for slide in re.split(r"^---$", path.read_text(), flags=re.MULTILINE):
            shown = slide.partition("\nNotes:")[0]
            given = [key for key in keys if f"`{key}" in shown]
            given += [number for number in numbers if number in shown]
            assert not given, f"{path.name} prints an answer of the quiz: {given}"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_every_question_that_a_plan_asks_in_class_has_a_slide(extension, staged, number):
    own = [one for one in extension("quiz").questions() if one.session == number]
    plan = (TEACH / f"session-{number}.md").read_text()
    said = re.findall(r"questions ([\d, and]+) of the quiz below, by show of hands", plan)
    wanted = [own[int(one) - 1] for one in re.findall(r"\d+", "".join(said))]
    text = (TEACH / f"slides-{number}.markdown").read_text()
    assert re.findall(r"^\{quiz\} (\S+)$", text, re.MULTILINE) == [one.name for one in wanted]
    page = extension("slides").deck(text, staged, back="x.html")
    for one in wanted:
        (slide,) = [part for part in page.split("<section") if f"(a) {one.options[0]}<" in part]
        shown, notes = slide.split('<details class="notes">')
        assert all(option in shown for option in one.options) and one.answer in notes
        assert "$" not in shown and "<strong>(" not in shown


def test_a_slide_that_asks_for_no_question_of_the_quiz_is_refused(extension, staged):
    with pytest.raises(ValueError, match=r"no question 'nobody' in .*quiz.yaml"):
        extension("slides").deck("# A\n\n{quiz} nobody\n", staged, back="x.html")


def test_the_handout_s_sentences_are_the_ledger_s_half_of_each_kind(extension):
    sheets = extension("worksheets")
    chosen = [ledger.claim(name) for name in sheets.SENTENCES]
    assert sorted(one.target for one in chosen) == ["model"] * 6 + ["training"] * 6
    assert not [one.id for one in chosen if "arlier" in one.where or len(one.quote.split()) > 60]
    blank, solved = (sheets.VIEWS[name]() for name in ("sentences", "sentences-solution"))
    assert all(one.quote in blank and one.where in blank for one in chosen)
    key = sheets.VIEWS["sentences-key"]()
    for words in sheets.ABOUT.values():
        assert words not in blank and solved.count(words) == key.count(words) == 6


def test_each_pair_gets_a_sentence_of_each_kind_in_no_fixed_order(extension):
    sheets = extension("worksheets")
    targets = [ledger.claim(name).target for name in sheets.SENTENCES]
    pairs = list(zip(targets[::2], targets[1::2], strict=True))
    assert all(len(set(pair)) == 2 for pair in pairs) and len(set(pairs)) == 2
    three = [name for name in sheets.SENTENCES if sheets.measured(name) == "3 models"]
    kinds = {ledger.claim(name).target for name in three}
    assert kinds == {"model", "training"}, "the number of models alone does not decide"


def test_the_key_has_a_slide_that_says_what_the_session_s_page_says(extension, staged):
    text = (TEACH / "slides-2.markdown").read_text()
    page = extension("slides").deck(text, staged, back="x.html")
    (slide,) = [part for part in page.split("<section") if "<h2>The key</h2>" in part]
    cells = re.findall(r"<td>(\d+)</td>\s*<td>([\w ]+)</td>", slide)
    solved = extension("worksheets").VIEWS["sentences-solution"]()
    assert cells == re.findall(r"^\| (\d+) \| [^|]+ \| ([\w ]+) \|", solved, re.MULTILINE)
    assert len(cells) == 12 and "{worksheet}" not in page


def test_the_questions_for_participants_come_without_answers(extension):
    questions, blank = extension("quiz").questions(), extension("quiz").quiz
    for number in ("1", "2", "3"):
        own = [one for one in questions if str(one.session) == number]
        asked = blank("book/teach/quiz", number, "asked")
        assert all(one.question in asked and one.because not in asked for one in own)
        assert "Answer" not in asked and "**(" not in asked
    page = (TEACH / "quiz.md").read_text()
    assert re.findall(r"^```\{quiz\} (.+)$", page, re.MULTILINE) == [
        "1 asked",
        "2 asked",
        "3 asked",
    ]
    with pytest.raises(ValueError, match="answered or asked, not 'loudly'"):
        blank("book/teach/quiz", "1", "loudly")


# --- in the built site ----------------------------------------------------------------------------


def test_decks_and_data_are_among_the_pages(site):
    for number in (1, 2, 3):
        page = (site / f"book/teach/slides-{number}.html").read_text()
        assert "../../_static/deck.js" in page and (site / "_static/deck.js").exists()
        assert 'class="missing"' not in page or not (site / "notebooks" / "calibration").exists()
        session = (site / f"book/teach/session-{number}.html").read_text()
        assert f'book/teach/slides-{number}.html"' in session
    data = pd.read_csv(site / "book/teach/perceptions.csv")
    assert [*data][:2] == ["network", "identity"] and len(data) == 800
    sheet = (site / "book/teach/worksheet-2.html").read_text()
    assert 'href="../../book/teach/perceptions.csv"' in sheet


def test_answers_are_folded(site, extension):
    for number in (1, 2, 3):
        page = (site / f"book/teach/session-{number}.html").read_text()
        asked = [one for one in extension("quiz").questions() if one.session == number]
        assert page.count('admonition-title">Answer<') == len(asked) >= 5


def test_the_worksheets_answers_read_as_numbers_do(extension):
    """No 70.0 for a count, no 0.000 for a p-value, and every answer on the page of its session."""
    views = extension("worksheets").VIEWS
    assert "**1.53**" in views["hand-solution"]()
    answers = {name: views[name]() for name in views if name.endswith("solution")}
    assert not [text for text in answers.values() if re.search(r"\b0\.0+\b|\bnan\b", text)]
    written = "\n".join((TEACH / f"session-{number}.md").read_text() for number in (1, 2, 3))
    assert all(f"```{{worksheet}} {name}\n" in written for name in answers)
