/** Schemas of requests for the results of a batch, and for elements by their results. */
import { z } from 'zod';
import type { ResultFilter } from '../elements/filter-results.ts';
import { ErrorCode, Result, WarningCode } from './result-codes.schema.ts';

/** The filters of results; all that are given hold together. */
export const resultFilters = {
  result: Result.optional().meta({ description: 'Only results of this kind.' }),
  code: ErrorCode.optional().meta({ description: 'Only elements rejected with this code.' }),
  warning: WarningCode.optional().meta({ description: 'Only elements with this warning.' }),
  changed: z.enum(['fields', 'structure']).optional().meta({
    description:
      'In a dry run, only elements that would change the fields of their entity, or the structure.',
  }),
};

interface Asked {
  result?: ResultFilter['kind'] | undefined;
  code?: ResultFilter['code'] | undefined;
  warning?: ResultFilter['warning'] | undefined;
  changed?: ResultFilter['changed'] | undefined;
}

export function filterOf({ result, code, warning, changed }: Asked): ResultFilter {
  return { kind: result ?? null, code: code ?? null, warning: warning ?? null, changed: changed ?? null };
}

/** Names the filter in cursors and files. */
export function filterName({ kind, code, warning, changed }: ResultFilter): string {
  return [kind, code, warning, changed].map((part) => part ?? '').join(' ');
}
