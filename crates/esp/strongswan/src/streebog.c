/*
 * HMAC-Streebog-512 as a pseudo-random function of IKEv2 (RFC 9385), by libbulat.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "plugin.h"

#include <bulat.h>

#include <crypto/mac.h>
#include <crypto/prfs/mac_prf.h>

/** Bytes of the function's output, which IKEv2 also uses as the length of its keys. */
#define SIZE 64

typedef struct private_mac_t private_mac_t;

struct private_mac_t {
	mac_t public;
	/** The message under the key; NULL without a key. */
	bulat_mac_ctx *message;
};

METHOD(mac_t, get_mac, bool,
	private_mac_t *this, chunk_t data, uint8_t *out)
{
	return this->message && bulat_mac_update(this->message, data.ptr, data.len) == BULAT_OK &&
		   (!out || bulat_mac_final(this->message, out, SIZE) == BULAT_OK);
}

METHOD(mac_t, get_mac_size, size_t,
	private_mac_t *this)
{
	return SIZE;
}

METHOD(mac_t, set_key, bool,
	private_mac_t *this, chunk_t bytes)
{
	bulat_key *key = NULL;
	bool good;

	bulat_mac_free(this->message);
	this->message = NULL;
	good = bulat_key_new(&key, bulat_algorithm_find("hmac-streebog512"), bytes.ptr, bytes.len, NULL) == BULAT_OK &&
		   bulat_mac_new(&this->message, key, NULL, 0) == BULAT_OK;
	bulat_key_free(key);
	return good;
}

METHOD(mac_t, destroy, void,
	private_mac_t *this)
{
	bulat_mac_free(this->message);
	free(this);
}

prf_t *streebog_prf_create(pseudo_random_function_t algorithm)
{
	private_mac_t *this;

	if (algorithm != STREEBOG_PRF)
	{
		return NULL;
	}
	INIT(this,
		.public = {
			.get_mac = _get_mac,
			.get_mac_size = _get_mac_size,
			.set_key = _set_key,
			.destroy = _destroy,
		},
	);
	return mac_prf_create(&this->public);
}

typedef struct private_kdf_t private_kdf_t;

struct private_kdf_t {
	kdf_t public;
	key_derivation_function_t type;
	/** strongSwan's parameters: of KDF_PRF the secret and the key, of KDF_PRF_PLUS the key and the seed. */
	chunk_t key, salt;
};

METHOD(kdf_t, get_type, key_derivation_function_t,
	private_kdf_t *this)
{
	return this->type;
}

METHOD(kdf_t, get_length, size_t,
	private_kdf_t *this)
{
	return this->type == KDF_PRF ? SIZE : SIZE_MAX;
}

/** prf+ under the function's key (RFC 7296, section 2.13). */
static bool expand(prf_t *prf, chunk_t seed, size_t len, uint8_t *out)
{
	uint8_t block[SIZE], number = 0;
	bool good = len <= UINT8_MAX * SIZE;
	size_t part;

	for (; good && len; len -= part, out += part)
	{
		good = (!number || prf->get_bytes(prf, chunk_from_thing(block), NULL)) && prf->get_bytes(prf, seed, NULL);
		number++;
		good = good && prf->get_bytes(prf, chunk_from_thing(number), block);
		part = min(len, SIZE);
		memcpy(out, block, part);
	}
	memwipe(block, sizeof(block));
	return good;
}

METHOD(kdf_t, get_bytes, bool,
	private_kdf_t *this, size_t len, uint8_t *out)
{
	prf_t *prf = streebog_prf_create(STREEBOG_PRF);
	bool good;

	if (this->type == KDF_PRF)
	{
		good = len == SIZE && prf->set_key(prf, this->salt) && prf->get_bytes(prf, this->key, out);
	}
	else
	{
		good = prf->set_key(prf, this->key) && expand(prf, this->salt, len, out);
	}
	prf->destroy(prf);
	return good;
}

METHOD(kdf_t, allocate_bytes, bool,
	private_kdf_t *this, size_t len, chunk_t *chunk)
{
	if (this->type == KDF_PRF && !len)
	{
		len = SIZE;
	}
	*chunk = chunk_alloc(len);
	if (get_bytes(this, len, chunk->ptr))
	{
		return TRUE;
	}
	chunk_clear(chunk);
	return FALSE;
}

METHOD(kdf_t, set_param, bool,
	private_kdf_t *this, kdf_param_t param, ...)
{
	chunk_t *place = param == KDF_PARAM_KEY ? &this->key : &this->salt;
	va_list args;

	va_start(args, param);
	chunk_clear(place);
	*place = chunk_clone(va_arg(args, chunk_t));
	va_end(args);
	return TRUE;
}

METHOD(kdf_t, kdf_destroy, void,
	private_kdf_t *this)
{
	chunk_clear(&this->key);
	chunk_clear(&this->salt);
	free(this);
}

kdf_t *streebog_kdf_create(key_derivation_function_t type, va_list args)
{
	private_kdf_t *this;
	pseudo_random_function_t algorithm;

	VA_ARGS_VGET(args, algorithm);
	if (algorithm != STREEBOG_PRF)
	{
		return NULL;
	}
	INIT(this,
		.public = {
			.get_type = _get_type,
			.get_length = _get_length,
			.get_bytes = _get_bytes,
			.allocate_bytes = _allocate_bytes,
			.set_param = _set_param,
			.destroy = _kdf_destroy,
		},
		.type = type,
	);
	return &this->public;
}
