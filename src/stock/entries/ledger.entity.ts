/** The tables of positions and of the ledger, as MikroORM maps them. The writer makes its statement from this mapping. */
import { defineEntity, type InferEntity, p, Type } from '@mikro-orm/postgresql';
import { decimalOf, type Micro, microOfDecimal } from '../../quantity.ts';
import type { ConsumeMode, MovementType } from './movement.ts';

/** A quantity: millionths in code, numeric(15,6) in the table. */
class QuantityType extends Type<Micro, string> {
  override convertToDatabaseValue(value: Micro): string {
    return decimalOf(value);
  }
  override convertToJSValue(value: string): Micro {
    return microOfDecimal(value);
  }
  override getColumnType(): string {
    return 'numeric(15,6)';
  }
  override compareAsType(): string {
    return 'bigint';
  }
}

/** A time to the microsecond: microseconds since 1970 in code, timestamptz in the table. */
class MicrosecondsType extends Type<bigint, string> {
  override convertToDatabaseValue(value: bigint): string {
    return value.toString();
  }
  override convertToJSValue(value: string): bigint {
    return BigInt(value);
  }
  override convertToDatabaseValueSQL(element: string): string {
    return `timestamptz 'epoch' + ${element}::float8 * interval '1 microsecond'`;
  }
  override convertToJSValueSQL(column: string): string {
    return `(extract(epoch from ${column}) * 1000000)::bigint`;
  }
  override getColumnType(): string {
    return 'timestamptz';
  }
  override compareAsType(): string {
    return 'bigint';
  }
}

export const PositionRow = defineEntity({
  name: 'PositionRow',
  tableName: 'stock_position',
  properties: {
    workspaceId: p.uuid().primary(),
    itemId: p.uuid().primary(),
    locationId: p.uuid().primary(),
    onHand: p.type(QuantityType),
    reserved: p.type(QuantityType),
    onOrder: p.type(QuantityType),
    /** How much of On Hand is in lots; null for an item that is not tracked. */
    inLots: p.type(QuantityType).nullable(),
    /** How much of Reserved is stock of lots that their status keeps from use. */
    blocked: p.type(QuantityType),
    /** Sequence of the last entry; 0 if there is none. */
    sequence: p.bigint('bigint'),
    /** Hash of the last entry. */
    hash: p.blob().$type<Buffer>(),
    /** When the last entry was recorded, in microseconds since 1970. */
    updatedUs: p.type(MicrosecondsType).fieldName('updated_at'),
  },
});
export type PositionRow = InferEntity<typeof PositionRow>;

export const LedgerRow = defineEntity({
  name: 'LedgerRow',
  tableName: 'stock_ledger',
  properties: {
    workspaceId: p.uuid().primary(),
    itemId: p.uuid().primary(),
    locationId: p.uuid().primary(),
    /** Counts per position from 1 without gaps. */
    sequence: p.bigint('bigint').primary(),
    id: p.uuid(),
    /** Microseconds since 1970. */
    recordedUs: p.type(MicrosecondsType).fieldName('recorded_at'),
    movementType: p.text().$type<MovementType>(),
    quantity: p.type(QuantityType),
    onHandDelta: p.type(QuantityType),
    reservedDelta: p.type(QuantityType),
    onOrderDelta: p.type(QuantityType),
    onHandAfter: p.type(QuantityType),
    reservedAfter: p.type(QuantityType),
    onOrderAfter: p.type(QuantityType),
    note: p.text().nullable(),
    lineId: p.uuid().nullable(),
    orderId: p.uuid().nullable(),
    requirementId: p.uuid().nullable(),
    actorId: p.uuid(),
    // The facts of `StatedFacts`.
    bookingId: p.uuid().nullable(),
    reversesId: p.uuid().nullable(),
    effectiveOn: p.string().columnType('date').nullable(),
    reason: p.text().nullable(),
    consume: p.text().$type<ConsumeMode>().nullable(),
    itemRevision: p.integer().nullable(),
    lot: p.text().nullable(),
    enteredQuantity: p.type(QuantityType).nullable(),
    enteredUnit: p.text().nullable(),
    coveredQuantity: p.type(QuantityType).nullable(),
    hash: p.blob().$type<Buffer>(),
  },
});
export type LedgerRow = InferEntity<typeof LedgerRow>;
