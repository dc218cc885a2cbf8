//! Which addresses may be contacted: those of the public internet, and what was allowed.
//!
//! A crawler follows links that strangers wrote, so it must not be talked into asking machines
//! that only it can reach. Addresses are judged after resolving, in their numeric form, so it
//! does not matter how a URL spells them. Forms that carry an IPv4 address inside an IPv6 one
//! are judged by what they carry.

use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Decides about addresses. The default allows global unicast addresses only.
#[derive(Clone, Debug, Default)]
pub struct AddressPolicy {
    /// Networks that may be contacted although they are not public.
    pub allow: Vec<IpNet>,
}

impl AddressPolicy {
    /// Public addresses, and those in the given networks.
    pub fn allowing(allow: impl IntoIterator<Item = IpNet>) -> AddressPolicy {
        AddressPolicy {
            allow: allow.into_iter().collect(),
        }
    }

    /// Whether an address may be contacted.
    pub fn allows(&self, address: IpAddr) -> bool {
        // Packets to a mapped address travel as IPv4: it is that address.
        let address = address.to_canonical();
        self.allow.iter().any(|net| net.contains(&address))
            || match address {
                IpAddr::V4(address) => is_public_v4(address),
                IpAddr::V6(address) => is_public_v6(address),
            }
    }
}

/// Special-purpose networks (IANA's registry) that are not part of the public internet.
const NOT_PUBLIC_V4: [(Ipv4Addr, u32); 16] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::new(255, 255, 255, 255), 32),
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let inside = |(net, bits): &(Ipv4Addr, u32)| {
        (address.to_bits() ^ net.to_bits()).leading_zeros() >= *bits
    };
    !NOT_PUBLIC_V4.iter().any(inside)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let part = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match part {
        // NAT64: the last four bytes are the destination.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => is_public_v4(v4(high, low)),
        // 6to4: packets go to a relay at the address inside.
        [0x2002, high, low, ..] => is_public_v4(v4(high, low)),
        // Teredo: a server, and a client whose address is inverted.
        [0x2001, 0, server_high, server_low, _, _, high, low] => {
            is_public_v4(v4(server_high, server_low)) && is_public_v4(v4(!high, !low))
        }
        // IETF protocol assignments: benchmarking, ORCHID and the like.
        [0x2001, 0..=0x1ff, ..] => false,
        // Documentation.
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // Everything else that is global unicast; not ::/8, local NAT64, unique local,
        // link-local, site-local, multicast.
        [0x2000..=0x3fff, ..] => true,
        _ => false,
    }
}
