/** Digests of the ledger as the interface shows and takes them. */
import { z } from 'zod';
import { LedgerVerification } from '../ledger/verification.schema.ts';

const digest = {
  at: z.iso.datetime().meta({
    description: 'Everything committed by then is covered.',
    examples: ['2026-11-22T00:00:00.000Z'],
  }),
  entries: z
    .int()
    .min(0)
    .meta({ description: 'Number of covered entries.', examples: [48_211] }),
  positions: z
    .int()
    .min(0)
    .meta({ description: 'Number of covered positions.', examples: [1904] }),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({
      description:
        'SHA-256 over the text `partbook-ledger-digest-1`, the id of the workspace, `at`, and for each position in order of item and location `<item id> <location id> <sequence of the last entry> <hash of the last entry>`, each followed by a line feed.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
};

export const LedgerDigest = z.object(digest).meta({
  id: 'LedgerDigest',
  description: 'A few numbers that cover the whole ledger at a moment. Store them outside the service.',
});
export type LedgerDigest = z.output<typeof LedgerDigest>;

export const KeptDigest = z
  .strictObject(digest)
  .meta({ id: 'KeptDigest', description: 'A digest as it was returned, stored elsewhere since.' });
export type KeptDigest = z.output<typeof KeptDigest>;

export const LedgerProof = LedgerVerification.extend({
  digest: z
    .object({
      ...digest,
      state: z.enum(['covered', 'unknown', 'contradicted']).meta({
        description:
          '`covered`: the record of what it covers reproduces this digest, and each of its heads was looked up in the ledger: without problems, everything it covers exists unchanged. `unknown`: the service has no record of it, so it proves nothing. `contradicted`: the record gives another digest: it or the digest has been changed.',
      }),
    })
    .meta({ description: 'What the digest proves.' }),
}).meta({ id: 'LedgerProof' });
export type LedgerProof = z.output<typeof LedgerProof>;
