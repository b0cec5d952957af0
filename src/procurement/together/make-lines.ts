/**
 * New lines with their orders and their first ledger entries, those of callers of the same time in one transaction. What
 * one of them wants happens as a whole or is done apart, by `createLine`: here is only what needs no more than inserts.
 */

import { formatNumber } from '../../configuration/allocate-numbers.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { type NumberBlocks, NumbersWanted } from '../../configuration/number-blocks.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, isEntityId } from '../../entities/resolve-entity.ts';
import { recordCreated } from '../../events/record-entity-events.ts';
import { listeningSlugs } from '../../events/record-events.ts';
import type { CombinedWork, Verdict } from '../../group-commit/combined-calls.ts';
import { decimalOf } from '../../quantity.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import { type LockedRow, lockedBy, startRecording } from '../../stock/movements/record-requests.ts';
import { type RequirementRow, selectRequirements } from '../records/requirements.sql.ts';
import { supplierKey } from '../records/supplier-key.ts';
import { insertSuppliers } from '../records/suppliers.sql.ts';
import {
  type Draft,
  draftOrder,
  type MadeLines,
  type Making,
  type MakingCall,
  type NewEntity,
} from './draft-order.ts';
import { type Move, writeMoves } from './plain-moves.ts';
import { RequirementStates } from './requirement-states.ts';
import {
  insertEntities,
  insertLines,
  type LockedEntity,
  type LockedOrder,
  lockFreeEntities,
  lockFreeOrders,
  lockNamedPositions,
} from './together.sql.ts';

/** Of a call for one line. */
export function onlyLine({ lines }: MadeLines): MadeLines['lines'][number] {
  const [made] = lines;
  if (made === undefined || lines.length > 1)
    throw new Error(`One line was wanted, and ${lines.length} made`);
  return made;
}

/** Lines that one group makes; the calls beyond it are done apart. */
const LINES_MAX = 1000;

export function makingLines(numbers: NumberBlocks): CombinedWork<MakingCall> {
  return {
    what: 'new lines',
    together: (tx, calls, claimed) => makeLines(tx, numbers, calls, claimed),
    apart: (tx, call) => call.apart(tx),
    amend: async (workspaceId, error) => {
      if (!(error instanceof NumbersWanted)) return false;
      await numbers.refill(workspaceId, error);
      return true;
    },
    lookAhead: (workspaceId) => numbers.lookAhead(workspaceId),
  };
}

async function makeLines(
  tx: Tx,
  numbers: NumberBlocks,
  calls: readonly MakingCall[],
  claimed: Promise<readonly (Verdict | null)[]>,
): Promise<Verdict[]> {
  const plain = plainOf(calls);
  const wanted = plain.flatMap(({ lines }) => lines);
  const distinct = (refs: readonly (EntityRef | null | undefined)[]) =>
    [...new Set(refs.filter((ref) => ref != null))].toSorted();
  const orderIds = distinct(plain.map(({ order }) => order));
  const requirementIds = distinct(wanted.map(({ requirement }) => requirement));
  // Most groups name no order and no requirement.
  const ofIds = async <Row>(statement: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : tx.queryPrepared<Row>(statement, [tx.workspaceId, ids]);
  const [known, configuration, orders, held, rows, positions, found, [created = null, moved = null]] =
    await Promise.all([
      claimed,
      configurationForWriting(tx),
      ofIds<LockedOrder>(lockFreeOrders, orderIds),
      ofIds<LockedEntity>(lockFreeEntities, requirementIds),
      ofIds<RequirementRow>(selectRequirements, requirementIds),
      lockedBy(
        tx,
        tx.queryPrepared<LockedRow>(lockNamedPositions, [
          tx.workspaceId,
          wanted.map(({ item }) => item),
          wanted.map(({ location }) => location),
          wanted.map(() => null),
          wanted.map(({ requirement }) => requirement ?? null),
        ]),
      ),
      findStockEntities(
        tx,
        wanted.flatMap(({ item, location }) => (item === null ? [location] : [item, location])),
      ),
      listeningSlugs(tx, ['entityCreated', 'lifecycleTransition']),
    ]);
  const recording = await startRecording(tx, positions);
  const group: Making = {
    configuration,
    found,
    orders: new Map(orders.map((order) => [order.id, order])),
    requirements: new RequirementStates(configuration, held, rows),
    recording,
    createdAt: recording.recordedAt.toISOString(),
  };
  const drafts: (Draft | null)[] = [];
  const isPlain = new Set(plain);
  for (const [index, call] of calls.entries()) {
    const isOpen = (known[index] ?? null) === null && isPlain.has(call);
    drafts.push(isOpen ? await draftOrder(group, call) : null);
  }
  const made = drafts.filter((one) => one !== null);
  number(tx, numbers, made);
  insert(tx, group, made, created);
  await recording.write();
  writeMoves(tx, movesOf(made), { slug: moved, areNew: true });
  writeMoves(tx, group.requirements.moves, { slug: moved });
  return calls.map((call, index) => {
    const draft = drafts[index] ?? null;
    return known[index] ?? (draft === null ? 'apart' : call.show(shown(group, draft)));
  });
}

/** Those that name everything by ids, as many as one group may make. */
function plainOf(calls: readonly MakingCall[]): MakingCall[] {
  let lines = 0;
  return calls.filter((call) => {
    const refs = call.lines.flatMap(({ item, location, requirement }) => [item, location, requirement]);
    const byIds = [call.order, ...refs].every((ref) => ref == null || isEntityId(ref));
    if (!byIds || lines + call.lines.length > LINES_MAX) return false;
    lines += call.lines.length;
    return true;
  });
}

/** Throws `NumbersWanted` where there are not enough: then nothing is made, and everything is tried again with more. */
function number(tx: Tx, numbers: NumberBlocks, drafts: readonly Draft[]): void {
  const byCategory = Map.groupBy(newOf(drafts), ({ category }) => category);
  const counts = new Map([...byCategory].map(([category, members]) => [category.key, members.length]));
  const firsts = numbers.take(tx.workspaceId, counts);
  for (const [{ key, numbering }, members] of byCategory) {
    for (const [index, member] of members.entries())
      member.number = formatNumber(numbering.pattern, (firsts.get(key) as number) + index);
  }
}

function newOf(drafts: readonly Draft[]): NewEntity[] {
  return drafts.flatMap(({ order, lines }) => [
    ...('versionId' in order ? [order] : []),
    ...lines.map(({ entity }) => entity),
  ]);
}

function insert(tx: Tx, { createdAt }: Making, drafts: readonly Draft[], slug: string | null): void {
  const actors = new Map(
    drafts.flatMap((one) => newOf([one]).map((entity) => [entity, one.call.by.actor.id] as const)),
  );
  const entities = newOf(drafts);
  if (entities.length === 0) return;
  tx.withCommit(
    tx.queryPrepared(insertEntities, [
      tx.workspaceId,
      entities.map(({ id }) => id),
      entities.map(({ number }) => number),
      entities.map(({ name }) => name),
      entities.map(({ category }) => category.key),
      entities.map(({ state }) => state),
      entities.map((entity) => actors.get(entity)),
      // One that has begun has been moved once.
      entities.map(({ state, category }) => (state === category.lifecycle.initialState ? 1 : 2)),
      createdAt,
    ]),
  );
  const lines = drafts.flatMap(({ call, order, lines: own }) =>
    own.map((line) => ({ ...line, call, order })),
  );
  tx.withCommit(
    tx.queryPrepared(insertLines, [
      tx.workspaceId,
      lines.map(({ entity }) => entity.id),
      lines.map(({ call }) => call.type),
      lines.map(({ order }) => order.id),
      lines.map(({ item }) => item.id),
      lines.map(({ location }) => location.id),
      lines.map(({ wanted }) => wanted.requirement ?? null),
      lines.map(({ wanted }) => decimalOf(wanted.amount)),
      lines.map(({ requiredBy }) => requiredBy),
      createdAt,
    ]),
  );
  insertNamed(tx, drafts);
  if (slug === null) return;
  const events = entities.map(({ category, ...entity }) => ({ ...entity, category: category.key }));
  tx.withCommit(recordCreated(tx, slug, events));
}

/** From whom they are; most groups say it of none. */
function insertNamed(tx: Tx, drafts: readonly Draft[]): void {
  const named = drafts.flatMap(({ call, order }) =>
    call.supplier == null ? [] : [{ id: order.id, name: call.supplier }],
  );
  if (named.length === 0) return;
  tx.withCommit(
    tx.queryPrepared(insertSuppliers, [
      tx.workspaceId,
      named.map(({ id }) => id),
      named.map(({ name }) => name),
      named.map(({ name }) => supplierKey(name)),
    ]),
  );
}

/** The lines that have begun. */
function movesOf(drafts: readonly Draft[]): Move[] {
  return drafts.flatMap(({ call, lines }) =>
    lines.flatMap(({ entity, wanted }): Move[] => {
      const { initialState } = entity.category.lifecycle;
      if (entity.state === initialState) return [];
      const { id, versionId: version_id, number, category } = entity;
      return [
        {
          entity: { id, version_id, number, category: category.key, revision_number: 1 },
          from: initialState,
          to: entity.state,
          note: wanted.note ?? null,
          actorId: call.by.actor.id,
        },
      ];
    }),
  );
}

function shown({ createdAt }: Making, { call, order, lines }: Draft): MadeLines {
  const supplier = 'supplier' in order ? order.supplier : (call.supplier ?? null);
  return {
    order: {
      id: order.id,
      number: order.number,
      name: order.name,
      state: order.state,
      createdAt,
      supplier,
    },
    lines: lines.map(({ entity, wanted, item, location, entries, change, requiredBy }) => ({
      line: {
        id: entity.id,
        number: entity.number,
        type: call.type,
        orderId: order.id,
        orderNumber: order.number,
        supplier,
        itemId: item.id,
        itemNumber: item.number,
        itemName: item.name,
        locationId: location.id,
        locationNumber: location.number,
        locationName: location.name,
        requirementId: wanted.requirement ?? null,
        state: entity.state,
        quantity: wanted.amount,
        requiredBy,
        createdAt,
        received: 0n,
        shipped: 0n,
        reserved: entries.reduce((sum, entry) => sum + entry.reservedDelta, 0n),
        onOrder: entries.reduce((sum, entry) => sum + entry.onOrderDelta, 0n),
        open: wanted.amount,
      },
      entries,
      requirement: change?.requirement ?? null,
    })),
  };
}
