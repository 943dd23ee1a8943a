// Elements of the page.

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

export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** A sentence of the library, which begins without a capital and ends without a full stop. */
export function sentence(text) {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** A text with its `quoted` parts as code. */
export const rich = (text) => text.split('`').map((part, at) => (at % 2 === 1 ? element('code', {}, part) : part));

let hides;

/** Says something for a few seconds. */
export function say(text) {
  by('status').textContent = text;
  clearTimeout(hides);
  hides = setTimeout(() => (by('status').textContent = ''), 6000);
}
