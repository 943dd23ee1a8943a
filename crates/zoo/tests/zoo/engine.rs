//! A stand-in for Kafka or URLFrontier: it assigns the hosts and their URLs to machines, which are
//! processes of the client's example `fleet`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use polite_robots_policy::Origin;

/// As in the example.
const PARTITIONS: usize = 64;

pub(crate) struct Engine {
    arguments: Vec<String>,
    /// The time for which no machine gets the hosts of a dead one.
    lease: Duration,
    machines: Vec<Machine>,
    partitions: Vec<Partition>,
    /// The lines of the machines, each with the machine's number. `None` is the end of a machine.
    sender: Sender<(usize, Option<String>)>,
    received: Receiver<(usize, Option<String>)>,
    /// The machines that died, each with the time at which others get its hosts.
    dead: VecDeque<(Instant, usize)>,
    /// The number of URLs for each outcome, such as `fetched`.
    pub(crate) ends: BTreeMap<String, usize>,
    /// The number of hosts that were handed over with their state.
    pub(crate) handed_over: usize,
}

struct Machine {
    process: Child,
    is_alive: bool,
}

#[derive(Default)]
struct Partition {
    /// The machine that owns the partition. It may be dead or about to give the partition away.
    owner: usize,
    /// Whether the owner was asked to give the partition away and has not done so yet.
    is_leaving: bool,
    /// The URLs that are not done.
    urls: BTreeSet<String>,
}

fn partition(url: &str) -> usize {
    let key = Origin::of(url).unwrap().partition_key();
    usize::try_from(key).unwrap() % PARTITIONS
}

impl Engine {
    /// Starts machines that share a store. Each of them gets `arguments`.
    pub(crate) fn start(machines: usize, arguments: &[&str], lease: Duration) -> Engine {
        let (sender, received) = channel();
        let mut engine = Engine {
            arguments: arguments.iter().map(ToString::to_string).collect(),
            lease,
            machines: Vec::new(),
            partitions: Vec::new(),
            sender,
            received,
            dead: VecDeque::new(),
            ends: BTreeMap::new(),
            handed_over: 0,
        };
        let partitions = &mut engine.partitions;
        partitions.resize_with(PARTITIONS, Partition::default);
        (0..machines).for_each(|_| engine.start_machine());
        for number in 0..PARTITIONS {
            engine.give_out(number, number % machines, "");
        }
        engine
    }

    fn start_machine(&mut self) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fleet"));
        command.args(&self.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // Loopback is not behind a proxy.
        for name in ["http_proxy", "https_proxy", "all_proxy"] {
            command.env_remove(name).env_remove(name.to_uppercase());
        }
        let mut process = command.spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let (sender, number) = (self.sender.clone(), self.machines.len());
        thread::spawn(move || {
            let lines = lines.map_while(Result::ok).map(Some);
            let mut all = lines.chain([None]);
            // The engine may have ended.
            all.try_for_each(|line| sender.send((number, line)))
        });
        self.machines.push(Machine {
            process,
            is_alive: true,
        });
    }

    /// Starts one more machine, to which the others give its share of the hosts.
    pub(crate) fn join(&mut self) {
        self.start_machine();
        let alive = self.machines.iter().filter(|machine| machine.is_alive);
        for number in (0..PARTITIONS).step_by(alive.count()) {
            // A partition that is given away twice would have two owners.
            let partition = &mut self.partitions[number];
            if !std::mem::replace(&mut partition.is_leaving, true) {
                let owner = partition.owner;
                self.say(owner, &format!("give {number}"));
            }
        }
    }

    /// The machine that has lived longest.
    pub(crate) fn oldest(&self) -> usize {
        let mut machines = self.machines.iter();
        machines.position(|machine| machine.is_alive).unwrap()
    }

    /// Kills the oldest machine, by SIGKILL, and returns its number. `owner` still returns that
    /// number until other machines get the hosts.
    pub(crate) fn kill_one(&mut self) -> usize {
        let oldest = self.oldest();
        let machine = &mut self.machines[oldest];
        machine.is_alive = false;
        machine.process.kill().unwrap();
        machine.process.wait().unwrap();
        let mut owned = self.partitions.iter().filter(|one| one.owner == oldest);
        assert!(
            owned.any(|one| !one.urls.is_empty()),
            "it had nothing to do"
        );
        oldest
    }

    /// The machine that owns the host of a URL.
    pub(crate) fn owner(&self, url: &str) -> usize {
        self.partitions[partition(url)].owner
    }

    pub(crate) fn add(&mut self, url: &str) {
        let partition = &mut self.partitions[partition(url)];
        partition.urls.insert(url.to_string());
        let owner = partition.owner;
        self.say(owner, &format!("get {url}"));
    }

    /// The number of URLs that are done.
    pub(crate) fn done(&self) -> usize {
        self.ends.values().sum()
    }

    /// Whether all URLs are done.
    pub(crate) fn is_done(&self) -> bool {
        self.partitions.iter().all(|one| one.urls.is_empty())
    }

    /// Lets the machines crawl until a condition holds.
    pub(crate) fn run_until(&mut self, mut holds: impl FnMut(&Engine) -> bool) {
        let began = Instant::now();
        while !holds(self) {
            assert!(began.elapsed() < PATIENCE, "it hangs: {:?}", self.ends);
            match self.received.recv_timeout(Duration::from_millis(20)) {
                Ok((machine, Some(line))) => self.hear(machine, &line),
                Ok((machine, None)) => {
                    let is_killed = !self.machines[machine].is_alive;
                    assert!(is_killed, "machine {machine} ended by itself");
                    self.dead.push_back((Instant::now() + self.lease, machine));
                }
                Err(_) => {}
            }
            while let Some((until, dead)) = self.dead.front().copied()
                && until <= Instant::now()
            {
                self.dead.pop_front();
                self.replace(dead);
            }
        }
    }

    /// Ends the machines, and checks that each ends well.
    pub(crate) fn end(&mut self) {
        for machine in self.machines.iter_mut().filter(|machine| machine.is_alive) {
            drop(machine.process.stdin.take());
            assert!(machine.process.wait().unwrap().success());
        }
    }

    fn hear(&mut self, machine: usize, line: &str) {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default();
        match (word(), word(), word()) {
            ("gave", number, states) => {
                let owner = self.least();
                self.handed_over += states.split_whitespace().count();
                self.give_out(number.parse().unwrap(), owner, states);
            }
            ("elsewhere", url, "") => self.add(url),
            ("done", url, end) => {
                // A machine that was replaced may have reported the URL before.
                if self.partitions[partition(url)].urls.remove(url) {
                    *self.ends.entry(end.to_string()).or_default() += 1;
                }
            }
            _ => panic!("machine {machine}: {line}"),
        }
    }

    fn replace(&mut self, dead: usize) {
        for number in 0..PARTITIONS {
            if self.partitions[number].owner == dead {
                let owner = self.least();
                self.give_out(number, owner, "");
            }
        }
    }

    /// Gives a partition to a machine: its URLs, and the state of its hosts if that was handed
    /// over.
    fn give_out(&mut self, number: usize, owner: usize, states: &str) {
        let partition = &mut self.partitions[number];
        (partition.owner, partition.is_leaving) = (owner, false);
        self.say(owner, &format!("own {number} {states}"));
        for url in self.partitions[number].urls.clone() {
            self.say(owner, &format!("get {url}"));
        }
    }

    /// The machine with the fewest partitions.
    fn least(&self) -> usize {
        let load = |machine| {
            let owned = self.partitions.iter().filter(|one| one.owner == machine);
            owned.count()
        };
        let machines = (0..self.machines.len()).filter(|number| self.machines[*number].is_alive);
        machines.min_by_key(|machine| load(*machine)).unwrap()
    }

    /// Sends a line to a machine. A dead machine does not read the line, and others get its hosts
    /// soon.
    fn say(&mut self, machine: usize, line: &str) {
        if let Some(pipe) = &mut self.machines[machine].process.stdin {
            let _ = writeln!(pipe, "{line}");
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        for machine in &mut self.machines {
            let _ = machine.process.kill();
        }
    }
}

/// Far longer than a busy machine needs.
const PATIENCE: Duration = Duration::from_secs(1_800);
