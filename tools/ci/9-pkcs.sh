#!/usr/bin/env bash
# Files of PKCS #8 and PKCS #12, exchanged with BouncyCastle and gost-engine: five each way; BULAT_PEER_FILES=100 for more.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/ci/apt maven openjdk-17-jdk-headless openssl libengine-gost-openssl
BULAT_PEER_FILES=${BULAT_PEER_FILES:-5} bash pkcs/tests/peers.sh
