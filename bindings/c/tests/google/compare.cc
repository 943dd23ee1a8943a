// Google's library and the drop-in in one process, compared and timed. Both have the same names, so Google's is compiled
// with -Dgooglebot=original.
//
// compare random COUNT SEED: random files, each with all events, verdicts and lines of both.
// compare time FOLDER QUESTIONS: seconds for questions about real files; QUESTIONS has lines of FILE, agent and URL, with
// tabs between them, and may have more columns. ENFORCE=1 makes the limits errors.
#define googlebot original
#include "original/robots.h"
#undef googlebot

#include <googlebot/robots.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

/// All calls that a handler gets, as text.
template <class Base, class View>
class Log : public Base {
 public:
  void HandleRobotsStart() override { text += "start\n"; }
  void HandleRobotsEnd() override { text += "end\n"; }
  void HandleUserAgent(int line, View value) override { Add('u', line, value); }
  void HandleAllow(int line, View value) override { Add('a', line, value); }
  void HandleDisallow(int line, View value) override { Add('d', line, value); }
  void HandleSitemap(int line, View value) override { Add('s', line, value); }
  void HandleUnknownAction(int line, View action, View value) override {
    Add('x', line, action);
    Add('=', line, value);
  }
  void ReportLineMetadata(int line, const typename Base::LineMetadata& metadata) override {
    text += std::to_string(line);
    for (bool is_set : {metadata.is_empty, metadata.has_comment, metadata.is_comment, metadata.has_directive,
                        metadata.is_acceptable_typo, metadata.is_line_too_long, metadata.is_missing_colon_separator}) {
      text += is_set ? '1' : '0';
    }
    text += '\n';
  }

  std::string text;

 private:
  void Add(char kind, int line, View value) {
    text += kind + std::to_string(line) + ' ' + std::string(value.data(), value.size()) + '\n';
  }
};

using OriginalLog = Log<original::RobotsParseHandler, absl::string_view>;
using OurLog = Log<googlebot::RobotsParseHandler, googlebot::string_view>;

template <class Matcher>
std::string Ask(Matcher& matcher, const std::string& body, const std::vector<std::string>& agents, const std::string& url) {
  std::ostringstream out;
  out << matcher.AllowedByRobots(body, &agents, url) << matcher.disallow() << matcher.disallow_ignore_global()
      << matcher.ever_seen_specific_agent() << ' ' << matcher.matching_line();
  return out.str();
}

void Fail(const char* subject, const std::string& theirs, const std::string& ours, const std::string& body) {
  std::printf("%s differs\n--- Google's\n%s\n--- ours\n%s\n--- file\n%s\n", subject, theirs.c_str(), ours.c_str(), body.c_str());
  std::exit(1);
}

int Random(unsigned long count, unsigned seed) {
  const std::vector<std::string> parts = {
      "user-agent", "User-agent: ", "useragent", "user agent", "Allow: ", "allow", "Disallow: ", "disallow", "disalow",
      "dissallow", "Sitemap: ", "site-map", "crawl-delay: 1", ":", ": ", " ", "\t", "\v", "\f", "\r", "\n", "\n", "\r\n", "#",
      "*", "* ", "*x", "$", "/", "/a", "/b", "/index.html", "/index.htm", "a", "b", "FooBot", "foobot", "1bot", "-_", "%2f",
      "%aa", "%", "%zz", "\xC3\xA9", "\xFF", "\xEF\xBB\xBF", "\xEF", std::string(1, '\0'), ";", "?", "//", "://", "http://h",
      std::string(16650, 'x'), "Disallow: /\n", "User-agent: *\n", "User-agent: FooBot\n", "User-agent: 2\n"};
  std::mt19937 random(seed);
  const auto any = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const auto text = [&](std::size_t most) {
    std::string made;
    for (std::size_t n = any(most + 1); n > 0; --n) {
      const std::string& part = parts[any(parts.size())];
      // Long parts are slow, so they come seldom.
      if (part.size() < 100 || any(50) == 0) made += part;
      if (any(30) == 0) made += static_cast<char>(any(256));
    }
    return made;
  };
  const std::vector<std::string> agents = {"FooBot", "foobot", "a", "b", "", "*", "1bot", "-_", "FooBot/2", "\xC3\xA9"};
  original::RobotsMatcher original_matcher;
  googlebot::RobotsMatcher matcher;
  for (unsigned long i = 0; i < count; ++i) {
    const std::string body = text(40);
    OriginalLog original_log;
    original::ParseRobotsTxt(body, &original_log);
    OurLog log;
    googlebot::ParseRobotsTxt(body, &log);
    if (original_log.text != log.text) Fail("a call of the handler", original_log.text, log.text, body);
    for (int question = 0; question < 4; ++question) {
      std::vector<std::string> asked;
      for (std::size_t n = any(4); n > 0; --n) asked.push_back(agents[any(agents.size())]);
      const std::string url = any(2) == 0 ? text(4) : "/" + text(4);
      const std::string theirs = Ask(original_matcher, body, asked, url);
      const std::string ours = Ask(matcher, body, asked, url);
      if (theirs != ours) Fail(("the answer about " + url).c_str(), theirs, ours, body);
    }
    const std::string key = text(3);
    bool is_typo[2] = {};
    const int types[] = {static_cast<int>(original::GetKeyType(key, &is_typo[0])),
                         static_cast<int>(googlebot::GetKeyType(key, &is_typo[1]))};
    if (types[0] != types[1] || is_typo[0] != is_typo[1]) Fail("the type", std::to_string(types[0]), std::to_string(types[1]), key);
    if (original::RobotsMatcher::IsValidUserAgentToObey(key.c_str()) !=
        googlebot::RobotsMatcher::IsValidUserAgentToObey(key.c_str())) {
      Fail("IsValidUserAgentToObey", "", "", key);
    }
  }
  std::printf("googlebot/robots.h: %lu random files, all calls and answers are those of Google's library\n", count);
  return 0;
}

struct Question {
  const std::string* body;
  std::string agent, url;
};

/// The least time of several runs, in nanoseconds for each question.
template <class Run>
double Time(std::size_t questions, Run run) {
  double least = 1e300;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count() / static_cast<double>(questions));
  }
  return least;
}

int Times(const char* folder, const char* path) {
  std::map<std::string, std::string> bodies;
  std::vector<Question> questions;
  std::ifstream rows(path);
  for (std::string row; std::getline(rows, row);) {
    const std::size_t first = row.find('\t'), second = row.find('\t', first + 1);
    const std::size_t third = std::min(row.find('\t', second + 1), row.size());
    const std::string name = row.substr(0, first);
    if (bodies.find(name) == bodies.end()) {
      std::ifstream file(std::string(folder) + "/" + name, std::ios::binary);
      if (!file) continue;
      bodies[name].assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    questions.push_back({&bodies[name], row.substr(first + 1, second - first - 1), row.substr(second + 1, third - second - 1)});
  }
  if (questions.size() < 1000) {
    std::printf("only %zu questions in %s\n", questions.size(), path);
    return 1;
  }
  std::vector<int> lines[3];
  for (std::vector<int>& line : lines) line.resize(questions.size());
  const double theirs = Time(questions.size(), [&] {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      original::RobotsMatcher matcher;
      matcher.OneAgentAllowedByRobots(*questions[i].body, questions[i].agent, questions[i].url);
      lines[0][i] = matcher.disallow() ? -matcher.matching_line() : matcher.matching_line();
    }
  });
  const double dropin = Time(questions.size(), [&] {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      googlebot::RobotsMatcher matcher;
      matcher.OneAgentAllowedByRobots(*questions[i].body, questions[i].agent, questions[i].url);
      lines[1][i] = matcher.disallow() ? -matcher.matching_line() : matcher.matching_line();
    }
  });
  // One robot for each agent of a file, as a crawler keeps them.
  std::map<std::pair<const std::string*, std::string>, polite::Robot> kept_robots;
  std::vector<const polite::Robot*> robots;
  for (const Question& question : questions) {
    const auto key = std::make_pair(question.body, question.agent);
    auto found = kept_robots.find(key);
    if (found == kept_robots.end()) {
      found = kept_robots.emplace(key, polite::Robot(question.agent, *question.body, {polite::Dialect::google, 0})).first;
    }
    robots.push_back(&found->second);
  }
  const double kept = Time(questions.size(), [&] {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      lines[2][i] = robots[i]->allowed(questions[i].url);
    }
  });
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (lines[0][i] != lines[1][i] || (lines[0][i] >= 0) != (lines[2][i] == 1)) {
      std::printf("another answer about %s for %s\n", questions[i].url.c_str(), questions[i].agent.c_str());
      return 1;
    }
  }
  std::printf("%zu files, %zu questions to %zu robots, nanoseconds for each:\n", bodies.size(), questions.size(),
              kept_robots.size());
  std::printf("  Google's RobotsMatcher, parse and match   %9.0f\n", theirs);
  std::printf("  googlebot/robots.h, parse and match       %9.0f  %6.1f times as fast, at least 2\n", dropin, theirs / dropin);
  std::printf("  polite::Robot that is kept, match         %9.0f  %6.1f times as fast, at least 40\n", kept, theirs / kept);
  const bool is_fast = theirs >= 2 * dropin && theirs >= 40 * kept;
  if (!is_fast) std::puts("too slow");
  return is_fast || std::getenv("ENFORCE") == nullptr ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 4 && std::strcmp(arguments[1], "random") == 0) {
    return Random(std::strtoul(arguments[2], nullptr, 10), static_cast<unsigned>(std::strtoul(arguments[3], nullptr, 10)));
  }
  if (count == 4 && std::strcmp(arguments[1], "time") == 0) return Times(arguments[2], arguments[3]);
  std::fputs("compare random COUNT SEED | compare time FOLDER QUESTIONS\n", stderr);
  return 2;
}
