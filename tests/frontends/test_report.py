"""The report: one page with everything in it, opened and used in a browser."""

import json
import re

import pytest

from rlcheck.cli.main import main

SUBJECT = """
def numbers(choose):
    return [choose(range(10)) for _ in range(choose(range(1, 6)))]

def ascending(xs):
    return xs == sorted(xs)

def small(xs):
    assert sum(xs) < 20, "</script><b>too large</b>"
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    (folder / "report_subject.py").write_text(SUBJECT)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        arguments = ["report_subject.py::numbers", "--valid", "ascending", "--test", "small", "--seed", "1"]
        assert main(["run", *arguments, "--episodes", "3000", "--compare", "uniform"]) == 1
        assert main(["report", "1", "-o", "out.html"]) == 0
    return folder / "out.html"


def test_the_page_needs_no_network(page):
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", text)
    assert "@import" not in text
    assert "The MIT License" in text  # uPlot's, whose code is in the page.
    assert len(text) < 5_000_000


def test_the_data_is_of_both_learners(page):
    text = page.read_text(encoding="utf-8")
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', text, re.DOTALL)[1])
    assert [run["settings"]["learner"] for run in data["runs"]] == ["diverse", "uniform"]
    for run in data["runs"]:
        assert run["curve"]["episodes"][-1] == 3000
        assert sum(count for _, count in run["sizes"]) == run["last"]["unique_valid"]
        assert run["tree"]
    assert data["failures"][0]["snippet"]


def show(browser, page, *, width=1200, scheme="light"):
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    browser.get(page.as_uri())
    assert browser.execute_script("return document.documentElement.dataset.ready") == "yes"


def test_it_opens_without_a_word_in_the_console(browser, page):
    show(browser, page)
    assert browser.get_log("browser") == []
    assert len(browser.find_elements("css selector", ".uplot canvas")) == 10
    assert "3,000" in browser.find_element("id", "summaries").text
    assert "</script><b>too large</b>" in browser.find_element("id", "failure-list").text


def test_inputs_can_be_browsed_and_filtered(browser, page):
    show(browser, page)
    place = browser.find_element("id", "place")
    assert place.text.startswith("1 to 20 of ")
    browser.find_element("id", "later").click()
    assert place.text.startswith("21 to 40 of ")
    browser.find_element("id", "filter").send_keys("[4")
    assert place.text.startswith("1 to ")
    rows = [row.text for row in browser.find_elements("css selector", "#rows pre")]
    assert rows
    assert all(row.startswith("[4") for row in rows)


def test_the_tree_opens_and_is_heated(browser, page):
    show(browser, page)
    point = browser.find_element("css selector", "#trees details")
    assert point.get_attribute("open")
    point.find_element("tag name", "summary").click()
    assert not point.get_attribute("open")
    colours = {option.get_attribute("style") for option in browser.find_elements("css selector", ".option")}
    assert len(colours) > 5


def test_it_works_by_keyboard(browser, page):
    from selenium.webdriver.common.keys import Keys

    show(browser, page)
    body = browser.find_element("tag name", "body")
    body.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.text == "Skip to the summary"
    reached = set()
    for _ in range(60):
        active = browser.switch_to.active_element
        reached.add(active.get_attribute("id") or active.tag_name)
        active.send_keys(Keys.TAB)
    assert {"filter", "later", "summary", "a"} <= reached
    browser.find_element("id", "later").send_keys(Keys.ENTER)
    assert browser.find_element("id", "place").text.startswith("21 to 40")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_wider_than_the_screen(browser, page, scheme):
    show(browser, page, width=390, scheme=scheme)
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    assert wide <= 390
    colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (colour == "rgb(18, 22, 29)") == (scheme == "dark")
    assert browser.get_log("browser") == []
