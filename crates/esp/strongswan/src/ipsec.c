/*
 * strongSwan's interface to IPsec, by bulat-esp.
 *
 * bulat-esp forgets all SAs and policies when it starts. So this file keeps the policies, which it gives to a new
 * bulat-esp, and the names of SAs, which expire then: strongSwan negotiates them anew.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "plugin.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <daemon.h>
#include <collections/linked_list.h>
#include <processing/jobs/callback_job.h>
#include <threading/mutex.h>
#include <threading/thread.h>

/** strongSwan's window of 32 packets is shorter than a burst: this many at least. */
#define WINDOW_MIN 4096

/** The most packets of a replay window. */
#define WINDOW_MAX 65536

typedef struct private_ipsec_t private_ipsec_t;
typedef struct sa_t sa_t;
typedef struct user_t user_t;
typedef struct policy_t policy_t;

/** The name of an SA. */
struct sa_t {
	uint32_t spi;
	host_t *destination;
	bool inbound;
};

/** One who added a policy. */
struct user_t {
	policy_type_t type;
	uint32_t priority;
	uint32_t reqid;
	host_t *source;
	host_t *destination;
};

/** The traffic of a policy and all who added it; the user of the lowest priority is in effect. */
struct policy_t {
	/** The protocol's lines from `direction` to the ports. */
	char *selector;
	policy_dir_t direction;
	traffic_selector_t *source;
	traffic_selector_t *destination;
	/** user_t, in order of priority */
	linked_list_t *users;
	/** The lines of the policy that bulat-esp has, or NULL. */
	char *installed;
	/** Its reqid. */
	uint32_t reqid;
	route_t *route;
};

struct private_ipsec_t {
	kernel_ipsec_t public;
	/** Guards the lists and the routes. */
	mutex_t *mutex;
	/** sa_t */
	linked_list_t *sas;
	/** policy_t */
	linked_list_t *policies;
	routes_t *routes;
	/** Routes are wanted: strongSwan's option `install_routes`. */
	bool route;
	/** The MTU of the path that new SAs get; 0 for bulat-esp's own. */
	u_int mtu;
	/** The connection for events, or -1. */
	int events;
	/** bulat-esp has what the lists have. */
	bool synced;
};

static void sa_destroy(sa_t *this)
{
	this->destination->destroy(this->destination);
	free(this);
}

static void user_destroy(user_t *this)
{
	this->source->destroy(this->source);
	this->destination->destroy(this->destination);
	free(this);
}

static void policy_destroy(policy_t *this)
{
	this->users->destroy_function(this->users, (void*)user_destroy);
	this->source->destroy(this->source);
	this->destination->destroy(this->destination);
	free(this->selector);
	free(this->installed);
	free(this);
}

/** Begins a request that names an SA. */
static void name_sa(lines_t *request, const char *verb, uint32_t spi, host_t *destination)
{
	lines_init(request, verb);
	lines_add(request, "spi", "0x%08x", ntohl(spi));
	lines_add_host(request, "destination", destination);
}

/** Translates seconds since the epoch to strongSwan's clock; 0 stays 0. */
static time_t monotonic(uint64_t seconds)
{
	time_t now = time(NULL), ago;

	if (!seconds)
	{
		return 0;
	}
	ago = now > seconds ? now - seconds : 0;
	return max(1, time_monotonic(NULL) - ago);
}

static status_t to_status(answer_kind_t kind)
{
	switch (kind)
	{
		case ANSWER_OK:
			return SUCCESS;
		case ANSWER_NOT_FOUND:
			return NOT_FOUND;
		default:
			return FAILED;
	}
}

/** Asks for the numbers of fields, of which NULL is the last; FAILED, too, if the answer lacks a field. */
static status_t ask_numbers(lines_t *request, const char *fields[], uint64_t *values)
{
	answer_t *answer = malloc(sizeof(answer_t));
	status_t status = to_status(bulat->ask(bulat, request, answer));

	for (; status == SUCCESS && *fields; fields++, values++)
	{
		status = field_number(answer->text, *fields, values) ? SUCCESS : FAILED;
	}
	free(answer);
	return status;
}

METHOD(kernel_ipsec_t, get_features, kernel_feature_t,
	private_ipsec_t *this)
{
	kernel_feature_t features = KERNEL_ESP_V3_TFC;

#ifdef CPU_ID_MAX
	features |= KERNEL_SA_USE_TIME;
#endif
	return features;
}

METHOD(kernel_ipsec_t, get_spi, status_t,
	private_ipsec_t *this, host_t *src, host_t *dst, uint8_t protocol, uint32_t *spi)
{
	lines_t request;
	uint64_t number;

	if (protocol != IPPROTO_ESP)
	{
		DBG1(DBG_KNL, "bulat-esp has only ESP, not protocol %u", protocol);
		return NOT_SUPPORTED;
	}
	lines_init(&request, "spi");
	lines_add_host(&request, "destination", dst);
	if (ask_numbers(&request, (const char*[]){ "spi", NULL }, &number) != SUCCESS || number < 256 || number > UINT32_MAX)
	{
		return FAILED;
	}
	*spi = htonl(number);
	return SUCCESS;
}

METHOD(kernel_ipsec_t, get_cpi, status_t,
	private_ipsec_t *this, host_t *src, host_t *dst, uint16_t *cpi)
{
	return NOT_SUPPORTED;
}

/** Finds out why bulat-esp cannot have an SA; NULL if it can. */
static const char *unfit(kernel_ipsec_sa_id_t *id, kernel_ipsec_add_sa_t *data)
{
	size_t len = transform_key_len(data->enc_alg);
	struct {
		bool wrong;
		const char *why;
	} reasons[] = {
		{ id->proto != IPPROTO_ESP, "the protocol is not ESP" },
		{ !len, "the cipher is not a transform of RFC 9227 (kuznyechikmgm, magmamgm, kuznyechikmgmmac, magmamgmmac)" },
		{ data->int_key.len, "the transforms of RFC 9227 have their own integrity" },
		{ data->enc_key.len != len, "the key has a wrong length" },
		{ data->mode != MODE_TUNNEL, "the mode is not tunnel" },
		{ data->ipcomp != IPCOMP_NONE, "IPComp is not supported" },
		{ id->if_id || id->mark.value || data->mark.value, "marks and interface IDs are not supported" },
	};
	int i;

	for (i = 0; i < countof(reasons); i++)
	{
		if (reasons[i].wrong)
		{
			return reasons[i].why;
		}
	}
	return NULL;
}

/** Adds the limits of an SA's life. */
static void add_limits(lines_t *request, lifetime_cfg_t *life)
{
	struct {
		const char *field;
		uint64_t value;
	} limits[] = {
		{ "soft-bytes", life->bytes.rekey },
		{ "hard-bytes", life->bytes.life },
		{ "soft-packets", life->packets.rekey },
		{ "hard-packets", life->packets.life },
		{ "soft-seconds", life->time.rekey },
		{ "hard-seconds", life->time.life },
	};
	int i;

	for (i = 0; i < countof(limits); i++)
	{
		if (limits[i].value)
		{
			lines_add(request, limits[i].field, "%llu", (unsigned long long)limits[i].value);
		}
	}
}

METHOD(kernel_ipsec_t, add_sa, status_t,
	private_ipsec_t *this, kernel_ipsec_sa_id_t *id, kernel_ipsec_add_sa_t *data)
{
	const char *why = unfit(id, data);
	answer_kind_t kind;
	lines_t request;
	host_t *local = data->inbound ? id->dst : id->src, *remote = data->inbound ? id->src : id->dst;
	bool copy_dscp;
	sa_t *sa;

	if (why)
	{
		DBG1(DBG_KNL, "SA 0x%08x of %N: %s", ntohl(id->spi), encryption_algorithm_names, data->enc_alg, why);
		return NOT_SUPPORTED;
	}
	name_sa(&request, "add", id->spi, id->dst);
	lines_add_host(&request, "source", id->src);
	lines_add(&request, "direction", data->inbound ? "in" : "out");
	lines_add(&request, "transform", "%u", data->enc_alg);
	lines_add_hex(&request, "key", data->enc_key);
	lines_add(&request, "reqid", "%u", data->reqid);
	lines_add(&request, "esn", data->esn ? "1" : "0");
	if (data->encap)
	{
		lines_add(&request, "ports", "%u:%u", local->get_port(local), remote->get_port(remote));
	}
	if (data->inbound)
	{
		lines_add(&request, "window", "%u", min(WINDOW_MAX, max(WINDOW_MIN, data->replay_window)));
		copy_dscp = data->copy_dscp == DSCP_COPY_IN_ONLY || data->copy_dscp == DSCP_COPY_YES;
	}
	else
	{
		if (data->tfc == (uint32_t)-1)
		{
			lines_add(&request, "tfc", "mtu");
		}
		else if (data->tfc)
		{
			lines_add(&request, "tfc", "%u", data->tfc);
		}
		if (this->mtu)
		{
			lines_add(&request, "mtu", "%u", this->mtu);
		}
		copy_dscp = data->copy_dscp == DSCP_COPY_OUT_ONLY || data->copy_dscp == DSCP_COPY_YES;
#ifdef CPU_ID_MAX
		hello_t hello;

		bulat->known(bulat, &hello);
		if (data->cpu < hello.queues)
		{
			lines_add(&request, "queue", "%u", data->cpu);
		}
#endif
	}
	lines_add(&request, "copy-dscp", copy_dscp ? "1" : "0");
	add_limits(&request, data->lifetime);

	INIT(sa,
		.spi = id->spi,
		.destination = id->dst->clone(id->dst),
		.inbound = data->inbound,
	);
	this->mutex->lock(this->mutex);
	kind = bulat->ask(bulat, &request, NULL);
	if (kind == ANSWER_OK)
	{
		this->sas->insert_last(this->sas, sa);
	}
	this->mutex->unlock(this->mutex);
	if (kind != ANSWER_OK)
	{
		sa_destroy(sa);
	}
	return to_status(kind);
}

/** Finds an SA in the list. The mutex is locked. */
static sa_t *find_sa(private_ipsec_t *this, uint32_t spi, host_t *destination)
{
	sa_t *sa;

	FIND(this->sas, sa, sa->spi == spi && sa->destination->ip_equals(sa->destination, destination));
	return sa;
}

METHOD(kernel_ipsec_t, update_sa, status_t,
	private_ipsec_t *this, kernel_ipsec_sa_id_t *id, kernel_ipsec_update_sa_t *data)
{
	answer_kind_t kind;
	lines_t request;
	host_t *local = data->new_src, *remote = data->new_dst;
	bool moved;
	sa_t *sa;

#ifdef BULAT_OLD_REQID
	moved = data->new_reqid != data->old_reqid;
#else
	moved = data->new_reqid != 0;
#endif
	if (moved)
	{	/* the selectors changed with the addresses: strongSwan negotiates a new SA */
		return NOT_SUPPORTED;
	}
	this->mutex->lock(this->mutex);
	sa = find_sa(this, id->spi, id->dst);
	if (!sa)
	{
		this->mutex->unlock(this->mutex);
		return NOT_FOUND;
	}
	if (sa->inbound)
	{
		local = data->new_dst;
		remote = data->new_src;
	}
	name_sa(&request, "update", id->spi, id->dst);
	lines_add_host(&request, "new-source", data->new_src);
	lines_add_host(&request, "new-destination", data->new_dst);
	if (data->new_encap)
	{
		lines_add(&request, "new-ports", "%u:%u", local->get_port(local), remote->get_port(remote));
	}
	else
	{
		lines_add(&request, "new-ports", "none");
	}
	kind = bulat->ask(bulat, &request, NULL);
	if (kind == ANSWER_OK)
	{
		sa->destination->destroy(sa->destination);
		sa->destination = data->new_dst->clone(data->new_dst);
	}
	this->mutex->unlock(this->mutex);
	return to_status(kind);
}

METHOD(kernel_ipsec_t, query_sa, status_t,
	private_ipsec_t *this, kernel_ipsec_sa_id_t *id, kernel_ipsec_query_sa_t *data, uint64_t *bytes,
	uint64_t *packets, time_t *time)
{
	uint64_t numbers[3];
	lines_t request;
	status_t status;

	name_sa(&request, "query", id->spi, id->dst);
	status = ask_numbers(&request, (const char*[]){ "bytes", "packets", "used", NULL }, numbers);
	if (status == SUCCESS)
	{
		*bytes = numbers[0];
		*packets = numbers[1];
		if (time)
		{
			*time = monotonic(numbers[2]);
		}
	}
	return status;
}

METHOD(kernel_ipsec_t, del_sa, status_t,
	private_ipsec_t *this, kernel_ipsec_sa_id_t *id, kernel_ipsec_del_sa_t *data)
{
	answer_kind_t kind;
	lines_t request;
	sa_t *sa;

	if (id->proto != IPPROTO_ESP)
	{
		return NOT_SUPPORTED;
	}
	this->mutex->lock(this->mutex);
	sa = find_sa(this, id->spi, id->dst);
	if (sa)
	{
		this->sas->remove(this->sas, sa, NULL);
		sa_destroy(sa);
	}
	name_sa(&request, "delete", id->spi, id->dst);
	kind = bulat->ask(bulat, &request, NULL);
	this->mutex->unlock(this->mutex);
	/* an SA that expired, and an SPI that was only reserved, are gone already */
	return kind == ANSWER_NOT_FOUND ? SUCCESS : to_status(kind);
}

METHOD(kernel_ipsec_t, flush_sas, status_t,
	private_ipsec_t *this)
{
	answer_kind_t kind;
	lines_t request;
	sa_t *sa;

	this->mutex->lock(this->mutex);
	while (this->sas->remove_last(this->sas, (void**)&sa) == SUCCESS)
	{
		sa_destroy(sa);
	}
	lines_init(&request, "flush");
	kind = bulat->ask(bulat, &request, NULL);
	this->mutex->unlock(this->mutex);
	return to_status(kind);
}

/** Adds a range of ports to the lines, unless it is all ports. */
static void add_ports(lines_t *lines, const char *field, uint16_t from, uint16_t to)
{
	if (from != 0 || to != UINT16_MAX)
	{
		lines_add(lines, field, "%u-%u", from, to);
	}
}

/** Tells whether a selector has no ports: RFC 7296's OPAQUE. */
static bool opaque(traffic_selector_t *ts)
{
	return ts->get_from_port(ts) > ts->get_to_port(ts);
}

/** Writes the lines of a policy's traffic; FALSE if the protocol cannot express it, and the log says why. */
static bool write_selector(lines_t *lines, kernel_ipsec_policy_id_t *id)
{
	static const char *directions[] = { "in", "out", "forward" };
	traffic_selector_t *src = id->src_ts, *dst = id->dst_ts, *icmp;
	host_t *from, *to;
	uint8_t from_mask, to_mask, protocol;
	bool exact;

	exact = src->to_subnet(src, &from, &from_mask);
	exact = dst->to_subnet(dst, &to, &to_mask) && exact;
	*lines = (lines_t){};
	if (exact && !opaque(src) && !opaque(dst))
	{
		lines_init(lines, "");
		lines_add(lines, "direction", "%s", directions[id->dir]);
		lines_add_prefix(lines, "source", from, from_mask);
		lines_add_prefix(lines, "destination", to, to_mask);
		protocol = max(src->get_protocol(src), dst->get_protocol(dst));
		if (protocol)
		{
			lines_add(lines, "protocol", "%u", protocol);
		}
		if (protocol == IPPROTO_ICMP || protocol == IPPROTO_ICMPV6)
		{	/* type and code are one range, which either side of the connection may name */
			icmp = src->get_from_port(src) || src->get_to_port(src) != UINT16_MAX ? src : dst;
			add_ports(lines, "destination-ports", icmp->get_from_port(icmp), icmp->get_to_port(icmp));
		}
		else
		{
			add_ports(lines, "source-ports", src->get_from_port(src), src->get_to_port(src));
			add_ports(lines, "destination-ports", dst->get_from_port(dst), dst->get_to_port(dst));
		}
	}
	else
	{
		DBG1(DBG_KNL, "policy %R === %R: only prefixes, and ports other than OPAQUE, are supported", src, dst);
	}
	from->destroy(from);
	to->destroy(to);
	return lines->text;
}

/** Computes a policy's priority: strongSwan's class first, then the longer prefixes, protocols and ports. */
static uint32_t priority(kernel_ipsec_policy_id_t *id, kernel_ipsec_manage_policy_t *data)
{
	traffic_selector_t *src = id->src_ts, *dst = id->dst_ts;
	host_t *net;
	uint8_t from, to;
	uint32_t wide;

	if (data->manual_prio)
	{
		return data->manual_prio;
	}
	src->to_subnet(src, &net, &from);
	net->destroy(net);
	dst->to_subnet(dst, &net, &to);
	net->destroy(net);
	wide = 8 * (256 - from - to);
	wide += src->get_protocol(src) || dst->get_protocol(dst) ? 0 : 4;
	wide += src->get_from_port(src) == 0 && src->get_to_port(src) == UINT16_MAX ? 2 : 0;
	wide += dst->get_from_port(dst) == 0 && dst->get_to_port(dst) == UINT16_MAX ? 1 : 0;
	return data->prio * 4096 + wide;
}

/** Finds a policy by its lines. The mutex is locked. */
static policy_t *find_policy(private_ipsec_t *this, const char *selector)
{
	policy_t *policy;

	FIND(this->policies, policy, streq(policy->selector, selector));
	return policy;
}

/** Removes a user of a policy from bulat-esp. The mutex is locked. */
static void uninstall(policy_t *policy, uint32_t reqid)
{
	lines_t request;

	lines_init(&request, "policy-delete");
	lines_append(&request, policy->selector);
	lines_add(&request, "reqid", "%u", reqid);
	bulat->ask(bulat, &request, NULL);
}

/** Replaces bulat-esp's policy by a user's; without an answer this waits for bulat-esp. */
static bool install(policy_t *policy, user_t *user)
{
	uint32_t old = policy->reqid;
	char *text = policy->installed;
	lines_t request = {};

	policy->installed = NULL;
	if (user)
	{
		lines_init(&request, "policy-add");
		lines_append(&request, policy->selector);
		lines_add(&request, "reqid", "%u", user->reqid);
		lines_add_host(&request, "tunnel-source", user->source);
		lines_add_host(&request, "tunnel-destination", user->destination);
		lines_add(&request, "priority", "%u", user->priority);
		if (text && streq(text, request.text))
		{
			policy->installed = text;
			lines_clear(&request);
			return TRUE;
		}
		policy->installed = strdup(request.text);
		policy->reqid = user->reqid;
		if (bulat->ask(bulat, &request, NULL) == ANSWER_REFUSED)
		{
			free(policy->installed);
			policy->installed = NULL;
		}
	}
	/* the new one is there before the old one goes, so no packet lacks a policy */
	if (text)
	{
		uninstall(policy, old);
		free(text);
	}
	return !user || policy->installed;
}

/** Brings bulat-esp and the route to the user in effect. The mutex is locked. */
static bool apply(private_ipsec_t *this, policy_t *policy)
{
	hello_t hello;
	user_t *user;
	bool good, around;

	if (policy->users->get_first(policy->users, (void**)&user) != SUCCESS)
	{
		install(policy, NULL);
		this->routes->remove(this->routes, &policy->route);
		return TRUE;
	}
	good = install(policy, user->type == POLICY_IPSEC ? user : NULL);
	if (policy->direction != POLICY_OUT || !this->route)
	{
		return good;
	}
	bulat->known(bulat, &hello);
	if (user->type == POLICY_PASS)
	{
		return this->routes->set(this->routes, &policy->route, NULL, FALSE, user->source, user->destination,
								 policy->source, policy->destination);
	}
	if (!hello.tun[0])
	{
		DBG1(DBG_KNL, "no route to %R before bulat-esp is there", policy->destination);
		return good;
	}
	/* packets of a policy that drops go into the TUN, which has no policy for them */
	around = !hello.mark ||
			 !lib->settings->get_str(lib->settings, "%s.plugins.kernel-netlink.fwmark", NULL, lib->ns);
	return this->routes->set(this->routes, &policy->route, hello.tun, around, user->source, user->destination,
							 policy->source, policy->destination) && good;
}

/** Tells whether bulat-esp has to do with a policy: not with forwarded packets that strongSwan lets pass outwards. */
static bool concerned(kernel_ipsec_policy_id_t *id, kernel_ipsec_manage_policy_t *data)
{
	return data->type != POLICY_IPSEC || id->dir != POLICY_FWD || (data->sa && data->sa->reqid);
}

METHOD(kernel_ipsec_t, add_policy, status_t,
	private_ipsec_t *this, kernel_ipsec_policy_id_t *id, kernel_ipsec_manage_policy_t *data)
{
	enumerator_t *enumerator;
	user_t *user, *other;
	policy_t *policy;
	lines_t lines;
	bool good;

	if (!concerned(id, data))
	{
		return SUCCESS;
	}
	if (id->if_id || id->mark.value || id->interface)
	{
		DBG1(DBG_KNL, "policy %R === %R: marks and interfaces are not supported", id->src_ts, id->dst_ts);
		return NOT_SUPPORTED;
	}
	if (!write_selector(&lines, id))
	{
		return NOT_SUPPORTED;
	}
	if (data->type == POLICY_PASS && id->dir == POLICY_OUT && strstr(lines.text, "\nprotocol="))
	{
		DBG1(DBG_KNL, "policy %R === %R: traffic of one protocol cannot pass around the tunnels", id->src_ts,
			 id->dst_ts);
		lines_clear(&lines);
		return NOT_SUPPORTED;
	}
	INIT(user,
		.type = data->type,
		.priority = priority(id, data),
		.reqid = data->sa ? data->sa->reqid : 0,
		.source = data->src->clone(data->src),
		.destination = data->dst->clone(data->dst),
	);
	this->mutex->lock(this->mutex);
	policy = find_policy(this, lines.text);
	if (!policy)
	{
		INIT(policy,
			.selector = strdup(lines.text),
			.direction = id->dir,
			.source = id->src_ts->clone(id->src_ts),
			.destination = id->dst_ts->clone(id->dst_ts),
			.users = linked_list_create(),
		);
		this->policies->insert_last(this->policies, policy);
	}
	lines_clear(&lines);
	/* of equal priorities the newer is in effect: strongSwan adds the new before it deletes the old */
	enumerator = policy->users->create_enumerator(policy->users);
	while (enumerator->enumerate(enumerator, &other) && other->priority < user->priority)
	{
		/* go on */
	}
	policy->users->insert_before(policy->users, enumerator, user);
	enumerator->destroy(enumerator);
	good = apply(this, policy);
	this->mutex->unlock(this->mutex);
	return good ? SUCCESS : FAILED;
}

METHOD(kernel_ipsec_t, query_policy, status_t,
	private_ipsec_t *this, kernel_ipsec_policy_id_t *id, kernel_ipsec_query_policy_t *data, time_t *use_time)
{
	uint64_t used;
	lines_t request, lines;
	status_t status;

	if (!write_selector(&lines, id))
	{
		return NOT_SUPPORTED;
	}
	lines_init(&request, "policy-query");
	lines_append(&request, lines.text);
	lines_clear(&lines);
	status = ask_numbers(&request, (const char*[]){ "used", NULL }, &used);
	if (status == SUCCESS)
	{
		*use_time = monotonic(used);
	}
	return status;
}

METHOD(kernel_ipsec_t, del_policy, status_t,
	private_ipsec_t *this, kernel_ipsec_policy_id_t *id, kernel_ipsec_manage_policy_t *data)
{
	enumerator_t *enumerator;
	uint32_t wanted = priority(id, data), reqid = data->sa ? data->sa->reqid : 0;
	user_t *user, *found = NULL;
	policy_t *policy;
	lines_t lines;

	if (!concerned(id, data))
	{
		return SUCCESS;
	}
	if (!write_selector(&lines, id))
	{
		return NOT_SUPPORTED;
	}
	this->mutex->lock(this->mutex);
	policy = find_policy(this, lines.text);
	lines_clear(&lines);
	if (policy)
	{	/* the oldest of equal users */
		enumerator = policy->users->create_enumerator(policy->users);
		while (enumerator->enumerate(enumerator, &user))
		{
			if (user->type == data->type && user->priority == wanted && user->reqid == reqid &&
				user->source->ip_equals(user->source, data->src) &&
				user->destination->ip_equals(user->destination, data->dst))
			{
				found = user;
			}
		}
		enumerator->destroy(enumerator);
		if (found)
		{
			policy->users->remove(policy->users, found, NULL);
			user_destroy(found);
			apply(this, policy);
			if (policy->users->get_count(policy->users) == 0)
			{
				this->policies->remove(this->policies, policy, NULL);
				policy_destroy(policy);
			}
		}
	}
	this->mutex->unlock(this->mutex);
	return found ? SUCCESS : NOT_FOUND;
}

METHOD(kernel_ipsec_t, flush_policies, status_t,
	private_ipsec_t *this)
{
	answer_kind_t kind;
	lines_t request;
	policy_t *policy;

	this->mutex->lock(this->mutex);
	while (this->policies->remove_last(this->policies, (void**)&policy) == SUCCESS)
	{
		this->routes->remove(this->routes, &policy->route);
		policy_destroy(policy);
	}
	lines_init(&request, "policy-flush");
	kind = bulat->ask(bulat, &request, NULL);
	this->mutex->unlock(this->mutex);
	return to_status(kind);
}

METHOD(kernel_ipsec_t, bypass_socket, bool,
	private_ipsec_t *this, int fd, int family)
{
	/* a mark, or a route around the tunnel, does this */
	return TRUE;
}

METHOD(kernel_ipsec_t, enable_udp_decap, bool,
	private_ipsec_t *this, int fd, int family, uint16_t port)
{
	DBG1(DBG_KNL, "ESP in UDP is for bulat-esp's ports: another socket plugin than kernel-bulat has port %u", port);
	return FALSE;
}

/** Lets inbound SAs expire, so that strongSwan negotiates their CHILD SAs anew: all, or those that are lost. */
static void expire_sas(private_ipsec_t *this, bool all)
{
	enumerator_t *enumerator;
	linked_list_t *lost = linked_list_create();
	lines_t request;
	sa_t *sa, *copy;

	this->mutex->lock(this->mutex);
	enumerator = this->sas->create_enumerator(this->sas);
	while (enumerator->enumerate(enumerator, &sa))
	{
		if (!all)
		{
			name_sa(&request, "query", sa->spi, sa->destination);
			if (bulat->ask(bulat, &request, NULL) != ANSWER_NOT_FOUND)
			{
				continue;
			}
		}
		if (sa->inbound)
		{
			INIT(copy,
				.spi = sa->spi,
				.destination = sa->destination->clone(sa->destination),
			);
			lost->insert_last(lost, copy);
		}
	}
	enumerator->destroy(enumerator);
	this->mutex->unlock(this->mutex);
	while (lost->remove_first(lost, (void**)&sa) == SUCCESS)
	{
		charon->kernel->expire(charon->kernel, IPPROTO_ESP, sa->spi, sa->destination, TRUE);
		sa_destroy(sa);
	}
	lost->destroy(lost);
}

/** Gives all policies to a bulat-esp that may be a new one, and lets the SAs expire that it does not have. */
static bool resync(private_ipsec_t *this)
{
	enumerator_t *enumerator;
	lines_t request;
	hello_t hello;
	policy_t *policy;
	bool good, any;

	if (!bulat->hello(bulat, &hello))
	{
		return FALSE;
	}
	this->mutex->lock(this->mutex);
	lines_init(&request, "policy-flush");
	good = bulat->ask(bulat, &request, NULL) == ANSWER_OK;
	any = this->sas->get_count(this->sas) != 0;
	if (good && !any)
	{	/* SAs of a strongSwan of before */
		lines_init(&request, "flush");
		good = bulat->ask(bulat, &request, NULL) == ANSWER_OK;
	}
	enumerator = this->policies->create_enumerator(this->policies);
	while (enumerator->enumerate(enumerator, &policy))
	{
		free(policy->installed);
		policy->installed = NULL;
		/* its route stays; kernel-netlink installs it again with a new device of the same name */
		apply(this, policy);
	}
	enumerator->destroy(enumerator);
	this->mutex->unlock(this->mutex);
	if (any)
	{
		expire_sas(this, FALSE);
	}
	return good;
}

/** Makes a selector of one address and port from an event. */
static traffic_selector_t *flow_end(const char *event, const char *address, const char *port, uint8_t protocol)
{
	host_t *host = field_host(event, address);
	uint64_t number = 0;
	bool any;

	if (!host)
	{
		return NULL;
	}
	any = !field_number(event, port, &number) || !number;
	return traffic_selector_create_from_subnet(host, host->get_family(host) == AF_INET ? 32 : 128, protocol,
											   any ? 0 : number, any ? UINT16_MAX : number);
}

/** Tells strongSwan what bulat-esp says. */
static void handle(private_ipsec_t *this, const char *event)
{
	kernel_acquire_data_t acquire = {};
	uint64_t spi = 0, number = 0;
	host_t *destination, *source;

	destination = field_host(event, "destination");
	if (strpfx(event, "expire\n"))
	{
		if (destination && field_number(event, "spi", &spi) && field_number(event, "hard", &number))
		{
			charon->kernel->expire(charon->kernel, IPPROTO_ESP, htonl(spi), destination, number != 0);
		}
	}
	else if (strpfx(event, "mapping\n"))
	{
		source = field_host(event, "new-source");
		if (destination && source && field_number(event, "spi", &spi))
		{
			charon->kernel->mapping(charon->kernel, IPPROTO_ESP, htonl(spi), destination, source);
		}
		DESTROY_IF(source);
	}
	else if (strpfx(event, "acquire\n"))
	{
		field_number(event, "protocol", &number);
		acquire.src = flow_end(event, "source", "source-port", number);
		acquire.dst = flow_end(event, "destination", "destination-port", number);
#ifdef CPU_ID_MAX
		acquire.cpu = CPU_ID_MAX;
#endif
		if (acquire.src && acquire.dst && field_number(event, "reqid", &number))
		{
			charon->kernel->acquire(charon->kernel, number, &acquire);
		}
		DESTROY_IF(acquire.src);
		DESTROY_IF(acquire.dst);
	}
	else if (strpfx(event, "cloned"))
	{
		DBG1(DBG_KNL, "this machine was cloned, or its clocks jumped: new IKE SAs replace all");
		reestablish_all();
	}
	else
	{
		DBG1(DBG_KNL, "unknown event of bulat-esp: %.32s", event);
	}
	DESTROY_IF(destination);
}

/** Waits up to a second for an event, and connects before where needed. */
static job_requeue_t listen_(private_ipsec_t *this)
{
	char event[4096];
	struct pollfd pfd;
	ssize_t len;
	bool old;

	if (this->events < 0)
	{
		this->events = bulat->open(bulat, "subscribe");
		if (this->events < 0 || (!this->synced && !resync(this)))
		{
			if (this->events >= 0)
			{
				close(this->events);
				this->events = -1;
			}
			old = thread_cancelability(TRUE);
			sleep(1);
			thread_cancelability(old);
			return JOB_REQUEUE_FAIR;
		}
		if (!this->synced)
		{
			DBG1(DBG_KNL, "bulat-esp is there");
		}
		this->synced = TRUE;
	}
	pfd = (struct pollfd){ .fd = this->events, .events = POLLIN };
	old = thread_cancelability(TRUE);
	len = poll(&pfd, 1, -1);
	thread_cancelability(old);
	if (len <= 0)
	{
		return JOB_REQUEUE_FAIR;
	}
	len = recv(this->events, event, sizeof(event) - 1, MSG_DONTWAIT);
	if (len > 0)
	{
		event[len] = '\0';
		handle(this, event);
		return JOB_REQUEUE_DIRECT;
	}
	if (len < 0 && (errno == EAGAIN || errno == EINTR))
	{
		return JOB_REQUEUE_FAIR;
	}
	DBG1(DBG_KNL, "bulat-esp closed the connection for events");
	close(this->events);
	this->events = -1;
	this->synced = FALSE;
	return JOB_REQUEUE_FAIR;
}

METHOD(kernel_ipsec_t, destroy, void,
	private_ipsec_t *this)
{
	policy_t *policy;

	while (this->policies->remove_last(this->policies, (void**)&policy) == SUCCESS)
	{
		this->routes->remove(this->routes, &policy->route);
		policy_destroy(policy);
	}
	if (this->events >= 0)
	{
		close(this->events);
	}
	this->sas->destroy_function(this->sas, (void*)sa_destroy);
	this->policies->destroy(this->policies);
	this->routes->destroy(this->routes);
	this->mutex->destroy(this->mutex);
	free(this);
}

kernel_ipsec_t *bulat_ipsec_create(void)
{
	private_ipsec_t *this;

	INIT(this,
		.public = {
			.get_features = _get_features,
			.get_spi = _get_spi,
			.get_cpi = _get_cpi,
			.add_sa = _add_sa,
			.update_sa = _update_sa,
			.query_sa = _query_sa,
			.del_sa = _del_sa,
			.flush_sas = _flush_sas,
			.add_policy = _add_policy,
			.query_policy = _query_policy,
			.del_policy = _del_policy,
			.flush_policies = _flush_policies,
			.bypass_socket = _bypass_socket,
			.enable_udp_decap = _enable_udp_decap,
			.destroy = _destroy,
		},
		.mutex = mutex_create(MUTEX_TYPE_DEFAULT),
		.sas = linked_list_create(),
		.policies = linked_list_create(),
		.routes = routes_create(),
		.route = lib->settings->get_bool(lib->settings, "%s.install_routes", TRUE, lib->ns),
		.mtu = lib->settings->get_int(lib->settings, "%s.plugins.kernel-bulat.mtu", 0, lib->ns),
		.events = -1,
	);
	/* SAs of a strongSwan of before end here; without an answer, when bulat-esp is there */
	this->synced = resync(this);
	lib->processor->queue_job(lib->processor,
		(job_t*)callback_job_create_with_prio((callback_job_cb_t)listen_, this, NULL,
											  (callback_job_cancel_t)return_false, JOB_PRIO_CRITICAL));
	return &this->public;
}
