// The errors of the package. All entries of one program share them, so that `instanceof` holds across them.

/** An agent that no crawler can be called: a whole User-Agent header, a blank, a URL. */
export class InvalidTokenError extends Error {
  name = 'InvalidTokenError';
  code = 'INVALID_TOKEN';

  constructor(message, token, probablyMeant) {
    super(message);
    this.token = token;
    this.probablyMeant = probablyMeant;
  }
}

/** A text that is not an http or https URL, so that it has no robots.txt. */
export class InvalidUrlError extends Error {
  name = 'InvalidUrlError';
  code = 'INVALID_URL';

  constructor(message, url) {
    super(message);
    this.url = url;
  }
}

/** A value that a robots.txt cannot carry, or that would read back with another meaning. */
export class InvalidRecordError extends Error {
  name = 'InvalidRecordError';
  code = 'INVALID_RECORD';

  constructor(message, field, value) {
    super(message);
    this.field = field;
    this.value = value;
  }
}

/** Memory that the WebAssembly module asked for and did not get. */
export class OutOfMemoryError extends Error {
  name = 'OutOfMemoryError';
  code = 'OUT_OF_MEMORY';
}
