/**
 * New lines with their orders and their first ledger entries, of one caller or of many. Two round trips: all locks and
 * reads, then all that is written with the commit. draft-order.ts decides what comes of each request.
 */
import { formatNumber } from '../../configuration/allocate-numbers.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { NumberSource } from '../../configuration/number-blocks.ts';
import type { Tx } from '../../db/transaction.ts';
import { transitionEntity } from '../../entities/transition-entity.ts';
import type { AppError } from '../../errors.ts';
import { recordCreated } from '../../events/record-entity-events.ts';
import { listeningSlugs } from '../../events/record-events.ts';
import type { Gathering, Outcome } from '../../group-commit/gathering.ts';
import { decimalOf } from '../../quantity.ts';
import { gatherProcured } from '../../stock/events/gather-changes.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import { type LockedRow, lockedBy, startRecording } from '../../stock/movements/record-requests.ts';
import { followAutomatically, partakerOf } from '../../subscriptions/follow.ts';
import { enteredColumns } from '../records/entered.ts';
import { type EntityMove, EntityMoves } from '../records/entity-moves.ts';
import { findLine, findRequirement, idsOf } from '../records/find-procured.ts';
import {
  insertEntities,
  insertLines,
  type LockedEntity,
  type LockedOrder,
  lockEntities,
  lockNamedPositions,
  lockOrders,
  waiting,
} from '../records/procured-entities.sql.ts';
import { RequirementChanges } from '../records/requirement-changes.ts';
import { type RequirementRow, selectRequirements } from '../records/requirements.sql.ts';
import { type Buying, readTermsParts } from './decide-terms.ts';
import { draftOrder } from './draft-order.ts';
import {
  type CreatedLines,
  type Draft,
  type Drafting,
  type DraftLine,
  type LinesRequest,
  type NewEntity,
  showDraft,
} from './drafts.ts';
import { insertOrderFacts } from './insert-order-facts.ts';
import { entriesSince } from './line-entries.ts';
import { beginLine } from './line-movements.ts';

/** Lines that one group makes; the requests beyond it are carried out separately. */
const LINES_MAX = 1000;

/**
 * The lines of each request come into being together or not at all. Refuses with what `draftOrder` throws and
 * `insufficient_stock`. Lock order: transition-effect.ts.
 */
export async function createLines(
  tx: Tx,
  numbers: NumberSource,
  requests: readonly LinesRequest[],
  { answered, isSingle }: Gathering,
): Promise<Outcome<CreatedLines>[]> {
  const inGroup = new Set(isSingle ? requests : withinLimit(requests));
  const group = await openGroup(tx, [...inGroup], isSingle);
  const [isAnswered, drafting, created] = await Promise.all([answered, group.drafting, group.created]);
  const drafts: (Draft | AppError | 'separately' | null)[] = [];
  for (const [index, request] of requests.entries()) {
    if (isAnswered[index] === true) drafts.push(null);
    else drafts.push(inGroup.has(request) ? await draftOrder(drafting, request) : 'separately');
  }
  const accepted = drafts.filter((draft) => draft !== null && typeof draft === 'object' && 'lines' in draft);
  await giveNumbers(tx, numbers, accepted);
  insert(tx, drafting, accepted, created);
  await drafting.recording.write();
  for (const draft of accepted) drafting.moves.add('plain', ...movesOf(draft));
  const isEventful = drafting.moves.hasEventful;
  await drafting.moves.write();
  for (const { request, lines } of accepted) await beginByTransition(tx, request, lines);
  for (const { request, order } of accepted)
    if ('versionId' in order)
      await followAutomatically(tx, partakerOf(request.by.actor), { type: 'entity', key: order.id });
  const outcomes: Outcome<CreatedLines>[] = [];
  for (const draft of drafts) {
    if (draft === null || typeof draft === 'string' || !('lines' in draft)) outcomes.push(draft);
    else {
      const done = showDraft(drafting, draft);
      // The insert fixes the revision of what a manufacturing line builds.
      const isShown = (begins: DraftLine['begins']) =>
        begins === null || (begins === 'inserted' && draft.type !== 'manufacturingOrder');
      const isComplete = !isEventful && draft.lines.every(({ begins }) => isShown(begins));
      outcomes.push({ done: isComplete ? done : await readAgain(tx, done) });
    }
  }
  return outcomes;
}

function withinLimit(requests: readonly LinesRequest[]): LinesRequest[] {
  let lines = 0;
  return requests.filter((request) => {
    if (lines + request.lines.length > LINES_MAX) return false;
    lines += request.lines.length;
    return true;
  });
}

/** Sends for all that the requests name; the lock on the configuration goes first, and positions last. */
async function openGroup(tx: Tx, requests: readonly LinesRequest[], isSingle: boolean) {
  const lines = requests.flatMap((request) => request.lines);
  const ids = await idsOf(tx, [
    ...requests.map(({ order }) => order),
    ...lines.flatMap(({ item, location, requirement }) => [item, location, requirement]),
  ]);
  const idOf = (ref: string | null | undefined) => (ref == null ? null : (ids.get(ref) ?? null));
  const distinct = (refs: readonly (string | null | undefined)[]) =>
    [...new Set(refs.map(idOf).filter((id) => id !== null))].toSorted();
  const orderIds = distinct(requests.map(({ order }) => order));
  const requirementIds = distinct(lines.map(({ requirement }) => requirement));
  // Most groups name no order and no requirement.
  const ofIds = async <Row>(statement: string, some: readonly string[]) =>
    some.length === 0 ? [] : tx.queryPrepared<Row>(statement, [tx.workspaceId, some]);
  const form = waiting(isSingle);
  const reading = Promise.all([
    configurationForWriting(tx),
    ofIds<LockedOrder>(lockOrders[form], orderIds),
    ofIds<LockedEntity>(lockEntities[form], requirementIds),
    ofIds<RequirementRow>(selectRequirements, requirementIds),
    lockedBy(
      tx,
      tx.queryPrepared<LockedRow>(lockNamedPositions, [
        tx.workspaceId,
        lines.map(({ item }) => idOf(item)),
        lines.map(({ location }) => idOf(location)),
        lines.map(() => null),
        lines.map(({ requirement }) => idOf(requirement)),
      ]),
    ),
    findStockEntities(
      tx,
      lines.flatMap(({ item, location }) => (item === null ? [location] : [item, location])),
    ),
  ]);
  const moves = new EntityMoves(
    tx,
    requests.map(({ by }) => by),
  );
  const created = listeningSlugs(tx, ['entityCreated', 'orderChanged', 'belowReorderPoint']);
  const drafting = reading.then(
    async ([configuration, orders, held, rows, positions, found]): Promise<Drafting> => ({
      configuration,
      isSingle,
      ids,
      found,
      parts: await readTermsParts(tx, buyingOf(requests, idOf, orders, rows)),
      orders: new Map(orders.map((order) => [order.id, order])),
      requirements: new RequirementChanges({ configuration, isSingle }, held, rows),
      recording: await startRecording(tx, positions),
      moves,
    }),
  );
  // A group may fail elsewhere before these are awaited.
  for (const promise of [drafting, created]) promise.catch(() => {});
  return { drafting, created };
}

/** The purchase lines of the requests, with the suppliers of their orders. */
function buyingOf(
  requests: readonly LinesRequest[],
  idOf: (ref: string | null | undefined) => string | null,
  orders: readonly LockedOrder[],
  requirements: readonly RequirementRow[],
): Buying[] {
  const supplierOf = new Map(orders.map(({ id, supplier }) => [id, supplier]));
  const itemOf = new Map(requirements.map(({ id, item_id }) => [id, item_id]));
  return requests.flatMap(({ order, supplier: named, lines }) => {
    const supplier = order === null ? (named ?? null) : (supplierOf.get(idOf(order) ?? '') ?? null);
    return lines.flatMap((wanted) => {
      const itemId = idOf(wanted.item) ?? itemOf.get(idOf(wanted.requirement) ?? '');
      return itemId === undefined ? [] : [{ wanted, itemId, supplier }];
    });
  });
}

/** Throws `NumbersWanted` where there are not enough: then nothing is made, and everything is tried again with more. */
async function giveNumbers(tx: Tx, numbers: NumberSource, drafts: readonly Draft[]): Promise<void> {
  const byCategory = Map.groupBy(newOf(drafts), ({ category }) => category);
  const counts = new Map([...byCategory].map(([category, members]) => [category.key, members.length]));
  const firsts = await numbers.take(tx.workspaceId, counts);
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

function insert(
  tx: Tx,
  { recording }: Drafting,
  drafts: readonly Draft[],
  [ofCreated, ...ofOrders]: readonly (string | null)[],
): void {
  const createdAt = recording.recordedAt.toISOString();
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
      entities.map(({ actorId }) => actorId),
      // One that has begun has been moved once.
      entities.map(({ state, category }) => (state === category.lifecycle.initialState ? 1 : 2)),
      createdAt,
    ]),
  );
  const lines = drafts.flatMap(({ request, type, order, lines: own }) =>
    own.map((line) => ({ ...line, type, order, request })),
  );
  tx.withCommit(
    tx.queryPrepared(insertLines, [
      tx.workspaceId,
      lines.map(({ entity }) => entity.id),
      lines.map(({ type }) => type),
      lines.map(({ order }) => order.id),
      lines.map(({ item }) => item.id),
      lines.map(({ location }) => location.id),
      lines.map(({ requirementId }) => requirementId),
      lines.map(({ wanted }) => decimalOf(wanted.amount)),
      lines.map(({ requiredBy }) => requiredBy),
      createdAt,
      lines.map(({ begins }) => begins === 'inserted'),
      lines.map(({ wanted }) => wanted.overDeliveryPercent ?? null),
      lines.map(({ wanted, type }) => type === 'salesOrder' && wanted.allowBackorder === true),
      ...enteredColumns(lines.map(({ wanted }) => wanted.entered ?? null)),
    ]),
  );
  insertOrderFacts(tx, drafts);
  if (ofOrders.some((slug) => slug !== null))
    gatherProcured(
      tx,
      lines.map(({ entity }) => entity.id),
    );
  if (ofCreated == null) return;
  const events = entities.map(({ category, ...entity }) => ({ ...entity, category: category.key }));
  tx.withCommit(recordCreated(tx, ofCreated, events));
}

/** The lines that are inserted in the state in which they work. */
function movesOf({ request: { by }, lines }: Draft): EntityMove[] {
  return lines.flatMap(({ begins, entity, wanted }) => {
    if (begins !== 'inserted') return [];
    const { id, versionId: version_id, number, category, state: to } = entity;
    return {
      entity: { id, version_id, number, category: category.key, revision_number: 1 },
      from: category.lifecycle.initialState,
      to,
      note: wanted.note ?? null,
      by,
      isNew: true,
    };
  });
}

/** Lines whose lifecycle attaches more to their beginning are drafts so far; what is attached may refuse. */
async function beginByTransition(tx: Tx, { by }: LinesRequest, lines: readonly DraftLine[]): Promise<void> {
  for (const { begins, entity, working, wanted } of lines) {
    if (begins !== 'by transition') continue;
    const note = wanted.note ?? null;
    await transitionEntity(tx, by, { entity: entity.id, toState: working, note });
    // Done by the feature automation of the transition; a lifecycle without it must not make a line that the ledger
    // does not know (interface, Related resources).
    await beginLine(tx, by, await findLine(tx, entity.id), note);
  }
}

/** Reads the lines again: feature automations may have changed more. */
async function readAgain(tx: Tx, { order, lines }: CreatedLines): Promise<CreatedLines> {
  const read: CreatedLines['lines'] = [];
  for (const { line, requirement } of lines) {
    read.push({
      line: await findLine(tx, line.id),
      entries: await entriesSince(tx, line.id, null),
      requirement: requirement === null ? null : await findRequirement(tx, requirement.id),
    });
  }
  return { order, lines: read };
}
