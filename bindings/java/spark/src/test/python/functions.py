"""Calls the functions from PySpark: functions.py JAR,JAR"""

import os, pathlib, sys, tempfile

from pyspark.sql import SparkSession
from pyspark.sql.functions import call_function, lit

JARS = sys.argv[1]
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
# GOST R 34.11-2012, example 1; R 50.1.113-2016, A.1.1.
MESSAGE = b"012345678901234567890123456789012345678901234567890123456789012"
DIGEST = "9d151eefd8590b89daa6ba6cb74af9275dd051026bb149a452fd84e5e57b5500"
KEY = bytes(range(32)).hex()
DATA = bytes.fromhex("0126bdb87800af214341456563780100")
MAC = "a1aa5f7de402d7b3d323f2991c8d4534013137010a83754fd0af6d7cd4922ed9"

with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "cards").write_text(KEY + "\n")
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.jars", JARS)
        .config("spark.sql.extensions", "io.github.bulatcrypto.spark.BulatExtensions")
        .config("spark.sql.catalog.gost", "io.github.bulatcrypto.spark.BulatCatalog")
        .config("spark.bulat.keys", folder)
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    table = spark.createDataFrame([(MESSAGE, DATA)], "m binary, d binary")
    for gost in "", "gost.":
        sealed = call_function(gost + "gost_encrypt", table.d, lit("cards"), table.m)
        digest, mac, opened = table.select(
            call_function(gost + "streebog256", table.m),
            call_function(gost + "gost_hmac", table.d, lit("cards")),
            call_function(gost + "gost_decrypt", sealed, lit("cards"), table.m),
        ).first()
        assert bytes(digest).hex() == DIGEST and bytes(mac).hex() == MAC and bytes(opened) == DATA, gost
        try:
            table.select(call_function(gost + "gost_decrypt", sealed, lit("cards"), table.d)).collect()
            sys.exit("a wrong tag was accepted")
        except Exception as error:
            assert "the tag is wrong" in str(error), error
    spark.stop()
print("PySpark: the functions answer as the standards' examples")
