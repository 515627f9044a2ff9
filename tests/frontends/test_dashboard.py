"""The dashboard: what it serves, whom it refuses, and that a page follows a run in a browser."""

import functools
import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing

import pytest

pytest.importorskip("hypothesis")
pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from rlcheck.cli.main import main
from rlcheck.episode import Episode, Outcome
from rlcheck.errors import ConfigurationError
from rlcheck.failure import Failure
from rlcheck.frontends.hypothesis.pytest_dashboard import TestRuns
from rlcheck.reasons import Rejection
from rlcheck.report.dashboard import Server, snapshot
from rlcheck.report.record import Snapshot
from rlcheck.report.store import Store


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path, say=pytest.fail)
    yield opened
    opened.close()


@pytest.fixture
def serve(tmp_path):
    servers = []

    def start(host="127.0.0.1", port=0, token=""):
        servers.append(Server(tmp_path, host, port, token))
        servers[-1].start()
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def begin(store, **more):
    return store.start_run("trees.py::tree", {"learner": "diverse", **more}, {"rlcheck": "0", "python": "3"})


def counts(seconds, valid, failures=0):
    return Snapshot(seconds, 2 * valid, valid, valid, 0, failures, valid)


def get(server):
    with urllib.request.urlopen(server.address, timeout=600) as answer:
        return answer.read().decode(), answer.headers


def refusal(request):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=600)
    with refused.value as answer:
        return answer.code


def first_event(server, path="events"):
    base, _, query = server.address.partition("?")
    with urllib.request.urlopen(f"{base}{path}{query and '?' + query}", timeout=600) as answer:
        return json.loads(answer.readline().decode().removeprefix("data: "))


def test_the_page_may_load_nothing_from_elsewhere(serve):
    page, headers = get(serve())
    assert "EventSource" in page
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_an_event_has_all_runs_and_one_in_full(store, serve):
    for valid in (10, 20, 30):
        run = begin(store)
        store.add_progress(run, counts(1.0, valid))
        store.finish_run(run, "seconds", {}, [])
    server = serve()
    latest = first_event(server)
    assert [run["id"] for run in latest["listed"]] == [3, 2, 1]
    assert [run["id"] for run in latest["runs"]] == [3]
    assert first_event(server, "events?run=1")["runs"][0]["last"]["valid"] == 10
    assert first_event(server, "events?run=x")["runs"][0]["id"] == 3


def test_a_change_is_sent_without_being_asked_for(store, serve):
    run = begin(store)
    store.add_progress(run, counts(1.0, 10))
    seen = []
    with urllib.request.urlopen(serve().address + "events", timeout=600) as answer:
        for line in answer:
            if line.startswith(b"data: "):
                seen.append(json.loads(line[6:])["runs"][0]["last"]["valid"])
                if seen[-1] == 10:
                    store.add_progress(run, counts(2.0, 25))
                else:
                    break
    assert seen == [10, 25]


def test_without_runs_it_says_so(tmp_path, serve):
    assert "no stored runs" in first_event(serve())["note"]
    assert snapshot(str(tmp_path / "elsewhere"))["runs"] == []


def test_a_page_of_another_site_is_refused(serve):
    assert refusal(urllib.request.Request(serve().address, headers={"Host": "evil.example"})) == 400


def test_other_machines_need_a_token(serve, store):
    with pytest.raises(ConfigurationError, match="needs a token"):
        serve("0.0.0.0")
    begin(store)
    server = serve("0.0.0.0", token="secret")
    assert "EventSource" in get(server)[0]
    assert first_event(server)["runs"]
    for path in ("", "events"):
        for query in ("", "?token=wrong", "?token=s%C3%A9cret"):
            assert refusal(server.address.partition("?")[0] + path + query) == 403


def test_a_port_that_is_taken_is_a_clear_error(serve):
    port = int(serve().address.rsplit(":", 1)[1].strip("/"))
    with pytest.raises(ConfigurationError, match=f"port {port} of 127.0.0.1 cannot be used"):
        serve(port=port)


def test_runs_can_be_shown_together(store, serve):
    for target, valid in (("a", 10), ("b", 20), ("a", 30)):
        store.add_progress(store.start_run(target, {"learner": "x"}, {}), counts(1.0, valid))
    server = serve()
    assert [run["id"] for run in first_event(server, "events?run=2&run=1")["runs"]] == [1, 2]
    # Other processes run the same target now, and the page shows them beside the latest run.
    assert [run["id"] for run in first_event(server)["runs"]] == [1, 3]
    store.finish_run(1, "seconds", {}, [])
    assert [run["id"] for run in first_event(server)["runs"]] == [3]


def test_many_runs_are_thinned(store):
    run = begin(store)
    for second in range(2_000):
        store.add_progress(run, counts(float(second), second))
    made = snapshot(str(store.path.parent), run)
    assert len(made["runs"][0]["curve"]["seconds"]) <= 502


def test_the_command_serves_until_it_is_interrupted(tmp_path):
    command = [sys.executable, "-m", "rlcheck", "dashboard", "--port", "0"]
    # A test run in the background ignores interrupts, and so would the process that it starts.
    heeds = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    served = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, preexec_fn=heeds)
    try:
        address = served.stdout.readline().strip()
        with urllib.request.urlopen(address, timeout=600) as answer:
            assert answer.status == 200
        served.send_signal(signal.SIGINT)
        assert served.wait(30) == 0
    finally:
        served.kill()
        served.communicate()


def test_a_run_says_where_it_can_be_watched(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run = ["run", "rlcheck.cli.demo:tree", "--valid", "is_bst", "--episodes", "50", "--dashboard"]
    assert main(run) == 0
    assert "http://127.0.0.1:" in capsys.readouterr().err
    assert main([*run, "--no-save"]) == 2
    assert "--dashboard shows what is stored" in capsys.readouterr().err
    assert main(["dashboard", "--port", "-1"]) == 2
    assert main(["dashboard", "--port", "99999"]) == 2


SUITE = """
import pathlib, time

import rlcheck
from hypothesis import HealthCheck, event, given, settings, strategies as st

patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}

@settings(database=None, derandomize=True, **patient)
@given(st.lists(st.booleans()))
def test_any(x):
    event("sign", "plus" if x else "other")
    with open("any.txt", "a") as file:
        file.write(f"{x}\\n")

@settings(database=None, derandomize=True, **patient)
@given(st.lists(st.integers(0, 9), min_size=3, max_size=3))
def test_wrong(xs):
    assert sum(xs) < 20

@rlcheck.settings(seed=0)
@rlcheck.given(x=rlcheck.integers(0, 9))
def test_property(x):
    assert x != WRONG

def test_plain():
    waited = time.monotonic() + 60
    while pathlib.Path("wait.txt").exists() and time.monotonic() < waited:
        time.sleep(0.02)
"""

PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rlcheck-dashboard"]


def test_pytest_shows_its_tests_while_they_run(tmp_path):
    (tmp_path / "test_it.py").write_text(SUITE.replace("WRONG", "7"))
    (tmp_path / "wait.txt").touch()
    started = subprocess.Popen(
        PYTEST, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        address = started.stderr.readline().split()[1]
        for line in urllib.request.urlopen(address + "events", timeout=60):
            seen = json.loads(line[6:]) if line.startswith(b"data: ") else {"listed": []}
            if len(seen["listed"]) == 3 and seen["listed"][0]["stopped"]:
                break
        (tmp_path / "wait.txt").unlink()
        assert started.wait(60) == 1
    finally:
        started.kill()
        started.communicate()
    listed = [(run["target"], run["learner"], run["stopped"]) for run in seen["listed"]]
    assert listed == [
        ("test_it.py::test_property", "rlcheck", "failed"),
        ("test_it.py::test_wrong", "hypothesis", "failed"),
        ("test_it.py::test_any", "hypothesis", "passed"),
    ]
    assert [failure["snippet"] for failure in seen["failures"]] == ["pytest test_it.py::test_property"]
    (first,) = snapshot(str(tmp_path / ".rlcheck"), 1)["runs"]
    assert first["last"]["unique_valid"] == 100
    assert sum(inputs for _, inputs, _ in first["labels"]["sign"]) == 100
    # The tests see what they see without the dashboard.
    made = (tmp_path / "any.txt").read_text()
    command = [*PYTEST[:-1], "--rlcheck", "-k", "any"]
    subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    assert (tmp_path / "any.txt").read_text() == 2 * made


def test_each_test_is_a_run(tmp_path):
    runs = TestRuns(tmp_path)
    failed = Episode()
    failed.outcome, failed.choices = Outcome.FAILED, [7]
    rejected = Episode()
    rejected.outcome = Outcome.INVALID
    rejected.reject(Rejection(["assume() in line 3"]))

    def fails(episode, error):
        with runs.running("test_it", "rlcheck") as run:
            run(episode)
            raise error

    for episode, error in ((failed, ValueError), (Episode(), KeyboardInterrupt)):
        with pytest.raises(error):
            fails(episode, error)
    with runs.running("test_plain", "rlcheck"):
        pass  # It makes no inputs, so it leaves no run.
    with closing(Store(tmp_path / ".rlcheck")) as stored:
        assert [run.stopped for run in stored.latest(9)] == ["ended", "failed"]
        assert [(one.choices, one.fixed) for one in stored.failures()] == [([7], None)]
        with runs.running("test_it", "rlcheck") as run:
            for _ in range(3):
                run(rejected)
        assert stored.run(3).details["rejections"] == [["assume() in line 3", 3, ""]]
        assert stored.failures()[0].fixed is not None  # It passes now.
    runs.close()


# In a browser.


def wait_for(browser, script, *arguments):
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, 20).until(lambda _: browser.execute_script(script, *arguments))


def test_a_page_follows_a_run(browser, store, serve):
    run = begin(store)
    store.add_progress(run, counts(1.0, 1234))
    server = serve()
    browser.get(server.address)
    shows = "return document.getElementById('summaries').textContent.includes(arguments[0])"
    wait_for(browser, shows, "1,234")
    assert "Connected" in browser.find_element("id", "connection").text
    browser.execute_script("window.sameDocument = true")
    store.add_progress(run, counts(2.0, 5678))
    store.add_failure(run, "trees.py::tree", Failure("a.py:1", "</script><b>wrong</b>", [1]))
    wait_for(browser, shows, "5,678")
    wait_for(browser, "return document.getElementById('failure-list').textContent.includes('<b>wrong</b>')")
    assert browser.execute_script("return window.sameDocument")
    assert browser.find_elements("css selector", "#failure-list b") == []
    # The connection is cut, and comes back.
    port = int(server.address.rsplit(":", 1)[1].strip("/"))
    server.stop()
    wait_for(browser, "return document.getElementById('connection').textContent.includes('lost')")
    again = serve(port=port)
    store.add_progress(run, counts(3.0, 9999))
    wait_for(browser, shows, "9,999")
    assert again.address == server.address


def test_many_runs_are_listed_and_can_be_opened(browser, store, serve):
    for number in range(100):
        store.add_progress(begin(store), counts(1.0, number))
    browser.get(serve().address)
    wait_for(browser, "return document.querySelectorAll('#listed tbody tr').length === 100")
    browser.find_element("link text", "7").click()
    wait_for(browser, "return document.querySelector('.here td.number')?.textContent === '7'")
    wait_for(browser, "return document.getElementById('summaries').textContent.includes('(run 7)')")
    assert "run=7" in browser.current_url
    assert len(browser.find_elements("css selector", "#listed tbody tr")) == 100


def test_ticked_runs_are_compared(browser, store, serve):
    for valid in (10, 20, 30):
        run = begin(store)
        store.add_progress(run, counts(1.0, valid))
        store.finish_run(run, "seconds", {}, [])
    browser.get(serve("127.0.0.1", token="secret").address)
    wait_for(browser, "return document.querySelectorAll('#listed tbody tr').length === 3")
    for number in (1, 3):
        browser.find_element("id", f"tick-{number}").click()
    browser.find_element("css selector", "#choose button").click()
    wait_for(browser, "return document.querySelectorAll('#summaries h3').length === 2")
    assert "token=secret" in browser.current_url
    legend = {each.text.rstrip(":") for each in browser.find_elements("css selector", "#plots .u-series th")}
    assert {"diverse (run 1)", "diverse (run 3)"} <= legend


def test_plots_of_a_run_make_way_for_those_of_the_next(browser, store, serve):
    run = store.start_run("a", {"learner": "x"}, {})
    store.add_progress(run, counts(1.0, 10))
    store.finish_run(run, "passed", {"size": [[3, 5, 2]], "labels": {"sign": [["<b>", 5, 2]]}}, [])
    browser.get(serve().address)
    wait_for(browser, "return document.querySelectorAll('#size-plots .plot').length === 1")
    assert browser.find_element("css selector", "#label-tables tbody th").text == "<b>"
    drawn = len(browser.find_elements("css selector", "#plots .plot"))
    store.add_progress(store.start_run("b", {"learner": "x"}, {}), counts(1.0, 10))
    wait_for(browser, "return document.getElementById('summaries').textContent.includes('(run 2)')")
    wait_for(browser, "return document.querySelectorAll('#size-plots .plot').length === 0")
    assert len(browser.find_elements("css selector", "#plots .plot")) == drawn
    assert browser.get_log("browser") == []


def test_the_gallery_draws_one_input_of_each_shape(browser, store, serve):
    run = begin(store)
    store.add_progress(run, counts(1.0, 3))
    inputs = [
        {"choices": [1], "input": "(5, (2, None, None), None)", "shape": "a", "outline": ["5", [["2", []]]]},
        {"choices": [2], "input": "(6, (3, None, None), None)", "shape": "a", "outline": ["6", [["3", []]]]},
        {"choices": [3], "input": "'<i>text</i>'", "shape": "b", "outline": None},
    ]
    store.finish_run(run, "episodes", {"inputs": inputs}, [])
    browser.get(serve().address)
    wait_for(browser, "return document.querySelectorAll('#pictures figure').length === 2")
    captions = [each.text for each in browser.find_elements("css selector", "#pictures figcaption")]
    assert captions == ["1 input of this shape", "2 inputs of this shape"]
    assert len(browser.find_elements("css selector", "#pictures svg")) == 1
    assert [each.text for each in browser.find_elements("css selector", "#pictures svg text")] == ["2", "5"]
    assert "<i>text</i>" in browser.find_element("id", "pictures").text
    assert browser.get_log("browser") == []
