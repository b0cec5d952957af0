/** `/property-definitions` and `/property-definitions/{key}`: reading and changing property definitions. */
import { ListQuery, listOf } from '../../http/list.ts';
import { requireAsRead } from '../../http/read-only.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { created, pageOfKind, shown, takeRow } from '../answer-kind.ts';
import { findByKey } from '../kind.ts';
import { KeyParams } from '../text.schema.ts';
import {
  createPropertyDefinition,
  deletePropertyDefinition,
  replacePropertyDefinition,
} from './change-property-definition.ts';
import {
  NewPropertyDefinition,
  PropertyDefinition,
  PropertyDefinitionReplacement,
} from './property-definition.schema.ts';
import { propertyDefinitionKind, showPropertyDefinition } from './property-definition-kind.ts';

const collection = '/api/wid/{slug}/property-definitions';
const member = `${collection}/{key}`;
const tag = 'Configuration';

const listPropertyDefinitions = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listPropertyDefinitions',
  tag,
  summary: 'List property definitions',
  description: 'In order of their keys.',
  access: 'read',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of property definitions.', schema: listOf(PropertyDefinition) } },
  handle: ({ query }, tx) => pageOfKind(tx, propertyDefinitionKind, query),
});

const postPropertyDefinition = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createPropertyDefinition',
  tag,
  summary: 'Create a property definition',
  access: 'configuration',
  transaction: 'write',
  body: NewPropertyDefinition,
  answers: {
    201: {
      description: 'The new property definition; `Location` is its address.',
      schema: PropertyDefinition,
    },
  },
  errors: ['key_taken', 'configuration_full'],
  handle: async ({ actor, workspace, body }, tx) => {
    const row = await createPropertyDefinition(tx, actor, body);
    return created(workspace, propertyDefinitionKind, row);
  },
});

const getPropertyDefinition = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getPropertyDefinition',
  tag,
  summary: 'Read a property definition',
  access: 'read',
  transaction: 'read',
  params: KeyParams,
  answers: { 200: { description: 'The property definition.', schema: PropertyDefinition } },
  errors: ['not_found'],
  handle: async ({ params }, tx) =>
    shown(propertyDefinitionKind, await findByKey(tx, propertyDefinitionKind, params.key)),
});

const putPropertyDefinition = defineRoute({
  method: 'put',
  path: member,
  operationId: 'replacePropertyDefinition',
  tag,
  summary: 'Replace a property definition',
  description: 'The type cannot change after an entity has had a value.',
  access: 'configuration',
  transaction: 'write',
  params: KeyParams,
  body: PropertyDefinitionReplacement,
  answers: { 200: { description: 'The changed property definition.', schema: PropertyDefinition } },
  errors: ['not_found', 'in_use', 'configuration_full'],
  handle: async (call, tx) => {
    const row = await takeRow(tx, propertyDefinitionKind, call);
    requireAsRead(PropertyDefinitionReplacement, call.body, showPropertyDefinition(row));
    await replacePropertyDefinition(tx, call.actor, row, call.body);
    return shown(propertyDefinitionKind, row);
  },
});

const removePropertyDefinition = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deletePropertyDefinition',
  tag,
  summary: 'Delete a property definition',
  description: 'Refused after an entity has had a value.',
  access: 'configuration',
  transaction: 'write',
  params: KeyParams,
  answers: { 204: { description: 'It was deleted.' } },
  errors: ['not_found', 'in_use'],
  handle: async (call, tx) => {
    const row = await takeRow(tx, propertyDefinitionKind, call);
    await deletePropertyDefinition(tx, call.actor, row);
    return { status: 204 };
  },
});

export const propertyDefinitionRoutes: AnyRoute[] = [
  listPropertyDefinitions,
  postPropertyDefinition,
  getPropertyDefinition,
  putPropertyDefinition,
  removePropertyDefinition,
];
