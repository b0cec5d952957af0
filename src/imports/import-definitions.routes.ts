/** `/import-definitions`: how the files of a tool become elements of a sync, kept in the workspace. */
import { z } from 'zod';
import { ImportDefinition as ImportMapping } from '../../clients/readers/definition/import-definition.schema.ts';
import { newPropertiesOf } from '../../clients/readers/definition/new-properties.ts';
import { suggestDefinition } from '../../clients/readers/definition/suggest-definition.ts';
import { loadConfiguration } from '../configuration/current/read-configuration.ts';
import { lockConfiguration } from '../configuration/lock-configuration.ts';
import { readPage } from '../db/read-page.ts';
import { rfc3339 } from '../db/time.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { requireAsRead } from '../http/read-only.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES } from '../http/route.ts';
import {
  createImportDefinition,
  deleteImportDefinition,
  replaceImportDefinition,
} from './change-import-definition.ts';
import { type DefinitionRow, findImportDefinition, showImportDefinition } from './find-import-definition.ts';
import {
  DefinitionParams,
  FirstRows,
  ImportDefinition,
  ImportDefinitionReplacement,
  NewImportDefinition,
  SuggestedDefinition,
} from './import-definition.schema.ts';
import { selectDefinitions } from './import-definitions.sql.ts';

const collection = '/api/wid/{slug}/import-definitions';
const member = `${collection}/{name}`;
const tag = 'Imports';

/** A name that was deleted and made again starts at version 1 once more, and must not pass for the old one. */
const tagOf = (row: DefinitionRow) => `${row.version}-${Date.parse(rfc3339(row.created_at)).toString(36)}`;

const listImportDefinitions = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listImportDefinitions',
  tag,
  summary: 'List import definitions',
  description: 'In order of their names.',
  access: 'read',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of import definitions.', schema: listOf(ImportDefinition) } },
  errors: ['invalid_cursor'],
  handle: async ({ query }, tx) => {
    const after = decodeCursor('import-definitions', query.cursor, z.string());
    const page = await readPage<DefinitionRow>(
      tx,
      selectDefinitions,
      [tx.workspaceId, after, query.limit + 1],
      {
        limit: query.limit,
        long: ['weight'],
      },
    );
    return { status: 200, body: pageOf('import-definitions', page, (row) => row.name, showImportDefinition) };
  },
});

const postImportDefinition = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createImportDefinition',
  tag,
  summary: 'Create an import definition',
  access: 'configuration',
  transaction: 'write',
  body: NewImportDefinition,
  answers: {
    201: { description: 'The new definition; `Location` is its address.', schema: ImportDefinition },
  },
  errors: ['key_taken', 'configuration_full', 'payload_too_large'],
  handle: async ({ ctx, actor, workspace, body }, tx) => {
    await lockConfiguration(tx);
    const definitionsMax = ctx.config.IMPORT_DEFINITIONS_MAX;
    const row = await createImportDefinition(tx, actor, { ...body, definitionsMax });
    const headers = {
      Location: `/api/wid/${workspace.slug}/import-definitions/${encodeURIComponent(row.name)}`,
    };
    return { status: 201, body: showImportDefinition(row), etag: tagOf(row), headers };
  },
});

const getImportDefinition = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getImportDefinition',
  tag,
  summary: 'Read an import definition',
  access: 'read',
  transaction: 'read',
  params: DefinitionParams,
  answers: { 200: { description: 'The definition.', schema: ImportDefinition } },
  errors: ['not_found'],
  handle: async ({ params }, tx) => {
    const row = await findImportDefinition(tx, params.name);
    return { status: 200, body: showImportDefinition(row), etag: tagOf(row) };
  },
});

const putImportDefinition = defineRoute({
  method: 'put',
  path: member,
  operationId: 'replaceImportDefinition',
  tag,
  summary: 'Replace an import definition',
  description: 'The version increases; the audit trail keeps the previous definition.',
  access: 'configuration',
  transaction: 'write',
  params: DefinitionParams,
  body: ImportDefinitionReplacement,
  answers: { 200: { description: 'The changed definition.', schema: ImportDefinition } },
  errors: ['not_found', 'payload_too_large'],
  handle: async (call, tx) => {
    await lockConfiguration(tx);
    const row = await findImportDefinition(tx, call.params.name);
    requireMatch(call, tagOf(row));
    requireAsRead(ImportDefinitionReplacement, call.body, showImportDefinition(row));
    const changed = await replaceImportDefinition(tx, call.actor, row, call.body.mapping);
    return { status: 200, body: showImportDefinition(changed), etag: tagOf(changed) };
  },
});

const removeImportDefinition = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deleteImportDefinition',
  tag,
  summary: 'Delete an import definition',
  description: 'Existing batches stay as they are.',
  access: 'configuration',
  transaction: 'write',
  params: DefinitionParams,
  answers: { 204: { description: 'It was deleted.' } },
  errors: ['not_found'],
  handle: async (call, tx) => {
    await lockConfiguration(tx);
    const row = await findImportDefinition(tx, call.params.name);
    requireMatch(call, tagOf(row));
    await deleteImportDefinition(tx, call.actor, row);
    return { status: 204 };
  },
});

const suggestImportDefinition = defineRoute({
  method: 'post',
  path: `${collection}/suggest`,
  operationId: 'suggestImportDefinition',
  tag,
  summary: 'Suggest an import definition for a table',
  description:
    'Suggests a definition from the first rows of a file and the configuration of the workspace. Nothing is stored.',
  access: 'read',
  transaction: 'read',
  body: FirstRows,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 200: { description: 'The suggestion.', schema: SuggestedDefinition } },
  handle: async ({ body }, tx) => {
    const configuration = await loadConfiguration(tx);
    const hints = {
      properties: [...configuration.properties.values()],
      categories: [...configuration.categories.keys()],
      categoryNames: Object.fromEntries(
        [...configuration.categories.values()].map(({ key, name }) => [key, name]),
      ),
      delimiter: body.delimiter,
    };
    const suggestion = suggestDefinition(body.rows, hints);
    return {
      status: 200,
      body: {
        mapping: suggestion === null ? null : ImportMapping.parse(suggestion.definition),
        headerRow: suggestion?.headerAt ?? null,
        unused: suggestion?.unused ?? [],
        newProperties: newPropertiesOf(suggestion?.unused ?? []),
        warnings: suggestion?.warnings ?? [],
        problems: suggestion?.problems ?? [],
        tool: suggestion?.tool ?? null,
        categories: suggestion?.categories ?? null,
      },
    };
  },
});

export const importDefinitionRoutes: AnyRoute[] = [
  listImportDefinitions,
  postImportDefinition,
  getImportDefinition,
  putImportDefinition,
  removeImportDefinition,
  suggestImportDefinition,
];
