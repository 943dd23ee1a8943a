// A response whose body is in memory.

/** A stream is made of the body only where one is asked for, as a stream costs more than a page. */
export class Page extends Response {
  /** The body, until it is read; `null` for none. */
  #bytes;
  #isUsed = false;
  #streamed;

  constructor({ status, statusText, headers }, bytes, url, hops) {
    // A `Response` that is made here has no status above 599.
    super(null, { status: status > 599 ? 200 : status, statusText, headers });
    this.#bytes = bytes ?? null;
    Object.defineProperties(this, {
      status: { value: status },
      ok: { value: status >= 200 && status <= 299 },
      url: { value: url },
      redirected: { value: hops.length > 0 },
      hops: { value: Object.freeze(hops) },
    });
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
    return new Page(this, this.#bytes?.slice(), this.url, this.hops);
  }

  get #whole() {
    this.#streamed ??= new Response(this.#isUsed ? new Uint8Array() : this.#bytes);
    return this.#streamed;
  }
}
