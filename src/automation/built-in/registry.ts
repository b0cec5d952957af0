/** The built-in actions. */
import type { BuiltInAction } from './built-in-action.ts';
import { setProperty, setState } from './entity-actions.ts';
import { notifyWebhook, printLabel, sendMail } from './message-actions.ts';
import { startPlanningRun } from './planning-actions.ts';
import { draftOrder, raiseRequirement } from './procurement-actions.ts';

export const builtInActions = {
  raiseRequirement,
  draftOrder,
  setState,
  setProperty,
  notifyWebhook,
  sendMail,
  printLabel,
  startPlanningRun,
};

export type ActionName = keyof typeof builtInActions;
export const actionNames = Object.keys(builtInActions) as ActionName[];

export function builtInAction(name: ActionName): BuiltInAction {
  return builtInActions[name];
}
