/** Makes one entity the child of another, changes how many of it are used, or takes it out again. */

import type { Actor } from '../../actor.ts';
import { isOutsideStructure, OUTSIDE_STRUCTURE } from '../../configuration/categories/behaviour.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { decimalOf, MICRO_MAX, microOfDecimal, microOfNumber } from '../../quantity.ts';
import type { EntityRow } from '../entity.entity.ts';
import {
  closesCycle,
  deleteLink,
  dropPendingLink,
  mergeLine,
  selectCategoryOf,
  selectLink,
  touchEntity,
  upsertLink,
} from '../links/entity-links.sql.ts';
import {
  designatorsFit,
  differingFields,
  type LinkContent,
  lineKey,
  linesOf,
  linkLimits,
  type SaidLine,
  type SaidPart,
  saidOfLines,
} from '../links/link-line.ts';
import { lockStructure, noteStructureEdit } from '../links/lock-structure.ts';
import { nameCycle } from '../links/name-cycle.ts';
import { lockEntityRow } from '../lock-entity-row.ts';
import { type EntityRef, requireEntityIds } from '../resolve-entity.ts';
import { reviseReleased } from '../revise-entities.ts';

export interface WantedUse {
  parent: EntityRef;
  child: EntityRef;
  /** Sees the parent's row as it is locked and the child's id, and may refuse. */
  check?: (parent: EntityRow, childId: string) => void;
}

/**
 * Takes the locks of an edit of one link: the configuration, the structure lock and the parent's row, in this
 * order. Throws `entity_not_found`.
 */
async function lockUse(
  tx: Tx,
  wanted: WantedUse,
): Promise<{ parent: EntityRow; childId: string; configuration: WorkspaceConfiguration }> {
  const configuration = await configurationForWriting(tx);
  await lockStructure(tx);
  const ids = await requireEntityIds(tx, [wanted.parent, wanted.child]);
  const [parentId, childId] = ids as [string, string];
  const parent = await lockEntityRow(tx, parentId);
  wanted.check?.(parent, childId);
  return { parent, childId, configuration };
}

export function noSuchUse(parentId: string, childId: string, line?: string): AppError {
  const where = line === undefined ? '' : ` in a line with the find number "${line}"`;
  return new AppError('use_not_found', `Entity ${parentId} has no child ${childId}${where}.`);
}

export interface UseSet {
  parentId: string;
  childId: string;
  /** The version of the parent, for its entity tag. */
  version: number;
  result: 'created' | 'updated' | 'unchanged';
}

export interface WantedLine {
  /** numeric(15, 6) as text, above 0. */
  quantity: string;
  /** The fields beside the quantity. */
  line: SaidLine;
  /** The find number of the only line to set, '' for the line without one; undefined for the whole link. */
  at: string | undefined;
}

/**
 * A released parent gets a new revision first. The same again writes nothing. Takes the configuration
 * and structure locks: call it before entity rows are locked. Throws `entity_not_found`, `validation_failed`, `entity_archived`, `cycle`.
 */
export async function setUse(tx: Tx, actor: Actor, wanted: WantedUse & WantedLine): Promise<UseSet> {
  const { parent, childId, configuration } = await lockUse(tx, wanted);
  const ends = [tx.workspaceId, parent.id, childId];
  const [stored] = await tx.query<LinkContent>(selectLink, ends);
  const set = { parentId: parent.id, childId };
  const said = stored === undefined || wanted.at === undefined ? saidAlone(wanted) : withLine(stored, wanted);
  const { quantity } = said;
  const { line } = await mergedLink(tx, stored, said);
  const isSame = stored !== undefined && microOfDecimal(String(stored.quantity)) === microOfDecimal(quantity);
  if (isSame && differingFields(stored, { quantity, line }).length === 0) {
    return { ...set, version: parent.version, result: 'unchanged' };
  }
  if (stored === undefined) {
    await requireInStructure(tx, configuration, parent, childId);
    const [found] = await tx.query<{ closes: boolean }>(closesCycle, ends);
    if (found?.closes !== false) throw cycle(await nameCycle(tx, parent.id, { childId }));
    await noteStructureEdit(tx);
  }
  if (!designatorsFit({ quantity, line })) throw tooManyDesignators();
  await reviseReleased(tx, actor, parent, configuration);
  await tx.query(upsertLink, [...ends, quantity, line === null ? null : JSON.stringify(line)]);
  await tx.query(dropPendingLink, ends);
  const [touched] = await tx.query<{ version: number }>(touchEntity, [tx.workspaceId, parent.id]);
  return {
    ...set,
    version: touched?.version ?? parent.version,
    result: stored === undefined ? 'created' : 'updated',
  };
}

function tooManyDesignators(): AppError {
  const { designatorsMax, designatorCharsOfAllMax } = linkLimits;
  return new AppError(
    'validation_failed',
    `All lines of a child have at most ${designatorsMax} reference designators together, with ${designatorCharsOfAllMax} characters.`,
  );
}

interface SaidLink {
  quantity: string;
  line: SaidLine;
}

/** The whole link; a first line has the find number that it is addressed by. */
function saidAlone({ quantity, line, at }: WantedLine): SaidLink {
  return at === undefined || at === '' ? { quantity, line } : { quantity, line: { findNumber: at, ...line } };
}

/** The lines of a link when one is added or changed. Throws `validation_failed`, `quantity_out_of_range`. */
function withLine(stored: LinkContent, { quantity, line, at = '' }: WantedLine): SaidLink {
  const lines: SaidPart[] = linesOf(stored);
  const place = lines.findIndex((one) => lineKey(one) === at);
  const { lines: _, ...fields } = line;
  const changed = { findNumber: at || null, ...lines[place], ...fields, quantity: Number(quantity) };
  const all = place === -1 ? [...lines, changed] : lines.with(place, changed);
  if (all.filter((one) => lineKey(one) === lineKey(changed)).length > 1)
    throw new AppError(
      'validation_failed',
      `Another line of this child has the find number "${lineKey(changed)}". Choose another find number.`,
    );
  if (all.length > linkLimits.linesMax)
    throw new AppError(
      'validation_failed',
      `A child stands in at most ${linkLimits.linesMax} lines of one assembly.`,
    );
  return linkOf(all);
}

/** Throws `quantity_out_of_range`. */
function linkOf(lines: readonly SaidPart[]): SaidLink {
  const sum = lines.reduce((all, { quantity }) => all + (microOfNumber(quantity) ?? 0n), 0n);
  if (sum > MICRO_MAX)
    throw new AppError(
      'quantity_out_of_range',
      'The lines of a child have at most 9 integer digits together.',
    );
  return { quantity: decimalOf(sum), line: saidOfLines(lines) };
}

async function mergedLink(
  tx: Tx,
  stored: LinkContent | undefined,
  { quantity, line }: SaidLink,
): Promise<LinkContent> {
  const before = stored?.line ?? null;
  const [merged] = await tx.query<{ line: LinkContent['line'] }>(mergeLine, [
    stored?.quantity ?? null,
    before === null ? null : JSON.stringify(before),
    quantity,
    JSON.stringify(line),
  ]);
  return { quantity, line: merged?.line ?? null };
}

/** Refuses a link of what is outside of structures, or to an archived child. Throws `validation_failed`, `entity_archived`. */
async function requireInStructure(
  tx: Tx,
  { categories }: WorkspaceConfiguration,
  parent: EntityRow,
  childId: string,
): Promise<void> {
  const [child] = await tx.query<
    Pick<EntityRow, 'id' | 'number' | 'category'> & { archived_at?: string | null }
  >(selectCategoryOf, [tx.workspaceId, childId]);
  if (child?.archived_at != null)
    throw new AppError('entity_archived', `${child.number ?? child.id} is archived. Unarchive it first.`);
  for (const end of [parent, child]) {
    const category = categories.get(end?.category ?? '');
    if (end === undefined || category === undefined) continue;
    if (!isOutsideStructure(category)) continue;
    throw new AppError(
      'validation_failed',
      `${end.number ?? end.id} is of category "${category.key}": ${OUTSIDE_STRUCTURE}.`,
    );
  }
}

/** `way`: see `nameCycle`. */
function cycle(way: string | null): AppError {
  const named = way === null ? '' : `: ${way}`;
  return new AppError(
    'cycle',
    `The link would close a cycle${named}. An entity cannot be part of itself; links that a batch is about to make count too.`,
  );
}

/**
 * Removes the child, or its line `at`. A released parent gets a new revision first; the released one keeps the child. Locks as `setUse`
 * does. Throws `entity_not_found`, and `use_not_found` if there is no such child or line.
 */
export async function removeUse(
  tx: Tx,
  actor: Actor,
  wanted: WantedUse & Pick<WantedLine, 'at'>,
): Promise<void> {
  const { parent, childId, configuration } = await lockUse(tx, wanted);
  const ends = [tx.workspaceId, parent.id, childId];
  const [stored] = await tx.query<LinkContent>(selectLink, ends);
  const { at } = wanted;
  const rest =
    stored === undefined || at === undefined ? [] : linesOf(stored).filter((one) => lineKey(one) !== at);
  if (stored === undefined || (at !== undefined && rest.length === linesOf(stored).length))
    throw noSuchUse(parent.id, childId, at);
  await reviseReleased(tx, actor, parent, configuration);
  if (rest.length > 0) {
    const { quantity, line } = await mergedLink(tx, stored, linkOf(rest));
    await tx.query(upsertLink, [...ends, quantity, line === null ? null : JSON.stringify(line)]);
  } else {
    await tx.query(deleteLink, ends);
    await noteStructureEdit(tx);
  }
  await tx.query(dropPendingLink, ends);
  await tx.query(touchEntity, [tx.workspaceId, parent.id]);
}
