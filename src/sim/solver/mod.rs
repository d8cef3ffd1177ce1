//! The methods, one file each.
