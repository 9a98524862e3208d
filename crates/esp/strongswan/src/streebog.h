/*
 * HMAC-Streebog-512 as a pseudo-random function of IKEv2 (RFC 9385).
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef BULAT_STREEBOG_H_
#define BULAT_STREEBOG_H_

#include <crypto/kdfs/kdf.h>
#include <crypto/prfs/prf.h>

/** PRF_HMAC_STREEBOG_512 (IANA, IKEv2 Transform Type 2). */
#define STREEBOG_PRF 9

/** Makes the function; NULL for other algorithms. */
prf_t *streebog_prf_create(pseudo_random_function_t algorithm);

/** Makes a derivation of keys by this function, which OpenSSL's, Debian 13's only one, refuses; NULL for other functions. */
kdf_t *streebog_kdf_create(key_derivation_function_t type, va_list args);

#endif
