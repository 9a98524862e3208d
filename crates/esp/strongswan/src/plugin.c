/*
 * The plugin kernel-bulat of strongSwan: SAs and policies of GOST ESP (RFC 9227) for the program bulat-esp.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "plugin.h"

#include <dlfcn.h>

#include <daemon.h>

client_t *bulat;

METHOD(plugin_t, get_name, char*,
	plugin_t *this)
{
	return "kernel-bulat";
}

METHOD(plugin_t, get_features, int,
	plugin_t *this, plugin_feature_t *features[])
{
	static plugin_feature_t all[] = {
		PLUGIN_CALLBACK(transforms_register, NULL),
			PLUGIN_PROVIDE(CUSTOM, "bulat-transforms"),
#ifdef BULAT_PRF
		PLUGIN_REGISTER(PRF, streebog_prf_create),
			PLUGIN_PROVIDE(PRF, STREEBOG_PRF),
		PLUGIN_REGISTER(KDF, streebog_kdf_create),
			PLUGIN_PROVIDE(KDF, KDF_PRF),
			PLUGIN_PROVIDE(KDF, KDF_PRF_PLUS),
#endif
		PLUGIN_CALLBACK(kernel_ipsec_register, bulat_ipsec_create),
			PLUGIN_PROVIDE(CUSTOM, "kernel-ipsec"),
		PLUGIN_CALLBACK(socket_register, bulat_socket_create),
			PLUGIN_PROVIDE(CUSTOM, "socket"),
				PLUGIN_DEPENDS(CUSTOM, "kernel-ipsec"),
	};

	*features = all;
	return countof(all);
}

METHOD(plugin_t, destroy, void,
	plugin_t *this)
{
	bulat->destroy(bulat);
	bulat = NULL;
	free(this);
}

/** Sets an option, unless the file of settings has it. */
static void preset(const char *key, const char *value)
{
	char name[128];

	snprintf(name, sizeof(name), "%s.%s", lib->ns, key);
	if (!lib->settings->get_str(lib->settings, name, NULL))
	{
		lib->settings->set_str(lib->settings, name, (char*)value);
	}
}

/**
 * Tells whether strongSwan was configured as the headers were.
 *
 * With --enable-mediation, as in Debian, ike_sa_t and peer_cfg_t have more methods in their middle; then libcharon has
 * this function.
 */
static bool same_layout(void)
{
	bool built = FALSE, runs = dlsym(RTLD_DEFAULT, "mediation_manager_create") != NULL;

#ifdef ME
	built = TRUE;
#endif
	if (built != runs)
	{
		DBG1(DBG_LIB, "kernel-bulat is built for a strongSwan %s --enable-mediation", built ? "with" : "without");
	}
	return built == runs;
}

#ifndef PLUGIN_DEFINE
#define PLUGIN_DEFINE(name) plugin_t *name##_plugin_create()
#endif

/* strongSwan looks these names up; all others stay in the plugin */
#pragma GCC visibility push(default)
PLUGIN_DEFINE(kernel_bulat);
#pragma GCC visibility pop

plugin_t *kernel_bulat_plugin_create()
{
	hello_t hello;
	plugin_t *this;
	char mark[16];

	if (!same_layout())
	{
		return NULL;
	}
	INIT(this,
		.get_name = _get_name,
		.get_features = _get_features,
		.destroy = _destroy,
	);
	/* the control socket is another user's where systemd starts bulat-esp */
	if (!lib->caps->keep(lib->caps, CAP_DAC_OVERRIDE) || !lib->caps->keep(lib->caps, CAP_NET_ADMIN))
	{
		DBG1(DBG_LIB, "kernel-bulat may lack CAP_DAC_OVERRIDE or CAP_NET_ADMIN");
	}
	bulat = client_create();
	if (bulat->hello(bulat, &hello))
	{
		/* marked packets do not go into the device of the tunnels */
		if (hello.mark)
		{
			snprintf(mark, sizeof(mark), "!0x%x", hello.mark);
			preset("plugins.kernel-netlink.fwmark", mark);
		}
	}
	return this;
}
