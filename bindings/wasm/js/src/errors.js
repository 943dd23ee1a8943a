// The errors of the package. All entries of one program share them, so that `instanceof` holds across them.

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
