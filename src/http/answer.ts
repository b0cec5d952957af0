/** Answer of a handler; the route helper serialises it. Separate from routes, because the context uses it too. */

export interface Answer<Body = unknown> {
  status: number;
  body?: Body;
  /** The body serialised already, in place of `body`; its Content-Type is JSON unless `headers` say otherwise. */
  bytes?: Buffer;
  /** The body as consecutive texts. */
  texts?: readonly string[];
  headers?: Record<string, string>;
  /** The strong entity tag of what is answered, without quotes. A GET whose If-None-Match has it gets 304. */
  etag?: string;
}
