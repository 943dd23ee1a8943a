// Answers of crawler-commons, as `parsers.py` asks: java -cp crawler-commons.jar CrawlerCommons.java

import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

class CrawlerCommons {
  private static final DataInputStream IN = new DataInputStream(System.in);

  public static void main(String[] arguments) throws IOException {
    for (;;) {
      byte[] robotsTxt;
      try {
        robotsTxt = read();
      } catch (EOFException end) {
        return;
      }
      String agent = text();
      String url = text();
      System.out.write(answer(robotsTxt, agent, url));
      System.out.flush();
    }
  }

  private static char answer(byte[] robotsTxt, String agent, String url) {
    try {
      // It asks for names in lower case.
      List<String> names = List.of(agent.toLowerCase(Locale.ROOT));
      String address = "https://example.com/robots.txt";
      var rules = new SimpleRobotRulesParser().parseContent(address, robotsTxt, "text/plain", names);
      return rules.isAllowed(url) ? '1' : '0';
    } catch (RuntimeException refused) {
      return '?';
    }
  }

  private static byte[] read() throws IOException {
    byte[] bytes = new byte[Integer.reverseBytes(IN.readInt())];
    IN.readFully(bytes);
    return bytes;
  }

  private static String text() throws IOException {
    return new String(read(), StandardCharsets.UTF_8);
  }
}
