/*
 * New IKE SAs in place of all that a clone of this machine has too.
 *
 * A clone continues the counters of an IKE SA's ciphers with the same keys, and so would repeat the nonces of AES-GCM.
 * Therefore no further message goes out under these keys, not even a delete: the peer learns of the end by the
 * notification INITIAL_CONTACT of the new IKE SA, or by dead peer detection.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "plugin.h"

#include <daemon.h>
#include <collections/linked_list.h>
#include <processing/jobs/callback_job.h>

/** Collects the configurations of an IKE SA's CHILD SAs. */
static linked_list_t *children(ike_sa_t *ike_sa)
{
	linked_list_t *configs = linked_list_create();
	enumerator_t *enumerator;
	child_sa_t *child;
	child_cfg_t *config;

	enumerator = ike_sa->create_child_sa_enumerator(ike_sa);
	while (enumerator->enumerate(enumerator, &child))
	{
		switch (child->get_state(child))
		{
			case CHILD_REKEYED:
			case CHILD_DELETED:
			case CHILD_DELETING:
				continue;
			default:
				break;
		}
		config = child->get_config(child);
		configs->insert_last(configs, config->get_ref(config));
	}
	enumerator->destroy(enumerator);
	return configs;
}

/** Ends an IKE SA, and begins a new one where this host knows the peer's address. */
static job_requeue_t replace(ike_sa_id_t *id)
{
	linked_list_t *configs;
	peer_cfg_t *peer;
	child_cfg_t *config;
	ike_sa_t *ike_sa, *new;
	host_t *other;
	ike_version_t version;
	bool initiator;

	ike_sa = charon->ike_sa_manager->checkout(charon->ike_sa_manager, id);
	if (!ike_sa)
	{
		return JOB_REQUEUE_NONE;
	}
	configs = children(ike_sa);
	peer = ike_sa->get_peer_cfg(ike_sa);
	if (peer)
	{
		peer->get_ref(peer);
	}
	other = ike_sa->get_other_host(ike_sa);
	other = other->clone(other);
	version = ike_sa->get_version(ike_sa);
	initiator = ike_sa->has_condition(ike_sa, COND_ORIGINAL_INITIATOR);
	charon->ike_sa_manager->checkin_and_destroy(charon->ike_sa_manager, ike_sa);

	/* a responder leaves the new IKE SA to the peer: its dead peer detection ends the old IKE SA */
	new = peer && configs->get_count(configs) && initiator ?
			charon->ike_sa_manager->create_new(charon->ike_sa_manager, version, TRUE) : NULL;
	if (new)
	{
		charon->bus->set_sa(charon->bus, new);
		new->set_peer_cfg(new, peer);
		new->set_other_host(new, other->clone(other));
		while (configs->remove_first(configs, (void**)&config) == SUCCESS)
		{
			if (new->initiate(new, config, NULL) == DESTROY_ME)
			{
				charon->ike_sa_manager->checkin_and_destroy(charon->ike_sa_manager, new);
				new = NULL;
				break;
			}
		}
		if (new)
		{
			charon->ike_sa_manager->checkin(charon->ike_sa_manager, new);
		}
	}
	configs->destroy_offset(configs, offsetof(child_cfg_t, destroy));
	other->destroy(other);
	DESTROY_IF(peer);
	return JOB_REQUEUE_NONE;
}

void reestablish_all(void)
{
	enumerator_t *enumerator;
	ike_sa_t *ike_sa;
	ike_sa_id_t *id;

	enumerator = charon->ike_sa_manager->create_enumerator(charon->ike_sa_manager, TRUE);
	while (enumerator->enumerate(enumerator, &ike_sa))
	{
		id = ike_sa->get_id(ike_sa);
		lib->processor->queue_job(lib->processor,
			(job_t*)callback_job_create((callback_job_cb_t)replace, id->clone(id), (void*)id->destroy, NULL));
	}
	enumerator->destroy(enumerator);
}
