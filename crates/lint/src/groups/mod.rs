//! Findings about groups, and about records that stand in none.

pub(crate) mod file_rules;
pub(crate) mod idle_groups;
pub(crate) mod joined_groups;
pub(crate) mod no_record;
pub(crate) mod only_rule;
pub(crate) mod several_delays;
pub(crate) mod several_groups;
pub(crate) mod sitemap_hosts;
pub(crate) mod sitemap_schemes;
