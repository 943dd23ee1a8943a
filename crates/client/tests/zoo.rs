//! A zoo of hosts on loopback, and the judge of every request that they see.
