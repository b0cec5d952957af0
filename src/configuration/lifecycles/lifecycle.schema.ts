/** Lifecycles: the states of an entity, the ways between them, and what happens on the way. */
import { z } from 'zod';
import { readOnly } from '../../http/read-only.ts';
import { featureNames } from '../feature-names.ts';
import { Key, Name } from '../text.schema.ts';

export const LifecycleState = z.strictObject({
  name: Name.describe('Name of the state, unique in the lifecycle, 1 to 255 characters.').meta({
    examples: ['In Work'],
  }),
  released: z
    .boolean()
    .default(false)
    .describe('Whether entities in it are released: a change then creates a new revision.')
    .meta({ examples: [false] }),
  whenInUse: z
    .enum(['warn', 'refuse'])
    .optional()
    .describe(
      'What happens when an item with stock, open order lines or open requirements, or a location with stock or goods on order to it, enters the state: `warn` says so in the answer, `refuse` refuses the transition with 409 `in_use`. Absent: nothing.',
    )
    .meta({ examples: ['warn'] }),
});
export type LifecycleState = z.infer<typeof LifecycleState>;

export const FeatureAttachment = z.strictObject({
  feature: z
    .enum(featureNames)
    .describe('Key of the feature automation that runs with the transition.')
    .meta({ examples: ['createMaterialRequirement'] }),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Settings of the feature automation; its `settingsSchema` says which it takes.')
    .meta({ examples: [{}] }),
});
export type FeatureAttachment = z.infer<typeof FeatureAttachment>;

export const LifecycleTransition = z.strictObject({
  id: Key.describe('Id of the transition, unique in the lifecycle, 1 to 255 characters.').meta({
    examples: ['release'],
  }),
  name: Name.describe('Name of the transition, 1 to 255 characters.').meta({ examples: ['Release'] }),
  from: Name.describe('Name of the state that it leaves.').meta({ examples: ['In Review'] }),
  to: Name.describe('Name of the state that it enters.').meta({ examples: ['Released'] }),
  featureAutomations: z
    .array(FeatureAttachment)
    .max(20)
    .default([])
    .describe('Feature automations that run with it, in order; at most 20.')
    .meta({ examples: [[]] }),
});
export type LifecycleTransition = z.infer<typeof LifecycleTransition>;

const fields = {
  name: Name.describe('Name shown to people, 1 to 255 characters.').meta({ examples: ['Part lifecycle'] }),
  initialState: Name.describe('State of new entities and new revisions.').meta({
    examples: ['In Work'],
  }),
  states: z
    .array(LifecycleState)
    .min(1)
    .max(100)
    .describe('The states, at most 100.')
    .meta({ examples: [[{ name: 'In Work', released: false }]] }),
  transitions: z
    .array(LifecycleTransition)
    .max(1000)
    .default([])
    .describe('The transitions, at most 1000 and at most one from one state to another.')
    .meta({ examples: [[]] }),
};

interface Drawn {
  initialState: string;
  states: LifecycleState[];
  transitions: LifecycleTransition[];
}

/** A lifecycle is one drawing: every name in it refers to one of its own states, each way is there once. */
function checkDrawing(drawn: Drawn, check: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], message: string) =>
    check.addIssue({ code: 'custom', path, message });
  const states = new Set<string>();
  drawn.states.forEach((state, at) => {
    if (states.has(state.name)) refuse(['states', at, 'name'], `state "${state.name}" is there twice`);
    states.add(state.name);
  });
  if (!states.has(drawn.initialState))
    refuse(['initialState'], `"${drawn.initialState}" is not one of the states`);
  const ids = new Set<string>();
  const ways = new Map<string, Set<string>>();
  drawn.transitions.forEach((transition, at) => {
    const refuseHere = (field: string, message: string) => refuse(['transitions', at, field], message);
    if (ids.has(transition.id)) refuseHere('id', `transition id "${transition.id}" is there twice`);
    ids.add(transition.id);
    if (!states.has(transition.from)) refuseHere('from', `"${transition.from}" is not one of the states`);
    if (!states.has(transition.to)) refuseHere('to', `"${transition.to}" is not one of the states`);
    if (transition.from === transition.to) refuseHere('to', 'a transition leads to another state');
    // A transition is asked for by the state it leads to, so two of one way could not be told apart.
    const reached = ways.get(transition.from) ?? new Set();
    if (reached.has(transition.to)) {
      refuseHere('to', `there is another transition from "${transition.from}" to "${transition.to}"`);
    }
    ways.set(transition.from, reached.add(transition.to));
  });
}

const key = Key.describe('Key, 1 to 255 characters, case-sensitive, fixed; categories refer to it.').meta({
  examples: ['part'],
});

/** The body of a POST. */
export const NewLifecycle = z
  .strictObject({ key, ...fields })
  .superRefine(checkDrawing)
  .meta({ id: 'NewLifecycle' });

export const Lifecycle = z
  .strictObject({ key, ...fields })
  .superRefine(checkDrawing)
  .describe('A lifecycle of entities.')
  .meta({ id: 'Lifecycle' });
export type Lifecycle = z.infer<typeof Lifecycle>;

/** The body of a PUT. */
export const LifecycleReplacement = z
  .strictObject({ ...fields, ...readOnly(Lifecycle, ['key']) })
  .superRefine(checkDrawing)
  .meta({ id: 'LifecycleReplacement' });
export type LifecycleReplacement = z.infer<typeof LifecycleReplacement>;
