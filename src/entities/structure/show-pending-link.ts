/** A link that waits for its parent in the form of the API. */
import { type LinkLine, showLine } from '../links/link-line.ts';
import { revisionLabel } from '../revision-label.ts';
import type { PendingLink } from './pending-link.schema.ts';

/** A row of the statements of pending-links.sql.ts. */
export interface StoredPendingLink {
  parent_guid: string;
  child_id: string;
  /** numeric(15, 6) as text. */
  quantity: string;
  line: LinkLine | null;
  child_guid: string | null;
  child_number: string | null;
  child_name: string;
  child_category: string;
  child_revision: number;
}

/** The columns whose values can be long. */
export const longPendingLinkColumns = ['line', 'child_number', 'child_name', 'child_category'] as const;

export function showPendingLink(row: StoredPendingLink): PendingLink {
  return {
    parentGuid: row.parent_guid,
    childEntityId: row.child_id,
    childGuid: row.child_guid,
    childNumber: row.child_number,
    childName: row.child_name,
    childCategory: row.child_category,
    childRevision: revisionLabel(row.child_revision),
    quantity: Number(row.quantity),
    ...showLine(row.line),
  };
}
