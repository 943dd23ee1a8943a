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

Sitemap: https://www.shop.example/sitemap.xml
`,
  old: `User-agent: *
Disallow: /cart/
Disallow: /account/

User-agent: GPTBot
Disallow: /
`,
  agents: 'Googlebot\nGPTBot\nExampleBot',
  urls: `https://www.shop.example/
https://www.shop.example/press/2026/launch
https://www.shop.example/search?topic=shoes
https://www.shop.example/search?q=shoes
https://www.shop.example/cart.html
https://www.shop.example/tmp/index.html`,
  selected: { row: 1, column: 1 },
};
