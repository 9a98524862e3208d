"""The dashboard and the alert rules use only names that the service exports, with labels that they have."""

import json
import re
from pathlib import Path

from bulatd import b64

SERVICE = Path(__file__).parents[1]
LABELS = {"operation", "status", "le", "job", "instance"}


def exported(dev) -> set:
    """Returns the names of all series."""
    text = dev.call("GET", "sys/metrics", token=None).text
    return {re.match(r"\w+", line)[0] for line in text.splitlines() if not line.startswith("#")}


def expressions() -> list[str]:
    board = json.loads((SERVICE / "grafana.json").read_text())
    found = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    found += [one["query"] for one in board["templating"]["list"] if "label_values" in one["query"]]
    rules = (SERVICE / "alerts.yaml").read_text()
    found += re.findall(r"expr: >\n((?: {10}.*\n)+)", rules)
    assert rules.count("- alert: ") == 3 == rules.count("expr: >")
    return found


def test_names(dev):
    dev.data("POST", "transit/encrypt/board", {"plaintext": b64(b"a")})
    there, used = exported(dev), set()
    for text in expressions():
        names = set(re.findall(r"\bbulatd_\w+", text))
        assert names and names <= there, f"{names - there}: {text}"
        used |= names
        labels = set(re.findall(r"(\w+)(?==~?\"|!~)", text))
        assert labels <= LABELS, text
    # A bound that the service has, or the rule would never apply.
    bounds = dev.call("GET", "sys/metrics", token=None).text
    assert 'bulatd_limit_share_bucket{le="0.9"}' in bounds
    # Every family is on the board.
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in there}
    assert families == {re.sub(r"_(bucket|sum|count)$", "", name) for name in used}


def test_the_dashboard_can_be_imported():
    board = json.loads((SERVICE / "grafana.json").read_text())
    numbers = [panel["id"] for panel in board["panels"]]
    assert len(set(numbers)) == len(numbers) and board["schemaVersion"] >= 36
    for panel in board["panels"]:
        assert panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24
