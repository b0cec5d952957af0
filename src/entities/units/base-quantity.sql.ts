/**
 * Links with their quantities in the base unit of the child, for whatever multiplies them; as they were entered where the child does not know
 * the unit.
 */
const inBaseUnits = (table: string, keys: string) => `(
  select ${keys}, child_id, coalesce(base_quantity, quantity) as quantity, coalesce(base_line, line) as line from ${table})`;

export const linksInBaseUnits = inBaseUnits('entity_link', 'workspace_id, parent_id');

/** Links of superseded revisions likewise. */
export const revisionLinksInBaseUnits = inBaseUnits(
  'entity_revision_link',
  'workspace_id, entity_id, revision_number',
);
