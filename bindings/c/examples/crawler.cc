// Many agents and one file: a document is parsed once, and its robots are asked by two threads.
//
//   c++ -std=c++17 crawler.cc $(pkg-config --cflags --libs polite-robots) -pthread -o crawler && ./crawler
#include <polite_robots.hpp>

#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

int main() {
  const polite::RobotsTxt file(
      "User-agent: ExampleBot-Image\n"
      "Disallow: /photos/\n"
      "\n"
      "User-agent: *\n"
      "Disallow: /drafts/\n"
      "Sitemap: https://example.com/sitemap.xml\n");
  const std::vector<std::string> queue = {"/photos/1.jpg", "/drafts/1", "/"};

  std::map<std::string, std::string> answers;
  for (const char* agent : {"ExampleBot-Image", "ExampleBot"}) {
    std::string& answer = answers[agent];
    // The robot outlives the document, and the thread borrows it.
    std::thread([&answer, &queue, robot = file.robot(agent)] {
      for (const std::string& url : queue) answer += "  " + url + ": " + robot.explain(url) + "\n";
    }).join();
  }
  for (const auto& [agent, answer] : answers) std::cout << agent << "\n" << answer;
  for (std::string_view sitemap : file.sitemaps()) std::cout << "sitemap: " << sitemap << "\n";

  try {
    file.robot("ExampleBot/2.1 (+https://example.com/bot)");
  } catch (const polite::InvalidToken& error) {
    std::cout << error.what() << "\n";
  }
}
