/** Entities as CSV, page by page: no long transaction, no more in memory than a page. */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { csvLine } from '../../http/csv-line.ts';
import { Slices } from '../../slices.ts';
import type { Entity, EntityQuery } from '../entities.schema.ts';
import { parseListed, showEntity } from '../show-entity.ts';
import { type SortedPage, type SortKey, sortEntities } from './sort-entities.ts';

const PAGE_ROWS = 1000;

export type EntitiesWanted = Pick<EntityQuery, 'category' | 'state' | 'role' | 'number' | 'q'>;

const columns: [name: string, value: (entity: Entity) => string | number | boolean | null][] = [
  ['id', (entity) => entity.id],
  ['E_Guid', (entity) => entity.E_Guid],
  ['number', (entity) => entity.number],
  ['name', (entity) => entity.name],
  ['category', (entity) => entity.category],
  ['state', (entity) => entity.state],
  ['released', (entity) => entity.released],
  ['revision', (entity) => entity.revision],
  ['createdAt', (entity) => entity.createdAt],
  ['updatedAt', (entity) => entity.updatedAt],
];

/**
 * In the order in which they were made, a column for each property that the workspace defines when it begins. Lines of text, until
 * its reader has gone; written in slices, because a line may have thousands of columns.
 */
export async function* exportEntities(
  db: Db,
  workspaceId: string,
  wanted: EntitiesWanted,
  gone: AbortSignal,
): AsyncGenerator<string> {
  const read = <T>(work: (tx: Tx) => Promise<T>) =>
    inTransaction(db, { workspaceId }, work, { readOnly: true, gone });
  const { properties } = await read(loadConfiguration);
  const keys = [...properties.keys()].toSorted();
  const slices = new Slices(gone);
  yield csvLine([...columns.map(([name]) => name), ...keys.map((key) => `properties.${key}`)]);
  for (let after: SortKey | null = null; ; ) {
    const behind: SortKey | null = after;
    const page: SortedPage = await read((tx) =>
      sortEntities(
        tx,
        { ...wanted, guid: undefined, sort: 'created', order: 'asc', limit: PAGE_ROWS },
        behind,
      ),
    );
    let text = '';
    for (const row of page.entities) {
      if (slices.areDue) await slices.next();
      const entity = showEntity(parseListed(row));
      const own = new Map(Object.entries(entity.properties));
      text += csvLine([...columns.map(([, value]) => value(entity)), ...keys.map((key) => own.get(key))]);
    }
    if (text !== '') yield text;
    if (page.after === null) return;
    after = page.after;
  }
}
