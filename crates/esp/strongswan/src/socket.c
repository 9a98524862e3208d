/*
 * strongSwan's socket: its own port 500, and bulat-esp's ports.
 *
 * ESP in UDP and IKE share port 4500 (RFC 3948), which bulat-esp owns. IKE messages of that port come and go over the
 * connection `ike`, without the non-ESP marker, which strongSwan wants and gives unless one of the ports is 500.
 *
 * Copyright (C) 2026 the authors of bulat. SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "plugin.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <daemon.h>
#include <threading/mutex.h>
#include <threading/thread.h>

/** Milliseconds between attempts to connect. */
#define RETRY 1000

/** The non-ESP marker. */
#define MARKER 4

typedef struct private_socket_t private_socket_t;

struct private_socket_t {
	socket_t public;
	/** strongSwan's port, 500, and its sockets of IPv4 and IPv6, or -1. */
	uint16_t port;
	int fds[2];
	/** The DSCP and the mark that the sockets have. */
	uint8_t dscp[2];
	uint32_t mark;
	/** The connection `ike`, or -1. The receiver or the sender makes it, and the receiver closes it, under the mutex. */
	int ike;
	mutex_t *mutex;
	/** The socket served last: the next one comes first. */
	u_int turn;
	/** The longest message. */
	u_int max;
};

/** Opens the socket of port 500 for a family. */
static int open_port(private_socket_t *this, int family)
{
	host_t *any = host_create_any(family);
	bool v6 = family == AF_INET6;
	int fd, on = 1;

	any->set_port(any, this->port);
	fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDP);
	if (fd < 0)
	{
		DBG1(DBG_NET, "IPv%d: no socket: %s", v6 ? 6 : 4, strerror(errno));
	}
	else if ((v6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) < 0) ||
			 setsockopt(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_RECVPKTINFO : IP_PKTINFO, &on, sizeof(on)) < 0 ||
			 bind(fd, any->get_sockaddr(any), *any->get_sockaddr_len(any)) < 0)
	{
		DBG1(DBG_NET, "IPv%d: port %u: %s", v6 ? 6 : 4, this->port, strerror(errno));
		close(fd);
		fd = -1;
	}
	any->destroy(any);
	return fd;
}

/** Gives port 500 the mark of bulat-esp, which may have started later. */
static void mark_ports(private_socket_t *this)
{
	hello_t hello;
	int i;

	bulat->known(bulat, &hello);
	for (i = 0; i < countof(this->fds); i++)
	{
		if (this->fds[i] >= 0 && hello.mark != this->mark &&
			setsockopt(this->fds[i], SOL_SOCKET, SO_MARK, &hello.mark, sizeof(hello.mark)) < 0)
		{
			DBG1(DBG_NET, "port %u: no mark: %s", this->port, strerror(errno));
		}
	}
	this->mark = hello.mark;
}

/** Receives a message at port 500. */
static packet_t *receive_port(private_socket_t *this, int fd)
{
	char control[128];
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} from;
	host_t *to = NULL;
	chunk_t data = chunk_alloc(this->max);
	struct iovec iov = { .iov_base = data.ptr, .iov_len = data.len };
	struct msghdr msg = {
		.msg_name = &from,
		.msg_namelen = sizeof(from),
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg;
	packet_t *packet;
	ssize_t len;

	len = recvmsg(fd, &msg, MSG_DONTWAIT);
	if (len < 0 || msg.msg_flags & MSG_TRUNC)
	{
		if (len >= 0 || (errno != EAGAIN && errno != EINTR))
		{
			DBG1(DBG_NET, "port %u: %s", this->port, len < 0 ? strerror(errno) : "a message is too long");
		}
		chunk_free(&data);
		return NULL;
	}
	for (cmsg = CMSG_FIRSTHDR(&msg); cmsg && !to; cmsg = CMSG_NXTHDR(&msg, cmsg))
	{
		if (cmsg->cmsg_level == IPPROTO_IP && cmsg->cmsg_type == IP_PKTINFO)
		{
			struct in_pktinfo *info = (void*)CMSG_DATA(cmsg);

			to = host_create_from_chunk(AF_INET, chunk_from_thing(info->ipi_addr), this->port);
		}
		else if (cmsg->cmsg_level == IPPROTO_IPV6 && cmsg->cmsg_type == IPV6_PKTINFO)
		{
			struct in6_pktinfo *info = (void*)CMSG_DATA(cmsg);

			to = host_create_from_chunk(AF_INET6, chunk_from_thing(info->ipi6_addr), this->port);
		}
	}
	if (!to)
	{
		chunk_free(&data);
		return NULL;
	}
	data.len = len;
	packet = packet_create();
	packet->set_source(packet, host_create_from_sockaddr(&from.any));
	packet->set_destination(packet, to);
	packet->set_data(packet, data);
	return packet;
}

/** Makes the connection `ike` where there is none. The mutex is locked. */
static void join(private_socket_t *this)
{
	if (this->ike < 0)
	{
		this->ike = bulat->open(bulat, "ike");
		mark_ports(this);
	}
}

/** Closes the connection `ike`. */
static void lose(private_socket_t *this)
{
	this->mutex->lock(this->mutex);
	if (this->ike >= 0)
	{
		close(this->ike);
		this->ike = -1;
	}
	this->mutex->unlock(this->mutex);
}

/** Receives a message over the connection `ike`. */
static packet_t *receive_ike(private_socket_t *this)
{
	char *buffer = malloc(BULAT_MESSAGE_MAX), *line, *end;
	host_t *local, *remote;
	uint64_t dscp = 0;
	packet_t *packet = NULL;
	chunk_t data;
	size_t marker, header;
	ssize_t len;

	/* the fields as lines, as in other messages, with room for the line's feed before and a zero byte behind */
	len = recv(this->ike, buffer + 1, BULAT_MESSAGE_MAX - 2, MSG_DONTWAIT);
	if (len <= 0)
	{
		if (len == 0 || (errno != EAGAIN && errno != EINTR))
		{
			DBG1(DBG_NET, "bulat-esp closed the connection for IKE");
			lose(this);
		}
		free(buffer);
		return NULL;
	}
	line = buffer + 1;
	line[len] = '\0';
	if (len > 6 && strpfx(line, "error\n"))
	{	/* an answer to a message of ours */
		DBG1(DBG_NET, "bulat-esp sent no message: %.*s", (int)min(len - 6, 200), line + 6);
		free(buffer);
		return NULL;
	}
	end = memchr(line, '\n', min(len, 256));
	if (end)
	{
		header = end + 1 - line;
		buffer[0] = '\n';
		*end = '\0';
		for (; line < end; line++)
		{
			if (*line == ' ')
			{
				*line = '\n';
			}
		}
		local = field_host(buffer, "local");
		remote = field_host(buffer, "remote");
		if (local && remote)
		{
			/* receiver_t removes a marker unless a port is 500 */
			marker = local->get_port(local) == IKEV2_UDP_PORT || remote->get_port(remote) == IKEV2_UDP_PORT ? 0 : MARKER;
			data = chunk_alloc(marker + len - header);
			memset(data.ptr, 0, marker);
			memcpy(data.ptr + marker, buffer + 1 + header, len - header);
			field_number(buffer, "dscp", &dscp);
			packet = packet_create();
			packet->set_source(packet, remote);
			packet->set_destination(packet, local);
			packet->set_dscp(packet, dscp);
			packet->set_data(packet, data);
		}
		else
		{
			DESTROY_IF(local);
			DESTROY_IF(remote);
		}
	}
	if (!packet)
	{
		DBG1(DBG_NET, "bulat-esp's message for IKE lacks its addresses");
	}
	free(buffer);
	return packet;
}

METHOD(socket_t, receive_, status_t,
	private_socket_t *this, packet_t **packet)
{
	struct pollfd fds[3];
	int i, count;
	bool old;

	this->mutex->lock(this->mutex);
	join(this);
	this->mutex->unlock(this->mutex);
	fds[0] = (struct pollfd){ .fd = this->fds[0], .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = this->fds[1], .events = POLLIN };
	fds[2] = (struct pollfd){ .fd = this->ike, .events = POLLIN };
	*packet = NULL;
	old = thread_cancelability(TRUE);
	count = poll(fds, countof(fds), this->ike < 0 ? RETRY : -1);
	thread_cancelability(old);
	for (i = 0; count > 0 && i < countof(fds); i++)
	{
		this->turn = (this->turn + 1) % countof(fds);
		if (fds[this->turn].fd >= 0 && fds[this->turn].revents)
		{
			*packet = this->turn == 2 ? receive_ike(this) : receive_port(this, fds[this->turn].fd);
			break;
		}
	}
	if (*packet)
	{
		DBG2(DBG_NET, "received packet: from %#H to %#H", (*packet)->get_source(*packet),
			 (*packet)->get_destination(*packet));
	}
	return *packet ? SUCCESS : FAILED;
}

/** Sends a message from port 500. */
static status_t send_port(private_socket_t *this, packet_t *packet, host_t *src, host_t *dst)
{
	char control[CMSG_SPACE(sizeof(struct in6_pktinfo))] = {};
	int family = dst->get_family(dst), index = family == AF_INET6, tos;
	chunk_t data = packet->get_data(packet);
	struct iovec iov = { .iov_base = data.ptr, .iov_len = data.len };
	struct msghdr msg = {
		.msg_name = dst->get_sockaddr(dst),
		.msg_namelen = *dst->get_sockaddr_len(dst),
		.msg_iov = &iov,
		.msg_iovlen = 1,
	};
	struct cmsghdr *cmsg;
	chunk_t address;

	if (this->fds[index] < 0)
	{
		DBG1(DBG_NET, "no socket for IPv%d", family == AF_INET ? 4 : 6);
		return FAILED;
	}
	/* strongSwan sends from one thread only, so the option is this packet's */
	if (this->dscp[index] != packet->get_dscp(packet))
	{
		tos = packet->get_dscp(packet) << 2;
		if (setsockopt(this->fds[index], index ? IPPROTO_IPV6 : IPPROTO_IP, index ? IPV6_TCLASS : IP_TOS, &tos,
					   sizeof(tos)) == 0)
		{
			this->dscp[index] = packet->get_dscp(packet);
		}
	}
	if (!src->is_anyaddr(src))
	{
		msg.msg_control = control;
		msg.msg_controllen = index ? CMSG_SPACE(sizeof(struct in6_pktinfo)) : CMSG_SPACE(sizeof(struct in_pktinfo));
		cmsg = CMSG_FIRSTHDR(&msg);
		address = src->get_address(src);
		if (index)
		{
			cmsg->cmsg_level = IPPROTO_IPV6;
			cmsg->cmsg_type = IPV6_PKTINFO;
			cmsg->cmsg_len = CMSG_LEN(sizeof(struct in6_pktinfo));
			memcpy(&((struct in6_pktinfo*)CMSG_DATA(cmsg))->ipi6_addr, address.ptr, address.len);
		}
		else
		{
			cmsg->cmsg_level = IPPROTO_IP;
			cmsg->cmsg_type = IP_PKTINFO;
			cmsg->cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo));
			memcpy(&((struct in_pktinfo*)CMSG_DATA(cmsg))->ipi_spec_dst, address.ptr, address.len);
		}
	}
	if (sendmsg(this->fds[index], &msg, 0) != data.len)
	{
		DBG1(DBG_NET, "sending from %#H to %#H: %s", src, dst, strerror(errno));
		return FAILED;
	}
	return SUCCESS;
}

/** Writes an address and its port as the protocol has them. */
static void write_end(char *text, size_t size, host_t *host)
{
	char digits[46];

	host_digits(host, digits);
	snprintf(text, size, host->get_family(host) == AF_INET ? "%s:%u" : "[%s]:%u", digits, host->get_port(host));
}

/** Sends a message over the connection `ike`. */
static status_t send_ike(private_socket_t *this, packet_t *packet, host_t *src, host_t *dst)
{
	char local[64], remote[64], line[192];
	chunk_t data = packet->get_data(packet);
	struct iovec iov[2];
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };
	ssize_t sent = -1;
	host_t *found = NULL;

	/* sender_t adds a marker unless a port is 500; a keepalive is one byte */
	if (data.len > MARKER && dst->get_port(dst) != IKEV2_UDP_PORT)
	{
		data = chunk_skip(data, MARKER);
	}
	if (src->is_anyaddr(src))
	{
		found = charon->kernel->get_source_addr(charon->kernel, dst, NULL);
		if (!found)
		{
			DBG1(DBG_NET, "no address of this host reaches %H", dst);
			return FAILED;
		}
		found->set_port(found, src->get_port(src));
	}
	write_end(local, sizeof(local), found ?: src);
	write_end(remote, sizeof(remote), dst);
	DESTROY_IF(found);
	snprintf(line, sizeof(line), "local=%s remote=%s dscp=%u\n", local, remote, packet->get_dscp(packet));
	iov[0] = (struct iovec){ .iov_base = line, .iov_len = strlen(line) };
	iov[1] = (struct iovec){ .iov_base = data.ptr, .iov_len = data.len };
	this->mutex->lock(this->mutex);
	/* bulat-esp starts again: the events' thread may be faster, and strongSwan sends a lost message seconds later */
	join(this);
	if (this->ike >= 0)
	{
		sent = sendmsg(this->ike, &msg, MSG_NOSIGNAL);
	}
	this->mutex->unlock(this->mutex);
	if (sent < 0)
	{
		DBG1(DBG_NET, "no message from %s to %s: bulat-esp refuses it", local, remote);
		return FAILED;
	}
	return SUCCESS;
}

METHOD(socket_t, send_, status_t,
	private_socket_t *this, packet_t *packet)
{
	host_t *src = packet->get_source(packet), *dst = packet->get_destination(packet);
	uint16_t port = src->get_port(src);

	DBG2(DBG_NET, "sending packet: from %#H to %#H", src, dst);
	if (port == 0 || port == this->port)
	{
		return send_port(this, packet, src, dst);
	}
	return send_ike(this, packet, src, dst);
}

METHOD(socket_t, get_port, uint16_t,
	private_socket_t *this, bool nat_t)
{
	hello_t hello;

	if (!nat_t)
	{
		return this->port;
	}
	bulat->known(bulat, &hello);
	return hello.ports[0] ?: IKEV2_NATT_PORT;
}

METHOD(socket_t, supported_families, socket_family_t,
	private_socket_t *this)
{
	return (this->fds[0] >= 0 ? SOCKET_FAMILY_IPV4 : SOCKET_FAMILY_NONE) |
		   (this->fds[1] >= 0 ? SOCKET_FAMILY_IPV6 : SOCKET_FAMILY_NONE);
}

METHOD(socket_t, destroy, void,
	private_socket_t *this)
{
	int i;

	for (i = 0; i < countof(this->fds); i++)
	{
		if (this->fds[i] >= 0)
		{
			close(this->fds[i]);
		}
	}
	lose(this);
	this->mutex->destroy(this->mutex);
	free(this);
}

socket_t *bulat_socket_create(void)
{
	private_socket_t *this;

	INIT(this,
		.public = {
			.send = _send_,
			.receive = _receive_,
			.get_port = _get_port,
			.supported_families = _supported_families,
			.destroy = _destroy,
		},
		.port = lib->settings->get_int(lib->settings, "%s.port", IKEV2_UDP_PORT, lib->ns) ?: IKEV2_UDP_PORT,
		.max = lib->settings->get_int(lib->settings, "%s.max_packet", PACKET_MAX_DEFAULT, lib->ns),
		.fds = { -1, -1 },
		.ike = -1,
		.mutex = mutex_create(MUTEX_TYPE_DEFAULT),
	);
	this->fds[0] = open_port(this, AF_INET);
	this->fds[1] = open_port(this, AF_INET6);
	mark_ports(this);
	if (this->fds[0] < 0 && this->fds[1] < 0)
	{
		destroy(this);
		return NULL;
	}
	return &this->public;
}
