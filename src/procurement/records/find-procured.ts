/** Finds a line, a requirement or a project, or takes one of the first two for a change. */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockEntityRow } from '../../entities/lock-entity-row.ts';
import {
  type EntityRef,
  entityNotFound,
  isEntityId,
  resolveEntityId,
  resolveEntityIds,
} from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { type Line, type LineRow, lineOfRow } from './line.ts';
import { selectLines } from './lines.sql.ts';
import { type Requirement, requirementOfRow } from './requirement.ts';
import { type RequirementRow, selectRequirements, selectRole } from './requirements.sql.ts';

/** Returns the line as it is now. Throws `line_not_found`. */
export async function findLine(tx: Tx, ref: EntityRef): Promise<Line> {
  const row = await findRow<LineRow>(tx, selectLines, ref);
  if (row === undefined) throw new AppError('line_not_found', `There is no stock line ${ref}.`);
  return lineOfRow(row);
}

/** Returns the requirement as it is now. Throws `requirement_not_found`. */
export async function findRequirement(tx: Tx, ref: EntityRef): Promise<Requirement> {
  const row = await findRow<RequirementRow>(tx, selectRequirements, ref);
  if (row === undefined) {
    throw new AppError('requirement_not_found', `There is no material requirement ${ref}.`);
  }
  return requirementOfRow(row);
}

/**
 * The line as it is under its lock, which every movement of it holds: what its entries sum up to stays so.
 * Throws `line_not_found`.
 */
export async function lockLine(tx: Tx, ref: EntityRef): Promise<Line> {
  return underLock(tx, ref, findLine);
}

/**
 * The requirement as it is under its lock, which everything that reserves, orders, releases or issues for it holds.
 * Throws `requirement_not_found`.
 */
export async function lockRequirement(tx: Tx, ref: EntityRef): Promise<Requirement> {
  return underLock(tx, ref, findRequirement);
}

/** The ids of references: a GUID is looked up, and missing where nothing has it. An id stands for itself. */
export async function idsOf(
  tx: Tx,
  refs: Iterable<EntityRef | null | undefined>,
): Promise<ReadonlyMap<EntityRef, string>> {
  const named = [...new Set(refs)].filter((ref) => ref != null);
  const guids = named.filter((ref) => !isEntityId(ref));
  const found = guids.length === 0 ? [] : await resolveEntityIds(tx, guids);
  return new Map([...named.filter(isEntityId).map((id) => [id, id] as const), ...found]);
}

async function findRow<Row extends object>(tx: Tx, sql: string, ref: EntityRef): Promise<Row | undefined> {
  const id = (await resolveEntityIds(tx, [ref])).get(ref);
  const [row] = id === undefined ? [] : await tx.queryPrepared<Row>(sql, [tx.workspaceId, [id]]);
  return row;
}

/** Takes the configuration lock first (lock order: transition-effect.ts). */
async function underLock<Found extends { id: string }>(
  tx: Tx,
  ref: EntityRef,
  find: (tx: Tx, ref: EntityRef) => Promise<Found>,
): Promise<Found> {
  await configurationForWriting(tx);
  const { id } = await find(tx, ref);
  await lockEntityRow(tx, id);
  // Again: what was read before the lock may have moved since.
  return find(tx, id);
}

export interface Project {
  id: string;
  number: string | null;
  name: string;
}

/**
 * Finds the project and locks its row, which everything that creates requirements for its shortages holds. Takes the
 * configuration lock first. Throws as `findProject` does.
 */
export async function lockProject(tx: Tx, ref: EntityRef): Promise<Project> {
  await configurationForWriting(tx);
  await lockEntityRow(tx, await resolveEntityId(tx, ref));
  return findProject(tx, ref);
}

/** Throws `entity_not_found`, `not_a_project`. */
export async function findProject(tx: Tx, ref: EntityRef): Promise<Project> {
  const id = await resolveEntityId(tx, ref);
  const [row] = await tx.query<Project & { role: string }>(selectRole, [tx.workspaceId, id]);
  if (row?.role === 'project') return { id, number: row.number, name: row.name };
  throw refuseProject(ref, row, null);
}

/** The refusal of what is no project: `entity_not_found` where there is nothing, else `not_a_project`. `pointer` says where the body names it; null: the path does. */
export function refuseProject(
  ref: EntityRef,
  found: { number: string | null } | undefined,
  pointer: string | null,
): AppError {
  if (found === undefined) return entityNotFound(ref);
  const message = `${found.number ?? ref} is of a category whose role is not "project".`;
  return new AppError('not_a_project', {
    detail: message,
    ...(pointer === null ? {} : { errors: [{ pointer, code: 'not_a_project', message }] }),
  });
}
