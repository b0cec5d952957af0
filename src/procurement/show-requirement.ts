/** A requirement in the form of the API. */
import { rfc3339 } from '../db/time.ts';
import { numberOf } from '../quantity.ts';
import type { Requirement } from './requirement.ts';
import type { MaterialRequirement } from './requirements.schema.ts';

export function showRequirement(requirement: Requirement): MaterialRequirement {
  return {
    id: requirement.id,
    number: requirement.number,
    projectId: requirement.projectId,
    projectNumber: requirement.projectNumber,
    projectName: requirement.projectName,
    lineId: requirement.lineId,
    itemEntityId: requirement.itemId,
    itemNumber: requirement.itemNumber,
    itemName: requirement.itemName,
    requiredQty: numberOf(requirement.required),
    requiredBy: requirement.requiredBy,
    reservedQty: numberOf(requirement.reserved),
    issuedQty: numberOf(requirement.issued),
    orderedQty: numberOf(requirement.ordered),
    openQty: numberOf(requirement.open),
    status: requirement.status,
    createdAt: rfc3339(requirement.createdAt),
  };
}
