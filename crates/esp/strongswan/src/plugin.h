/*
 * The plugin kernel-bulat of strongSwan: its parts.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef BULAT_PLUGIN_H_
#define BULAT_PLUGIN_H_

#include <library.h>
#include <crypto/kdfs/kdf.h>
#include <crypto/prfs/prf.h>
#include <kernel/kernel_ipsec.h>
#include <network/socket.h>
#include <plugins/plugin.h>
#include <selectors/traffic_selector.h>

#include "client.h"

/** The client of all parts of the plugin. */
extern client_t *bulat;

/** Makes the interface to IPsec; its SAs and policies are in bulat-esp. */
kernel_ipsec_t *bulat_ipsec_create(void);

/** Makes strongSwan's socket: its own port 500, and bulat-esp's ports. */
socket_t *bulat_socket_create(void);

/** Queues a job for each IKE SA: it ends without a message, and a new one with its CHILD SAs begins. */
void reestablish_all(void);

/** The bytes of a transform's key with its salt (RFC 9227, section 4.5): 44 or 36; 0 for other transforms. */
size_t transform_key_len(uint16_t transform);

/** Adds the names, the keywords and the derivation of keys to strongSwan, or removes names and derivation. */
bool transforms_register(plugin_t *plugin, plugin_feature_t *feature, bool reg, void *data);

/** PRF_HMAC_STREEBOG_512 (IANA, IKEv2 Transform Type 2; RFC 9385). */
#define STREEBOG_PRF 9

/** Makes the function; NULL for other algorithms. */
prf_t *streebog_prf_create(pseudo_random_function_t algorithm);

/** Makes a derivation of keys by this function, which OpenSSL's, Debian 13's only one, refuses; NULL for other functions. */
kdf_t *streebog_kdf_create(key_derivation_function_t type, va_list args);

typedef struct route_t route_t;
typedef struct routes_t routes_t;

/** The routes of all policies. Its caller locks. */
struct routes_t {
	/**
	 * Brings the route of a policy to what it should be.
	 *
	 * @param route		the policy's route of before, or NULL; the new one, or NULL without a route
	 * @param tun		the TUN device; NULL for a route around all tunnels
	 * @param around	the peer's packets need a route around the tunnel, since they have no mark
	 * @param here		the outer address of this host
	 * @param peer		the outer address of the peer
	 * @return			FALSE if the traffic cannot be routed; the log says why
	 */
	bool (*set)(routes_t *this, route_t **route, char *tun, bool around, host_t *here, host_t *peer,
				traffic_selector_t *source, traffic_selector_t *destination);

	/** Removes the route of a policy. */
	void (*remove)(routes_t *this, route_t **route);

	void (*destroy)(routes_t *this);
};

routes_t *routes_create(void);

/** Sets `item` to the first item of a list that fits, or to NULL. */
#define FIND(list, item, fits) do { \
	enumerator_t *items_ = (list)->create_enumerator(list); \
	bool found_ = FALSE; \
	while (!found_ && items_->enumerate(items_, &(item))) \
	{ \
		found_ = (fits); \
	} \
	items_->destroy(items_); \
	item = found_ ? item : NULL; \
} while (0)

#endif
