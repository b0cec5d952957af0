/** The declarations for an author's editor: api.d.ts as ambient text, with the context of one event. */
import { readFile } from 'node:fs/promises';
import type { Contexts } from './conductor/api.d.ts';

export const contextNames: { readonly [id in keyof Contexts]: string } = {
  1: 'LifecycleTransitionContext',
  2: 'ImportCompletedContext',
  3: 'EntityCreatedContext',
  4: 'EntityUpdatedContext',
  5: 'FeatureContext',
  6: 'StockMovedContext',
  7: 'OrderChangedContext',
  8: 'ScheduleContext',
  9: 'ThresholdCrossedContext',
  10: 'ImportNotCleanContext',
  11: 'BelowReorderPointContext',
  12: 'PlanningFinishedContext',
};

export async function showScriptTypes(contextTypeId: keyof Contexts): Promise<string> {
  const declarations = await readFile(new URL('./conductor/api.d.ts', import.meta.url), 'utf8');
  return [
    declarations.replace(/^export /gm, ''),
    '/** The rights and the loggers of this script. */',
    'declare const api: Api;',
    '/** What has happened. */',
    `declare const context: ${contextNames[contextTypeId]};`,
    '/** Writes to the log of the run. */',
    'declare const console: ScriptConsole;',
    '',
  ].join('\n');
}
