/**
 * The rows of a table as text, in portions of some megabytes, however large one of them is: their sizes are looked at first,
 * which reads nothing that is stored apart.
 */
import { CLOSE_SIZES, declareSizes, FETCH_SIZES, selectRows, type TenantTable } from './transfer.sql.ts';
import type { Row } from './transfer-format.ts';

/** Whatever takes statements: a transaction of the service, or the owner's connection. */
export interface Asked {
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

const PORTION_BYTES = 2 * 1024 * 1024;

interface Sized {
  relation: string;
  place: string;
  bytes: number;
}

/** In a transaction with one snapshot: a row stays where it is while that lives. */
export async function* readRows(
  source: Asked,
  workspaceId: string,
  table: TenantTable,
): AsyncGenerator<Row[]> {
  await source.query(declareSizes(table), [workspaceId]);
  for (;;) {
    const sized = await source.query<Sized>(FETCH_SIZES);
    if (sized.length === 0) break;
    for (const { relation, places } of portionsOf(sized)) {
      const rows = await source.query<{ row: Row }>(selectRows(table), [relation, places]);
      yield rows.map(({ row }) => row);
    }
  }
  await source.query(CLOSE_SIZES);
}

/** Each of one partition. */
function* portionsOf(sized: readonly Sized[]): Generator<{ relation: string; places: string[] }> {
  let portion: { relation: string; places: string[] } | null = null;
  let held = 0;
  for (const { relation, place, bytes } of sized) {
    if (portion !== null && (portion.relation !== relation || held + bytes > PORTION_BYTES)) {
      yield portion;
      portion = null;
    }
    if (portion === null) {
      portion = { relation, places: [] };
      held = 0;
    }
    portion.places.push(place);
    held += bytes;
  }
  if (portion !== null) yield portion;
}
