//! A thread's view of the SAs and policies, and the policies of recent flows.

use std::net::IpAddr;
use std::sync::Arc;

use crate::address::Flow;
use crate::table::{Policy, Table, View, Way};

/// The number of flows with remembered policies.
const SLOTS: usize = 256;

/// A flow, the reqid asked for, and the place of its policy.
type Slot = Option<(Flow, u32, Option<usize>)>;

/// A thread's copy of the SAs and policies, with the policies of recent flows.
pub struct Eyes {
    table: Arc<Table>,
    generation: u64,
    /// The SAs and policies.
    pub view: Arc<View>,
    slots: Box<[Slot]>,
}

impl Eyes {
    /// Sees the table as it is.
    pub fn new(table: Arc<Table>) -> Self {
        let (generation, view) = (table.generation(), table.view());
        Eyes { table, generation, view, slots: vec![None; SLOTS].into() }
    }

    /// Gets a new view if the table has changed. Returns whether it has.
    pub fn refresh(&mut self) -> bool {
        let generation = self.table.generation();
        let changed = generation != self.generation;
        if changed {
            // A change in between is seen again, which costs nothing but time.
            (self.generation, self.view) = (generation, self.table.view());
            self.slots.fill(None);
        }
        changed
    }

    /// The place of the policy for packets to the wire.
    pub fn outbound(&mut self, flow: &Flow) -> Option<usize> {
        self.find(flow, 0, |policy| policy.way == Way::Out)
    }

    /// The place of a policy that allows the SAs of a reqid to bring such packets. Whether a packet is for this host is
    /// the routing's matter: a policy of either kind allows it.
    pub fn inbound(&mut self, flow: &Flow, reqid: u32) -> Option<usize> {
        self.find(flow, reqid, |policy| policy.way != Way::Out && policy.reqid == reqid)
    }

    fn find(&mut self, flow: &Flow, reqid: u32, of: impl Fn(&Policy) -> bool) -> Option<usize> {
        let slot = self.slots.get_mut(hash(flow) % SLOTS)?;
        match slot {
            Some((known, number, answer)) if known == flow && *number == reqid => *answer,
            _ => {
                let matches = |policy: &Policy| of(policy) && policy.selector.matches(flow);
                let answer = self.view.policies.iter().position(matches);
                *slot = Some((*flow, reqid, answer));
                answer
            }
        }
    }
}

/// A number for a flow. Flows that share a number are only slower.
fn hash(flow: &Flow) -> usize {
    let fold = |address: IpAddr| match address {
        IpAddr::V4(a) => u64::from(a.to_bits()),
        IpAddr::V6(a) => a.to_bits() as u64 ^ (a.to_bits() >> 64) as u64,
    };
    let ports = u64::from(flow.source_port) << 16 | u64::from(flow.destination_port);
    let mix = |a: u64, b: u64| (a ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let ends = mix(fold(flow.source), fold(flow.destination).rotate_left(32));
    mix(ends, ports << 8 | u64::from(flow.protocol)) as usize
}
