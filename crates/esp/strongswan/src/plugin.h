/*
 * The plugin kernel-bulat of strongSwan.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef BULAT_PLUGIN_H_
#define BULAT_PLUGIN_H_

#include <library.h>
#include <plugins/plugin.h>

#include "client.h"

/** The client of all parts of the plugin. */
extern client_t *bulat;

#endif
