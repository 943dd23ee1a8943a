// Elements that keep their attributes and children, for parts of the page that need no browser.

export class Element {
  children = [];
  attributes = {};
  constructor(name) {
    this.name = name;
  }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }
  addEventListener() {}
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  contains() {
    return false;
  }
  querySelector() {
    return null;
  }
  /** All elements with this name below this one. */
  all(name) {
    return this.children.flatMap((child) => (child instanceof Element ? [...(child.name === name ? [child] : []), ...child.all(name)] : []));
  }
  // A browser writes whatever is no element as text.
  get text() {
    return this.children.map((child) => (child instanceof Element ? child.text : String(child))).join('').replace(/\s+/g, ' ');
  }
}

export const elements = {};

globalThis.document = {
  createElement: (name) => new Element(name),
  createElementNS: (_, name) => new Element(name),
  getElementById: (id) => (elements[id] ??= new Element(id)),
};
