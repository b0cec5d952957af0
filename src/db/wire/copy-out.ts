/**
 * Reads the result of a query by COPY in PostgreSQL's binary form. Neither side writes or reads texts of numbers and ids, and `pg` makes no
 * object for a value: a million rows cost a third of what they cost as rows. To `pg` this is one query; it relies on what its own `Query` has.
 */
import pg from 'pg';

/** `pg` has them and its types lack one. */
const { escapeLiteral, utils } = pg as unknown as {
  escapeLiteral(text: string): string;
  utils: { prepareValue(value: unknown): string | null };
};

/** COPY takes no parameters, so they become literals. The values of `$1` and so on are texts, numbers, arrays of them, or null. */
export function copyText(sql: string, values: readonly unknown[]): string {
  const query = sql.replaceAll(/\$(\d+)/g, (_, place: string) => {
    const value = utils.prepareValue(values[Number(place) - 1]);
    return value === null ? 'null' : escapeLiteral(String(value));
  });
  return `copy (${query}) to stdout (format binary)`;
}

/** Bytes of one result. Readers ask for portions that are much smaller. */
export const COPY_BYTES_MAX = 256 * 1024 * 1024;

/** A result that is longer than one may be. Its transaction is rolled back, and its connection stays usable. */
export class CopyTooLargeError extends Error {
  override readonly name = 'CopyTooLargeError';

  constructor(bytesMax: number) {
    super(`Rows that are read at once take more than ${bytesMax} bytes`);
  }
}

const FIRST_BYTES = 64 * 1024;
/** A larger buffer is not kept. */
const SPARE_BYTES_MAX = 16 * 1024 * 1024;

/** The buffer of a result that was read, for the next: garbage outside the heap of V8 makes it collect the heap more often. */
let spare: Buffer | null = null;

function takeSpare(): Buffer {
  const bytes = spare ?? Buffer.allocUnsafeSlow(FIRST_BYTES);
  spare = null;
  return bytes;
}

/** Takes the bytes of a result that nobody reads any more. */
export function giveBack({ buffer }: Buffer): void {
  if (buffer.byteLength <= SPARE_BYTES_MAX && buffer.byteLength > (spare?.length ?? 0))
    spare = Buffer.from(buffer);
}

export class CopyOut {
  readonly text: string;
  /** All bytes; it settles when the server is ready for the next query. */
  readonly ended: Promise<Buffer>;
  /** `pg` wraps it to end the timeout of the query. */
  callback: (error: unknown) => void = () => {};
  readonly #bytesMax: number;
  readonly #ends = Promise.withResolvers<Buffer>();
  #bytes = takeSpare();
  #end = 0;
  #hasFailed = false;
  #isTooLarge = false;

  constructor(text: string, bytesMax: number) {
    this.text = text;
    this.#bytesMax = bytesMax;
    this.ended = this.#ends.promise;
    // A transaction that has ended waits for nothing any more.
    this.ended.catch(() => {});
  }

  submit(connection: { query(text: string): void }): void {
    connection.query(this.text);
  }

  /** `pg` may write over the chunk once it has been handed over. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#isTooLarge) return;
    const end = this.#end + chunk.length;
    if (end > this.#bytesMax) {
      // The rest is read and left, so that the connection can be used again. Its rows are bounded by the statement.
      this.#isTooLarge = true;
      giveBack(this.#bytes);
      this.#bytes = Buffer.alloc(0);
      return;
    }
    if (end > this.#bytes.length) {
      const length = Math.min(this.#bytesMax, 2 * this.#bytes.length);
      const longer = Buffer.allocUnsafeSlow(Math.max(end, length));
      longer.set(this.#bytes.subarray(0, this.#end));
      this.#bytes = longer;
    }
    this.#bytes.set(chunk, this.#end);
    this.#end = end;
  }

  handleCommandComplete(): void {}

  handleError(error: unknown): void {
    this.#hasFailed = true;
    this.callback(error);
    this.#ends.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#hasFailed) return;
    this.callback(null);
    if (this.#isTooLarge) this.#ends.reject(new CopyTooLargeError(this.#bytesMax));
    else this.#ends.resolve(this.#bytes.subarray(0, this.#end));
  }
}
