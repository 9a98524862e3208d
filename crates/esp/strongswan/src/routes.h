/*
 * Routes into bulat-esp's TUN device, and around it.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef BULAT_ROUTES_H_
#define BULAT_ROUTES_H_

#include <library.h>
#include <networking/host.h>
#include <selectors/traffic_selector.h>

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

#endif
