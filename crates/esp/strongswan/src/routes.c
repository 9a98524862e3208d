/*
 * Routes into bulat-esp's TUN device, and around it.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "plugin.h"

#include <daemon.h>
#include <collections/linked_list.h>

typedef struct private_routes_t private_routes_t;
typedef struct detour_t detour_t;
typedef struct installed_t installed_t;

/** A route to a peer around the tunnels, which several policies share. */
struct detour_t {
	host_t *peer;
	host_t *here;
	host_t *gateway;
	char *interface;
	/** Another part of strongSwan installed it, or nobody did. */
	bool foreign;
	u_int users;
};

/** An installed route, which several policies share. */
struct installed_t {
	chunk_t net;
	uint8_t prefix;
	/** The address of packets that start at this host. */
	host_t *source;
	char *interface;
	/** A route around all tunnels. */
	bool pass;
	/** Another part of strongSwan installed it. */
	bool foreign;
	u_int users;
};

struct route_t {
	installed_t *installed;
	/** The peer's detour, or NULL. */
	detour_t *detour;
};

struct private_routes_t {
	routes_t public;
	/** detour_t */
	linked_list_t *detours;
	/** installed_t */
	linked_list_t *installed;
};

/** Removes a user of a detour; without users its route goes. */
static void leave_detour(private_routes_t *this, detour_t *detour)
{
	if (--detour->users)
	{
		return;
	}
	if (!detour->foreign)
	{
		charon->kernel->del_route(charon->kernel, detour->peer->get_address(detour->peer),
								  detour->peer->get_family(detour->peer) == AF_INET ? 32 : 128, detour->gateway,
								  detour->here, detour->interface, TRUE);
	}
	this->detours->remove(this->detours, detour, NULL);
	detour->peer->destroy(detour->peer);
	detour->here->destroy(detour->here);
	DESTROY_IF(detour->gateway);
	free(detour->interface);
	free(detour);
}

/** Finds or installs the route to a peer around the tunnels. */
static detour_t *join_detour(private_routes_t *this, host_t *here, host_t *peer)
{
	detour_t *detour;
	status_t status;

	FIND(this->detours, detour, detour->peer->ip_equals(detour->peer, peer));
	if (detour)
	{
		detour->users++;
		return detour;
	}
	INIT(detour,
		.peer = peer->clone(peer),
		.here = here->clone(here),
		.gateway = charon->kernel->get_nexthop(charon->kernel, peer, -1, here, NULL),
		.users = 1,
	);
	this->detours->insert_last(this->detours, detour);
	if (charon->kernel->get_interface(charon->kernel, here, &detour->interface))
	{
		status = charon->kernel->add_route(charon->kernel, peer->get_address(peer),
										   peer->get_family(peer) == AF_INET ? 32 : 128, detour->gateway, here,
										   detour->interface, TRUE);
		if (status == SUCCESS || status == ALREADY_DONE)
		{
			detour->foreign = status == ALREADY_DONE;
			return detour;
		}
	}
	detour->foreign = TRUE;
	DBG1(DBG_KNL, "no route around the tunnel to %H", peer);
	leave_detour(this, detour);
	return NULL;
}

/** Removes a user of a route; without users the route goes. */
static void leave(private_routes_t *this, installed_t *route)
{
	if (--route->users)
	{
		return;
	}
	if (!route->foreign &&
		charon->kernel->del_route(charon->kernel, route->net, route->prefix, NULL, route->source, route->interface,
								  route->pass) != SUCCESS)
	{
		DBG1(DBG_KNL, "a route dev %s is not removed", route->interface);
	}
	this->installed->remove(this->installed, route, NULL);
	chunk_free(&route->net);
	route->source->destroy(route->source);
	free(route->interface);
	free(route);
}

/** Finds the address of this host for a policy's packets: any, for a gateway without an address in the net. */
static host_t *source_address(traffic_selector_t *source)
{
	host_t *address;

	if (charon->kernel->get_address_by_ts(charon->kernel, source, &address, NULL) == SUCCESS)
	{
		return address;
	}
	return host_create_any(source->get_type(source) == TS_IPV4_ADDR_RANGE ? AF_INET : AF_INET6);
}

/** Finds or installs a route. kernel-netlink knows the routes of one net by their sources, and prefers a virtual address. */
static installed_t *join(private_routes_t *this, char *tun, traffic_selector_t *source, traffic_selector_t *destination)
{
	installed_t *route;
	host_t *net, *here = source_address(source);
	uint8_t prefix;

	destination->to_subnet(destination, &net, &prefix);
	FIND(this->installed, route, chunk_equals(route->net, net->get_address(net)) && route->prefix == prefix &&
								 route->source->ip_equals(route->source, here) && route->pass == !tun &&
								 (!tun || streq(route->interface, tun)));
	if (route)
	{
		here->destroy(here);
		net->destroy(net);
		route->users++;
		return route;
	}
	INIT(route,
		.net = chunk_clone(net->get_address(net)),
		.prefix = prefix,
		.source = here,
		.interface = strdup(tun ?: "lo"),
		.pass = !tun,
		.users = 1,
	);
	net->destroy(net);
	this->installed->insert_last(this->installed, route);
	DBG2(DBG_KNL, "route: %R %s%s src %H", destination, tun ? "dev " : "around tunnels", tun ?: "", route->source);
	switch (charon->kernel->add_route(charon->kernel, route->net, route->prefix, NULL, route->source,
									  route->interface, route->pass))
	{
		case ALREADY_DONE:
			route->foreign = TRUE;
			return route;
		case SUCCESS:
			return route;
		default:
			DBG1(DBG_KNL, "no route to %R dev %s", destination, route->interface);
			route->foreign = TRUE;
			leave(this, route);
			return NULL;
	}
}

METHOD(routes_t, remove_, void,
	private_routes_t *this, route_t **place)
{
	route_t *route = *place;

	*place = NULL;
	if (route)
	{
		if (route->installed)
		{
			leave(this, route->installed);
		}
		if (route->detour)
		{
			leave_detour(this, route->detour);
		}
		free(route);
	}
}

METHOD(routes_t, set, bool,
	private_routes_t *this, route_t **place, char *tun, bool around, host_t *here, host_t *peer,
	traffic_selector_t *source, traffic_selector_t *destination)
{
	route_t *route;
	bool good = TRUE;

	around = around && tun && destination->includes(destination, peer);
	if (around && destination->is_host(destination, peer))
	{
		DBG1(DBG_KNL, "traffic to the peer %H itself needs bulat-esp's option for a mark", peer);
		return FALSE;
	}
	INIT(route);
	if (around)
	{
		route->detour = join_detour(this, here, peer);
		good = route->detour != NULL;
	}
	if (good)
	{
		route->installed = join(this, tun, source, destination);
		good = route->installed != NULL;
	}
	/* the old route is left after the new one is joined: an equal one stays */
	remove_(this, place);
	if (good)
	{
		*place = route;
	}
	else
	{
		remove_(this, &route);
	}
	return good;
}

METHOD(routes_t, destroy, void,
	private_routes_t *this)
{
	this->detours->destroy(this->detours);
	this->installed->destroy(this->installed);
	free(this);
}

routes_t *routes_create(void)
{
	private_routes_t *this;

	INIT(this,
		.public = {
			.set = _set,
			.remove = _remove_,
			.destroy = _destroy,
		},
		.detours = linked_list_create(),
		.installed = linked_list_create(),
	);
	return &this->public;
}
