/*
 * The transforms of RFC 9227 in strongSwan: names, keywords of proposals, lengths of keys.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "plugin.h"

#include <daemon.h>
#include <sa/ikev2/keymat_v2.h>

/** The transforms' numbers (IANA, IKEv2 Transform Type 1; RFC 9227, section 9). */
#define FIRST 32
#define LAST 35

/** Keyword of a proposal, and bytes of the key: 32 for the cipher, 12 or 4 of salt. */
static const struct {
	char *keyword;
	size_t key;
} transforms[] = {
	{ "kuznyechikmgm", 44 },
	{ "magmamgm", 36 },
	{ "kuznyechikmgmmac", 44 },
	{ "magmamgmmac", 36 },
};

ENUM_BEGIN(bulat_names, FIRST, LAST,
	"KUZNYECHIK_MGM_KTREE",
	"MAGMA_MGM_KTREE",
	"KUZNYECHIK_MGM_MAC_KTREE",
	"MAGMA_MGM_MAC_KTREE");
static ENUM_END(bulat_names, LAST);

#ifdef BULAT_PRF
ENUM_BEGIN(prf_names, STREEBOG_PRF, STREEBOG_PRF, "PRF_HMAC_STREEBOG_512");
static ENUM_END(prf_names, STREEBOG_PRF);
#endif

/** The links at the ends of strongSwan's names, where ours follow: of ciphers, and of pseudo-random functions. */
static enum_name_t **cipher_end, **prf_end;

/** strongSwan's own derivation of a CHILD SA's keys. */
static typeof(((keymat_v2_t*)NULL)->derive_child_keys) derive_child_keys;

size_t transform_key_len(uint16_t transform)
{
	return transform >= FIRST && transform <= LAST ? transforms[transform - FIRST].key : 0;
}

/**
 * Derives the keys of a CHILD SA.
 *
 * strongSwan knows no length for these transforms, and a Key Length attribute is forbidden for ciphers with keys of
 * one length (RFC 7296, section 3.3.5). So a proposal that nobody else sees asks for as many bits of a cipher to which
 * strongSwan adds no salt. `kes` is a key exchange in strongSwan 5, and an array of them in 6.
 */
static bool derive(keymat_v2_t *this, proposal_t *proposal, void *kes, chunk_t nonce_i, chunk_t nonce_r,
				   chunk_t *encr_i, chunk_t *integ_i, chunk_t *encr_r, chunk_t *integ_r)
{
	proposal_t *other = NULL;
	uint16_t transform, bits;
	size_t len = 0;
	bool good;

	if (proposal->get_algorithm(proposal, ENCRYPTION_ALGORITHM, &transform, &bits))
	{
		len = transform_key_len(transform);
	}
	if (len)
	{
		if (bits || proposal->get_algorithm(proposal, INTEGRITY_ALGORITHM, NULL, NULL))
		{
			DBG1(DBG_CHD, "%N allows neither a key length nor an integrity algorithm", encryption_algorithm_names,
				 transform);
			return FALSE;
		}
		DBG2(DBG_CHD, "  deriving %zu bytes for each direction of %N", len, encryption_algorithm_names, transform);
		other = proposal_create(PROTO_ESP, 0);
		other->add_algorithm(other, ENCRYPTION_ALGORITHM, ENCR_AES_CBC, len * 8);
	}
	good = derive_child_keys(this, other ?: proposal, kes, nonce_i, nonce_r, encr_i, integ_i, encr_r, integ_r);
	DESTROY_IF(other);
	if (good && len && (encr_i->len != len || encr_r->len != len))
	{
		DBG1(DBG_CHD, "strongSwan derived %zu bytes for %N in place of %zu", encr_i->len, encryption_algorithm_names,
			 transform, len);
		chunk_clear(encr_i);
		chunk_clear(encr_r);
		return FALSE;
	}
	return good;
}

/** Makes strongSwan's keymat for IKEv2, with our derivation of a CHILD SA's keys. */
static keymat_t *create(bool initiator)
{
	keymat_v2_t *keymat = keymat_v2_create(initiator);

	derive_child_keys = keymat->derive_child_keys;
	keymat->derive_child_keys = (void*)derive;
	return &keymat->keymat;
}

/** Appends our names to strongSwan's; returns the link, or NULL where a newer strongSwan has names of its own. */
static enum_name_t **append(enum_name_t *theirs, enum_name_t *ours)
{
	enum_name_t **end;

	for (end = &theirs->next; *end; end = &(*end)->next)
	{
		if ((*end)->first <= ours->last && (*end)->last >= ours->first)
		{
			return NULL;
		}
	}
	*end = ours;
	return end;
}

bool transforms_register(plugin_t *plugin, plugin_feature_t *feature, bool reg, void *data)
{
	int i;

	if (reg)
	{
		cipher_end = append(encryption_algorithm_names, bulat_names);
		for (i = 0; i < countof(transforms); i++)
		{
			lib->proposal->register_token(lib->proposal, transforms[i].keyword, ENCRYPTION_ALGORITHM, FIRST + i, 0);
		}
#ifdef BULAT_PRF
		prf_end = append(pseudo_random_function_names, prf_names);
		lib->proposal->register_token(lib->proposal, "prfstreebog512", PSEUDO_RANDOM_FUNCTION, STREEBOG_PRF, 0);
#endif
		keymat_register_constructor(IKEV2, create);
	}
	else
	{
		keymat_register_constructor(IKEV2, NULL);
		if (cipher_end)
		{
			*cipher_end = NULL;
		}
		if (prf_end)
		{
			*prf_end = NULL;
		}
	}
	return TRUE;
}
