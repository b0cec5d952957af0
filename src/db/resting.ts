/** Workspaces that nobody works on here: how PostgreSQL says so, see the function `enter_workspace`. */
import { sqlState } from './transaction.ts';

/** `moving`: it is on its way to another installation, or from one. `gone`: it is worked on there. */
export type RestingState = 'moving' | 'gone';

const states: Readonly<Record<string, RestingState>> = { PB503: 'moving', PB410: 'gone' };

/** Why a transaction was not let into its workspace; null where it failed for another reason. */
export function restingState(error: unknown): RestingState | null {
  return states[sqlState(error) ?? ''] ?? null;
}
