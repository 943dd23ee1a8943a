use polite_robots_audit::known;
fn main() {
    for l in std::io::stdin().lines() {
        let l = l.unwrap();
        println!(
            "{l:24} find={:?} clear={:?} meant={:?}",
            known::find(&l).map(|c| c.token()),
            known::clearly_meant(&l).map(|m| m.tokens()),
            known::meant(&l).map(|m| m.tokens())
        );
    }
}
