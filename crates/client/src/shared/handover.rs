//! Moves a host from one client to another, with its memory.

use std::sync::Arc;
use std::time::Duration;

use polite_robots_policy::{Origin, Pacer};

use crate::error::Error;
use crate::hosts::host_state::HostState;
use crate::shared::Shared;

/// Ends the work of this client on a host, and gives its memory away.
pub(crate) async fn hand_over(shared: &Arc<Shared>, origin: &Origin) -> Result<HostState, Error> {
    let name = origin.host();
    let is_first = shared.settings.ownership.hand_over(name);
    let is_known = shared.state().dispatcher.scheduler.find(name).is_some();
    let pacer = if is_first || is_known {
        // The store may have the rules of its origin.
        shared.recall(origin).await?;
        idle_pacer(shared, name).await?
    } else {
        // The host was handed over before, and all data about it with it.
        Pacer::after_gap(shared.clock.now())
    };
    let entries = {
        let state = shared.state();
        let entries = state.cache.entries();
        let entries = entries.filter(|(origin, _)| origin.host() == name);
        entries
            .map(|(origin, entry)| (origin.clone(), entry))
            .collect()
    };
    let state = HostState {
        host: name.to_string(),
        pacer,
        entries,
    };
    if let Err(error) = shared.forget_saved(&state).await {
        // The next call gives the same pace.
        let host = shared.make_known(name, Some(state.pacer)).await?;
        shared.host_changed(host);
        return Err(error.into());
    }
    Ok(state)
}

/// Waits until no request to the host is under way, and removes its pace.
async fn idle_pacer(shared: &Arc<Shared>, name: &str) -> Result<Pacer, Error> {
    loop {
        let host = shared.host(name).await?;
        if let Some(pacer) = shared.state().take_pacer(host, shared.clock.now()) {
            return Ok(pacer);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// Takes over the memory of a host, and saves it.
pub(crate) async fn take_over(shared: &Arc<Shared>, arrived: HostState) -> Result<(), Error> {
    let HostState {
        host: name,
        pacer,
        entries,
    } = arrived;
    let now = shared.clock.now();
    let host = shared.make_known(&name, Some(pacer.clone())).await?;
    {
        let mut state = shared.state();
        // A host that left a moment ago, or that redirects led to, is still known here. The more
        // patient pace counts.
        state.dispatcher.scheduler.join(host, pacer);
        for (origin, entry) in entries {
            state.cache.insert(&origin, entry, now);
            shared.origin_changed(&origin);
        }
    }
    shared.host_changed(host);
    shared.save().await?;
    shared.settings.ownership.take_over(&name);
    Ok(())
}

/// Takes a host back that was handed over, as its next owner left it in the store.
pub(crate) async fn inherit(shared: &Arc<Shared>, origin: &Origin) -> Result<(), Error> {
    if !shared.settings.ownership.is_handed_over(origin.host()) {
        return Ok(());
    }
    let now = shared.clock.now();
    let dead = origin.clone();
    let left = shared.load(move |persistence| {
        let pacer = persistence.pacer_after_crash(dead.host(), now)?;
        Ok(Some((pacer, persistence.entry(&dead)?)))
    });
    let (pacer, entry) = left.await?.unwrap_or((Pacer::after_gap(now), None));
    let state = HostState {
        host: origin.host().to_string(),
        pacer,
        entries: entry
            .map(|entry| (origin.clone(), entry))
            .into_iter()
            .collect(),
    };
    take_over(shared, state).await
}

const LOOK_AGAIN: Duration = Duration::from_millis(20);
