//! Hosts, their groups and the leases of their turns.

use super::*;

mod crowd;

const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);
const ONE: Option<IpGroup> = Some(IpGroup(1));
const TWO: Option<IpGroup> = Some(IpGroup(2));

#[derive(Debug)]
struct Deaf;

impl Keeper for Deaf {
    fn sent(&self, _: TurnId) -> Option<Timestamp> {
        None
    }

    fn ended(&self, _: TurnId, _: TurnEnd) {}
}

fn after(seconds: u64) -> Timestamp {
    START.saturating_add(Duration::from_secs(seconds))
}

/// A dispatcher of hosts whose groups start one request a minute.
fn dispatcher(keeper: &Arc<Deaf>) -> Dispatcher {
    let mut profile = Profile::rfc9309();
    profile.pace.group_starts = 1;
    let mut dispatcher = Dispatcher::new(Scheduler::new(profile), 8, 8);
    let keeper: Weak<dyn Keeper> = Arc::<Deaf>::downgrade(keeper);
    dispatcher.set_keeper(keeper);
    dispatcher
}

fn insert(dispatcher: &mut Dispatcher, name: &str, group: Option<IpGroup>) -> HostId {
    let host = dispatcher.insert(name, HostRule::new(), None);
    dispatcher.set_group(host, group);
    host
}

fn ask(dispatcher: &mut Dispatcher, host: HostId) -> oneshot::Receiver<Grant> {
    let until = Timestamp::MAX;
    dispatcher.queue(host, Position::Back, until).unwrap()
}

fn granted(turn: &mut oneshot::Receiver<Grant>) -> TurnGuard {
    match turn.try_recv() {
        Ok(Grant::Turn(turn)) => turn,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_host_that_moves_takes_no_turn_of_its_old_group_along() {
    let keeper = Arc::new(Deaf);
    let mut dispatcher = dispatcher(&keeper);
    let moves = insert(&mut dispatcher, "moves.example", ONE);
    let other = insert(&mut dispatcher, "other.example", TWO);
    let (mut first, mut second) = (ask(&mut dispatcher, moves), ask(&mut dispatcher, other));
    dispatcher.grant(START);
    let (first, second) = (granted(&mut first), granted(&mut second));
    dispatcher.set_group(moves, TWO);
    assert_eq!(dispatcher.start(first.id(), START), LeaseStatus::Expired);
    assert_eq!(dispatcher.start(second.id(), START), LeaseStatus::Live);
    // It waits for the new group.
    let mut again = ask(&mut dispatcher, moves);
    let next = dispatcher.grant(START);
    assert!(next > Some(START) && again.try_recv().is_err());
    dispatcher.end(second.id(), TurnEnd::Broken, START);
    dispatcher.grant(after(60));
    let again = granted(&mut again);
    assert_eq!(dispatcher.start(again.id(), after(60)), LeaseStatus::Live);
    assert_eq!((dispatcher.expired, dispatcher.running()), (0, 1));
}

#[test]
fn a_host_that_moves_waits_no_longer_for_its_old_group() {
    let keeper = Arc::new(Deaf);
    let mut dispatcher = dispatcher(&keeper);
    let [slow, moves] =
        ["slow.example", "moves.example"].map(|name| insert(&mut dispatcher, name, ONE));
    let (_slow, mut moved) = (ask(&mut dispatcher, slow), ask(&mut dispatcher, moves));
    dispatcher.grant(START);
    assert!(
        moved.try_recv().is_err(),
        "the turn of the group is not sent yet"
    );
    dispatcher.set_group(moves, None);
    dispatcher.grant(START);
    assert!(moved.try_recv().is_ok());
}

#[test]
fn a_request_to_another_address_counts_there() {
    let keeper = Arc::new(Deaf);
    let mut dispatcher = dispatcher(&keeper);
    let host = insert(&mut dispatcher, "host.example", ONE);
    let [near, far] = [("near.example", ONE), ("far.example", TWO)]
        .map(|(name, group)| insert(&mut dispatcher, name, group));
    dispatcher.begin_detour(host, TWO);
    // A change of its own address does not count yet.
    dispatcher.set_group(host, ONE);
    let mut round = ask(&mut dispatcher, host);
    dispatcher.grant(START);
    let round = granted(&mut round);
    assert_eq!(dispatcher.start(round.id(), START), LeaseStatus::Live);
    dispatcher.end_detour(host);
    assert_eq!(dispatcher.groups.group_of(host), ONE);
    let (mut near, mut far) = (ask(&mut dispatcher, near), ask(&mut dispatcher, far));
    dispatcher.grant(START);
    assert!(near.try_recv().is_ok() && far.try_recv().is_err());
}

#[test]
fn rounds_at_two_addresses_of_a_host_count_to_each_its_own() {
    let keeper = Arc::new(Deaf);
    let mut dispatcher = dispatcher(&keeper);
    let host = insert(&mut dispatcher, "host.example", ONE);
    dispatcher.begin_detour(host, TWO);
    let mut first = ask(&mut dispatcher, host);
    dispatcher.grant(START);
    let first = granted(&mut first);
    dispatcher.begin_detour(host, None);
    // The turn was one of the second group.
    assert_eq!(dispatcher.start(first.id(), START), LeaseStatus::Expired);
    dispatcher.end_detour(host);
    assert_eq!(
        dispatcher.groups.group_of(host),
        None,
        "the first round is there still"
    );
    dispatcher.keep_detour(host, TWO);
    dispatcher.end_detour(host);
    assert_eq!(dispatcher.groups.group_of(host), ONE);
    dispatcher.end_detour(host);
    assert_eq!(dispatcher.groups.group_of(host), ONE);
}

#[test]
fn the_pace_of_a_host_is_free_when_the_lease_of_its_request_is_over() {
    let keeper = Arc::new(Deaf);
    let mut dispatcher = dispatcher(&keeper);
    let host = insert(&mut dispatcher, "example.com", None);
    assert!(dispatcher.is_ready(host, START));
    let leaked = dispatcher.start_now(host, START).unwrap();
    assert!(!dispatcher.is_ready(host, START));
    assert!(dispatcher.idle_pacer(host, after(599)).is_none());
    assert!(dispatcher.idle_pacer(host, after(600)).is_some());
    dispatcher.forget(host);
    dispatcher.end(leaked.id(), TurnEnd::Broken, after(700));
    leaked.revoke();
    assert!(!dispatcher.is_needed(host));
    assert_eq!(dispatcher.running(), 0);
}
