// The objects that the WebAssembly module makes: plain, frozen, without a tie to its memory.

/** An agent that no crawler can be called: a whole User-Agent header, a blank, a URL. */
export class InvalidTokenError extends Error {
  constructor(message, token, probablyMeant) {
    super(message);
    this.name = 'InvalidTokenError';
    this.token = token;
    this.probablyMeant = probablyMeant;
  }
}

/** A text that is no URL of the web, so that no robots.txt rules it. */
export class InvalidUrlError extends Error {
  constructor(message, url) {
    super(message);
    this.name = 'InvalidUrlError';
    this.url = url;
  }
}

/** A value that a robots.txt cannot carry, or that would read back with another meaning. */
export class InvalidRecordError extends Error {
  constructor(message, field, value) {
    super(message);
    this.name = 'InvalidRecordError';
    this.field = field;
    this.value = value;
  }
}

export const invalidToken = (message, token, probablyMeant) =>
  new InvalidTokenError(message, token, probablyMeant);

export const invalidUrl = (message, url) => new InvalidUrlError(message, url);

export const invalidRecord = (message, field, value) => new InvalidRecordError(message, field, value);

export const verdict = (allowed, reason, explanation, agentMatch, groupLine, rule, overruled) =>
  Object.freeze({ allowed, line: rule?.line, reason, explanation, rule, overruled, agentMatch, groupLine });

const access = (isAllow) => (isAllow ? 'allow' : 'disallow');

export const rule = (isAllow, pattern, line, length) =>
  Object.freeze({ access: access(isAllow), pattern, line, length });

export const group = (line, userAgents, rules) =>
  Object.freeze({ line, userAgents: Object.freeze(userAgents), rules: Object.freeze(rules) });

export const userAgent = (value, productToken, line) => Object.freeze({ value, productToken, line });

export const ruleRecord = (isAllow, value, line) =>
  Object.freeze({ access: access(isAllow), value, line });

export const diagnostic = (code, severity, line, start, end, message, suggestion) =>
  Object.freeze({ code, severity, line, start, end, message, suggestion });

export const extension = (field, value, line) => Object.freeze({ field, value, line });

export const preference = (preference, record) => Object.freeze({ preference, record });

export const requestRate = (documents, seconds) => Object.freeze({ documents, seconds });
