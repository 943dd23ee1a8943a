// polite_robots.hpp and googlebot/robots.h: owners, views, exceptions, and the matcher's memory.
#include <googlebot/robots.h>
#include <polite_robots.hpp>

#include <cstring>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "check.h"

namespace {

using googlebot::RobotsMatcher;
using googlebot::string_view;

constexpr char kShop[] =
    "User-agent: ExampleBot\nDisallow: /cart/\nAllow: /cart/help$\nCrawl-delay: 2.5\n\n"
    "User-agent: *\nDisallow: /\n\nSitemap: https://example.com/a.xml\nSitemap: /b.xml\n";

static_assert(!std::is_copy_constructible_v<polite::Robot> && std::is_nothrow_move_constructible_v<polite::Robot>);
static_assert(!std::is_copy_constructible_v<polite::RobotsTxt> && std::is_nothrow_move_assignable_v<polite::RobotsTxt>);
static_assert(std::is_trivially_copyable_v<polite::Verdict>);

void Owners() {
  polite::Robot robot("ExampleBot", kShop);
  CHECK(robot.allowed("https://example.com/cart/help") && !robot.allowed("/cart/1"));
  const polite::Verdict verdict = robot.check("/cart/help");
  CHECK(verdict && verdict.line() == 3 && verdict.pattern() == "/cart/help$");
  CHECK(verdict.overruled_line() == 2 && verdict.overruled_pattern() == "/cart/" && verdict.group_line() == 1);
  CHECK(verdict.reason() == POLITE_REASON_RULE && verdict.agent_match() == POLITE_AGENT_MATCH_NAMED);
  CHECK(verdict.cause() == POLITE_CAUSE_NONE && verdict.status() == 0);
  CHECK(robot.explain("/cart/1") == "disallowed by line 2: Disallow: /cart/ in the named group on line 1");
  CHECK(robot.crawl_delay()->count() == 2.5);
  CHECK((robot.sitemaps() == std::vector<std::string_view>{"https://example.com/a.xml", "/b.xml"}));

  polite::Robot moved = std::move(robot);
  // Nothing is allowed by what was moved from, and nothing crashes.
  CHECK(!robot && !robot.allowed("/") && !robot.check("/").allowed() && robot.explain("/").empty());  // NOLINT
  CHECK(robot.sitemaps().empty() && !robot.crawl_delay() && !robot.clone() && !robot.named_only());   // NOLINT
  CHECK(verdict.pattern() == "/cart/help$");
  polite::Robot second = moved.clone();
  moved = polite::Robot::disallow_all(503);
  CHECK(second.allowed("/") && !moved.allowed("/") && moved.check("/").status() == 503);
  CHECK(polite::Robot::allow_all().check("/").cause() == POLITE_CAUSE_CONFIGURED);
  CHECK(polite::Robot("OtherBot", kShop).named_only().allowed("/x"));

  const std::string longer(500, 'y');
  CHECK(polite::Robot("a", "User-agent: *\nDisallow: /" + longer).explain("/" + longer).size() > 500);
}

void Documents() {
  polite::RobotsTxt file(kShop);
  polite::Robot robot = file.robot("ExampleBot");
  CHECK((file.robot_merged({"OtherBot", "ExampleBot"}).allowed("/x")));
  CHECK((file.robot_first({"OtherBot", "ExampleBot"}).allowed("/x")) && !file.robot_merged({}).allowed("/x"));
  CHECK(file.sitemaps().size() == 2);
  polite::RobotsTxt moved = std::move(file);
  CHECK(robot.allowed("/x"));
  int rules = 0;
  moved.lines([&](const polite::Line& line) { rules += line.tag == POLITE_TAG_DISALLOW; });
  CHECK(rules == 2);

  // An exception of the visitor passes, and ends the visits.
  int visits = 0;
  try {
    moved.lines([&](const polite::Line& line) {
      ++visits;
      if (polite::name(line) == "Allow") throw std::string(polite::value(line));
    });
    CHECK(false);
  } catch (const std::string& value) {
    CHECK(value == "/cart/help$" && visits == 3);
  }

  const polite::RobotsTxt cut("User-agent: *\nDisallow: /private", {polite::Dialect::google, 20});
  CHECK(cut.robot("a").allowed("/private"));
  const std::string_view closed = "User-agent: *\nDisallow: /";
  for (const int status : {200, 404, 429, 503}) {
    const auto file_of_status = polite::RobotsTxt::from_status(static_cast<std::uint16_t>(status), closed);
    CHECK(file_of_status.robot("a").allowed("/x") == (status == 404));
  }
}

void Errors() {
  for (const char* agent : {"ExampleBot/2.1", "", "a b"}) {
    try {
      polite::Robot robot(agent, kShop);
      CHECK(false);
    } catch (const polite::InvalidToken& error) {
      CHECK(std::strlen(error.what()) > 0);
    }
    CHECK(!polite::Robot::make(agent, kShop));
    try {
      polite::RobotsTxt(kShop).robot(agent);
      CHECK(false);
    } catch (const std::invalid_argument& error) {
      CHECK(std::strlen(error.what()) > 0);
    }
  }
  CHECK(*polite::robots_url("https://example.com/x") == "https://example.com/robots.txt" && !polite::robots_url("ftp://h/"));
  CHECK(*polite::product_token("ExampleBot/1.0") == "ExampleBot" && !polite::product_token("()"));
}

struct Answer {
  bool allowed, disallow, disallow_ignore_global, seen;
  int line;
  bool operator==(const Answer& other) const {
    return allowed == other.allowed && disallow == other.disallow && line == other.line && seen == other.seen &&
           disallow_ignore_global == other.disallow_ignore_global;
  }
};

Answer Ask(RobotsMatcher& matcher, const std::string& body, const std::vector<std::string>& agents, const std::string& url) {
  const bool allowed = matcher.AllowedByRobots(body, &agents, url);
  return {allowed, matcher.disallow(), matcher.disallow_ignore_global(), matcher.ever_seen_specific_agent(),
          matcher.matching_line()};
}

void Matcher() {
  RobotsMatcher matcher;
  CHECK(!matcher.disallow() && !matcher.disallow_ignore_global() && !matcher.ever_seen_specific_agent());
  // `User-agent: 2` names the agent without a letter, also beside a name that fills a whole line.
  const std::string longest = "User-agent: 2\nDisallow: /\nUser-agent: " + std::string(16650, 'x') + "\nAllow: /\n";
  CHECK(!matcher.OneAgentAllowedByRobots(longest, "", "/a") && matcher.ever_seen_specific_agent());
  CHECK(matcher.OneAgentAllowedByRobots(longest, "a", "/a") && !matcher.ever_seen_specific_agent());
  CHECK(matcher.matching_line() == 0);
  // The same where the name of the field fills the line, which is cut after its colon.
  const std::string full = "useragent" + std::string(16653, 'x') + ":b\nDisallow: /\n";
  CHECK(!matcher.OneAgentAllowedByRobots(full, "", "/a") && matcher.ever_seen_specific_agent());
  CHECK((Ask(matcher, kShop, {"ExampleBot"}, "/cart/1") == Answer{false, true, true, true, 2}));
  CHECK((Ask(matcher, kShop, {"OtherBot"}, "/cart/1") == Answer{false, true, false, false, 7}));
  // Agents that no file can name.
  for (const char* agent : {"", "ExampleBot/2.1", "Example Bot", "*", "MJ12bot", "\xC3\xA9"}) {
    CHECK((Ask(matcher, kShop, {agent}, "/cart/1") == Answer{false, true, false, false, 7}));
    CHECK((Ask(matcher, kShop, {agent, "ExampleBot"}, "/cart/1") == Answer{false, true, true, true, 2}));
  }
  CHECK((Ask(matcher, kShop, {}, "/cart/1") == Answer{false, true, false, false, 7}));
  CHECK(!matcher.AllowedByRobots(kShop, nullptr, "/x"));
  // The token of `1bot` is empty, and so is the agent.
  const std::string nameless = "\xEF\xEF\xBBUser-agent: x\nUser-agent: 1bot\r\n\r\nDisallow /a\nUser-agent: *\nDisallow: /b";
  CHECK((Ask(matcher, nameless, {""}, "/a") == Answer{false, true, true, true, 4}));
  CHECK((Ask(matcher, nameless, {""}, "/b") == Answer{true, false, false, true, 0}));
  CHECK((Ask(matcher, nameless, {"y"}, "/b") == Answer{false, true, false, false, 6}));
  // Google takes an agent without a letter; the core does not.
  CHECK((Ask(matcher, "User-agent: -/1\nDisallow: /", {"-"}, "/a") == Answer{false, true, true, true, 2}));
  CHECK((Ask(matcher, "User-agent: -/1\nDisallow: /", {"_"}, "/a") == Answer{true, false, false, false, 0}));
  CHECK((Ask(matcher, "User-agent: -/1\nDisallow: /", {""}, "/a") == Answer{true, false, false, false, 0}));
  // Disallow without a value is the line that decided, and disallows nothing.
  CHECK((Ask(matcher, "User-agent: a\nDisallow:", {"a"}, "/") == Answer{true, false, false, true, 2}));

  // The matcher compares bodies by their bytes and not by their place.
  std::string body = "User-agent: *\nDisallow: /a\n";
  CHECK(!matcher.OneAgentAllowedByRobots(body, "x", "/a"));
  body.replace(body.find("/a"), 2, "/b");
  CHECK(matcher.OneAgentAllowedByRobots(body, "x", "/a") && !matcher.OneAgentAllowedByRobots(body, "x", "/b"));
  body.clear();
  body.shrink_to_fit();
  CHECK(!matcher.OneAgentAllowedByRobots("User-agent: *\nDisallow: /b\n", "x", "/b"));

  CHECK(RobotsMatcher::IsValidUserAgentToObey("Foo_bot-x") && !RobotsMatcher::IsValidUserAgentToObey(""));
  CHECK(!RobotsMatcher::IsValidUserAgentToObey("Foobot*") && !RobotsMatcher::IsValidUserAgentToObey("Foobot/2.1"));
}

class Log : public googlebot::RobotsParseHandler {
 public:
  void HandleRobotsStart() override { text += "start"; }
  void HandleRobotsEnd() override { text += " end"; }
  void HandleUserAgent(int line, string_view value) override { Add("agent", line, value); }
  void HandleAllow(int line, string_view value) override { Add("allow", line, value); }
  void HandleDisallow(int line, string_view value) override {
    if (value == "/throw") throw 42;
    Add("disallow", line, value);
  }
  void HandleSitemap(int line, string_view value) override { Add("sitemap", line, value); }
  void HandleUnknownAction(int line, string_view action, string_view value) override {
    Add(std::string(action.data(), action.size()), line, value);
  }
  void ReportLineMetadata(int, const LineMetadata& metadata) override { text += metadata.has_directive ? ";" : ","; }

  std::string text;

 private:
  void Add(const std::string& name, int line, string_view value) {
    text += " " + name + std::to_string(line) + "=" + std::string(value.data(), value.size());
  }
};

void Handlers() {
  Log log;
  googlebot::ParseRobotsTxt("Useragent: a\xC3\xA9\n#\n\nAllow: /\xC3\xA9%aa%A\ndisalow: /%2F\nsitemap: \xC3\xA9\nodd: %ff", &log);
  CHECK(log.text == "start agent1=a\xC3\xA9;,, allow4=/%C3%A9%AA%A; disallow5=/%2F; sitemap6=\xC3\xA9; odd7=%FF; end");
  Log stopped;
  try {
    googlebot::ParseRobotsTxt("User-agent: *\nDisallow: /throw\nDisallow: /x", &stopped);
    CHECK(false);
  } catch (int thrown) {
    CHECK(thrown == 42 && stopped.text == "start agent1=*;");
  }

  struct {
    const char* key;
    googlebot::KeyType type;
    bool is_typo;
  } rows[] = {
      {"user-agent", googlebot::KeyType::USER_AGENT, false}, {"USERAGENTS", googlebot::KeyType::USER_AGENT, true},
      {"user agent:x", googlebot::KeyType::USER_AGENT, true}, {"Allow#", googlebot::KeyType::ALLOW, false},
      {"disallow:", googlebot::KeyType::DISALLOW, false},     {"disalowance of", googlebot::KeyType::DISALLOW, true},
      {"sitemap\n", googlebot::KeyType::SITEMAP, false},      {"site-map", googlebot::KeyType::SITEMAP, true},
      {" allow", googlebot::KeyType::UNKNOWN, false},         {"crawl delay", googlebot::KeyType::UNKNOWN, false},
      {"", googlebot::KeyType::UNKNOWN, false},               {"\tallow", googlebot::KeyType::UNKNOWN, false},
  };
  for (const auto& row : rows) {
    bool is_typo = !row.is_typo;
    CHECK(googlebot::GetKeyType(row.key, &is_typo) == row.type && is_typo == row.is_typo);
  }
}

void Threads() {
  const polite::Robot robot("ExampleBot", kShop);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&robot] {
      for (int n = 0; n < 200; ++n) {
        CHECK(!robot.allowed("/cart/" + std::to_string(n)) && robot.clone().check("/cart/help").line() == 3);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void Policies() {
  const polite::Time start{std::chrono::milliseconds(1767225600000)};
  const std::string url = "https://example.com/cart/1";
  polite::Cache cache({"ExampleBot-Image", "ExampleBot"});
  CHECK(cache.ask("mailto:a@b", POLITE_PAGE_ALONE, start).answer == POLITE_ANSWER_NONE);
  polite::Access access = cache.ask(url, POLITE_PAGE_ALONE, start);
  CHECK(access.answer == POLITE_ANSWER_FETCH && access.fetch && !access.robot && !access.allowed());
  CHECK(cache.ask(url, POLITE_PAGE_ALONE, start).answer == POLITE_ANSWER_PENDING && cache.explain(url, start).size() > 0);
  // One that is destroyed is given back.
  access.fetch = polite::Fetch();
  access = cache.ask(url, POLITE_PAGE_ALONE, start);
  polite_fetch_step step = access.fetch.next(start);
  CHECK(step.step == POLITE_STEP_GET && std::string(step.url.data, step.url.length) == "https://example.com/robots.txt");
  access.fetch.response(200, {{"ETag", "\"1\""}}, kShop, POLITE_BODY_COMPLETE, start);
  CHECK(access.fetch.next(start).step == POLITE_STEP_DONE && polite::Fetch().next(start).step == POLITE_STEP_NONE);
  cache.renew(access.fetch, start);
  cache.end(std::move(access.fetch), start);
  access = cache.ask(url, POLITE_PAGE_IN_TURN, start);
  CHECK(access.answer == POLITE_ANSWER_DISALLOWED && access.line == 2 && access.robot.explain(url).find("line 2") > 0);
  CHECK(cache.ask("https://example.com/cart/help", POLITE_PAGE_IN_LINE, start).allowed());
  cache.set_site(url, POLITE_SITE_AVAILABLE, start);
  cache.release(url);

  polite::Cache next({"ExampleBot-Image", "ExampleBot"});
  next.load(cache.save(), start);
  CHECK(next.ask(url, POLITE_PAGE_ALONE, start).line == 2);
  try {
    next.load("no bytes of a cache", start);
    CHECK(false);
  } catch (const polite::InvalidSaved& error) {
    CHECK(std::strstr(error.what(), "saved bytes") != nullptr);
  }
  try {
    polite::Cache refused({"ExampleBot/2"});
    CHECK(false);
  } catch (const polite::InvalidToken&) {
  }

  polite::Cache ibm({"ExampleBot"}, {POLITE_PROFILE_IBM});
  polite::Fetch fetch = ibm.ask(url, POLITE_PAGE_ALONE, start).fetch;
  CHECK(fetch.next(start).step == POLITE_STEP_RESOLVE);
  fetch.resolved({"192.0.2.1"}, start);
  fetch.failed(POLITE_NET_DNS, start);
  step = fetch.next(start);
  CHECK(step.step == POLITE_STEP_WAIT);
  fetch.refused(start);
  ibm.end(std::move(fetch), start);
  access = ibm.ask(url, POLITE_PAGE_ALONE, start);
  CHECK(access.answer == POLITE_ANSWER_CLOSED && access.cause == POLITE_CAUSE_UNREACHABLE && access.retry_at > start);
  ibm.reset(url);
  fetch = ibm.ask(url, POLITE_PAGE_ALONE, start).fetch;
  fetch.by_name(start);
  CHECK(fetch.next(start).step == POLITE_STEP_GET);

  polite::Pace pace({POLITE_PROFILE_RFC9309, 0, std::chrono::seconds(2)});
  CHECK(pace.turn(url, start).ready() && pace.start(url, start).ready());
  CHECK(pace.turn(url, start).kind == POLITE_TURN_BUSY);
  pace.response(url, 503, {{"Retry-After", "60"}}, start, POLITE_SIGNAL_NONE, start);
  CHECK(pace.turn(url, start).until == start + std::chrono::seconds(60));
  const std::string other = "https://example.org/";
  CHECK(pace.start(other, start).ready());
  pace.cancel(other, start);
  pace.crawl_delay(other, polite::Robot("ExampleBot", kShop), start);
  CHECK(pace.turn(other, start).until == start + std::chrono::milliseconds(2500));
  polite::Pace loaded;
  loaded.load(pace.save(start));
  CHECK(loaded.turn(url, start).until == start + std::chrono::seconds(60));
  const polite::Time later = start + std::chrono::hours(1);
  CHECK(loaded.start(url, later).ready());
  loaded.failed(url, POLITE_NET_CONNECT, later, later);
  CHECK(!loaded.turn(url, later).ready());
}

}  // namespace

int main() {
  Owners();
  Documents();
  Errors();
  Matcher();
  Handlers();
  Policies();
  Threads();
  std::puts("C++: owners, views, matcher and handlers answered");
}
