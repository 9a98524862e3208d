/*
 * strongSwan's socket: its own port 500, and bulat-esp's ports.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef BULAT_SOCKET_H_
#define BULAT_SOCKET_H_

#include <network/socket.h>

/** Makes the socket. */
socket_t *bulat_socket_create(void);

#endif
