/**
 * Text of which a digest is the SHA-256, so that anybody can compute it from a copy of the ledger: a line with the
 * name of the form, one with the workspace, one with the moment, and one for each position in order of item and
 * location: both ids, the sequence of its last entry and that entry's hash, separated by spaces. The hash of an
 * entry covers the previous one, so each line covers all entries of its position.
 */
import { createHash, type Hash } from 'node:crypto';
import type { HeadRow } from '../entries/ledger-entry.ts';

const FORM = 'partbook-ledger-digest-1';

export class DigestText {
  readonly #hash: Hash = createHash('sha256');
  #entries = 0n;
  #positions = 0;

  /** `at` in milliseconds of UTC, as the interface shows it. */
  constructor(workspaceId: string, at: string) {
    this.#hash.update(`${FORM}\n${workspaceId}\n${at}\n`);
  }

  add({ itemId, locationId, sequence, hash }: HeadRow): void {
    this.#hash.update(`${itemId} ${locationId} ${sequence} ${hash}\n`);
    this.#entries += BigInt(sequence);
    this.#positions += 1;
  }

  /** Sequences count without gaps: their sum is the number of entries. */
  end(): { entries: number; positions: number; digest: string } {
    return {
      entries: Number(this.#entries),
      positions: this.#positions,
      digest: this.#hash.digest('hex'),
    };
  }
}
