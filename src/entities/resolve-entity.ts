/** Wherever an entity is named, by its id or as `guid:<GUID>` (contract §1.6). */
import { z } from 'zod';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';

const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const GUID_PREFIX = 'guid:';

/** Comes out normalised: the lowercase id, or `guid:` and the lowercase GUID without braces. */
export const EntityRef = z
  .string()
  .regex(new RegExp(`^(?:${uuid}|guid:${uuid}|guid:\\{${uuid}\\})$`), {
    error: 'must be an entity id, or "guid:" and a GUID',
  })
  .transform((text) => text.toLowerCase().replaceAll(/[{}]/g, ''))
  .meta({
    description: 'An entity: its id, or `guid:` and its GUID.',
    examples: ['0199d0f0-0000-7000-8000-000000000001', 'guid:6f9619ff-8b86-d011-b42d-00c04fc964ff'],
  });
export type EntityRef = z.output<typeof EntityRef>;

/** Whether the reference is the entity's id itself. */
export function isEntityId(ref: EntityRef): boolean {
  return !ref.startsWith(GUID_PREFIX);
}

/** The two kinds of references apart, for statements that look up either. */
export function splitRefs(refs: Iterable<EntityRef>): { ids: string[]; guids: string[] } {
  const ids: string[] = [];
  const guids: string[] = [];
  for (const ref of new Set(refs)) {
    if (isEntityId(ref)) ids.push(ref);
    else guids.push(ref.slice(GUID_PREFIX.length));
  }
  return { ids, guids };
}

// A branch for each index: with OR, a never-analysed table gets a scan.
const selectIds = `
  select id::text as ref, id from entity where workspace_id = $1 and id = any($2::uuid[])
  union all
  select 'guid:' || guid, id from entity where workspace_id = $1 and guid = any($3::uuid[])
  union all
  select 'guid:' || guid, entity_id from entity_alias where workspace_id = $1 and guid = any($3::uuid[])`;

/** The ids of those references that name an entity of the workspace. The GUID of a merged entity names the one that stays. */
export async function resolveEntityIds(tx: Tx, refs: Iterable<EntityRef>): Promise<Map<EntityRef, string>> {
  const { ids, guids } = splitRefs(refs);
  const rows = await tx.query<{ ref: string; id: string }>(selectIds, [tx.workspaceId, ids, guids]);
  return new Map(rows.map((row) => [row.ref, row.id]));
}

/** The ids of all of them, in their order. Throws `entity_not_found`. */
export async function requireEntityIds(tx: Tx, refs: readonly EntityRef[]): Promise<string[]> {
  const ids = await resolveEntityIds(tx, refs);
  return refs.map((ref) => {
    const id = ids.get(ref);
    if (id === undefined) throw entityNotFound(ref);
    return id;
  });
}

/** The id of one. Throws `entity_not_found`. */
export async function resolveEntityId(tx: Tx, ref: EntityRef): Promise<string> {
  const [id] = await requireEntityIds(tx, [ref]);
  return id as string;
}

/** The text of a refusal. */
export function noEntity(ref: string): string {
  return `There is no entity ${ref} in this workspace.`;
}

export function entityNotFound(ref: string): AppError {
  return new AppError('entity_not_found', noEntity(ref));
}
