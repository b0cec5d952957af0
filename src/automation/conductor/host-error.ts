/** An error of a run that is not its script's, in the form of one. */
import type { ScriptError } from '../sandbox/script-result.ts';

export function hostError(name: string, message: string): ScriptError {
  return { kind: 'runtime', name, message, line: null, column: null, snippet: null, stack: null };
}
