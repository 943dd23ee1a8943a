// A program of Google's robots.txt library. It moves by two changes: the include path, so that this header is found, and
// the library to link.
//
//   before: c++ -std=c++17 from_google.cc -I robotstxt -lrobots -labsl_strings … -o from_google
//   after:  c++ -std=c++17 from_google.cc $(pkg-config --cflags --libs polite-robots) -o from_google
#include "googlebot/robots.h"

#include <iostream>
#include <string>
#include <vector>

int main() {
  const std::string robots_body =
      "user-agent: FooBot\n"
      "disallow: /\n"
      "allow: /x/\n";
  googlebot::RobotsMatcher matcher;
  for (const std::string url : {"https://foo.bar/x/y", "https://foo.bar/z"}) {
    const bool allowed = matcher.OneAgentAllowedByRobots(robots_body, "FooBot", url);
    std::cout << url << ": " << (allowed ? "allowed" : "disallowed") << " by line " << matcher.matching_line() << "\n";
  }
  const std::vector<std::string> user_agents = {"BarBot", "FooBot"};
  std::cout << matcher.AllowedByRobots(robots_body, &user_agents, "https://foo.bar/") << matcher.disallow()
            << matcher.ever_seen_specific_agent() << "\n";

  // The next step: one robot is kept for all questions, may be shared by threads, and says why.
  const polite::Robot robot("FooBot", robots_body, {polite::Dialect::google});
  std::cout << robot.explain("https://foo.bar/z") << "\n";
}
