/** The project that something is for. */
import type { Tx } from '../db/transaction.ts';
import { type EntityRef, resolveEntityId } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { selectRole } from './requirements.sql.ts';

export interface Project {
  id: string;
  number: string | null;
  name: string;
}

/** Throws `entity_not_found`, `not_a_project`; `pointer` says where the body names it, null where the path does. */
export async function findProject(tx: Tx, ref: EntityRef, pointer: string | null): Promise<Project> {
  const id = await resolveEntityId(tx, ref);
  const [row] = await tx.query<Project & { role: string }>(selectRole, [tx.workspaceId, id]);
  if (row?.role === 'project') return { id, number: row.number, name: row.name };
  const message = `${row?.number ?? id} is of a category whose role is not "project".`;
  throw new AppError('not_a_project', {
    detail: message,
    ...(pointer === null ? {} : { errors: [{ pointer, code: 'not_a_project', message }] }),
  });
}
