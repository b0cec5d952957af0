/** Words the results of one entity's elements: the first carries the data, the others only their parent. */
import { revisionLabel } from '../../entities/revision-label.ts';
import type { ResultKind, SyncResult, SyncWarning } from '../elements/sync-result.ts';
import type { ComparedEntity } from './compare-elements.ts';

export interface WrittenEntity {
  /** The id of the entity; null in a dry run that would create it. */
  id: string | null;
  versionId: string | null;
  number: string | null;
  revisionNumber: number;
}

/** The results of an entity that is as it was. */
export function unchangedResults(entity: ComparedEntity): SyncResult[] {
  if (entity.stored === null) throw new Error('An entity that is not stored cannot be unchanged');
  return entityResults(entity, 'skipped', entity.stored, noNotes);
}

/** The result of an element that nothing is made of, nor said. */
export function skippedResult(index: number, guid: string, stored: WrittenEntity): SyncResult {
  return resultOf(index, guid, 'skipped', stored);
}

/** Places of elements whose results say something of links. */
export interface NotedLinks {
  /** Their parent is not there yet. */
  pendingParents: ReadonlySet<number>;
  /** GUIDs of parents whose elements were rejected in this import. */
  rejectedParents: ReadonlySet<string>;
  /** Their entity keeps links that the payload does not name, because some of it could not be read. */
  kept: ReadonlySet<number>;
}

/** Returns the results of all elements of one entity. */
export function entityResults(
  entity: ComparedEntity,
  result: ResultKind,
  written: WrittenEntity,
  { pendingParents, kept, rejectedParents }: NotedLinks,
): SyncResult[] {
  const carrier = entity.carrier.element;
  let ofCarrier = entity.warnings;
  if (pendingParents.has(carrier.index))
    ofCarrier = [...ofCarrier, parentPending(carrier.parentGuid, rejectedParents)];
  if (kept.has(carrier.index)) ofCarrier = [...ofCarrier, structureKept];
  const results = [withWarnings(resultOf(carrier.index, entity.guid, result, written), ofCarrier)];
  for (const { index, parentGuid, duplicate, warnings: ofLink } of entity.others) {
    const warnings =
      duplicate === null ? [...ofLink] : [duplicateWarning(carrier.index, duplicate), ...ofLink];
    if (pendingParents.has(index)) warnings.push(parentPending(parentGuid, rejectedParents));
    results.push(withWarnings(resultOf(index, entity.guid, 'skipped', written), warnings));
  }
  return results;
}

const noNotes: NotedLinks = { pendingParents: new Set(), kept: new Set(), rejectedParents: new Set() };
const structureKept: SyncWarning = {
  code: 'structure_kept',
  message:
    'It keeps links that the payload does not name: an element that cannot be read may be one of its children.',
};

function resultOf(index: number, guid: string, result: ResultKind, written: WrittenEntity): SyncResult {
  const { id, versionId, number, revisionNumber } = written;
  const said: SyncResult = { index, guid, result };
  if (id !== null) said.entityId = id;
  if (versionId !== null) said.versionId = versionId;
  if (number !== null) said.number = number;
  said.revision = revisionLabel(revisionNumber);
  return said;
}

function withWarnings(result: SyncResult, warnings: readonly SyncWarning[]): SyncResult {
  if (warnings.length > 0) result.warnings = warnings;
  return result;
}

function duplicateWarning(
  carrierIndex: number,
  code: 'duplicate_guid' | 'duplicate_guid_conflict',
): SyncWarning {
  const message =
    code === 'duplicate_guid'
      ? `The GUID already appears at index ${carrierIndex}, and an earlier element has the same parent; only the quantity is used here.`
      : `The GUID already appears at index ${carrierIndex}, with other data; only the parent link is used here.`;
  return { code, message };
}

export function parentPending(parentGuid: string | null, rejectedParents: ReadonlySet<string>): SyncWarning {
  const isRejected = parentGuid !== null && rejectedParents.has(parentGuid);
  return {
    code: 'parent_pending',
    message: isRejected
      ? `The parent with the GUID ${parentGuid} was rejected in this import; the link is made when it is accepted.`
      : `No entity has the parent's GUID ${parentGuid}; the link is made when one appears.`,
  };
}
