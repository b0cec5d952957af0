/** Makes a CSV link, where the workspace has room for one more. */
import { hashKey, makeKey, PREFIX_CHARS } from '../access/key-text.ts';
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { loadConfiguration } from '../configuration/current/read-configuration.ts';
import { lockConfiguration } from '../configuration/lock-configuration.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { compileConditions } from '../entities/conditions/compile-conditions.ts';
import { PROPERTY_TITLE } from '../entities/lists/export-entities.ts';
import { viewOfEntities } from '../entities/views/apply-view.ts';
import { AppError } from '../errors.ts';
import type { CsvLink, CsvTable, NewCsvLink } from './csv-link.schema.ts';
import { countCsvLinks, insertCsvLink } from './csv-links.sql.ts';
import { findCsvLink } from './find-csv-link.ts';

/**
 * The link, and its secret, which is stored nowhere: show it now or never. Nobody else makes one meanwhile, or both would find
 * the last place. Throws `configuration_full`, `unknown_property`, `invalid_condition`.
 */
export async function createCsvLink(
  tx: Tx,
  actor: Actor,
  wanted: NewCsvLink,
  linksMax: number,
): Promise<{ link: CsvLink; token: string }> {
  await lockConfiguration(tx);
  const [counted] = await tx.query<{ present: number }>(countCsvLinks, [tx.workspaceId]);
  if ((counted?.present ?? 0) >= linksMax) {
    throw new AppError('configuration_full', {
      detail: `The workspace has ${linksMax} CSV links that are not revoked, which is as many as it can have. Revoke some.`,
      extensions: { limit: linksMax },
    });
  }
  await requireProperties(tx, wanted.table);
  const token = makeKey('pbl');
  const id = newId();
  await tx.query(insertCsvLink, [
    tx.workspaceId,
    id,
    wanted.name,
    JSON.stringify(wanted.table),
    token.slice(0, PREFIX_CHARS),
    hashKey(token),
    actor.id,
    wanted.expiresAt,
  ]);
  const link = await findCsvLink(tx, id);
  await recordChange(tx, {
    actor,
    action: 'create',
    subjectType: 'csvLink',
    subjectKey: id,
    before: null,
    after: link,
  });
  return { link, token };
}

/** A misspelt column would be empty for ever. One whose definition goes later stays, so that nothing beside it moves. */
async function requireProperties(tx: Tx, table: CsvTable): Promise<void> {
  if (table.of !== 'entities') return;
  // Dates relative to today are kept as they are written.
  await compileConditions(tx, table.where ?? []);
  if (table.view !== undefined) await viewOfEntities(tx, null, table.view);
  const keys = [...(table.columns ?? []), table.sort].flatMap((title) =>
    title.startsWith(PROPERTY_TITLE) ? [title.slice(PROPERTY_TITLE.length)] : [],
  );
  if (keys.length === 0) return;
  const { properties } = await loadConfiguration(tx);
  const unknown = keys.find((key) => !properties.has(key));
  if (unknown === undefined) return;
  throw new AppError('unknown_property', `The workspace defines no property ${JSON.stringify(unknown)}.`);
}
