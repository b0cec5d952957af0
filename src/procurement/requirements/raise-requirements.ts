/** Raises material requirements. It records a need and writes no ledger entry (interface, Material requirement line). */
import type { Actor } from '../../actor.ts';
import { formatNumber } from '../../configuration/allocate-numbers.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { type NumberSource, numbersOf } from '../../configuration/number-blocks.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Substitute } from '../../entities/links/link-line.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { recordEntitiesCreated } from '../../events/record-entity-events.ts';
import { Slices } from '../../fairness/slices.ts';
import { type Gathering, type Outcome, orRefusal } from '../../group-commit/gathering.ts';
import { decimalOf, type Exact, exactText, type Micro } from '../../quantity.ts';
import { gatherProcured } from '../../stock/events/gather-changes.ts';
import {
  findStockEntities,
  refuseArchived,
  type StockEntity,
} from '../../stock/movements/find-stock-entities.ts';
import { selectClock } from '../../stock/movements/record-requests.sql.ts';
import { idsOf, refuseProject } from '../records/find-procured.ts';
import { findProcurementCategory } from '../records/find-procurement-category.ts';
import { nameOfLine } from '../records/line.ts';
import {
  type FactsRow,
  insertEntities,
  insertRequirements,
  type OwnerRow,
  selectFacts,
  selectRoles,
} from '../records/procured-entities.sql.ts';
import { refuseItem } from '../records/refusals.ts';
import { type Requirement, requirementOfRow } from '../records/requirement.ts';

interface Named {
  id: string;
  number: string | null;
  name: string;
}

/** A requirement of a project, or of a manufacturing line that needs the item as a component. Project, line and item exist. */
export interface NewRequirement {
  actor: Actor;
  project: Named | null;
  line: { id: string; orderId: string } | null;
  item: Named & { picture: string | null };
  amount: Micro;
  requiredBy: string | null;
  /** Whether the structure of the project causes it. Then it is reduced when the structure needs less. */
  followsStructure?: boolean;
  /** How the quantity follows from that of the line, if it is a component. */
  component?: { perUnit: Exact; perOrder: Exact; substitutes: readonly Substitute[] };
}

/** Maximum number of requirements in one message to the database, which is written in one turn of the event loop. */
const AT_ONCE = 500;

/**
 * Sends three statements for each portion. Takes the configuration lock and, if numbers are counted in the transaction, the number counter.
 * Throws `procurement_not_configured`, and `entity_archived` if an item or a project is archived.
 */
export async function createRequirements(
  tx: Tx,
  wanted: readonly NewRequirement[],
  numbers: NumberSource = numbersOf(tx),
): Promise<Requirement[]> {
  if (wanted.length === 0) return [];
  const [configuration, rows, [clock]] = await Promise.all([
    configurationForWriting(tx),
    tx.queryPrepared<FactsRow>(selectFacts, [
      tx.workspaceId,
      [
        ...new Set(
          wanted.flatMap(({ item, project }) => [item.id, ...(project === null ? [] : [project.id])]),
        ),
      ],
    ]),
    tx.queryPrepared<{ now_us: string }>(selectClock, [tx.workspaceId]),
  ]);
  const archived = rows.find(({ is_archived }) => is_archived);
  if (archived !== undefined) throw refuseArchived(archived);
  const {
    key: category,
    numbering,
    lifecycle,
  } = findProcurementCategory(configuration, 'materialRequirement');
  const firsts = await numbers.take(tx.workspaceId, new Map([[category, wanted.length]]));
  const first = firsts.get(category) as number;
  const createdAt = new Date(Number(BigInt(clock?.now_us ?? 0) / 1000n)).toISOString();
  const state = lifecycle.initialState;
  const facts = new Map(rows.map((row) => [row.id, row]));
  const slices = new Slices(tx.gone);
  const created: Requirement[] = [];
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    if (slices.areDue) await slices.next();
    const portion = wanted.slice(from, from + AT_ONCE).map((one, index) => ({
      ...one,
      id: newId(),
      number: formatNumber(numbering.pattern, first + from + index),
    }));
    await insertPortion(tx, portion, { category, state, createdAt });
    for (const one of portion) {
      if (slices.areDue) await slices.next();
      created.push(shown(one, { state, createdAt, item: facts.get(one.item.id) }));
    }
  }
  return created;
}

type Numbered = NewRequirement & { id: string; number: string };

async function insertPortion(
  tx: Tx,
  requirements: readonly Numbered[],
  { category, state, createdAt }: { category: string; state: string; createdAt: string },
): Promise<void> {
  const ids = requirements.map(({ id }) => id);
  tx.withCommit(
    tx.queryPrepared(insertEntities, [
      tx.workspaceId,
      ids,
      requirements.map(({ number }) => number),
      requirements.map(({ item, amount }) => nameOfLine(amount, item.name)),
      requirements.map(() => category),
      requirements.map(() => state),
      requirements.map(({ actor }) => actor.id),
      requirements.map(() => 1),
      createdAt,
    ]),
  );
  tx.withCommit(
    tx.queryPrepared(insertRequirements, [
      tx.workspaceId,
      ids,
      requirements.map(({ project }) => project?.id ?? null),
      requirements.map(({ line }) => line?.id ?? null),
      requirements.map(({ item }) => item.id),
      requirements.map(({ amount }) => decimalOf(amount)),
      requirements.map(({ requiredBy }) => requiredBy),
      createdAt,
      requirements.map(({ component }) => (component === undefined ? null : exactText(component.perUnit))),
      requirements.map(({ component }) => (component === undefined ? null : exactText(component.perOrder))),
      requirements.map(({ component }) =>
        component === undefined || component.substitutes.length === 0
          ? null
          : JSON.stringify(component.substitutes),
      ),
      requirements.map(({ followsStructure }) => followsStructure === true),
    ]),
  );
  gatherProcured(tx, ids);
  await recordEntitiesCreated(
    tx,
    requirements.map(({ id, number }) => ({ id, versionId: id, number, category })),
  );
}

/** A new requirement, of which nothing is covered. */
function shown(
  { id, number, project, line, item, amount, requiredBy, followsStructure = false }: Numbered,
  { state, createdAt, item: facts }: { state: string; createdAt: string; item: FactsRow | undefined },
): Requirement {
  const nothing = decimalOf(0n);
  return requirementOfRow({
    id,
    number,
    project_id: project?.id ?? null,
    project_number: project?.number ?? null,
    project_name: project?.name ?? null,
    line_id: line?.id ?? null,
    order_id: line?.orderId ?? null,
    item_id: item.id,
    item_number: item.number,
    item_name: item.name,
    item_archived: false,
    item_picture: item.picture,
    item_revision: facts?.revision ?? null,
    unit: facts?.unit ?? null,
    state,
    quantity: decimalOf(amount),
    required_by: requiredBy,
    created_at: createdAt,
    follows_structure: followsStructure,
    reserved: nothing,
    issued: nothing,
    ordered: nothing,
    received: nothing,
    converted: nothing,
  });
}

/** A requirement that somebody asks for. */
export interface RequirementRequest {
  actor: Actor;
  project: EntityRef;
  item: EntityRef;
  amount: Micro;
  requiredBy: string | null;
}

/**
 * Raises requirements of one caller or of many. Refuses with `entity_not_found`, `not_a_project`, `not_an_item`,
 * `procurement_not_configured`.
 */
export async function raiseRequirements(
  tx: Tx,
  numbers: NumberSource,
  requests: readonly RequirementRequest[],
  { answered }: Gathering,
): Promise<Outcome<Requirement>[]> {
  const ids = await idsOf(
    tx,
    requests.map(({ project }) => project),
  );
  const [isAnswered, , owners, items] = await Promise.all([
    answered,
    configurationForWriting(tx),
    tx.queryPrepared<OwnerRow>(selectRoles, [tx.workspaceId, [...new Set(ids.values())]]),
    findStockEntities(
      tx,
      requests.map(({ item }) => item),
    ),
  ]);
  const projects = new Map(owners.map((owner) => [owner.id, owner]));
  const found = requests.map((request, index) => {
    if (isAnswered[index] === true) return null;
    return orRefusal(() =>
      findOwner(request, projects.get(ids.get(request.project) ?? ''), items.get(request.item)),
    );
  });
  const accepted = found.flatMap((one) => (one === null || one instanceof AppError ? [] : [one]));
  const raised = (await createRequirements(tx, accepted, numbers)).values();
  return found.map((one) =>
    one === null || one instanceof AppError ? one : { done: raised.next().value as Requirement },
  );
}

function findOwner(
  { actor, project: projectRef, item: itemRef, amount, requiredBy }: RequirementRequest,
  project: OwnerRow | undefined,
  item: StockEntity | undefined,
): NewRequirement {
  if (project?.role !== 'project') throw refuseProject(projectRef, project, '/projectId');
  if (item?.isItem !== true || item.isArchived) throw refuseItem(itemRef, item);
  return { actor, project, line: null, item, amount, requiredBy };
}
