/** Entities as CSV, page by page: no long transaction, no more in memory than a page. */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { type Cell, type CsvColumn, csvLine, pickColumns } from '../../http/csv-line.ts';
import type { Entity, EntityQuery } from '../entities.schema.ts';
import { parseListed, showEntity } from '../show-entity.ts';
import type { SortedPage, SortKey } from './sort-entities.ts';
import { walkEntities } from './walk-entities.ts';
import type { WhereQuery } from './where-entities.ts';

const PAGE_ROWS = 1000;

/** Which entities, in which order (that in which they were made), and which of the columns: all where none are named. */
export type EntitiesWanted = Pick<EntityQuery, 'category' | 'state' | 'role' | 'number' | 'q' | 'where'> & {
  /** Archived entities are left out by default. */
  archived?: EntityQuery['archived'] | undefined;
  sort?: WhereQuery['sort'] | undefined;
  order?: EntityQuery['order'] | undefined;
  columns?: readonly string[] | undefined;
};

/** Before the key of a property, in the title of its column. */
export const PROPERTY_TITLE = 'properties.';

interface ListedRow {
  entity: Entity;
  own: ReadonlyMap<string, Cell>;
}

const columns: readonly CsvColumn<ListedRow>[] = [
  ['id', ({ entity }) => entity.id],
  ['E_Guid', ({ entity }) => entity.E_Guid],
  ['number', ({ entity }) => entity.number],
  ['name', ({ entity }) => entity.name],
  ['category', ({ entity }) => entity.category],
  ['state', ({ entity }) => entity.state],
  ['released', ({ entity }) => entity.released],
  ['revision', ({ entity }) => entity.revision],
  ['createdAt', ({ entity }) => entity.createdAt],
  ['updatedAt', ({ entity }) => entity.updatedAt],
  ['archivedAt', ({ entity }) => entity.archivedAt],
  ['unit', ({ entity }) => entity.unit],
];

export const entityTitles = columns.map(([title]) => title);

/**
 * A column for each property that the workspace defines when it begins; one that is asked for by name and is defined no more is
 * empty, so that what stands beside it in a spreadsheet stays where it was. Lines of text, until its reader has gone; written in slices, because a line may have thousands of columns.
 */
export async function* exportEntities(
  db: Db,
  workspaceId: string,
  { columns: titles, sort = 'created', order = 'asc', archived = 'false', ...wanted }: EntitiesWanted,
  gone: AbortSignal,
): AsyncGenerator<string> {
  const read = <T>(work: (tx: Tx) => Promise<T>) =>
    inTransaction(db, { workspaceId }, work, { readOnly: true, gone });
  const { properties } = await read(loadConfiguration);
  const keys = [
    ...new Set([
      ...properties.keys(),
      ...(titles ?? []).flatMap((title) =>
        title.startsWith(PROPERTY_TITLE) ? [title.slice(PROPERTY_TITLE.length)] : [],
      ),
    ]),
  ].toSorted();
  const all = [
    ...columns,
    ...keys.map((key): CsvColumn<ListedRow> => [`${PROPERTY_TITLE}${key}`, ({ own }) => own.get(key)]),
  ];
  const shown = pickColumns(all, titles);
  const slices = new Slices(gone);
  yield csvLine(shown.map(([title]) => title));
  for (let after: SortKey | null = null; ; ) {
    const behind: SortKey | null = after;
    const query = { ...wanted, archived, sort, order, limit: PAGE_ROWS };
    const page: SortedPage = await read((tx) => walkEntities(tx, query, behind));
    let text = '';
    for (const row of page.entities) {
      if (slices.areDue) await slices.next();
      const entity = showEntity(parseListed(row));
      const own = new Map<string, Cell>(Object.entries(entity.properties));
      text += csvLine(shown.map(([, cell]) => cell({ entity, own })));
    }
    if (text !== '') yield text;
    if (page.after === null) return;
    after = page.after;
  }
}
