// googlebot/robots.h: the interface of Google's robots.txt library on top of polite_robots.h.
//
// A program that uses the header of google/robotstxt finds the same names and gets the same answers when it finds this
// one instead, and links polite_robots in place of Google's library. Verdicts and lines are those of the Google dialect,
// which is compared with Google's matcher bit for bit.
//
// Different from there: a RobotsMatcher keeps the last body with its compiled rules, so asking it again about the same
// body does not parse again. Its protected members are not here; a handler of one's own derives from RobotsParseHandler.
//
// string_view is absl's where abseil is installed, as in Google's header, and std's elsewhere. To have std's everywhere,
// define POLITE_ROBOTS_STD_STRING_VIEW.

#ifndef POLITE_ROBOTS_GOOGLEBOT_ROBOTS_H
#define POLITE_ROBOTS_GOOGLEBOT_ROBOTS_H

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../polite_robots.hpp"

#if !defined(POLITE_ROBOTS_STD_STRING_VIEW) && defined(__has_include)
#if __has_include("absl/strings/string_view.h")
#define POLITE_ROBOTS_ABSL_STRING_VIEW 1
#include "absl/strings/string_view.h"
#endif
#endif

namespace googlebot {

#ifdef POLITE_ROBOTS_ABSL_STRING_VIEW
using string_view = absl::string_view;
#else
using string_view = std::string_view;
#endif

/// The fields that Google's parser knows.
enum class KeyType {
  USER_AGENT = 0,
  SITEMAP = 1,
  ALLOW = 2,
  DISALLOW = 3,
  UNKNOWN = 128,
};

/// Gets the records of a file in their order. Thread safety is that of the class that derives from it.
class RobotsParseHandler {
 public:
  RobotsParseHandler() = default;
  virtual ~RobotsParseHandler() = default;
  RobotsParseHandler(const RobotsParseHandler&) = delete;
  RobotsParseHandler& operator=(const RobotsParseHandler&) = delete;

  virtual void HandleRobotsStart() = 0;
  virtual void HandleRobotsEnd() = 0;

  virtual void HandleUserAgent(int line_num, string_view value) = 0;
  virtual void HandleAllow(int line_num, string_view value) = 0;
  virtual void HandleDisallow(int line_num, string_view value) = 0;
  virtual void HandleSitemap(int line_num, string_view value) = 0;
  /// Records with any other field name.
  virtual void HandleUnknownAction(int line_num, string_view action, string_view value) = 0;

  /// Facts about a line; for one with a record they come after it.
  struct LineMetadata {
    bool is_empty = false;
    /// A comment, maybe after something else.
    bool has_comment = false;
    /// A comment and nothing else.
    bool is_comment = false;
    /// A record: one of the functions above was called.
    bool has_directive = false;
    /// A misspelling of the field name that counts.
    bool is_acceptable_typo = false;
    /// Longer than the 16,663 bytes that are read.
    bool is_line_too_long = false;
    bool is_missing_colon_separator = false;
  };

  virtual void ReportLineMetadata(int /* line_num */, const LineMetadata& /* metadata */) {}
};

namespace internal {

constexpr polite::Options kOptions = {polite::Dialect::google, 0};

inline std::string_view Std(string_view text) { return {text.data(), text.size()}; }
inline string_view View(std::string_view text) { return {text.data(), text.size()}; }

inline bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool IsHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

inline KeyType TypeOf(const polite::Line& line) {
  switch (line.tag) {
    case POLITE_TAG_USER_AGENT: return KeyType::USER_AGENT;
    case POLITE_TAG_ALLOW: return KeyType::ALLOW;
    case POLITE_TAG_DISALLOW: return KeyType::DISALLOW;
    case POLITE_TAG_SITEMAP: return KeyType::SITEMAP;
    default: return KeyType::UNKNOWN;
  }
}

/// The leading letters, `-` and `_` of an agent's name.
inline std::string_view Token(std::string_view agent) {
  std::size_t length = 0;
  while (length < agent.size() && (IsLetter(agent[length]) || agent[length] == '-' || agent[length] == '_')) ++length;
  return agent.substr(0, length);
}

/// A value with its bytes outside of ASCII percent-encoded and its escapes in upper case, as rules are compared. It is
/// only copied into `buffer` if that changes it.
inline std::string_view Escaped(std::string_view value, std::string* buffer) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  const auto upper = [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; };
  bool is_changed = false;
  buffer->clear();
  for (std::size_t i = 0; i < value.size(); ++i) {
    const unsigned char byte = static_cast<unsigned char>(value[i]);
    if (byte == '%' && i + 2 < value.size() && IsHexDigit(value[i + 1]) && IsHexDigit(value[i + 2])) {
      const char escape[] = {'%', upper(value[i + 1]), upper(value[i + 2])};
      is_changed = is_changed || value.substr(i, 3) != std::string_view(escape, 3);
      buffer->append(escape, 3);
      i += 2;
    } else if (byte >= 0x80) {
      is_changed = true;
      const char escape[] = {'%', kDigits[byte >> 4], kDigits[byte & 0xF]};
      buffer->append(escape, 3);
    } else {
      buffer->push_back(value[i]);
    }
  }
  return is_changed ? std::string_view(*buffer) : value;
}

/// Whether a User-agent value is for everyone: `*`, alone or with white space after it.
inline bool IsForEveryone(std::string_view value) {
  return !value.empty() && value[0] == '*' &&
         (value.size() == 1 || value[1] == ' ' || (value[1] >= '\t' && value[1] <= '\r'));
}

inline bool HasLetter(std::string_view text) {
  for (const char c : text) {
    if (IsLetter(c)) return true;
  }
  return false;
}

inline std::string LowerCase(std::string_view token) {
  std::string lower(token);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

/// Whether a group can name the agent, as Google compares them: with the token that a User-agent value begins with.
inline bool IsNameable(std::string_view agent) { return Token(agent).size() == agent.size(); }

/// A file in which agents without a letter have a name.
///
/// The token of `User-agent: 1bot` is empty and that of `User-agent: -` is `-`, so the agents `` and `-` are named there.
/// The core refuses them, as they are the names of no crawler.
struct LetterlessAgents {
  LetterlessAgents(std::string_view body, const std::vector<std::string>& agents) {
    const polite::RobotsTxt robots_txt(body, kOptions);
    std::set<std::string> taken;
    robots_txt.lines([&taken](const polite::Line& line) {
      if (line.tag == POLITE_TAG_USER_AGENT) taken.insert(LowerCase(Token(polite::value(line))));
    });
    // The first of a, b, … z, ba, … that the file does not have: a name longer than all of its would be cut where a line
    // of the file is as long as Google reads.
    for (std::size_t number = 0; name.empty() || taken.count(name) != 0; ++number) {
      name.clear();
      for (std::size_t rest = number; rest > 0 || name.empty(); rest /= 26) {
        name.insert(name.begin(), static_cast<char>('a' + rest % 26));
      }
    }
    // After a byte order mark: otherwise the bytes of one at the start of a line would be skipped.
    file = "\xEF\xBB\xBF";
    robots_txt.lines([this, &agents](const polite::Line& line) {
      if (line.line > 1) file.push_back('\n');
      if (!line.has_directive) return;
      std::string_view value = polite::value(line), field = polite::name(line);
      if (line.tag == POLITE_TAG_USER_AGENT && !IsForEveryone(value) && !HasLetter(Token(value))) {
        for (const std::string& agent : agents) {
          if (agent == Token(value)) value = name;
        }
        // The name of the field may be as long as a line is read, `useragentx…x`, with no room for a longer value.
        field = "user-agent";
      }
      file.append(field).append(":").append(value);
    });
  }

  std::string name;
  std::string file;
};

/// The rules of any agents: one that no group can name changes nothing.
inline polite::Robot MakeRobot(std::string_view body, const std::vector<std::string>& agents) {
  std::vector<std::string_view> tokens;
  bool is_any_letterless = false;
  for (const std::string& agent : agents) {
    if (!IsNameable(agent)) continue;
    if (HasLetter(agent)) {
      tokens.push_back(agent);
    } else {
      is_any_letterless = true;
    }
  }
  if (is_any_letterless) {
    const LetterlessAgents letterless(body, agents);
    tokens.push_back(letterless.name);
    return polite::RobotsTxt(letterless.file, kOptions).robot_merged(tokens);
  }
  // One pass for one agent, the usual case.
  if (tokens.size() == 1) return polite::Robot::make(tokens[0], body, kOptions);
  return polite::RobotsTxt(body, kOptions).robot_merged(tokens);
}

}  // namespace internal

/// The field that a name stands for, and whether it is a misspelling that counts.
inline KeyType GetKeyType(string_view key, bool* is_acceptable_typo) {
  // The names have letters, `-` and a blank inside, so that nothing after another byte, and nothing after the twelfth,
  // changes the answer; a blank in front would be cut off.
  std::string record;
  for (const char c : internal::Std(key).substr(0, 12)) {
    if (!internal::IsLetter(c) && c != '-' && (c != ' ' || record.empty())) break;
    record.push_back(c);
  }
  record.push_back(':');
  KeyType type = KeyType::UNKNOWN;
  bool is_typo = false;
  polite::RobotsTxt(record, internal::kOptions).lines([&](const polite::Line& line) {
    type = internal::TypeOf(line);
    is_typo = line.is_typo;
  });
  if (is_acceptable_typo != nullptr) *is_acceptable_typo = is_typo;
  return type;
}

/// Reads a file and calls the handler for each of its records and lines. Any bytes are a file. Thread-safe with handlers
/// that are.
inline void ParseRobotsTxt(string_view robots_body, RobotsParseHandler* parse_callback) {
  parse_callback->HandleRobotsStart();
  const polite::RobotsTxt robots_txt(internal::Std(robots_body), internal::kOptions);
  std::string buffer;
  robots_txt.lines([&](const polite::Line& line) {
    const int number = static_cast<int>(line.line);
    if (line.has_directive) {
      const std::string_view value = polite::value(line);
      switch (internal::TypeOf(line)) {
        case KeyType::USER_AGENT:
          parse_callback->HandleUserAgent(number, internal::View(value));
          break;
        case KeyType::ALLOW:
          parse_callback->HandleAllow(number, internal::View(internal::Escaped(value, &buffer)));
          break;
        case KeyType::DISALLOW:
          parse_callback->HandleDisallow(number, internal::View(internal::Escaped(value, &buffer)));
          break;
        case KeyType::SITEMAP:
          parse_callback->HandleSitemap(number, internal::View(value));
          break;
        case KeyType::UNKNOWN:
          parse_callback->HandleUnknownAction(number, internal::View(polite::name(line)),
                                              internal::View(internal::Escaped(value, &buffer)));
          break;
      }
    }
    RobotsParseHandler::LineMetadata metadata;
    metadata.is_empty = line.is_empty;
    metadata.has_comment = line.has_comment;
    metadata.is_comment = line.is_comment;
    metadata.has_directive = line.has_directive;
    metadata.is_acceptable_typo = line.is_typo;
    metadata.is_line_too_long = line.is_line_too_long;
    metadata.is_missing_colon_separator = line.is_missing_colon;
    parse_callback->ReportLineMetadata(number, metadata);
  });
  parse_callback->HandleRobotsEnd();
}

/// Matches URLs with a file. It can be asked any number of times, about one file or several. Not thread-safe: each thread
/// needs a matcher of its own, or shares a polite::Robot.
class RobotsMatcher {
 public:
  RobotsMatcher() = default;
  virtual ~RobotsMatcher() = default;
  RobotsMatcher(const RobotsMatcher&) = delete;
  RobotsMatcher& operator=(const RobotsMatcher&) = delete;

  /// Whether a file can name the agent: it has letters, `-` and `_` alone, and at least one of them.
  static bool IsValidUserAgentToObey(string_view user_agent) {
    const std::string_view agent = internal::Std(user_agent);
    return !agent.empty() && internal::IsNameable(agent);
  }

  /// Whether any of the agents may fetch the URL, percent-encoded: if the file names one of them, by the rules of all
  /// groups that do, else by those of `*`. An agent that no file can name changes nothing.
  bool AllowedByRobots(string_view robots_body, const std::vector<std::string>* user_agents, const std::string& url) {
    static const std::vector<std::string> kNobody;
    Compile(internal::Std(robots_body), user_agents == nullptr ? kNobody : *user_agents);
    verdict_ = robot_.check(url);
    is_asked_ = true;
    return verdict_.allowed();
  }

  /// Like `AllowedByRobots`, for one agent.
  bool OneAgentAllowedByRobots(string_view robots_txt, const std::string& user_agent, const std::string& url) {
    const std::vector<std::string> user_agents = {user_agent};
    return AllowedByRobots(robots_txt, &user_agents, url);
  }

  /// Whether the URL of the last question is disallowed.
  bool disallow() const { return is_asked_ && !verdict_.allowed(); }

  /// Like `disallow`, by the groups that name one of the agents alone.
  bool disallow_ignore_global() const { return ever_seen_specific_agent() && disallow(); }

  /// Whether the file of the last question names one of the agents.
  bool ever_seen_specific_agent() const { return verdict_.agent_match() == POLITE_AGENT_MATCH_NAMED; }

  /// The line that decided the last question; 0 if none did.
  int matching_line() const { return static_cast<int>(verdict_.line()); }

 private:
  /// Makes the robot for a question, unless it is that of the last one.
  void Compile(std::string_view body, const std::vector<std::string>& agents) {
    if (robot_ && body == body_ && agents == agents_) return;
    polite::Robot robot = internal::MakeRobot(body, agents);
    // Without a robot nothing is remembered, so an exception in between does no harm.
    robot_ = polite::Robot(nullptr);
    body_ = body;
    agents_ = agents;
    robot_ = std::move(robot);
  }

  polite::Robot robot_ = polite::Robot(nullptr);
  std::string body_;
  std::vector<std::string> agents_;
  polite::Verdict verdict_ = polite::Verdict(polite_verdict{});
  bool is_asked_ = false;
};

}  // namespace googlebot

#endif  // POLITE_ROBOTS_GOOGLEBOT_ROBOTS_H
