/*
 * The transforms of RFC 9227 in strongSwan: names, keywords of proposals, lengths of keys.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef BULAT_TRANSFORMS_H_
#define BULAT_TRANSFORMS_H_

#include <library.h>
#include <plugins/plugin.h>

/** The bytes of a transform's key with its salt (RFC 9227, section 4.5): 44 or 36; 0 for other transforms. */
size_t transform_key_len(uint16_t transform);

/** Adds the names, the keywords and the derivation of keys to strongSwan, or removes names and derivation. */
bool transforms_register(plugin_t *plugin, plugin_feature_t *feature, bool reg, void *data);

#endif
