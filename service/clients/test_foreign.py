"""Programs of others, unmodified. Their packages need minutes to be built, so this is by hand: BULATD_FOREIGN=1, with Go and Maven."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FOREIGN = Path(__file__).parent / "foreign"

if not os.environ.get("BULATD_FOREIGN"):
    pytest.skip("by hand: BULATD_FOREIGN=1", allow_module_level=True)


def runs(command, folder, **env) -> list[str]:
    ran = subprocess.run(command, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, timeout=900)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    return ran.stdout.splitlines()


def test_go(dev, tmp_path):
    """The API module of Vault with LifetimeWatcher, and go-kms-wrapping."""
    if shutil.which("go") is None:
        pytest.skip("Go is not installed")
    runs(["go", "build", "-o", tmp_path / "foreign", "."], FOREIGN)
    said = runs([tmp_path / "foreign"], tmp_path, VAULT_ADDR=dev.url, VAULT_TOKEN=dev.token)
    assert said.count("LifetimeWatcher renews") == 2 and said[-1] == "go-kms-wrapping: Decrypt"
    print(f"\nGo: {len(said)} calls")


def test_spring_vault(dev):
    """Spring Vault with a session that is renewed, and its calls of transit."""
    if shutil.which("mvn") is None:
        pytest.skip("Maven is not installed")
    said = runs(["mvn", "-q", "compile", "exec:java"], FOREIGN, VAULT_ADDR=dev.url, VAULT_TOKEN=dev.token)
    assert "renewed" in said and said[-1] == "done", said
    print(f"\nSpring Vault: {len(said)} calls")
