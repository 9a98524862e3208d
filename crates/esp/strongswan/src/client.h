/*
 * The client's side of bulat-esp's control socket (../../PROTOCOL.md).
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef BULAT_CLIENT_H_
#define BULAT_CLIENT_H_

#include <library.h>

/** The socket, if `plugins.kernel-bulat.socket` names none. */
#define BULAT_SOCKET "/run/bulat-esp/control"

/** The longest message of the protocol: 70 KB after `ike`. */
#define BULAT_MESSAGE_MAX (70 * 1024)

typedef struct lines_t lines_t;
typedef struct answer_t answer_t;
typedef struct hello_t hello_t;
typedef struct client_t client_t;

/** A request: a verb, then lines `field=value`. */
struct lines_t {
	char *text;
	size_t len;
	size_t size;
};

/** Begins a request. */
void lines_init(lines_t *this, const char *verb);

/** Appends text as it is. */
void lines_append(lines_t *this, const char *text);

/** Appends the line `field=value`. */
void lines_add(lines_t *this, const char *field, const char *format, ...);

/** Appends the line `field=address`. */
void lines_add_host(lines_t *this, const char *field, host_t *host);

/** Appends the line `field=prefix`. */
void lines_add_prefix(lines_t *this, const char *field, host_t *net, uint8_t bits);

/** Appends the line `field=` with the bytes in hexadecimal. */
void lines_add_hex(lines_t *this, const char *field, chunk_t bytes);

/** Wipes and frees the text. */
void lines_clear(lines_t *this);

/** An answer, with a zero byte at its end. */
struct answer_t {
	char text[64 * 1024 + 1];
	size_t len;
};

/** Writes an address in digits: strongSwan's %H writes %any for 0.0.0.0. */
void host_digits(host_t *host, char digits[46]);

/** Finds a field's value, up to its line's end; FALSE if the message lacks the field, or the value is too long. */
bool field_text(const char *message, const char *field, char *value, size_t size);

/** Reads a field as a number: decimal, or hexadecimal with 0x. */
bool field_number(const char *message, const char *field, uint64_t *value);

/** Reads a field as an address, or an address with port. */
host_t *field_host(const char *message, const char *field);

/** The outcome of a request. */
typedef enum {
	/** It was done. */
	ANSWER_OK,
	/** It was refused: no such SA, or no such policy. */
	ANSWER_NOT_FOUND,
	/** It was refused. */
	ANSWER_REFUSED,
	/** bulat-esp does not answer. */
	ANSWER_NONE,
} answer_kind_t;

/** bulat-esp's answer to `hello`. */
struct hello_t {
	/** The name of its TUN device. */
	char tun[64];
	/** The queues of that device. */
	uint32_t queues;
	/** Its UDP ports; 0 after the last. */
	uint16_t ports[16];
	/** SO_MARK of its outer sockets. */
	uint32_t mark;
};

/** The connection for requests. */
struct client_t {
	/** Sends a request and wipes it; logs a refusal. The answer may be NULL. */
	answer_kind_t (*ask)(client_t *this, lines_t *request, answer_t *answer);

	/** Opens another connection with the verb as its first request; -1 on failure. */
	int (*open)(client_t *this, const char *verb);

	/** Asks what bulat-esp says of itself; FALSE if it does not answer now. */
	bool (*hello)(client_t *this, hello_t *hello);

	/** Tells what bulat-esp said of itself last; empty if it never did. */
	void (*known)(client_t *this, hello_t *hello);

	/** Closes the connection. */
	void (*destroy)(client_t *this);
};

/** Makes the client; it connects when it needs to. */
client_t *client_create(void);

#endif
