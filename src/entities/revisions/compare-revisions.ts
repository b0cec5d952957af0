/** Compares two revisions of an entity: fields, properties, structure. */

import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { releasedStates } from '../../configuration/current/workspace-configuration.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { differingFields, type LinkLine, showLine } from '../links/link-line.ts';
import { revisionLabel } from '../revision-label.ts';
import type { Configuration } from '../structure/configuration.schema.ts';
import { findRevisions, type StoredRevision } from './read-revisions.ts';
import type { RevisionComparison } from './revisions.schema.ts';
import { compareStructures } from './revisions.sql.ts';

const DIFFERENCES_MAX = 10_000;

interface Difference {
  id: string;
  number: string | null;
  name: string;
  before: string | null;
  after: string | null;
  line_before: LinkLine | null;
  line_after: LinkLine | null;
  revision_before: number | null;
  revision_after: number | null;
}

export interface Compared {
  from: number;
  to: number;
  configuration: Configuration;
}

/** Throws `revision_not_found`. */
export async function compareRevisions(
  tx: Tx,
  entityId: string,
  { from, to, configuration }: Compared,
): Promise<RevisionComparison> {
  const [one, other] = await findRevisions(tx, entityId, [from, to]);
  const found = await readPage<Difference>(
    tx,
    compareStructures,
    [
      tx.workspaceId,
      entityId,
      from,
      to,
      DIFFERENCES_MAX + 1,
      configuration,
      ...releasedStates(await loadConfiguration(tx)),
    ],
    { limit: DIFFERENCES_MAX, long: ['number', 'name', 'line_before', 'line_after'] },
  );
  return {
    from,
    to,
    fields: compareFields(one, other),
    properties: compareProperties(one.properties, other.properties),
    structure: {
      ...sortOut(found.rows),
      truncated: found.more,
    },
  };
}

function compareFields(one: StoredRevision, other: StoredRevision): RevisionComparison['fields'] {
  const named = [
    ['E_Guid', 'guid'],
    ['number', 'number'],
    ['name', 'name'],
    ['state', 'state'],
    ['picture', 'picture'],
  ] as const;
  return named.flatMap(([field, column]) =>
    one[column] === other[column] ? [] : [{ field, from: one[column], to: other[column] }],
  );
}

function compareProperties(
  one: StoredRevision['properties'],
  other: StoredRevision['properties'],
): RevisionComparison['properties'] {
  // Maps: an object would answer for `constructor` whether it has such a property or not.
  const [before, after] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((property) => {
    const [from, to] = [before.get(property) ?? null, after.get(property) ?? null];
    return from === to ? [] : [{ property, from, to }];
  });
}

function sortOut(differences: readonly Difference[]): Omit<RevisionComparison['structure'], 'truncated'> {
  const structure: Omit<RevisionComparison['structure'], 'truncated'> = {
    added: [],
    removed: [],
    quantity: [],
    lines: [],
    revisions: [],
  };
  for (const difference of differences) {
    const { id, number, name, before, after, line_before, line_after } = difference;
    const child = { entityId: id, number, name };
    if (before === null) {
      structure.added.push({ ...child, quantity: Number(after), ...showLine(line_after) });
      continue;
    }
    if (after === null) {
      structure.removed.push({ ...child, quantity: Number(before), ...showLine(line_before) });
      continue;
    }
    const { revision_before: was, revision_after: is } = difference;
    if (was !== is) structure.revisions.push({ ...child, from: labelOf(was), to: labelOf(is) });
    if (before !== after) structure.quantity.push({ ...child, from: Number(before), to: Number(after) });
    const changes = differingFields(
      { quantity: before, line: line_before },
      { quantity: after, line: line_after },
    );
    if (changes.length > 0) structure.lines.push({ ...child, changes });
  }
  return structure;
}

function labelOf(revision: number | null): string | null {
  return revision === null ? null : revisionLabel(revision);
}
