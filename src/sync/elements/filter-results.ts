/**
 * Which results of a batch are asked for. What a portion of results has of these is stored beside it, so that of a
 * million results only the portions are read in which there is something to find.
 */
import type { ResultKind, SyncErrorCode, SyncResult, SyncWarning } from './sync-result.ts';

/** A filter of results. Null means any. */
export interface ResultFilter {
  kind: ResultKind | null;
  code: SyncErrorCode | null;
  warning: SyncWarning['code'] | null;
  /** For dry runs: what would change. */
  changed: 'fields' | 'structure' | null;
}

export const everyResult: ResultFilter = { kind: null, code: null, warning: null, changed: null };

export function fits(result: SyncResult, { kind, code, warning, changed }: ResultFilter): boolean {
  return (
    (kind === null || result.result === kind) &&
    (code === null || result.code === code) &&
    (warning === null || (result.warnings ?? []).some((one) => one.code === warning)) &&
    (changed === null || (changed === 'fields' ? changesFields(result) : changesStructure(result)))
  );
}

/** Returns the codes and facts that these results contain. */
export function factsOf(results: readonly SyncResult[]): string[] {
  const facts = new Set<string>();
  for (let i = 0; i < results.length; i++) {
    const result = results[i] as SyncResult;
    if (result.code !== undefined) facts.add(result.code);
    if (result.warnings !== undefined) for (const { code } of result.warnings) facts.add(code);
    if (changesFields(result)) facts.add('changed:fields');
    if (changesStructure(result)) facts.add('changed:structure');
  }
  return [...facts];
}

/** The facts that a portion must have to hold anything that fits. */
export function factsWanted({ code, warning, changed }: ResultFilter): string[] {
  const wanted = [code, warning, changed === null ? null : `changed:${changed}`];
  return wanted.filter((fact) => fact !== null);
}

function changesFields({ changes }: SyncResult): boolean {
  return changes !== undefined && changes.length > 0;
}

function changesStructure({ links }: SyncResult): boolean {
  return links !== undefined && links.length > 0;
}
