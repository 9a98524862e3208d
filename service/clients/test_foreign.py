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


def test_sops(dev, tmp_path):
    """The command sops: a file is encrypted under a key of the service, changed, rotated and opened; not with another's token."""
    sops = shutil.which("sops")
    if sops is None:
        if shutil.which("go") is None:
            pytest.skip("neither sops nor Go is installed")
        runs(["go", "install", "github.com/getsops/sops/v3/cmd/sops@v3.13.3"], tmp_path, GOBIN=str(tmp_path))
        sops = tmp_path / "sops"
    dev.data("POST", "transit/keys/sops")
    env = {"VAULT_ADDR": dev.url, "VAULT_TOKEN": dev.token, "HOME": str(tmp_path)}
    plain, sealed = tmp_path / "plain.yaml", tmp_path / "sealed.yaml"
    plain.write_text("password: a long secret\nhost: db\n")
    run = [sops, "encrypt", "--hc-vault-transit", f"{dev.url}/v1/transit/keys/sops", "--output", sealed, plain]
    runs(run, tmp_path, **env)
    assert "secret" not in sealed.read_text() and "vault:v1:" in sealed.read_text()
    assert runs([sops, "decrypt", sealed], tmp_path, **env) == plain.read_text().splitlines()
    runs([sops, "set", sealed, '["password"]', '"another secret"'], tmp_path, **env)
    dev.call("POST", "transit/keys/sops/rotate")
    runs([sops, "rotate", "--in-place", sealed], tmp_path, **env)
    assert "vault:v2:" in sealed.read_text()
    assert runs([sops, "decrypt", "--extract", '["password"]', sealed], tmp_path, **env) == ["another secret"]
    refused = subprocess.run([sops, "decrypt", sealed], env={**os.environ, **env, "VAULT_TOKEN": "x"}, capture_output=True, text=True)
    assert refused.returncode != 0 and "secret" not in refused.stdout
    print(f"\n{runs([sops, '--version', '--disable-version-check'], tmp_path, **env)[0]}: encrypt, set, rotate, decrypt")
