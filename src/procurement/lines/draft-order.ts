/** Decides one request for new lines, in memory, on what its group has read and locked. */
import type { CategoryConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { newId } from '../../db/ids.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { orRefusal } from '../../group-commit/gathering.ts';
import { type LineType, lineRules, lineTypes } from '../../stock/entries/line-rules.ts';
import { refuseArchived } from '../../stock/movements/find-stock-entities.ts';
import { AvailableStock } from '../records/available-stock.ts';
import { wayOf } from '../records/entity-moves.ts';
import { refuseClosed } from '../records/find-order.ts';
import { findProcurementCategory } from '../records/find-procurement-category.ts';
import { isDoneByLine, isSupply, lineBehaviours, movementsOf, nameOfLine } from '../records/line.ts';
import type { LockedOrder } from '../records/procured-entities.sql.ts';
import {
  atLine,
  invalidLine,
  refuseItem,
  refuseItself,
  refuseLineMovements,
  refuseLocation,
  requireWanted,
} from '../records/refusals.ts';
import type { Requirement } from '../records/requirement.ts';
import { decideTerms } from './decide-terms.ts';
import {
  type Draft,
  type Drafting,
  type DraftLine,
  emptyLine,
  type LinesRequest,
  type NewEntity,
  type WantedLine,
} from './drafts.ts';

/**
 * Refuses with `entity_not_found`, `not_an_item`, `not_a_location`, `order_not_found`, `order_not_open`,
 * `requirement_not_found`, `requirement_cancelled`, `over_requirement`, `insufficient_stock`, `validation_failed`,
 * `procurement_not_configured`.
 */
export async function draftOrder(
  group: Drafting,
  request: LinesRequest,
): Promise<Draft | AppError | 'separately'> {
  const draft = orRefusal(() => draftLines(group, request));
  if (draft instanceof AppError || draft === 'separately') {
    group.requirements.drop();
    return draft;
  }
  const { by } = request;
  const lineOf = (line: DraftLine) => emptyLine(draft, line, '');
  const available = new AvailableStock((position) => group.recording.balanceOf(position));
  const begun = draft.lines.flatMap((line) => {
    if (line.begins !== 'inserted') return [];
    const empty = lineOf(line);
    const amount = empty.allowBackorder ? available.take(empty, empty.quantity) : empty.quantity;
    line.movements =
      amount === 0n
        ? []
        : movementsOf(empty, 'begin', amount, {
            note: line.wanted.note ?? null,
            open: line.open,
            entered: line.wanted.entered,
          });
    return line.movements.map(() => line);
  });
  const movements = begun.length === 0 ? [] : [...new Set(begun)].flatMap((line) => line.movements);
  if (movements.length > 0) {
    const { entries, refusals } = await group.recording.decide({ actor: by.actor, movements });
    if (refusals !== null) {
      group.requirements.drop();
      const places = begun.map((line) => ({
        line: lineOf(line),
        index: request.isList ? draft.lines.indexOf(line) : null,
      }));
      const [
        {
          entity: { category },
        },
      ] = begun as [DraftLine];
      return refusedFeature(refuseLineMovements(refusals, places), category, draft.type);
    }
    for (const [index, entry] of entries.entries()) begun[index]?.entries.push(entry);
  }
  group.requirements.keep(group.moves);
  return draft;
}

function draftLines(group: Drafting, request: LinesRequest): Draft | 'separately' {
  const { by } = request;
  const order = findOrder(group, request);
  if (order === 'separately') return order;
  const type = order?.type ?? request.type;
  if (type === null) throw new Error('New lines have neither an order nor a type');
  const category = findProcurementCategory(group.configuration, lineBehaviours[type]);
  const supplier = order === null ? (request.supplier ?? null) : order.row.supplier;
  const lines: DraftLine[] = [];
  for (const [index, wanted] of request.lines.entries()) {
    const draft = () => draftLine(group, { by, type, category, wanted, supplier });
    const line = atLine(request.isList ? index : null, draft);
    if (line === 'separately') return line;
    lines.push(line);
  }
  if (order !== null) return { request, type, order: order.row, lines };
  const own = findProcurementCategory(group.configuration, type);
  return { request, type, order: newEntity(own, own.name, own.lifecycle.initialState, by), lines };
}

function findOrder(
  { ids, orders, configuration, isSingle }: Drafting,
  { order: ref, type }: LinesRequest,
): { type: LineType; row: LockedOrder } | 'separately' | null {
  if (ref === null) return null;
  const row = orders.get(ids.get(ref) ?? '');
  // Somebody else may hold it.
  if (row === undefined && !isSingle) return 'separately';
  const behaviour = configuration.categories.get(row?.category ?? '')?.behaviour;
  const own = lineTypes.find((one) => one === behaviour);
  if (row === undefined || own === undefined || (type !== null && type !== own)) {
    const ofType = type === null ? '' : ` of type ${type}`;
    throw new AppError('order_not_found', `There is no order ${ref}${ofType}.`);
  }
  refuseClosed(row);
  return { type: own, row };
}

interface Wanting {
  by: Mover;
  type: LineType;
  category: CategoryConfiguration;
  wanted: WantedLine;
  supplier: string | null;
}

function draftLine(
  group: Drafting,
  { by, type, category, wanted, supplier }: Wanting,
): DraftLine | 'separately' {
  const { working } = lineRules[type];
  const { initialState } = category.lifecycle;
  const wantedState = wanted.state ?? working;
  if (wantedState !== 'Draft' && wantedState !== working)
    throw invalidLine('state', `A line of type ${type} begins as Draft or ${working}.`);
  const requirement = findRequirement(group, wanted.requirement);
  if (requirement === 'separately') return requirement;
  const item = findItem(group, wanted.item, requirement);
  const location = group.found.get(wanted.location);
  if (location?.isLocation !== true || location.isArchived) throw refuseLocation(wanted.location, location);
  if (location.id === item.id) throw refuseItself(location);
  if (requirement !== null) requireFitting(type, item, requirement);
  const terms = decideTerms(type, { wanted, itemId: item.id, supplier }, group.parts.get(wanted));
  const begins = wantedState === working ? beginningOf(group, { by, type, category }) : null;
  if (begins === 'separately') return begins;
  let covered = requirement;
  const open = requirement?.open ?? 0n;
  if (requirement !== null && begins === 'inserted') {
    const isWanted = orRefusal(() => requireWanted(requirement, wanted.amount));
    if (isWanted instanceof AppError) throw refusedFeature(isWanted, category, type);
    const raised = group.requirements.raise(requirement.id, by, {
      ordered: wanted.amount < open ? wanted.amount : open,
    });
    if (raised === 'separately') return raised;
    covered = raised;
  }
  // A line that is ordered for a requirement has its required date.
  const requiredBy = wanted.requiredBy ?? (wanted.item === null ? requirement?.requiredBy : null) ?? null;
  const state = begins === 'inserted' ? working : initialState;
  const entity = newEntity(category, nameOfLine(wanted.amount, item.name), state, by);
  const requirementId = requirement?.id ?? null;
  return {
    entity,
    wanted,
    item,
    location,
    requirementId,
    requirement: covered,
    open,
    requiredBy,
    terms,
    working,
    begins,
    movements: [],
    entries: [],
  };
}

function findRequirement(
  { ids, requirements }: Drafting,
  ref: EntityRef | null | undefined,
): Requirement | 'separately' | null {
  if (ref == null) return null;
  const id = ids.get(ref);
  const requirement = id === undefined ? null : requirements.find(id);
  if (requirement === null)
    throw new AppError('requirement_not_found', `There is no material requirement ${ref}.`);
  return requirement;
}

function findItem(
  { found }: Drafting,
  ref: EntityRef | null,
  requirement: Requirement | null,
): DraftLine['item'] {
  if (ref === null) {
    if (requirement === null) throw new Error('A line has neither an item nor a requirement');
    const { itemId: id, itemNumber: number, itemName: name, itemPicture: picture, unit } = requirement;
    // A requirement that needs nothing more does not keep its item from being archived.
    if (requirement.isItemArchived) throw refuseArchived({ id, number });
    return { id, number, name, picture, revision: requirement.itemRevision, unit };
  }
  const item = found.get(ref);
  if (item?.isItem !== true || item.isArchived) throw refuseItem(ref, item);
  return item;
}

function requireFitting(type: LineType, item: { id: string }, { id, number, itemId }: Requirement): void {
  if (!isSupply(type))
    throw invalidLine('requirementId', 'A sales line is for no requirement: it takes stock away.');
  if (itemId !== item.id)
    throw invalidLine('requirementId', `Requirement ${number ?? id} is for another item.`);
}

function beginningOf(
  { configuration, isSingle }: Drafting,
  { by, type, category }: Pick<Wanting, 'by' | 'type' | 'category'>,
): 'inserted' | 'by transition' | 'separately' {
  const way = {
    category: category.key,
    from: category.lifecycle.initialState,
    to: lineRules[type].working,
    by,
  };
  const kind = wayOf(configuration, way, (feature) => isDoneByLine(type, feature, 'begin'));
  if (kind === 'plain') return 'inserted';
  // Where there is no way, the transition says so.
  return isSingle ? 'by transition' : 'separately';
}

/** A refusal of the line's first movement names the feature automation that the movement stands for, as transitions do. */
function refusedFeature(error: AppError, { lifecycle }: CategoryConfiguration, type: LineType): AppError {
  const { working } = lineRules[type];
  const way = lifecycle.transitions.find(({ from, to }) => from === lifecycle.initialState && to === working);
  const feature = way?.featureAutomations[0]?.feature;
  if (feature === undefined) return error;
  const { code, message: detail, errors, extensions } = error;
  return new AppError(code, {
    detail,
    ...(errors === undefined ? {} : { errors }),
    extensions: { ...extensions, feature },
  });
}

function newEntity(
  category: CategoryConfiguration,
  name: string,
  state: string,
  { actor }: Mover,
): NewEntity {
  const id = newId();
  // The id identifies the first revision, too: no index needs it then.
  return { id, versionId: id, number: '', name, category, state, actorId: actor.id };
}
