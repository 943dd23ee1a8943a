// Verdicts and lines of recorded cases through googlebot/robots.h: dropin FILE. The form is in tests/cases.rs.
#include <googlebot/robots.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "check.h"

namespace {

std::string Take(const std::string& cases, std::size_t* at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(cases.at(*at + i))); };
  const std::uint32_t length = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
  std::string text = cases.substr(*at + 4, length);
  *at += 4 + length;
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  CHECK(count == 2);
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string cases((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  // One matcher for all files and one for each: what it keeps must not be seen.
  googlebot::RobotsMatcher kept;
  unsigned long asked = 0, wrong = 0;
  for (std::size_t at = 0; at < cases.size(); ++asked) {
    const std::string body = Take(cases, &at), agent = Take(cases, &at), url = Take(cases, &at);
    const bool is_allowed = cases.at(at) == 1;
    const auto byte = [&](std::size_t i) { return static_cast<int>(static_cast<unsigned char>(cases.at(at + i))); };
    const int line = byte(1) | byte(2) << 8 | byte(3) << 16 | byte(4) << 24;
    at += 10;
    googlebot::RobotsMatcher fresh;
    for (googlebot::RobotsMatcher* matcher : {&fresh, &kept, &kept}) {
      const bool answer = matcher->OneAgentAllowedByRobots(body, agent, url);
      wrong += answer != is_allowed || matcher->matching_line() != line || matcher->disallow() == answer;
    }
  }
  std::printf("googlebot/robots.h: %lu recorded files, %lu wrong verdicts or lines\n", asked, wrong);
  return wrong == 0 && asked > 0 ? 0 : 1;
}
