/** Ends a CSV link: it shows nothing from the next request on, and downloads that are under way end. */
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Tx } from '../db/transaction.ts';
import type { CsvLink } from './csv-link.schema.ts';
import { lockCsvLink, revokeCsvLinkStatement, trimRevokedCsvLinks } from './csv-links.sql.ts';
import { findCsvLink } from './find-csv-link.ts';

/** Revokes a link; a revoked one stays so. `check` sees it under its lock and may refuse. Throws `csv_link_not_found`. */
export async function revokeCsvLink(
  tx: Tx,
  actor: Actor,
  id: string,
  { check, revokedMax }: { check: (before: CsvLink) => void; revokedMax: number },
): Promise<void> {
  await tx.query(lockCsvLink, [tx.workspaceId, id]);
  const before = await findCsvLink(tx, id);
  check(before);
  if (before.revokedAt !== null) return;
  await tx.query(revokeCsvLinkStatement, [tx.workspaceId, id]);
  const after = await findCsvLink(tx, id);
  await recordChange(tx, { actor, action: 'revoke', subjectType: 'csvLink', subjectKey: id, before, after });
  await tx.query(trimRevokedCsvLinks, [tx.workspaceId, revokedMax]);
}
