/**
 * Proves the ledger against a digest that was kept elsewhere: the heads that the service kept for it must give that
 * very digest, and each of them must stand in the ledger of today, at its place, at the end of a chain that is
 * computed anew. Who owns the tables can rewrite the heads as well, but then they give another digest.
 */
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { HeadRow } from '../entries/ledger-entry.ts';
import { verifyLedger } from '../ledger/verify-ledger.ts';
import type { ReadPage } from '../ledger/verify-sums.ts';
import { coveredHeads } from './covered-heads.ts';
import type { KeptDigest, LedgerProof } from './digest.schema.ts';
import { selectDigest } from './digest.sql.ts';
import { DigestText } from './digest-text.ts';

export async function proveLedger(
  db: Db,
  workspaceId: string,
  kept: KeptDigest,
  signal: AbortSignal,
): Promise<LedgerProof> {
  const [known] = await inTransaction(
    db,
    { workspaceId },
    (tx) => tx.query<{ ordinal: number }>(selectDigest, [workspaceId, Buffer.from(kept.digest, 'hex')]),
    { readOnly: true },
  );
  if (known === undefined) {
    const verification = await verifyLedger(db, workspaceId, signal);
    return { ...verification, ok: false, digest: { ...kept, state: 'unknown' } };
  }
  const text = new DigestText(workspaceId, new Date(kept.at).toISOString());
  const verification = await verifyLedger(db, workspaceId, signal, (read) =>
    hashedHeads(read, workspaceId, known.ordinal, text),
  );
  const found = text.end();
  const isSame =
    found.digest === kept.digest && found.entries === kept.entries && found.positions === kept.positions;
  return {
    ...verification,
    ok: verification.ok && isSame,
    digest: { ...kept, state: isSame ? 'covered' : 'contradicted' },
  };
}

/** Every head passes here once, on its way to the verification. */
async function* hashedHeads(
  read: ReadPage,
  workspaceId: string,
  ordinal: number,
  text: DigestText,
): AsyncGenerator<HeadRow, void, undefined> {
  for await (const head of coveredHeads(read, workspaceId, ordinal)) {
    text.add(head);
    yield head;
  }
}
