/*
 * strongSwan's interface to IPsec, by bulat-esp.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef BULAT_IPSEC_H_
#define BULAT_IPSEC_H_

#include <kernel/kernel_ipsec.h>

/** Makes the interface; its SAs and policies are in bulat-esp. */
kernel_ipsec_t *bulat_ipsec_create(void);

#endif
