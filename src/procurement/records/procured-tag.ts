/**
 * The entity tag of a line, a requirement or an order, of all that is shown of it: movements change that, and no version counts them. A client
 * that sends it back as If-Match changes the resource as it was read.
 */
import { tagOfContent } from '../../http/entity-tag.ts';
import type { StockLine } from './lines.schema.ts';
import type { OrderWithLines } from './orders.schema.ts';
import type { RequirementWithHeld } from './requirements.schema.ts';

export function procuredTag(shown: StockLine | OrderWithLines | RequirementWithHeld): string {
  return tagOfContent(shown);
}
