// The objects that the WebAssembly module makes: plain, frozen, without a tie to its memory.

import { InvalidRecordError, InvalidTokenError, InvalidUrlError } from './errors.js';

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
