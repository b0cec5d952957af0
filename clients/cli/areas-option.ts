/** The option that says what a key or a person may do. */
import type { ApiKey } from '../typescript/generated/types.ts';
import { UsageError } from './exit-codes.ts';
import { shown } from './output.ts';

export type Area = ApiKey['areas'][number];

export const areas = [
  'read',
  'stock',
  'procurement',
  'engineering',
  'configuration',
  'admin',
] as const satisfies readonly Area[];

/** Reads areas with commas between. Throws `UsageError` for one that does not exist. */
export function readAreas(text: string): Area[] {
  const list = text.split(',').map((area) => area.trim());
  const unknown = list.find((area) => !areas.some((known) => known === area));
  if (unknown === undefined) return list as Area[];
  throw new UsageError(`--areas takes ${areas.join(', ')}, not "${shown(unknown)}".`);
}
