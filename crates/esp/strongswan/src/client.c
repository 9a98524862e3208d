/*
 * The client's side of bulat-esp's control socket.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "client.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <daemon.h>
#include <threading/mutex.h>

/** Seconds that bulat-esp has for an answer. */
#define ANSWER_SECONDS 10

typedef struct private_client_t private_client_t;

struct private_client_t {
	client_t public;
	/** The socket's path. */
	char *path;
	/** Guards the two fields below: one request at a time. */
	mutex_t *mutex;
	/** The connection, or -1. */
	int fd;
	/** The last failure to connect is in the log. */
	bool told;
	/** The last answer to `hello`, and its guard: who asks for it does not wait for a request. */
	hello_t hello;
	mutex_t *hello_mutex;
};

/** Makes room for `more` bytes and a zero byte; wipes the old place of the text. */
static void reserve(lines_t *this, size_t more)
{
	size_t size;
	char *text;

	if (this->len + more + 1 <= this->size)
	{
		return;
	}
	size = 2 * (this->len + more + 1);
	text = malloc(size);
	memcpy(text, this->text, this->len + 1);
	memwipe(this->text, this->size);
	free(this->text);
	this->text = text;
	this->size = size;
}

void lines_init(lines_t *this, const char *verb)
{
	this->size = 512;
	this->text = malloc(this->size);
	this->len = 0;
	this->text[0] = '\0';
	lines_append(this, verb);
}

void lines_append(lines_t *this, const char *text)
{
	size_t len = strlen(text);

	reserve(this, len);
	memcpy(this->text + this->len, text, len + 1);
	this->len += len;
}

void lines_add(lines_t *this, const char *field, const char *format, ...)
{
	char value[512];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	lines_append(this, "\n");
	lines_append(this, field);
	lines_append(this, "=");
	lines_append(this, value);
}

void host_digits(host_t *host, char digits[46])
{
	if (!inet_ntop(host->get_family(host), host->get_address(host).ptr, digits, 46))
	{
		digits[0] = '\0';
	}
}

void lines_add_host(lines_t *this, const char *field, host_t *host)
{
	char digits[46];

	host_digits(host, digits);
	lines_add(this, field, "%s", digits);
}

void lines_add_prefix(lines_t *this, const char *field, host_t *net, uint8_t bits)
{
	char digits[46];

	host_digits(net, digits);
	lines_add(this, field, "%s/%u", digits, bits);
}

void lines_add_hex(lines_t *this, const char *field, chunk_t bytes)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	lines_append(this, "\n");
	lines_append(this, field);
	lines_append(this, "=");
	reserve(this, 2 * bytes.len);
	for (i = 0; i < bytes.len; i++)
	{
		this->text[this->len++] = digits[bytes.ptr[i] >> 4];
		this->text[this->len++] = digits[bytes.ptr[i] & 15];
	}
	this->text[this->len] = '\0';
}

void lines_clear(lines_t *this)
{
	if (this->text)
	{
		memwipe(this->text, this->size);
		free(this->text);
	}
	*this = (lines_t){};
}

bool field_text(const char *message, const char *field, char *value, size_t size)
{
	size_t name = strlen(field), len;
	const char *line;

	for (line = strchr(message, '\n'); line; line = strchr(line, '\n'))
	{
		line++;
		if (strneq(line, field, name) && line[name] == '=')
		{
			line += name + 1;
			len = strcspn(line, "\n");
			if (len >= size)
			{
				return FALSE;
			}
			memcpy(value, line, len);
			value[len] = '\0';
			return TRUE;
		}
	}
	return FALSE;
}

bool field_number(const char *message, const char *field, uint64_t *value)
{
	char text[32], *end;

	if (!field_text(message, field, text, sizeof(text)) || !isdigit((u_char)text[0]))
	{
		return FALSE;
	}
	errno = 0;
	*value = strtoull(text, &end, text[1] == 'x' ? 16 : 10);
	return *end == '\0' && errno == 0;
}

host_t *field_host(const char *message, const char *field)
{
	char text[64], *address = text, *port = NULL, *end;
	unsigned long number = 0;

	if (!field_text(message, field, text, sizeof(text)))
	{
		return NULL;
	}
	if (text[0] == '[')
	{
		address = text + 1;
		port = strchr(address, ']');
		if (!port)
		{
			return NULL;
		}
		*port++ = '\0';
		if (*port++ != ':')
		{
			return NULL;
		}
	}
	else if ((port = strchr(text, ':')) && !strchr(port + 1, ':'))
	{
		*port++ = '\0';
	}
	else
	{
		port = NULL;
	}
	if (port)
	{
		number = strtoul(port, &end, 10);
		if (end == port || *end || number > UINT16_MAX)
		{
			return NULL;
		}
	}
	return host_create_from_string(address, number);
}

/** Connects a new socket; a receive waits at most for the time of an answer. */
static int dial(private_client_t *this)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval limit = { .tv_sec = ANSWER_SECONDS };
	int fd;

	if (strlen(this->path) >= sizeof(address.sun_path))
	{
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(address.sun_path, this->path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
	{
		return -1;
	}
	if (connect(fd, (struct sockaddr*)&address, sizeof(address)) < 0 ||
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) < 0 ||
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) < 0)
	{
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

/** Sends a message and receives its answer; FALSE, with errno, if the connection fails. Tells whether it was sent. */
static bool exchange(int fd, const char *text, size_t len, answer_t *answer, bool *sent)
{
	ssize_t got;

	*sent = send(fd, text, len, MSG_NOSIGNAL) == len;
	if (!*sent)
	{
		return FALSE;
	}
	got = recv(fd, answer->text, sizeof(answer->text) - 1, 0);
	if (got <= 0)
	{
		if (got == 0)
		{
			errno = ECONNRESET;
		}
		return FALSE;
	}
	answer->len = got;
	answer->text[got] = '\0';
	return TRUE;
}

/**
 * Sends a request and receives its answer, by a new connection if sending by the old one fails.
 *
 * A request that was sent is not sent again: a bulat-esp that died may have sealed packets under the key of `add`, and
 * its successor would begin with the same nonces; and a second `policy-add` would count a second user. The mutex is
 * locked.
 */
static bool exchange_again(private_client_t *this, const char *text, size_t len, answer_t *answer)
{
	bool fresh = this->fd < 0, sent = FALSE;

	while (TRUE)
	{
		if (this->fd < 0)
		{
			this->fd = dial(this);
		}
		if (this->fd >= 0)
		{
			if (exchange(this->fd, text, len, answer, &sent))
			{
				this->told = FALSE;
				return TRUE;
			}
			/* an answer that comes later must not be taken for the next request's */
			close(this->fd);
			this->fd = -1;
		}
		if (fresh || sent)
		{
			break;
		}
		fresh = TRUE;
	}
	if (!this->told)
	{
		DBG1(DBG_KNL, "bulat-esp does not answer at %s: %s", this->path, strerror(errno));
		this->told = TRUE;
	}
	return FALSE;
}

/** Tells whether the message's first line is the word. */
static bool first_line(const char *message, const char *word)
{
	size_t len = strlen(word);

	return strneq(message, word, len) && (message[len] == '\n' || message[len] == '\0');
}

METHOD(client_t, ask, answer_kind_t,
	private_client_t *this, lines_t *request, answer_t *answer)
{
	answer_kind_t kind = ANSWER_NONE;
	char verb[32], reason[32] = "?", field[32] = "", text[256] = "";
	answer_t *own = NULL;

	if (!answer)
	{
		answer = own = malloc(sizeof(answer_t));
	}
	snprintf(verb, sizeof(verb), "%.*s", (int)strcspn(request->text, "\n"), request->text);
	this->mutex->lock(this->mutex);
	if (exchange_again(this, request->text, request->len, answer))
	{
		if (first_line(answer->text, "ok"))
		{
			kind = ANSWER_OK;
		}
		else
		{
			field_text(answer->text, "reason", reason, sizeof(reason));
			field_text(answer->text, "field", field, sizeof(field));
			field_text(answer->text, "text", text, sizeof(text));
			kind = streq(reason, "not-found") ? ANSWER_NOT_FOUND : ANSWER_REFUSED;
		}
	}
	this->mutex->unlock(this->mutex);
	lines_clear(request);
	if (kind == ANSWER_REFUSED)
	{
		DBG1(DBG_KNL, "bulat-esp refuses '%s': %s%s%s%s%s", verb, reason, field[0] ? ", field " : "", field,
			 text[0] ? ": " : "", text);
	}
	free(own);
	return kind;
}

METHOD(client_t, open_, int,
	private_client_t *this, const char *verb)
{
	answer_t *answer = malloc(sizeof(answer_t));
	int fd = dial(this);
	bool sent;

	if (fd >= 0 && (!exchange(fd, verb, strlen(verb), answer, &sent) || !first_line(answer->text, "ok")))
	{
		DBG1(DBG_KNL, "bulat-esp refuses '%s'", verb);
		close(fd);
		fd = -1;
	}
	free(answer);
	return fd;
}

METHOD(client_t, hello, bool,
	private_client_t *this, hello_t *hello)
{
	answer_t *answer = malloc(sizeof(answer_t));
	hello_t said = {};
	char ports[512], *port, *rest;
	uint64_t number;
	lines_t request;
	bool good = FALSE;
	int count = 0;

	lines_init(&request, "hello");
	if (ask(this, &request, answer) == ANSWER_OK)
	{
		if (!field_number(answer->text, "version", &number) || number != 1)
		{
			DBG1(DBG_KNL, "bulat-esp speaks another version of the protocol than 1");
		}
		else if (!field_text(answer->text, "tun", said.tun, sizeof(said.tun)) ||
				 !field_text(answer->text, "ports", ports, sizeof(ports)))
		{
			DBG1(DBG_KNL, "bulat-esp's greeting lacks tun or ports");
		}
		else
		{
			for (port = strtok_r(ports, ",", &rest); port && count < countof(said.ports) - 1;
				 port = strtok_r(NULL, ",", &rest))
			{
				said.ports[count++] = atoi(port);
			}
			if (field_number(answer->text, "queues", &number))
			{
				said.queues = number;
			}
			if (field_number(answer->text, "mark", &number))
			{
				said.mark = number;
			}
			good = TRUE;
		}
	}
	if (good)
	{
		this->hello_mutex->lock(this->hello_mutex);
		this->hello = said;
		this->hello_mutex->unlock(this->hello_mutex);
		*hello = said;
	}
	free(answer);
	return good;
}

METHOD(client_t, known, void,
	private_client_t *this, hello_t *hello)
{
	this->hello_mutex->lock(this->hello_mutex);
	*hello = this->hello;
	this->hello_mutex->unlock(this->hello_mutex);
}

METHOD(client_t, destroy, void,
	private_client_t *this)
{
	if (this->fd >= 0)
	{
		close(this->fd);
	}
	this->mutex->destroy(this->mutex);
	this->hello_mutex->destroy(this->hello_mutex);
	free(this->path);
	free(this);
}

client_t *client_create(void)
{
	private_client_t *this;

	INIT(this,
		.public = {
			.ask = _ask,
			.open = _open_,
			.hello = _hello,
			.known = _known,
			.destroy = _destroy,
		},
		.path = strdup(lib->settings->get_str(lib->settings, "%s.plugins.kernel-bulat.socket", BULAT_SOCKET, lib->ns)),
		.mutex = mutex_create(MUTEX_TYPE_DEFAULT),
		.hello_mutex = mutex_create(MUTEX_TYPE_DEFAULT),
		.fd = -1,
	);
	return &this->public;
}
