/**
 * The entity tag of a line, a requirement or an order, of all that is shown of it: movements change that without a version of anything that would count
 * them. Who sends it back as If-Match changes what it has read, and nothing else.
 */
import { createHash } from 'node:crypto';
import type { StockLine } from './lines.schema.ts';
import type { OrderWithLines } from './orders.schema.ts';
import type { RequirementWithHeld } from './requirements.schema.ts';

const TAG_CHARS = 22;

export function procuredTag(shown: StockLine | OrderWithLines | RequirementWithHeld): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, TAG_CHARS);
}
