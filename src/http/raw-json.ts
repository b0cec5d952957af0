/**
 * A member of an answer that is JSON already, as the database gave it: what is large and only passed on is neither read
 * nor written again, each of which would take a turn of the event loop of its own.
 */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the value for ordinary serialisation. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Texts from here on are passed on. */
const RAW_CHARS = 16 * 1024;

/** The value of a JSON text, read only where it is short. */
export function rawOrValue(text: string): unknown {
  return text.length < RAW_CHARS ? JSON.parse(text) : new RawJson(text);
}
