"""Kinds of addresses: public, inside, never reached; and ports. Pure.

The lists are our own: `ipaddress` of Python before 3.11.10 has outdated tables, `is_global` is true for NAT64,
IPv4-compatible, multicast and site-local addresses, and `is_private` is false for 100.64/10.
"""

import ipaddress

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# IANA special-purpose registries (IPv4, IPv6), multicast and reserved blocks.
FORBIDDEN_NETWORKS = tuple(
    ipaddress.ip_network(block)
    for block in [
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/96",
        "::ffff:0:0:0/96",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "100::/64",
        "100:0:0:1::/64",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "2620:4f:8000::/48",
        "3fff::/20",
        "5f00::/16",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    ]
)

# No bot stands here: a request to these speaks as the machine itself. Not even an organizer's name leads there.
NEVER_REACHED = tuple(
    ipaddress.ip_network(block)
    for block in [
        "169.254.0.0/16",
        "fe80::/10",
        # Where clouds tell a machine about itself: Alibaba, Oracle, Azure, Amazon, Google.
        "100.100.100.200/32",
        "192.0.0.192/32",
        "168.63.129.16/32",
        "fd00:ec2::254/128",
        "fd20:ce::254/128",
    ]
)
# IPv6 addresses that hold an IPv4 address in their last 32 bits: compatible, mapped, and translated in three ways.
HOLDING_IPV4 = tuple(
    ipaddress.IPv6Network(block)
    for block in ["::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"]
)

# Services that speak no HTTP, on which a request would only do harm.
FORBIDDEN_PORTS = frozenset(
    {
        1433,
        1521,
        2049,
        2181,
        2375,
        2376,
        2379,
        3306,
        3389,
        5432,
        5672,
        5900,
        6379,
        6667,
        9042,
        9200,
        11211,
        27017,
    }
)


def is_public(address: IPAddress) -> bool:
    if is_never_reached(address):
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    if mapped is not None:
        return is_public(mapped)
    return not any(address in network for network in FORBIDDEN_NETWORKS if network.version == address.version)


def is_never_reached(address: IPAddress) -> bool:
    """Whether it is link-local, or a metadata service of a cloud, itself or by an IPv4 address that it holds."""
    return any(
        one in network for one in _meant_by(address) for network in NEVER_REACHED if network.version == one.version
    )


def _meant_by(address: IPAddress) -> list[IPAddress]:
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    held = [address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in HOLDING_IPV4):
        held.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [address, *(one for one in held if one is not None)]


def is_web_port(port: int) -> bool:
    return port in {80, 443} or (1024 <= port <= 65535 and port not in FORBIDDEN_PORTS)


def is_translated(address: IPAddress) -> bool:
    """Whether an IPv6 address stands for an IPv4 address that a translator or a tunnel may lead to."""
    return len(_meant_by(address)) > 1


def plain(address: IPAddress) -> IPAddress:
    """An IPv4 address that was written as an IPv6 one (mapped), as itself: that is where the socket goes."""
    return getattr(address, "ipv4_mapped", None) or address
