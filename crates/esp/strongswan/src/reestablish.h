/*
 * New IKE SAs in place of all that a clone of this machine has too.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef BULAT_REESTABLISH_H_
#define BULAT_REESTABLISH_H_

/** Queues a job for each IKE SA: it ends without a message, and a new one with its CHILD SAs begins. */
void reestablish_all(void);

#endif
