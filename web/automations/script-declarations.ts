/** The declarations that a script is checked against: api.d.ts as ambient text, with the context of one event. */
const contextNames: Readonly<Record<number, string>> = {
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

export function scriptDeclarations(apiDeclarations: string, contextTypeId: number): string {
  return [
    apiDeclarations.replaceAll(/^export /gm, ''),
    'declare const api: Api;',
    `declare const context: ${contextNames[contextTypeId] ?? 'unknown'};`,
    'declare const console: ScriptConsole;',
  ].join('\n');
}
