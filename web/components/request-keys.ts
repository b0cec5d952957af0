/** Idempotency-Keys: the same request has the same one until it has succeeded, and another request another one. */
export class RequestKeys {
  readonly #keys = new Map<string, string>();

  of(request: unknown): string {
    const text = JSON.stringify(request);
    const key = this.#keys.get(text) ?? newKey();
    this.#keys.set(text, key);
    return key;
  }

  /** What is the same from here on is meant to be done once more. */
  forget(): void {
    this.#keys.clear();
  }
}

export function newKey(): string {
  // Not randomUUID: browsers have that only on secure origins, and a plant's server may have none.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
