// Answers of Google's matcher, as `parsers.py` asks. It is compiled with Google's robots.cc.

#include <cstdint>
#include <cstdio>
#include <string>

#include "robots.h"

static std::string Read() {
  unsigned char length[4];
  if (std::fread(length, 1, 4, stdin) != 4) return "";
  std::string text(length[0] | length[1] << 8 | length[2] << 16 | std::uint32_t{length[3]} << 24, '\0');
  return std::fread(&text[0], 1, text.size(), stdin) == text.size() ? text : "";
}

int main() {
  for (;;) {
    const std::string robots_txt = Read(), agent = Read(), url = Read();
    if (std::feof(stdin)) return 0;
    googlebot::RobotsMatcher matcher;
    std::putchar(matcher.OneAgentAllowedByRobots(robots_txt, agent, url) ? '1' : '0');
    std::fflush(stdout);
  }
}
