/** The columns of a mapped table, for statements that write many of its rows at once and pass each column as one array. */
import type { EntityProperty, EntitySchema, Platform } from '@mikro-orm/postgresql';
import type { AnyTx } from './transaction.ts';

/** A mapped row as code holds it: all of its columns, without the workspace. */
export type Stored<Row> = {
  readonly [Name in Exclude<Extract<keyof Row, string>, 'workspaceId'>]-?: Exclude<Row[Name], undefined>;
};

export interface MappedColumn<Row> {
  readonly name: string;
  readonly isPrimary: boolean;
  /** The type of the array that carries the values. */
  readonly arrayType: string;
  /** SQL that turns an element of that array into the value of the column. */
  valueFrom(element: string): string;
  /**
   * The values of these rows as one array, in PostgreSQL's text form. The array is empty where no row has a value: `unnest` of several arrays
   * fills the shorter ones with nulls, so that a fact that nobody states costs nothing.
   */
  arrayOf(rows: readonly Row[]): string;
}

/** Returns columns in the order of the mapping, without the workspace, which is the same for all rows of a transaction. */
export function mappedColumns<Row extends object>(
  { em }: Pick<AnyTx, 'em'>,
  entity: EntitySchema,
): MappedColumn<Row>[] {
  const platform = em.getPlatform();
  return em
    .getMetadata()
    .get(entity.meta.class)
    .props.filter(({ name }) => name !== 'workspaceId')
    .map((property) => columnOf<Row>(property as EntityProperty<Row>, platform));
}

function columnOf<Row>(property: EntityProperty<Row>, platform: Platform): MappedColumn<Row> {
  const { customType: type } = property;
  const [name, columnType] = [property.fieldNames[0], property.columnTypes[0]];
  if (name === undefined || columnType === undefined)
    throw new Error(`Property ${property.name} is not mapped to a column`);
  const convert = (value: unknown) =>
    value == null || type === undefined ? value : type.convertToDatabaseValue(value, platform);
  const field = property.name as keyof Row;
  const element = columnType === 'text' ? quoted : textOf;
  return {
    name,
    isPrimary: property.primary === true,
    arrayType:
      type?.convertToDatabaseValueSQL === undefined ? `${columnType.replace(/\(.*/, '')}[]` : 'text[]',
    valueFrom: (sql) => type?.convertToDatabaseValueSQL?.(sql, platform) ?? sql,
    arrayOf: (rows) =>
      rows.every((row) => row[field] == null)
        ? '{}'
        : `{${rows.map((row) => element(convert(row[field]))).join()}}`,
  };
}

function textOf(value: unknown): string {
  if (value == null) return 'null';
  return Buffer.isBuffer(value) ? `"\\\\x${value.toString('hex')}"` : String(value);
}

function quoted(value: unknown): string {
  return value == null ? 'null' : `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`;
}
