/**
 * Columns that show one field of a row as it is: each kind is written, exported and aligned in one way in every list.
 * They fit any row that has the field.
 */
import type { ReactNode } from 'react';
import { Moment, PartNumber, Quantity } from '../words.tsx';
import type { GridColumn } from './grid-column.ts';

type Column<Key extends string, Value> = GridColumn<{ readonly [key in Key]: Value }>;

/** Where a column stands, and how wide. */
type Look = Pick<GridColumn<never>, 'width' | 'grow' | 'align' | 'phone' | 'hidden' | 'sort' | 'spare'>;

/** Words, or a bare count, as the service gives them. */
export function textColumn<Key extends string>(key: Key, header: string, look: Look) {
  return fieldColumn<Key, string | number | null>(key, header, look, (text) => text);
}

/** The number of an item after its picture; `picture` names the field with the picture. */
export function picturedColumn<Key extends string, Picture extends string>(
  key: Key,
  picture: Picture,
  header: string,
  look: Look,
): GridColumn<{ readonly [field in Key | Picture]: string | null }> {
  return {
    key,
    header,
    ...look,
    cell: (row) => <PartNumber number={row[key]} picture={row[picture]} />,
    text: (row) => row[key],
  };
}

/** Keys and addresses, in the face of code. */
export function codeColumn<Key extends string>(key: Key, header: string, look: Look) {
  return fieldColumn<Key, string | null>(key, header, look, (code) => <span className="mono">{code}</span>);
}

/** The number of a part, an order or a requirement. */
export function numberColumn<Key extends string>(key: Key, header: string, look: Look) {
  return fieldColumn<Key, string | null>(key, header, look, (number) => <PartNumber number={number} />);
}

/** A moment in the reader's own time; an export has it as the service gives it. */
export function momentColumn<Key extends string>(key: Key, header: string, look: Look) {
  return fieldColumn<Key, string | null>(key, header, look, (at) => <Moment at={at} />);
}

/** An exact quantity, flush with those above it. */
export function quantityColumn<Key extends string>(key: Key, header: string, look: Look) {
  return fieldColumn<Key, number>(key, header, { align: 'end', ...look }, (value) => (
    <Quantity value={value} />
  ));
}

/** A quantity with the base unit of its item, where the item has one. */
export function measuredColumn<Key extends string>(
  key: Key,
  header: string,
  look: Look,
): GridColumn<{ readonly [field in Key]: number } & { readonly unit: string | null }> {
  return {
    key,
    header,
    align: 'end',
    ...look,
    cell: (row) => <Quantity value={row[key]} unit={row.unit} />,
    text: (row) => row[key],
  };
}

/** The base unit of the item on its own, for exports. */
export const unitColumn: GridColumn<{ readonly unit: string | null }> = {
  key: 'unit',
  header: 'Unit',
  width: 64,
  hidden: true,
  cell: ({ unit }) => unit ?? '',
  text: ({ unit }) => unit,
};

/** Who did it. */
export function actorColumn(
  header: string,
  look: Look,
): GridColumn<{ readonly actor: { readonly name: string } }> {
  return { key: 'actor', header, ...look, cell: ({ actor }) => actor.name, text: ({ actor }) => actor.name };
}

function fieldColumn<Key extends string, Value extends string | number | null>(
  key: Key,
  header: string,
  look: Look,
  show: (value: Value) => ReactNode,
): Column<Key, Value> {
  return { key, header, ...look, cell: (row) => show(row[key]), text: (row) => row[key] };
}
