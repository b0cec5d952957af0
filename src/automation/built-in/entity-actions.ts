/** Actions on entities: set a state, set a property. */
import { z } from 'zod';
import { entityLimits } from '../../config.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { propertyTypes } from '../../configuration/properties/property-value.ts';
import { AppError } from '../../errors.ts';
import { defineAction, entityField, picks } from './built-in-action.ts';
import { setProperties, setState as transition } from './change-entity.ts';
import { resolveSubject } from './resolve-ref.ts';

const NAME_CHARS_MAX = 255;
const NOTE_CHARS_MAX = 4000;

const entity = entityField('Entity', 'Leave it empty for the entity of the event.').exactOptional();

export const setState = defineAction({
  name: 'Set state',
  description:
    'Moves an entity to another state of its lifecycle, with everything that the transition triggers.',
  subject: 'entity',
  settingsSchema: z.strictObject({
    entity,
    toState: z
      .string()
      .min(1)
      .max(NAME_CHARS_MAX)
      .meta({ title: 'State', description: 'Name of the state.', ...picks('state') }),
    note: z
      .string()
      .max(NOTE_CHARS_MAX)
      .exactOptional()
      .meta({ title: 'Note', description: 'A note for the history of the entity.' }),
  }),
  perform: async (run, { entity: given, toState, note }) =>
    transition(run, await resolveSubject(run, 'entity', given), toState, note),
});

export const setProperty = defineAction({
  name: 'Set property',
  description: 'Sets a property of an entity, or clears it.',
  subject: 'entity',
  settingsSchema: z.strictObject({
    entity,
    property: z
      .string()
      .min(1)
      .max(entityLimits.propertyKeyCharsMax)
      .meta({ title: 'Property', description: 'Key of the property.', ...picks('property') }),
    value: z.string().max(entityLimits.propertyValueCharsMax).exactOptional().meta({
      title: 'Value',
      description:
        'The new value, by the type of the property: a text, a number with a decimal point, `true` or `false`, or a date YYYY-MM-DD. Leave it empty to clear the property.',
    }),
  }),
  perform: async (run, { entity: given, property, value }) => {
    const id = await resolveSubject(run, 'entity', given);
    const type = (await configurationForWriting(run.tx)).properties.get(property)?.type;
    // An unknown property is refused where it is set.
    const read =
      value === undefined || type === undefined ? (value ?? null) : propertyTypes[type].fromText(value);
    if (type !== undefined && value !== undefined && (read === null || Number.isNaN(read)))
      throw new AppError(
        'validation_failed',
        `"${value.slice(0, 100)}" is not ${propertyTypes[type].textForm}, the type of "${property}".`,
      );
    return setProperties(run, id, { [property]: read });
  },
});
