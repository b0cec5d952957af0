/** The button of an automation of context type 5, and the actions that an entity offers (contract §5.1). */
import { z } from 'zod';
import { Key, Name } from '../configuration/text.schema.ts';
import { Form } from './form.schema.ts';

const NAMES_MAX = 100;

const buttonFields = {
  label: Name.max(80).meta({ description: 'Text on the button.', examples: ['Order a sample'] }),
  categories: z
    .array(Key)
    .max(NAMES_MAX)
    .default([])
    .meta({
      description: 'Keys of the categories whose entities offer it; every category if empty.',
      examples: [['part']],
    }),
  states: z
    .array(Name)
    .max(NAMES_MAX)
    .default([])
    .meta({
      description: 'Names of the states in which entities offer it; every state if empty.',
      examples: [['Released']],
    }),
  confirm: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'Question to the user before it runs.', examples: ['Order a sample now?'] }),
  parameters: Form.optional().meta({
    description: 'The form that a user fills in; its values are `context.parameters` of the script.',
  }),
};

export const Button = z
  .strictObject(buttonFields)
  .describe('How a user runs the automation. With categories or states it needs an entity.')
  .meta({ id: 'AutomationButton' });
export type Button = z.output<typeof Button>;

export const Action = z
  .object({
    automationId: z.uuid().meta({ description: 'The automation, which `triggerAutomation` runs.' }),
    description: z.string().meta({ description: 'Description of the automation.' }),
    ...buttonFields,
  })
  .meta({ id: 'EntityAction', description: 'An action that a user can run.' });
export type Action = z.output<typeof Action>;

/** A caller with one of these is offered actions and may run them; a caller that only reads is not. */
export const AREAS_OF_ACTIONS = ['stock', 'procurement', 'engineering', 'configuration'] as const;
