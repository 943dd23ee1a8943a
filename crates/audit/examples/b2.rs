use polite_robots_audit::known;
use std::collections::BTreeMap;
fn main() {
    let mut m: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for d in ["robots-2024", "top-sites", "robots-top"]
        .iter()
        .map(|d| format!("/tmp/h-b-corpus/{d}"))
        .chain(
            std::fs::read_dir("/tmp/h-b-corpus")
                .unwrap()
                .map(|e| e.unwrap().path().display().to_string()),
        )
        .collect::<std::collections::BTreeSet<_>>()
    {
        let Ok(rd) = std::fs::read_dir(&d) else {
            continue;
        };
        for e in rd {
            let b = std::fs::read(e.unwrap().path()).unwrap();
            let r = polite_robots::RobotsTxt::parse(&b);
            let mut seen = std::collections::BTreeSet::new();
            for a in r.groups().flat_map(|g| g.user_agents()) {
                let v = String::from_utf8_lossy(a.value()).to_string();
                if seen.insert(v.to_lowercase()) {
                    m.entry(v.to_lowercase()).or_insert((v, 0)).1 += 1;
                }
            }
        }
    }
    for (_, (v, n)) in m {
        let (c, me) = (
            known::clearly_meant(&v).map(|m| m.tokens()),
            known::meant(&v).map(|m| m.tokens()),
        );
        let tok: String = v
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || "_.-".contains(*c))
            .collect();
        let f = known::find(&tok).is_some();
        println!(
            "{}\t{n}\t{v}\tfind={f} clear={c:?} meant={me:?}",
            if f {
                "known"
            } else if c.is_some() {
                "clear"
            } else if me.is_some() {
                "meant"
            } else {
                "none"
            }
        );
    }
}
