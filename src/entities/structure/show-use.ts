/** A link's other end in the form of the API. */
import { type LinkLine, showLine } from '../links/link-line.ts';
import { revisionLabel } from '../revision-label.ts';
import type { NamedEntity } from './read-named.ts';
import type { Use } from './structure.schema.ts';

/** A row of the statements of uses.sql.ts. */
export interface StoredUse extends NamedEntity {
  /** numeric(15, 6) as text: 15 significant digits survive the double. */
  quantity: string;
  line: LinkLine | null;
  has_children: boolean;
  has_parents: boolean;
  revision_source?: Use['revisionSource'];
}

/** The columns whose values can be long. */
export const longUseColumns = ['number', 'name', 'category', 'state', 'line'] as const;

export function showUse(row: StoredUse): Use {
  return {
    entityId: row.id,
    number: row.number,
    name: row.name,
    category: row.category,
    state: row.state,
    revision: revisionLabel(row.revision_number),
    ...(row.revision_source === undefined
      ? {}
      : { revisionNumber: row.revision_number, revisionSource: row.revision_source }),
    archived: row.is_archived,
    picture: row.picture,
    quantity: Number(row.quantity),
    ...showLine(row.line),
    hasChildren: row.has_children,
    hasParents: row.has_parents,
  };
}
