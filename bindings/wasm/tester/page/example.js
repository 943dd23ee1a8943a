// The question that the page begins with.

export const EXAMPLE = {
  file: `# A shop, its crawlers, and a few things to look at.

User-agent: *
Disallow: /cart
Disallow: /account/
Disallow: /search?
Allow: /search?topic=
Disalow: /tmp/
Crawl-delay: 2

User-agent: Googlebot
Disallow: /cart
Allow: /*.html$

User-agent: GPTBot
User-agent: ClaudeBot
Disallow: /
Allow: /press/
Allow: /index.html

User-agent: CCBot
Disallow: /

Sitemap: https://www.example.com/sitemap.xml
`,
  old: `User-agent: *
Disallow: /cart/
Disallow: /account/

User-agent: GPTBot
Disallow: /
`,
  agents: 'Googlebot\nGPTBot\nExampleBot',
  urls: `https://www.example.com/
https://www.example.com/press/2026/launch
https://www.example.com/search?topic=shoes
https://www.example.com/search?q=shoes
https://www.example.com/cart.html
https://www.example.com/tmp/index.html`,
  selected: { row: 1, column: 1 },
};
