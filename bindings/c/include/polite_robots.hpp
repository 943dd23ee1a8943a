// polite_robots.hpp: polite_robots.h for C++17, with owners and views. Header only.
//
//   polite::Robot robot("ExampleBot", body);
//   if (robot.allowed("https://example.com/search?q=robots")) { ... }
//
// Bytes go in as std::string_view and are read during the call alone. Texts that come out as std::string_view belong to
// the object that gave them and are valid as long as it; moving it does not change that. Objects never change once they
// are made: any number of threads may ask one of them. Nothing throws but for a token that is none, and std::bad_alloc.

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

[[noreturn]] inline void refuse_token() {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
  throw InvalidToken(last_error());
#else
  std::abort();
#endif
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
    if (read(agent, robots_txt, options) == POLITE_INVALID_TOKEN) detail::refuse_token();
  }

  /// The same without exceptions: a robot that is false if the token is none, and then disallows everything.
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
  /// The document that a response to `GET /robots.txt` is, by its status and its whole, decoded body (RFC 9309 section 2.3.1).
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
    std::vector<polite_str> strs;
    strs.reserve(agents.size());
    for (std::string_view agent : agents) strs.push_back(detail::str(agent));
    polite_robot* robot = nullptr;
    if (compile(get(), strs.data(), strs.size(), &robot) == POLITE_INVALID_TOKEN) detail::refuse_token();
    return Robot(robot);
  }

  std::unique_ptr<polite_robots_txt, detail::Free> robots_txt_;
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
