/** What a handler answers with; the route helper serialises it. Apart from the routes, because the context knows of answers too. */

export interface Answer<Body = unknown> {
  status: number;
  body?: Body;
  /** The body serialised already, in place of `body`; its Content-Type is JSON unless `headers` say otherwise. */
  bytes?: Buffer;
  /** The same in texts that follow one another. */
  texts?: readonly string[];
  headers?: Record<string, string>;
  /** The strong entity tag of what is answered, without quotes. A GET whose If-None-Match has it gets 304. */
  etag?: string;
}
