"""Programs of others in Python: `clients.py NAME`. It ends with 1 at the first call that does something else than it should."""

import datetime
import os
import sys
from base64 import b64decode, b64encode

import hvac

client = hvac.Client(url=os.environ["VAULT_ADDR"], token=os.environ["VAULT_TOKEN"])
transit = client.secrets.transit
SUM = "4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481"


def refused(call, kind=Exception):
    try:
        call()
    except kind:
        return
    raise SystemExit("it is not refused")


def by_hvac():
    """Keys, texts, lists by the general call, logins."""
    text = b64encode(b"a text").decode()
    transit.create_key("hvac")
    for _ in range(2):
        sealed = transit.encrypt_data("hvac", plaintext=text)["data"]["ciphertext"]
        assert transit.decrypt_data("hvac", ciphertext=sealed)["data"]["plaintext"] == text
    # It sends ?list=True.
    assert "hvac" in client.list("transit/keys")["data"]["keys"] and "hvac" in transit.list_keys()["data"]["keys"]
    assert client.write_data("transit/hash/streebog256", data={"input": b64encode(b"abc").decode()})["data"]["sum"] == SUM
    approle = client.auth.approle
    approle.create_or_update_approle("hvac", token_policies=["default"], token_type="default")
    role, secret = approle.read_role_id("hvac")["data"]["role_id"], approle.generate_secret_id("hvac")["data"]["secret_id"]
    assert hvac.Client(url=client.url).auth.approle.login(role, secret)["auth"]["metadata"] == {"role_name": "hvac"}
    refused(lambda: transit.decrypt_data("hvac", ciphertext=sealed[:-4] + "AAA="), hvac.exceptions.InvalidRequest)
    refused(lambda: hvac.Client(url=client.url, token="x").list("transit/keys"), hvac.exceptions.Forbidden)


def by_tink():
    """AEAD, and the envelope. Tink itself refuses associated data."""
    import tink
    from tink import aead
    from tink.integration import hcvault

    aead.register()
    transit.create_key("tink-python")
    one = hcvault.new_aead("transit/keys/tink-python", client)
    for cipher in (one, aead.KmsEnvelopeAead(aead.aead_key_templates.AES256_GCM, one)):
        for text in (b"", b"a text", bytes(100_000)):
            sealed = cipher.encrypt(text, b"")
            assert cipher.decrypt(sealed, b"") == text
            refused(lambda cipher=cipher, sealed=sealed: cipher.decrypt(sealed[:-4] + b"AAA=", b""), tink.TinkError)
    refused(lambda: one.encrypt(b"a text", b"data"), tink.TinkError)


def by_parquet():
    """Parquet with keys wrapped by the service."""
    import pyarrow
    from pyarrow import parquet
    from pyarrow.parquet import encryption

    class Kms(encryption.KmsClient):
        def __init__(self, _):
            super().__init__()

        def wrap_key(self, key, master):
            return transit.encrypt_data(master, plaintext=b64encode(key).decode())["data"]["ciphertext"]

        def unwrap_key(self, wrapped, master):
            return b64decode(transit.decrypt_data(master, ciphertext=wrapped)["data"]["plaintext"])

    table = pyarrow.table({"a": list(range(1000)), "b": ["x"] * 1000})
    transit.create_key("parquet")
    for double in (True, False):
        factory, connection = encryption.CryptoFactory(Kms), encryption.KmsConnectionConfig()
        settings = encryption.EncryptionConfiguration(
            footer_key="parquet", column_keys={"parquet": ["b"]}, double_wrapping=double, cache_lifetime=datetime.timedelta(minutes=5)
        )
        how = factory.file_encryption_properties(connection, settings)
        with parquet.ParquetWriter("t.parquet", table.schema, encryption_properties=how) as writer:
            writer.write_table(table)
        how = factory.file_decryption_properties(connection)
        assert parquet.ParquetFile("t.parquet", decryption_properties=how).read().equals(table)
        refused(lambda: parquet.read_table("t.parquet"))


{"hvac": by_hvac, "tink": by_tink, "parquet": by_parquet}[sys.argv[1]]()
