/** `/automations`: listing, making, changing, cloning and testing them. Their runs are in runs.routes.ts. */
import { z } from 'zod';
import { requireProof } from '../access/proof/require-proof.ts';
import { versionTag } from '../configuration/answer-kind.ts';
import { lockConfiguration } from '../configuration/lock-configuration.ts';
import { pageOfSome } from '../db/read-page.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { requireAsRead } from '../http/read-only.ts';
import { type AnyRoute, defineRoute, LARGE_BODY_BYTES, type WorkspaceCall } from '../http/route.ts';
import type { AutomationRow } from './automation.entity.ts';
import {
  Automation,
  AutomationClone,
  AutomationParams,
  AutomationQuery,
  AutomationReplacement,
  ListedAutomation,
  NewAutomation,
} from './automation.schema.ts';
import { BuiltInActions, showBuiltInActions } from './built-in/attached-action.schema.ts';
import { scriptOfActions } from './built-in/script-of-actions.ts';
import {
  createAutomation,
  deleteAutomation,
  replaceAutomation,
  requireScript,
  requireView,
} from './change-automation.ts';
import { findAutomation, findOwnAutomation } from './find-automation.ts';
import { listAutomationPage } from './list-automation-page.ts';
import { testScript } from './runs/test-script.ts';
import { ScriptTest, ScriptTestResult } from './script-result.schema.ts';
import { type Computed, onSharedScriptThread } from './share-script-threads.ts';
import { showAutomation } from './show-automation.ts';
import { systemAutomations } from './system-automations.ts';

const collection = '/api/wid/{slug}/automations';
const member = `${collection}/{id}`;
export const automationsTag = 'Automations';
const tag = automationsTag;

const listAutomations = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listAutomations',
  tag,
  summary: 'List automations',
  description:
    'System automations first, then those of the workspace in order of creation. Feature automations, which can be attached to a transition, have a list of their own.',
  access: 'read',
  transaction: 'read',
  query: AutomationQuery,
  answers: {
    200: {
      description: 'A page of automations, each with its latest runs.',
      schema: listOf(ListedAutomation),
    },
  },
  handle: async ({ query }, tx) => ({ status: 200, body: await listAutomationPage(tx, query) }),
});

const listSystemAutomations = defineRoute({
  method: 'get',
  path: `${collection}/system`,
  operationId: 'listSystemAutomations',
  tag,
  summary: 'List system automations',
  description: 'They are read-only and do not run: clone one, change it, enable it.',
  access: 'read',
  transaction: 'none',
  query: ListQuery,
  answers: { 200: { description: 'A page of automations.', schema: listOf(Automation) } },
  handle: async ({ query }) => {
    const after = decodeCursor('system-automations', query.cursor, z.uuid());
    const left = systemAutomations.filter((one) => after === null || one.id > after);
    const body = pageOf(
      'system-automations',
      pageOfSome(left, query.limit),
      (one) => one.id,
      (one) => one,
    );
    return { status: 200, body };
  },
});

const listBuiltInActions = defineRoute({
  method: 'get',
  path: `${collection}/built-in-actions`,
  operationId: 'listBuiltInActions',
  tag,
  summary: 'List built-in actions',
  description:
    'The actions that an automation of any context type can perform instead of a script, and that scripts call as `api.actions`. `settingsSchema` describes a form.',
  access: 'read',
  transaction: 'none',
  answers: { 200: { description: 'All of them.', schema: BuiltInActions } },
  handle: async () => ({ status: 200, body: showBuiltInActions() }),
});

const postAutomation = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createAutomation',
  tag,
  summary: 'Create an automation',
  access: 'configuration',
  transaction: 'write',
  body: NewAutomation,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 201: { description: 'The automation; `Location` is its address.', schema: Automation } },
  errors: ['proof_needed', 'script_syntax_error', 'configuration_full', 'scripts_busy', 'invalid_condition'],
  before: async (call) => {
    await requireProof(call);
    await compile(call, scriptOf(call.body));
  },
  handle: async ({ ctx, actor, areas, workspace, body }, tx) => {
    await requireView(tx, { actor, areas }, body.threshold);
    const row = await createAutomation(tx, actor, { ...body, script: scriptOf(body) }, ctx.config);
    return made(row, workspace.slug);
  },
});

const getAutomation = defineRoute({
  method: 'get',
  path: member,
  operationId: 'getAutomation',
  tag,
  summary: 'Read an automation',
  access: 'read',
  transaction: 'read',
  params: AutomationParams,
  answers: { 200: { description: 'The automation.', schema: Automation } },
  errors: ['automation_not_found'],
  handle: async ({ params }, tx) => {
    const { automation, row } = await findAutomation(tx, params.id);
    return { status: 200, body: automation, etag: row === null ? 'system' : versionTag(row) };
  },
});

const putAutomation = defineRoute({
  method: 'put',
  path: member,
  operationId: 'replaceAutomation',
  tag,
  summary: 'Replace an automation',
  description: 'A changed script becomes its next version; runs keep naming the version that they ran.',
  access: 'configuration',
  transaction: 'write',
  params: AutomationParams,
  body: AutomationReplacement,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 200: { description: 'The changed automation.', schema: Automation } },
  errors: [
    'proof_needed',
    'automation_not_found',
    'automation_read_only',
    'script_syntax_error',
    'scripts_busy',
    'invalid_condition',
  ],
  before: async (call) => {
    await requireProof(call);
    const scope = { workspaceId: call.workspace.id };
    // What is not there, or cannot be changed, says so first.
    await inTransaction(call.ctx.db, scope, (tx) => findOwnAutomation(tx, call.params.id), {
      readOnly: true,
    });
    await compile(call, scriptOf(call.body));
  },
  handle: async (call, tx) => {
    const row = await takeOwnAutomation(tx, call);
    requireAsRead(AutomationReplacement, call.body, showAutomation(row));
    const { threshold } = call.body;
    // A view that was there may be private or deleted by now; the automation reports it.
    if (threshold?.view !== row.threshold?.view) await requireView(tx, call, threshold);
    await replaceAutomation(tx, call.actor, row, { ...call.body, script: scriptOf(call.body) });
    return { status: 200, body: showAutomation(row), etag: versionTag(row) };
  },
});

const removeAutomation = defineRoute({
  method: 'delete',
  path: member,
  operationId: 'deleteAutomation',
  tag,
  summary: 'Delete an automation',
  access: 'configuration',
  transaction: 'write',
  params: AutomationParams,
  answers: { 204: { description: 'It was deleted.' } },
  errors: ['automation_not_found', 'automation_read_only'],
  handle: async (call, tx) => {
    const row = await takeOwnAutomation(tx, call);
    await deleteAutomation(tx, call.actor, row);
    return { status: 204 };
  },
});

const cloneAutomation = defineRoute({
  method: 'post',
  path: `${member}/clone`,
  operationId: 'cloneAutomation',
  tag,
  summary: 'Clone an automation into the workspace',
  description: 'The copy is editable and disabled.',
  access: 'configuration',
  transaction: 'write',
  params: AutomationParams,
  body: AutomationClone,
  answers: { 201: { description: 'The copy; `Location` is its address.', schema: Automation } },
  errors: ['automation_not_found', 'configuration_full', 'invalid_condition'],
  handle: async ({ ctx, actor, workspace, params, body }, tx) => {
    const { automation } = await findAutomation(tx, params.id);
    const { description, contextTypeId, script, actions, button, filter, schedule, threshold } = automation;
    const name = body.name ?? `Copy of ${automation.name}`.slice(0, 255).trim();
    const settings = { actions, button, filter, schedule, threshold };
    const values = { name, description, contextTypeId, script, ...settings, enabled: false };
    return made(await createAutomation(tx, actor, values, ctx.config), workspace.slug);
  },
});

/** The script that runs: that of the body, or the one that performs its actions. */
function scriptOf({ script, actions }: Pick<NewAutomation, 'script' | 'actions'>): string {
  return actions === null ? (script ?? '') : scriptOfActions(actions);
}

/** Before a transaction is opened: there may be scripts to wait for. */
function compile(call: WorkspaceCall, script: string): Promise<void> {
  return onScriptThread(call, async () => {
    const began = performance.now();
    await requireScript(call.ctx.scripts, script);
    return { value: undefined, cpuMs: performance.now() - began };
  });
}

/** For as long as the caller waits and the service does not stop. Throws `scripts_busy`. */
function onScriptThread<T>(
  call: WorkspaceCall,
  work: (left: AbortSignal) => Promise<Computed<T>>,
): Promise<T> {
  const left = AbortSignal.any([call.closing, call.gone]);
  return onSharedScriptThread(call.ctx.scriptThreads, call.workspace.id, () => work(left), left);
}

/** The automation that a call changes, under the configuration lock. Throws as `findOwnAutomation`, `precondition_failed`. */
async function takeOwnAutomation(tx: Tx, call: WorkspaceCall<{ id: string }>): Promise<AutomationRow> {
  await lockConfiguration(tx);
  const row = await findOwnAutomation(tx, call.params.id);
  requireMatch(call, versionTag(row));
  return row;
}

function made(row: AutomationRow, slug: string) {
  return {
    status: 201,
    body: showAutomation(row),
    etag: versionTag(row),
    headers: { Location: `/api/wid/${slug}/automations/${row.id}` },
  };
}

const testAutomation = defineRoute({
  method: 'post',
  path: `${collection}/test`,
  operationId: 'testScript',
  tag,
  summary: 'Test a script',
  description:
    'Runs it in the sandbox on real data and undoes what it writes. With context type 5 (feature) it may do what the caller may do, as when a button runs it. The status is 200 whenever the sandbox ran, whatever the script did: `error` says what was wrong and where.',
  access: 'configuration',
  transaction: 'none',
  body: ScriptTest,
  bodyBytesMax: LARGE_BODY_BYTES,
  answers: { 200: { description: 'The result.', schema: ScriptTestResult } },
  errors: ['scripts_busy'],
  handle: async (call) => {
    const { ctx, body } = call;
    const run = async (left: AbortSignal) => {
      const result = await testScript(ctx, call, body, left);
      return { value: result, cpuMs: result.cpuMs };
    };
    return { status: 200, body: await onScriptThread(call, run) };
  },
});

export const automationRoutes: AnyRoute[] = [
  listAutomations,
  listSystemAutomations,
  listBuiltInActions,
  postAutomation,
  getAutomation,
  putAutomation,
  removeAutomation,
  cloneAutomation,
  testAutomation,
];
