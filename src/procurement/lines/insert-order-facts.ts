/** Inserts what new orders and their lines have besides their rows: suppliers, references and terms. Most groups have none of them. */
import type { Tx } from '../../db/transaction.ts';
import { upsertReferences, upsertTerms } from '../records/suppliers/purchase-terms.sql.ts';
import { termsColumns } from '../records/suppliers/purchase-terms.ts';
import { newSuppliers, supplierKey } from '../records/suppliers/supplier-key.ts';
import { ensureSuppliers, insertSuppliers } from '../records/suppliers/suppliers.sql.ts';
import type { Draft } from './drafts.ts';

export function insertOrderFacts(tx: Tx, drafts: readonly Draft[]): void {
  const created = drafts.filter(({ order }) => 'versionId' in order);
  const named = created.flatMap(({ request: { supplier }, order }) =>
    supplier == null ? [] : [{ id: order.id, name: supplier }],
  );
  if (named.length > 0) {
    const names = named.map(({ name }) => name);
    tx.withCommit(tx.queryPrepared(ensureSuppliers, [tx.workspaceId, ...newSuppliers(names)]));
    tx.withCommit(
      tx.queryPrepared(insertSuppliers, [
        tx.workspaceId,
        named.map(({ id }) => id),
        names,
        names.map(supplierKey),
      ]),
    );
  }
  const referenced = created.filter(
    ({ request: { references: r } }) => r?.ours != null || r?.theirs != null || r?.customer != null,
  );
  if (referenced.length > 0) {
    tx.withCommit(
      tx.queryPrepared(upsertReferences, [
        tx.workspaceId,
        referenced.map(({ order }) => order.id),
        referenced.map(({ request }) => request.references?.ours ?? null),
        referenced.map(({ request }) => request.references?.theirs ?? null),
        referenced.map(({ request }) => request.references?.customer ?? null),
      ]),
    );
  }
  const bought = drafts.flatMap(({ order, lines }) =>
    lines.flatMap(({ entity, terms }) =>
      terms === null ? [] : [{ order: order.id, line: entity.id, terms }],
    ),
  );
  if (bought.length === 0) return;
  tx.withCommit(
    tx.queryPrepared(upsertTerms, [
      tx.workspaceId,
      bought.map(({ order }) => order),
      bought.map(({ line }) => line),
      ...termsColumns(bought.map(({ terms }) => terms)),
    ]),
  );
}
