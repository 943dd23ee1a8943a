// polite_robots.hpp: polite_robots.h for C++17, with owners and views. Header only.
//
//   polite::Robot robot("ExampleBot", body);
//   if (robot.allowed("https://example.com/search?q=robots")) { ... }
//
// Bytes go in as std::string_view and are read only during the call. Texts that come out as std::string_view belong to
// the object that gave them and are valid as long as it; moving it does not change that. Any number of threads may ask
// one object, except a Fetch, which one thread at a time drives. Functions throw only for an agent that is not a
// product token, for bytes that this release has not saved, and std::bad_alloc.

#ifndef POLITE_ROBOTS_HPP
#define POLITE_ROBOTS_HPP

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 201703L
#error "polite_robots.hpp needs C++17"
#endif

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polite_robots.h"

namespace polite {

/// The reading of a file that decides verdicts.
enum class Dialect : std::uint8_t {
  rfc9309 = POLITE_DIALECT_RFC9309,
  google = POLITE_DIALECT_GOOGLE,
};

/// How a robots.txt is read. 0 stands for no limit.
struct Options {
  Dialect dialect = Dialect::rfc9309;
  std::uint64_t max_bytes = 0;
};

/// An agent that is neither a product token nor `*`; `what()` names the token that was probably meant.
class InvalidToken : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Bytes that no cache or pace of this release saved.
class InvalidSaved : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The meaning of a line, and the reason and the agent match of a verdict, by the names of the C header.
using Line = polite_line;

namespace detail {

inline polite_str str(std::string_view text) noexcept { return {text.data(), text.size()}; }

inline std::string_view view(polite_str text) noexcept {
  return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.length);
}

inline polite_options options(Options from) noexcept {
  polite_options options = {};
  options.size = sizeof options;
  options.dialect = static_cast<std::uint8_t>(from.dialect);
  options.max_bytes = from.max_bytes;
  return options;
}

/// A text of a function that writes into a buffer as snprintf does.
template <class Write>
std::string text(Write write) {
  std::string text(96, '\0');
  std::size_t length = write(&text[0], text.size());
  if (length >= text.size()) {
    text.resize(length + 1);
    length = write(&text[0], text.size());
  }
  text.resize(length);
  return text;
}

inline std::string last_error() {
  return text([](char* buffer, std::size_t capacity) { return polite_last_error(buffer, capacity); });
}

template <class Error>
[[noreturn]] inline void refuse() {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
  throw Error(last_error());
#else
  std::abort();
#endif
}

inline std::vector<polite_str> strs(const std::vector<std::string_view>& texts) {
  std::vector<polite_str> strs;
  strs.reserve(texts.size());
  for (std::string_view text : texts) strs.push_back(str(text));
  return strs;
}

/// The bytes that a function saves.
template <class Save>
std::string saved(Save save) {
  char* data = nullptr;
  std::size_t length = 0;
  if (save(&data, &length) != POLITE_OK) return std::string();
  struct Owner {
    char* data;
    std::size_t length;
    ~Owner() { polite_saved_free(data, length); }
  } const owner = {data, length};
  return std::string(owner.data, owner.length);
}

/// The values of a function that lists them from a number on.
template <class List>
std::vector<std::string_view> list(List list) {
  std::vector<polite_str> values(list(nullptr, 0));
  list(values.data(), values.size());
  std::vector<std::string_view> views;
  views.reserve(values.size());
  for (polite_str value : values) views.push_back(view(value));
  return views;
}

struct Free {
  void operator()(polite_robot* robot) const noexcept { polite_robot_free(robot); }
  void operator()(polite_robots_txt* robots_txt) const noexcept { polite_robots_txt_free(robots_txt); }
  void operator()(polite_cache* cache) const noexcept { polite_cache_free(cache); }
  void operator()(polite_fetch* fetch) const noexcept { polite_fetch_free(fetch); }
  void operator()(polite_pace* pace) const noexcept { polite_pace_free(pace); }
};

}  // namespace detail

/// The answer to "may this agent fetch this URL?", with its evidence. Its patterns belong to the robot.
class Verdict {
 public:
  explicit Verdict(const polite_verdict& verdict) noexcept : verdict_(verdict) {}

  /// Whether the URL may be fetched.
  bool allowed() const noexcept { return verdict_.allowed; }
  explicit operator bool() const noexcept { return allowed(); }

  polite_reason reason() const noexcept { return static_cast<polite_reason>(verdict_.reason); }
  polite_agent_match agent_match() const noexcept { return static_cast<polite_agent_match>(verdict_.agent_match); }
  polite_cause cause() const noexcept { return static_cast<polite_cause>(verdict_.cause); }
  /// The HTTP status that decided about the whole site; 0 if none did.
  std::uint16_t status() const noexcept { return verdict_.status; }

  /// Lines count from 1; 0 stands for none.
  std::uint32_t line() const noexcept { return verdict_.line; }
  std::uint32_t group_line() const noexcept { return verdict_.group_line; }
  std::uint32_t overruled_line() const noexcept { return verdict_.overruled_line; }
  std::string_view pattern() const noexcept { return detail::view(verdict_.pattern); }
  std::string_view overruled_pattern() const noexcept { return detail::view(verdict_.overruled_pattern); }

 private:
  polite_verdict verdict_;
};

/// A robots.txt for one agent. It can be moved but not copied; `clone` makes a second owner for the price of a counter.
/// One that was moved from disallows everything.
class Robot {
 public:
  /// Throws InvalidToken; without exceptions such a token ends the program, and `make` does not.
  Robot(std::string_view agent, std::string_view robots_txt, Options options = {})
      : robot_(nullptr) {
    if (read(agent, robots_txt, options) == POLITE_INVALID_TOKEN) detail::refuse<InvalidToken>();
  }

  /// Like the constructor, but without exceptions: if the token is invalid, the robot is false and disallows
  /// everything.
  static Robot make(std::string_view agent, std::string_view robots_txt, Options options = {}) noexcept {
    Robot robot(nullptr);
    robot.read(agent, robots_txt, options);
    return robot;
  }

  /// Robots for a site without a robots.txt. 0 stands for a decision of the crawler's operator.
  static Robot allow_all(std::uint16_t status = 0) noexcept { return Robot(polite_robot_allow_all(status)); }
  static Robot disallow_all(std::uint16_t status = 0) noexcept { return Robot(polite_robot_disallow_all(status)); }

  /// Takes a handle of the C functions, and frees it in the end.
  explicit Robot(polite_robot* robot) noexcept : robot_(robot) {}

  bool allowed(std::string_view url) const noexcept { return polite_robot_allowed(get(), detail::str(url)); }

  Verdict check(std::string_view url) const noexcept {
    polite_verdict verdict = {};
    verdict.size = sizeof verdict;
    polite_robot_check(get(), detail::str(url), &verdict);
    return Verdict(verdict);
  }

  /// The verdict as one sentence for a log or a person.
  std::string explain(std::string_view url) const {
    return detail::text([&](char* buffer, std::size_t capacity) {
      return polite_robot_explain(get(), detail::str(url), buffer, capacity);
    });
  }

  /// The delay that the file asks for, in seconds. It has no upper bound, so cap it.
  std::optional<std::chrono::duration<double>> crawl_delay() const noexcept {
    std::uint64_t seconds = 0;
    std::uint32_t nanoseconds = 0;
    if (!polite_robot_crawl_delay(get(), &seconds, &nanoseconds)) return std::nullopt;
    return std::chrono::duration<double>(static_cast<double>(seconds) + nanoseconds / 1e9);
  }

  std::vector<std::string_view> sitemaps() const {
    return detail::list([&](polite_str* out, std::size_t n) { return polite_robot_sitemaps(get(), 0, out, n); });
  }

  Robot clone() const noexcept { return Robot(polite_robot_clone(get())); }
  /// The robot without the groups of `*`.
  Robot named_only() const noexcept { return Robot(polite_robot_named_only(get())); }

  /// The handle for the C functions; it stays with this object.
  const polite_robot* get() const noexcept { return robot_.get(); }
  explicit operator bool() const noexcept { return robot_ != nullptr; }

 private:
  polite_result read(std::string_view agent, std::string_view robots_txt, Options from) noexcept {
    const polite_options options = detail::options(from);
    polite_robot* robot = nullptr;
    const polite_result result = polite_robot_new(detail::str(agent), detail::str(robots_txt), &options, &robot);
    robot_.reset(robot);
    return result;
  }

  std::unique_ptr<polite_robot, detail::Free> robot_;
};

/// A robots.txt for every agent. It can be moved but not copied; its robots outlive it.
class RobotsTxt {
 public:
  explicit RobotsTxt(std::string_view robots_txt, Options options = {}) noexcept {
    const polite_options c_options = detail::options(options);
    robots_txt_.reset(polite_robots_txt_parse(detail::str(robots_txt), &c_options));
  }
  /// Reads a response to `GET /robots.txt` by its status and its whole, decoded body (RFC 9309 section 2.3.1).
  static RobotsTxt from_status(std::uint16_t status, std::string_view body, Options options = {}) noexcept {
    const polite_options c_options = detail::options(options);
    RobotsTxt robots_txt{std::string_view{}};
    robots_txt.robots_txt_.reset(polite_robots_txt_from_status(status, detail::str(body), &c_options));
    return robots_txt;
  }

  /// The rules of one agent. Throws InvalidToken.
  Robot robot(std::string_view agent) const { return merged({agent}); }
  /// The rules of several agents as one set, as Google's matcher has it. Throws InvalidToken.
  Robot robot_merged(const std::vector<std::string_view>& agents) const { return merged(agents); }
  /// The rules of the first agent that the file names. Throws InvalidToken.
  Robot robot_first(const std::vector<std::string_view>& agents) const {
    return robot_by(polite_robots_txt_robot_first, agents);
  }

  std::vector<std::string_view> sitemaps() const {
    return detail::list([&](polite_str* out, std::size_t n) { return polite_robots_txt_sitemaps(get(), 0, out, n); });
  }

  /// Calls `visit(const polite::Line&)` for every line, in order. If it throws, no further line is visited and the
  /// exception goes on to the caller.
  template <class Visit>
  void lines(Visit visit) const {
    struct Context {
      Visit& visit;
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
      std::exception_ptr thrown;
#endif
    } context = {visit
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
                 , nullptr
#endif
    };
    // No exception may cross the frames of the library, so one waits here until they are left.
    const auto each = [](void* pointer, const polite_line* line) {
      Context& context_ = *static_cast<Context*>(pointer);
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
      if (context_.thrown) return;
      try {
        context_.visit(*line);
      } catch (...) {
        context_.thrown = std::current_exception();
      }
#else
      context_.visit(*line);
#endif
    };
    polite_robots_txt_lines(get(), each, &context);
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    if (context.thrown) std::rethrow_exception(context.thrown);
#endif
  }

  /// The handle for the C functions; it stays with this object.
  const polite_robots_txt* get() const noexcept { return robots_txt_.get(); }

 private:
  Robot merged(const std::vector<std::string_view>& agents) const { return robot_by(polite_robots_txt_robot, agents); }

  template <class Compile>
  Robot robot_by(Compile compile, const std::vector<std::string_view>& agents) const {
    const std::vector<polite_str> strs = detail::strs(agents);
    polite_robot* robot = nullptr;
    if (compile(get(), strs.data(), strs.size(), &robot) == POLITE_INVALID_TOKEN) detail::refuse<InvalidToken>();
    return Robot(robot);
  }

  std::unique_ptr<polite_robots_txt, detail::Free> robots_txt_;
};

/// How a cache and a pace decide: give both the same. 0 stands for the default.
struct Policy {
  polite_profile profile = POLITE_PROFILE_RFC9309;
  std::uint64_t max_memory = 0;
  std::chrono::milliseconds min_delay{0};
};

/// The time of a call.
using Time = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

inline Time now() noexcept {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

/// The fields of a response's header, as they came.
using Headers = std::vector<std::pair<std::string_view, std::string_view>>;

namespace detail {

inline std::uint64_t ms(Time time) noexcept { return static_cast<std::uint64_t>(time.time_since_epoch().count()); }

/// Converts a time of the C functions; one that never comes becomes the last time.
inline Time time(std::uint64_t milliseconds) noexcept {
  const std::uint64_t last = static_cast<std::uint64_t>(std::chrono::milliseconds::max().count());
  return Time(std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds < last ? milliseconds : last)));
}

inline polite_policy policy(Policy from) noexcept {
  polite_policy policy = {};
  policy.size = sizeof policy;
  policy.profile = static_cast<std::uint8_t>(from.profile);
  policy.max_memory = from.max_memory;
  policy.min_delay_ms = static_cast<std::uint64_t>(from.min_delay.count());
  return policy;
}

inline std::vector<polite_header> headers(const Headers& from) {
  std::vector<polite_header> headers;
  headers.reserve(from.size());
  for (const auto& [name, value] : from) headers.push_back({str(name), str(value)});
  return headers;
}

}  // namespace detail

/// The round for one robots.txt. It can be moved but not copied. One that is destroyed before `Cache::end` is given back.
class Fetch {
 public:
  explicit Fetch(polite_fetch* fetch = nullptr) noexcept : fetch_(fetch) {}
  /// Whether there is one to drive.
  explicit operator bool() const noexcept { return fetch_ != nullptr; }

  /// The next step, by the names of the C header. Its texts are valid until the next call.
  polite_fetch_step next(Time at = now()) noexcept {
    polite_fetch_step step = {};
    step.size = sizeof step;
    polite_fetch_next(fetch_.get(), detail::ms(at), &step);
    return step;
  }

  void response(std::uint16_t status, const Headers& headers, std::string_view body,
                polite_body_end end = POLITE_BODY_COMPLETE, Time at = now()) {
    const std::vector<polite_header> fields = detail::headers(headers);
    polite_fetch_response(fetch_.get(), status, fields.data(), fields.size(), body.data(), body.size(),
                          static_cast<std::uint8_t>(end), detail::ms(at));
  }
  void failed(polite_net_error error, Time at = now()) noexcept {
    polite_fetch_failed(fetch_.get(), static_cast<std::uint8_t>(error), detail::ms(at));
  }
  void refused(Time at = now()) noexcept { polite_fetch_refused(fetch_.get(), detail::ms(at)); }
  void by_name(Time at = now()) noexcept { polite_fetch_by_name(fetch_.get(), detail::ms(at)); }
  void resolved(const std::vector<std::string_view>& addresses, Time at = now()) {
    const std::vector<polite_str> strs = detail::strs(addresses);
    polite_fetch_resolved(fetch_.get(), strs.data(), strs.size(), detail::ms(at));
  }

  /// The handle for the C functions; it stays with this object.
  polite_fetch* get() const noexcept { return fetch_.get(); }
  /// Gives the handle away.
  polite_fetch* release() noexcept { return fetch_.release(); }

 private:
  std::unique_ptr<polite_fetch, detail::Free> fetch_;
};

/// Whether a URL may be fetched now.
struct Access {
  polite_answer answer = POLITE_ANSWER_NONE;
  polite_cause cause = POLITE_CAUSE_NONE;
  std::uint16_t status = 0;
  std::uint32_t line = 0;
  /// When to ask again about a closed site.
  Time retry_at{};
  /// The rules in force; none while a fetch is due or under way.
  Robot robot{nullptr};
  /// The fetch to drive, if the answer is `POLITE_ANSWER_FETCH`.
  Fetch fetch;

  bool allowed() const noexcept { return answer == POLITE_ANSWER_ALLOWED; }
};

/// The robots.txt of many sites, by the functions `polite_cache_…`. It can be moved but not copied.
class Cache {
 public:
  /// The most specific agent first. Throws InvalidToken.
  explicit Cache(const std::vector<std::string_view>& agents, Policy from = {}) {
    const std::vector<polite_str> strs = detail::strs(agents);
    const polite_policy policy = detail::policy(from);
    polite_cache* cache = nullptr;
    if (polite_cache_new(strs.data(), strs.size(), &policy, &cache) == POLITE_INVALID_TOKEN) detail::refuse<InvalidToken>();
    cache_.reset(cache);
  }

  /// The answer about a URL. A URL without a robots.txt gets `POLITE_ANSWER_NONE`, which is no permission.
  Access ask(std::string_view url, polite_page page = POLITE_PAGE_ALONE, Time at = now()) {
    polite_access access = {};
    access.size = sizeof access;
    polite_robot* robot = nullptr;
    polite_fetch* fetch = nullptr;
    polite_cache_ask(get(), url.data(), url.size(), static_cast<std::uint8_t>(page), detail::ms(at), &access, &robot, &fetch);
    return {static_cast<polite_answer>(access.answer), static_cast<polite_cause>(access.cause), access.status, access.line,
            detail::time(access.retry_at_ms), Robot(robot), Fetch(fetch)};
  }

  void end(Fetch fetch, Time at = now()) noexcept { polite_cache_end(get(), fetch.release(), detail::ms(at)); }
  void renew(const Fetch& fetch, Time at = now()) noexcept { polite_cache_renew(get(), fetch.get(), detail::ms(at)); }
  void release(std::string_view url) noexcept { polite_cache_release(get(), url.data(), url.size()); }
  void reset(std::string_view url) noexcept { polite_cache_reset(get(), url.data(), url.size()); }
  void set_site(std::string_view url, polite_site site, Time at = now()) noexcept {
    polite_cache_set_site(get(), url.data(), url.size(), static_cast<std::uint8_t>(site), detail::ms(at));
  }

  /// A sentence about the site of a URL: what applies, since when and until when; empty if the site is not known.
  std::string explain(std::string_view url, Time at = now()) const {
    return detail::text([&](char* buffer, std::size_t capacity) {
      return polite_cache_explain(get(), url.data(), url.size(), detail::ms(at), buffer, capacity);
    });
  }

  std::string save() const {
    return detail::saved([&](char** data, std::size_t* length) { return polite_cache_save(get(), data, length); });
  }
  /// Throws InvalidSaved, and changes nothing then.
  void load(std::string_view saved, Time at = now()) {
    if (polite_cache_load(get(), saved.data(), saved.size(), detail::ms(at)) == POLITE_INVALID_SAVED)
      detail::refuse<InvalidSaved>();
  }

  /// The handle for the C functions; it stays with this object.
  polite_cache* get() const noexcept { return cache_.get(); }

 private:
  std::unique_ptr<polite_cache, detail::Free> cache_;
};

/// The turn of a host.
struct Turn {
  polite_turn_kind kind = POLITE_TURN_NONE;
  /// The time of `POLITE_TURN_NOT_BEFORE`.
  Time until{};

  bool ready() const noexcept { return kind == POLITE_TURN_READY; }
};

/// The paces of many hosts, by the functions `polite_pace_…`. It can be moved but not copied.
class Pace {
 public:
  explicit Pace(Policy from = {}) noexcept {
    const polite_policy policy = detail::policy(from);
    polite_pace* pace = nullptr;
    polite_pace_new(&policy, &pace);
    pace_.reset(pace);
  }

  Turn turn(std::string_view url, Time at = now()) noexcept { return turn_by(polite_pace_turn, url, at); }
  /// Like `turn`, and begins the request if the turn is ready.
  Turn start(std::string_view url, Time at = now()) noexcept { return turn_by(polite_pace_start, url, at); }

  void response(std::string_view url, std::uint16_t status, const Headers& headers, Time started,
                polite_signal signal = POLITE_SIGNAL_NONE, Time at = now()) {
    const std::vector<polite_header> fields = detail::headers(headers);
    polite_pace_response(get(), url.data(), url.size(), status, fields.data(), fields.size(),
                         static_cast<std::uint8_t>(signal), detail::ms(started), detail::ms(at));
  }
  void failed(std::string_view url, polite_net_error error, Time started, Time at = now()) noexcept {
    polite_pace_failed(get(), url.data(), url.size(), static_cast<std::uint8_t>(error), detail::ms(started), detail::ms(at));
  }
  void cancel(std::string_view url, Time at = now()) noexcept {
    polite_pace_cancel(get(), url.data(), url.size(), detail::ms(at));
  }
  void crawl_delay(std::string_view url, const Robot& robot, Time at = now()) noexcept {
    polite_pace_crawl_delay(get(), url.data(), url.size(), robot.get(), detail::ms(at));
  }

  std::string save(Time at = now()) const {
    return detail::saved(
        [&](char** data, std::size_t* length) { return polite_pace_save(get(), detail::ms(at), data, length); });
  }
  /// Throws InvalidSaved, and changes nothing then.
  void load(std::string_view saved) {
    if (polite_pace_load(get(), saved.data(), saved.size()) == POLITE_INVALID_SAVED) detail::refuse<InvalidSaved>();
  }

  /// The handle for the C functions; it stays with this object.
  polite_pace* get() const noexcept { return pace_.get(); }

 private:
  template <class Ask>
  Turn turn_by(Ask ask, std::string_view url, Time at) noexcept {
    polite_turn turn = {};
    turn.size = sizeof turn;
    ask(get(), url.data(), url.size(), detail::ms(at), &turn);
    return {static_cast<polite_turn_kind>(turn.turn), detail::time(turn.until_ms)};
  }

  std::unique_ptr<polite_pace, detail::Free> pace_;
};

/// The URL of the robots.txt that governs a page; none if there is no such URL.
inline std::optional<std::string> robots_url(std::string_view url) {
  std::string found = detail::text([&](char* buffer, std::size_t capacity) {
    return polite_robots_url(detail::str(url), buffer, capacity);
  });
  return found.empty() ? std::nullopt : std::optional<std::string>(std::move(found));
}

/// The product token that a whole `User-Agent` header probably stands for.
inline std::optional<std::string> product_token(std::string_view user_agent) {
  std::string token = detail::text([&](char* buffer, std::size_t capacity) {
    return polite_product_token(detail::str(user_agent), buffer, capacity);
  });
  return token.empty() ? std::nullopt : std::optional<std::string>(std::move(token));
}

/// The name of a record and its value, as written.
inline std::string_view name(const Line& line) noexcept { return detail::view(line.name); }
inline std::string_view value(const Line& line) noexcept { return detail::view(line.value); }

}  // namespace polite

#endif  // POLITE_ROBOTS_HPP
