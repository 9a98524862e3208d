//! Who may do what: rules by path and capability.
