/** Reads what a structure shows of each entity: its identity, state and revision. */
import type { Tx } from '../../db/transaction.ts';
import { revisionLabel } from '../revision-label.ts';

export interface NamedEntity {
  id: string;
  number: string | null;
  name: string;
  category: string;
  state: string;
  revision_number: number;
  is_archived: boolean;
  /** SHA-256 in hexadecimal. */
  picture: string | null;
}

/** Runs a transaction: none is open between two portions. */
export type Read = <Row>(work: (tx: Tx) => Promise<Row[]>) => Promise<Row[]>;

/**
 * Reads rows of `sql`, which takes the workspace, ids and `more`. The returned function throws for other ids: a link names no entity that
 * does not exist.
 */
export async function readNamed<Row extends NamedEntity>(
  read: Read,
  sql: string,
  ids: readonly string[],
  more: (tx: Tx) => Promise<readonly unknown[]> = async () => [],
) {
  const rows =
    ids.length === 0
      ? []
      : await read(async (tx) =>
          tx.query<Row>(sql, [tx.workspaceId, [...new Set(ids)], ...(await more(tx))]),
        );
  const entities = new Map(rows.map((row) => [row.id, row]));
  return (id: string) => {
    const entity = entities.get(id);
    if (entity === undefined) throw new Error(`A link names entity ${id}, which does not exist`);
    return { entity, shown: showNamed(entity) };
  };
}

export function showNamed(entity: NamedEntity) {
  const { number, name, category, state, revision_number, is_archived: archived, picture } = entity;
  return { number, name, category, state, revision: revisionLabel(revision_number), archived, picture };
}
