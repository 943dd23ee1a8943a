//! Documents as they are written: lines, groups, merged groups.

mod views;
