/** Checks what the options of a planning run name, and returns them as they are stored. */
import { dateOf, today } from '../../calendar/days.ts';
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, noEntity, resolveEntityIds } from '../../entities/resolve-entity.ts';
import { fieldError } from '../../errors.ts';
import { refuseItem } from '../../procurement/records/refusals.ts';
import { amountAboveZero } from '../../stock/entries/given-quantity.ts';
import { findStockEntities, type StockEntity } from '../../stock/movements/find-stock-entities.ts';
import type { NewPlanningRun, PlanningOptions, PlanningScope } from '../options/planning-options.schema.ts';
import { selectDatedRecords, selectKnownProjects, selectKnownRevisions } from './planning-runs.sql.ts';

/**
 * Throws `entity_not_found`, `entity_archived`, `not_an_item`, `not_a_location`, `not_a_project`, `category_not_found`, `revision_not_found`,
 * `line_not_found`, `quantity_out_of_range`, `validation_failed`.
 */
export async function checkOptions(
  tx: Tx,
  { whatIf, scope, projects, weekdays, holidays, ...given }: NewPlanningRun,
): Promise<PlanningOptions> {
  return {
    ...given,
    ...(await workingDaysOf(tx, { weekdays, holidays })),
    projects: await plannedProjects(tx, projects, given.horizonDays),
    scope: scope == null ? null : await scopeOf(tx, scope),
    demand: await demandOf(tx, whatIf?.demand ?? []),
    revisions: await revisionsOf(tx, whatIf?.revisions ?? []),
    dates: await datesOf(tx, whatIf?.dates ?? []),
  };
}

/** Returns the working days that are given, and those of the workspace for what is not. */
export async function workingDaysOf(
  tx: Tx,
  given: { weekdays?: readonly number[] | undefined; holidays?: readonly string[] | undefined },
): Promise<{ weekdays: number[]; holidays: string[] }> {
  const { workingDays } = (await loadConfiguration(tx)).stock;
  return {
    weekdays: [...(given.weekdays ?? workingDays.weekdays)],
    holidays: [...(given.holidays ?? workingDays.holidays)],
  };
}

async function scopeOf(tx: Tx, scope: NonNullable<NewPlanningRun['scope']>): Promise<PlanningScope> {
  const { projects, items, categories, locationEntityId: place } = scope;
  const found = await findStockEntities(tx, [...(items ?? []), ...(place == null ? [] : [place])]);
  const location = place == null ? null : found.get(place);
  if (location === undefined)
    throw fieldError('entity_not_found', '/scope/locationEntityId', noEntity(place as EntityRef));
  if (location?.isLocation === false)
    throw fieldError('not_a_location', '/scope/locationEntityId', `Entity ${place} is not a location.`);
  return {
    projects: projects === undefined ? null : await scopeProjects(tx, projects),
    items: items?.map((ref, index) => itemOf(found, ref, `/scope/items/${index}`)) ?? null,
    categories: categories === undefined ? null : await categoriesOf(tx, categories),
    locationEntityId: location?.id ?? null,
  };
}

async function plannedProjects(
  tx: Tx,
  projects: NewPlanningRun['projects'],
  horizonDays: number,
): Promise<PlanningOptions['projects']> {
  const last = dateOf(today(), horizonDays);
  const pointerOf = (index: number) => `/projects/${index}/projectId`;
  const refs = projects.map(({ projectId }) => projectId);
  const found = await projectsOf(tx, refs, pointerOf);
  const named = new Set<string>();
  return projects.map(({ quantity, requiredBy }, index) => {
    const { id: projectId, isArchived } = found[index] as FoundProject;
    if (isArchived)
      throw fieldError('entity_archived', pointerOf(index), `Project ${refs[index]} is archived.`);
    if (named.has(projectId))
      throw fieldError('validation_failed', pointerOf(index), 'The project is named twice.');
    named.add(projectId);
    amountAboveZero(quantity, `/projects/${index}/quantity`);
    // Nothing is proposed for a need beyond the horizon: the project would seem to need nothing.
    if (requiredBy > last) {
      const message = `Project ${refs[index]} is required after the last day that is planned, ${last}. Plan more days (\`horizonDays\`).`;
      throw fieldError('validation_failed', `/projects/${index}/requiredBy`, message);
    }
    return { projectId, quantity, requiredBy };
  });
}

async function scopeProjects(tx: Tx, refs: readonly EntityRef[]): Promise<string[]> {
  const found = await projectsOf(tx, refs, (index) => `/scope/projects/${index}`);
  return found.map(({ id }) => id);
}

interface FoundProject {
  id: string;
  isArchived: boolean;
}

async function projectsOf(
  tx: Tx,
  refs: readonly EntityRef[],
  pointerOf: (index: number) => string,
): Promise<FoundProject[]> {
  const ids = await resolveEntityIds(tx, refs);
  const rows = await tx.query<{ id: string; is_archived: boolean }>(selectKnownProjects, [
    tx.workspaceId,
    [...ids.values()],
  ]);
  const projects = new Map(rows.map((row) => [row.id, row.is_archived]));
  return refs.map((ref, index) => {
    const id = ids.get(ref);
    const pointer = pointerOf(index);
    if (id === undefined) throw fieldError('entity_not_found', pointer, noEntity(ref));
    const isArchived = projects.get(id);
    if (isArchived === undefined)
      throw fieldError('not_a_project', pointer, `Entity ${ref} is not a project.`);
    return { id, isArchived };
  });
}

async function categoriesOf(tx: Tx, keys: readonly string[]): Promise<string[]> {
  const { categories } = await loadConfiguration(tx);
  for (const [index, key] of keys.entries()) {
    const role = categories.get(key)?.role;
    if (role !== 'item' && role !== 'itemAndLocation')
      throw fieldError(
        'category_not_found',
        `/scope/categories/${index}`,
        `There is no category of items with the key "${key}". List the categories.`,
      );
  }
  return [...keys];
}

async function demandOf(
  tx: Tx,
  demand: NonNullable<NonNullable<NewPlanningRun['whatIf']>['demand']>,
): Promise<PlanningOptions['demand']> {
  const found = await findStockEntities(
    tx,
    demand.map(({ itemEntityId }) => itemEntityId),
  );
  return demand.map(({ itemEntityId: ref, quantity, requiredBy }, index) => {
    const itemEntityId = itemOf(found, ref, `/whatIf/demand/${index}/itemEntityId`);
    amountAboveZero(quantity, `/whatIf/demand/${index}/quantity`);
    return { itemEntityId, quantity, requiredBy };
  });
}

async function revisionsOf(
  tx: Tx,
  revisions: NonNullable<NonNullable<NewPlanningRun['whatIf']>['revisions']>,
): Promise<PlanningOptions['revisions']> {
  const found = await findStockEntities(
    tx,
    revisions.map(({ itemEntityId }) => itemEntityId),
  );
  const named = revisions.map(({ itemEntityId: ref, revision }, index) => ({
    itemEntityId: itemOf(found, ref, `/whatIf/revisions/${index}/itemEntityId`),
    revision,
  }));
  const rows = await tx.query<{ place: number }>(selectKnownRevisions, [
    tx.workspaceId,
    named.map(({ itemEntityId }) => itemEntityId),
    named.map(({ revision }) => revision),
  ]);
  const known = new Set(rows.map(({ place }) => place - 1));
  const ids = new Set<string>();
  for (const [index, { itemEntityId, revision }] of named.entries()) {
    const pointer = `/whatIf/revisions/${index}`;
    if (!known.has(index))
      throw fieldError('revision_not_found', `${pointer}/revision`, `The item has no revision ${revision}.`);
    if (ids.has(itemEntityId))
      throw fieldError('validation_failed', `${pointer}/itemEntityId`, 'The item is named twice.');
    ids.add(itemEntityId);
  }
  return named;
}

async function datesOf(
  tx: Tx,
  dates: NonNullable<NonNullable<NewPlanningRun['whatIf']>['dates']>,
): Promise<PlanningOptions['dates']> {
  const rows = await tx.query<{ id: string }>(selectDatedRecords, [
    tx.workspaceId,
    dates.map(({ id }) => id),
  ]);
  const known = new Set(rows.map(({ id }) => id));
  const missing = dates.findIndex(({ id }) => !known.has(id));
  if (missing >= 0)
    throw fieldError(
      'line_not_found',
      `/whatIf/dates/${missing}/id`,
      `There is no order line or requirement ${dates[missing]?.id}.`,
    );
  return dates;
}

function itemOf(found: ReadonlyMap<EntityRef, StockEntity>, ref: EntityRef, pointer: string): string {
  const item = found.get(ref);
  if (item?.isItem === true && !item.isArchived) return item.id;
  const { code, message } = refuseItem(ref, item);
  throw fieldError(code, pointer, message);
}
