/**
 * A built-in action of automations: what it takes, and what it does in the transaction of a run. An automation lists actions with their
 * settings, and a script calls them as `api.actions.NAME(settings)`. A new one is a file beside this one and a line in registry.ts.
 */
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { Area } from '../../areas.ts';
import { dateOf, today } from '../../calendar/days.ts';
import type { Config } from '../../config.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';

type Value = string | number | boolean | null;

/** A change of an entity, as the run shows it. */
export interface Change {
  entityId: string;
  property: string;
  from: Value;
  to: Value;
}

/** The run that the action belongs to. */
export interface ActionRun {
  tx: Tx;
  actor: Actor;
  /** The areas that it may use: those of the caller that triggered the run, or all. */
  areas: readonly Area[];
  automationId: string;
  mover: Mover;
  config: Config;
  /** The event. */
  context: Readonly<Record<string, unknown>>;
  /** The id of the run; null in the test of a script. */
  runId: string | null;
}

export interface Performed {
  answer: unknown;
  changes: Change[];
}

export interface BuiltInAction<Schema extends z.ZodType = z.ZodType> {
  name: string;
  description: string;
  /** The setting that names its entity. The entity of the event is the default, and events without an entity need the setting. */
  subject: 'entity' | 'item' | null;
  /** Flat: the fields become a form. */
  settingsSchema: Schema;
  perform(run: ActionRun, settings: z.output<Schema>): Promise<Performed>;
}

export function defineAction<Schema extends z.ZodType>(action: BuiltInAction<Schema>): BuiltInAction<Schema> {
  return action;
}

const REF_CHARS_MAX = 255;

/** The kind of thing that a text in a form names (`x-picks` of its schema). The app offers choices of that kind. */
export const picks = (
  kind: 'entity' | 'item' | 'location' | 'project' | 'state' | 'property' | 'supplier',
): { 'x-picks': string } => ({ 'x-picks': kind });

/** An entity in a form. */
export const entityField = (title: string, what: string, kind: Parameters<typeof picks>[0] = 'entity') =>
  z
    .string()
    .min(1)
    .max(REF_CHARS_MAX)
    .meta({
      title,
      description: `${what} Enter a number, an id, or \`guid:\` followed by a GUID.`,
      ...picks(kind),
    });

export const quantityField = z
  .number()
  .min(0.000001)
  .max(999_999_999)
  .meta({ title: 'Quantity', description: 'A number with up to six decimal places.' });

const DAYS_MAX = 3650;

export const requiredInDaysField = z.int().min(0).max(DAYS_MAX).exactOptional().meta({
  title: 'Required in days',
  description: 'The number of days from the run to the required date. Leave it empty for no date.',
});

/** Returns the date so many days from today; null if no days are named. */
export function dateInDays(days: number | undefined): string | null {
  return days === undefined ? null : dateOf(today(), days);
}
