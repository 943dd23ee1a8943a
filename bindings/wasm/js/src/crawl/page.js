// A response whose body is in memory.

/** It has the members of `Response` without its costs: a stream of the body is made only on request. */
export class Page {
  #response;
  /** The body, until it is read; `null` for none. */
  #bytes;
  #isUsed = false;
  #streamed;
  url;
  hops;

  static {
    Object.setPrototypeOf(Page.prototype, Response.prototype);
    for (const name of ['status', 'statusText', 'headers', 'type']) {
      Object.defineProperty(Page.prototype, name, {
        get() {
          return this.#response[name];
        },
      });
    }
  }

  /** `response` has the status and the headers; its body was read. */
  constructor(response, bytes, url, hops) {
    this.#response = response;
    this.#bytes = bytes ?? null;
    this.url = url;
    this.hops = Object.freeze(hops);
  }

  get ok() {
    return this.status >= 200 && this.status <= 299;
  }

  get redirected() {
    return this.hops.length > 0;
  }

  get body() {
    return this.#bytes === null ? null : this.#whole.body;
  }

  get bodyUsed() {
    return this.#isUsed || (this.#streamed?.bodyUsed ?? false);
  }

  async bytes() {
    if (this.bodyUsed || this.#streamed?.body.locked) {
      throw new TypeError('the body was read already');
    }
    this.#isUsed = this.#bytes !== null;
    return this.#bytes ?? new Uint8Array();
  }

  async arrayBuffer() {
    const bytes = await this.bytes();
    return bytes.length === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
  }

  async text() {
    return new TextDecoder().decode(await this.bytes());
  }

  async json() {
    return JSON.parse(await this.text());
  }

  async blob() {
    return new Response(await this.bytes(), { headers: this.headers }).blob();
  }

  async formData() {
    return new Response(await this.bytes(), { headers: this.headers }).formData();
  }

  clone() {
    if (this.bodyUsed) {
      throw new TypeError('the body was read already');
    }
    return new Page(this.#response, this.#bytes?.slice(), this.url, this.hops);
  }

  get #whole() {
    this.#streamed ??= new Response(this.#isUsed ? new Uint8Array() : this.#bytes);
    return this.#streamed;
  }
}
