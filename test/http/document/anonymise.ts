/** Makes what a run of the service said the same in every run: ids, times, hashes, secrets and durations. */
import { createHash } from 'node:crypto';

const FIRST_MOMENT = Date.parse('2026-11-20T09:30:00.000Z');
const words = new Map([
  ['pbk_', 'pbk_ExampleExampleExampleExampleExampleExample000000'],
  ['pbl_', 'pbl_ExampleExampleExampleExampleExampleExample000000'],
  ['whsec_', `whsec_${Buffer.alloc(32, 'example').toString('base64')}`],
]);

export class Anonymiser {
  readonly #known = new Map<string, string>();
  #ids = 0;
  #hashes = 0;
  #seconds = 0;

  /** Times that are first seen from now on are a second later than those before. */
  passTime(): void {
    this.#seconds += 1;
  }

  /** A text that is to be shown as another wherever it stands. */
  know(text: string, shown: string): void {
    this.#known.set(text, shown);
  }

  of<T>(value: T): T {
    return JSON.parse(this.text(JSON.stringify(value))) as T;
  }

  text(text: string): string {
    let shown = text
      // Of a key or a link, and of the beginning that names it later on.
      .replace(/pb[kl]_[0-9A-Za-z]{46}/g, (key) => {
        const example = words.get(key.slice(0, 4)) ?? '';
        this.know(key, example);
        for (let chars = 8; chars < 24; chars++)
          this.know(`"${key.slice(0, chars)}"`, `"${example.slice(0, chars)}"`);
        return example;
      })
      // Of a link or an attempt to sign in; and what an authenticator makes.
      .replace(/(["#])[\w-]{43}(?=")/g, `$1${'Example'.repeat(6)}A`)
      .replace(
        /("(?:attestationObject|clientDataJSON|authenticatorData|signature)":)"[^"]+"/g,
        '$1"AbCdEfGhIjKlMnOp"',
      )
      .replace(/whsec_[0-9A-Za-z+/]{43}=/g, words.get('whsec_') ?? '')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, (id) =>
        this.#once(id, () => `0199d0f0-0000-7000-8000-${(++this.#ids).toString(16).padStart(12, '0')}`),
      )
      .replace(/\b20(?:1\d|2[0-8])-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (moment) =>
        this.#once(moment, () => new Date(FIRST_MOMENT + this.#seconds * 1000).toISOString()),
      )
      .replace(/\b[0-9a-f]{64}\b/g, (hash) =>
        this.#once(hash, () =>
          createHash('sha256')
            .update(`example ${++this.#hashes}`)
            .digest('hex'),
        ),
      )
      .replace(/("(?:durationMs|cpuMs|ms|lastDurationMs)":)\d+(?:\.\d+)?/g, '$112')
      .replace(/("(?:nextCursor|usesNextCursor)":)"[^"]+"/g, '$1"AbCdEfGhIjKlMnOp"')
      // What has been seen of a batch ends with its time.
      .replace(/-\d{13}(?=")/g, '-1763631000000');
    for (const [from, to] of this.#known) shown = shown.replaceAll(from, to);
    return shown;
  }

  #once(text: string, make: () => string): string {
    const known = this.#known.get(text) ?? make();
    this.#known.set(text, known);
    return known;
  }
}
