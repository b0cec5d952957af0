/** Words the results of one entity's elements: the first carries the data, the others only their parent. */
import { revisionLabel } from '../../entities/revision-label.ts';
import type { ResultKind, SyncResult, SyncWarning } from '../elements/sync-result.ts';
import type { ComparedEntity } from './compare-elements.ts';

export interface WrittenEntity {
  /** Null in a dry run that would create it. */
  id: string | null;
  versionId: string | null;
  number: string | null;
  revisionNumber: number;
}

/** The results of an entity that is as it was. */
export function unchangedResults(entity: ComparedEntity): SyncResult[] {
  if (entity.stored === null) throw new Error('An entity that is not stored cannot be unchanged');
  return entityResults(entity, 'skipped', entity.stored, noWarnings);
}

/** The results of all elements of one entity, `pendingParents` being those whose parent is not there yet. */
export function entityResults(
  entity: ComparedEntity,
  result: ResultKind,
  written: WrittenEntity,
  pendingParents: ReadonlySet<number>,
): SyncResult[] {
  const carrier = entity.carrier.element;
  const results = [
    withWarnings(
      resultOf(carrier.index, entity.guid, result, written),
      pendingParents.has(carrier.index)
        ? [...entity.warnings, parentPending(carrier.parentGuid)]
        : entity.warnings,
    ),
  ];
  for (const { index, parentGuid, conflict, warnings: ofLink } of entity.others) {
    const warnings = [duplicate(carrier.index, conflict), ...ofLink];
    if (pendingParents.has(index)) warnings.push(parentPending(parentGuid));
    results.push(withWarnings(resultOf(index, entity.guid, 'skipped', written), warnings));
  }
  return results;
}

const noWarnings: ReadonlySet<number> = new Set();

function resultOf(index: number, guid: string, result: ResultKind, written: WrittenEntity): SyncResult {
  return {
    index,
    guid,
    result,
    ...(written.id === null ? {} : { entityId: written.id }),
    ...(written.versionId === null ? {} : { versionId: written.versionId }),
    ...(written.number === null ? {} : { number: written.number }),
    revision: revisionLabel(written.revisionNumber),
  };
}

function withWarnings(result: SyncResult, warnings: SyncWarning[]): SyncResult {
  if (warnings.length > 0) result.warnings = warnings;
  return result;
}

function duplicate(carrierIndex: number, conflict: boolean): SyncWarning {
  return conflict
    ? {
        code: 'duplicate_guid_conflict',
        message: `The GUID stands at index ${carrierIndex} already, with other data; only the parent link was taken from here.`,
      }
    : {
        code: 'duplicate_guid',
        message: `The GUID stands at index ${carrierIndex} already; only the parent link was taken from here.`,
      };
}

export function parentPending(parentGuid: string | null): SyncWarning {
  return {
    code: 'parent_pending',
    message: `No entity has the parent's GUID ${parentGuid}; the link is made when one appears.`,
  };
}
