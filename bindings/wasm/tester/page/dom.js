// Elements of the page.

import { shortened } from './text.js';

export const by = (id) => document.getElementById(id);

/** An element with properties, `class` and `aria-…` among them, and children: elements, texts, or nothing. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === false) {
      continue;
    }
    if (key.startsWith('on')) {
      made.addEventListener(key.slice(2), value);
    } else {
      made.setAttribute(key, value === true ? '' : value);
    }
  }
  made.append(...shown(children));
  return made;
}

/** Puts children in the place of those that an element has: elements, texts, or nothing. */
export const fill = (parent, ...children) => parent.replaceChildren(...shown(children));

// The browser would write `false` for a part that is left out.
const shown = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

export const button = (properties, ...children) => element('button', { type: 'button', ...properties }, ...children);

/** A button that reads as a link within text. */
export const plain = (onclick, ...children) => button({ class: 'plain', onclick }, ...children);

/** A text with its `quoted` parts as code. */
export const rich = (text) => text.split('`').map((part, at) => (at % 2 === 1 ? code(part) : part));

/** A URL, a path or a name of the file, apart from the direction of the text around it. */
export const code = (text) => element('code', {}, isolated(text));
export const address = (text) => element('span', { class: 'url' }, isolated(text));
const isolated = (text) => element('bdi', { dir: 'ltr' }, shortened(text));

/** A URL that breaks after its parts before it breaks within one. */
export const parts = (url) => url.split(/(?<=[/?&.])/).flatMap((part) => [element('wbr'), part]);

export const hidden = (text) => element('span', { class: 'hidden-text' }, text);

const SIGNS = { allowed: 'M3 8.5 6.5 12 13 4.5', disallowed: 'M4 4l8 8M12 4l-8 8', differs: 'M3 6h10M3 10.5h10M10.5 2.5l-5 11' };
const SVG = 'http://www.w3.org/2000/svg';

/** A sign that is drawn, as fonts differ; the words beside it say the same. */
export function sign(name) {
  const [icon, path] = ['svg', 'path'].map((name) => document.createElementNS(SVG, name));
  icon.setAttribute('class', `sign ${name}`);
  icon.setAttribute('viewBox', '0 0 16 16');
  icon.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', SIGNS[name]);
  icon.append(path);
  return icon;
}

/** An answer as a sign and a word; `rest` is for screen readers. */
export function pill(isAllowed, rest = '') {
  const word = isAllowed ? 'allowed' : 'disallowed';
  return element('span', { class: `pill ${word}` }, sign(word), word, rest && hidden(` ${rest}`));
}
