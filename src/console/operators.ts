/** The page of the operators: who they are, and how a person becomes one. */
import { type Actor, OPERATOR } from '../actor.ts';
import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { COOKIE_PATH, readForm } from '../operations/operator-area.ts';
import { findPersonHere, type PersonHere } from '../operations/operator-person.ts';
import { addOperator, listOperators, removeOperator } from '../operations/operator-session.sql.ts';
import { endSession, openSession } from '../operations/operator-session.ts';
import { recordAction } from './actions/record-action.ts';
import { PATH } from './console-files.ts';
import { type Handle, lead, show } from './handled.ts';
import { table, time } from './page-parts.ts';
import { reading, requireId } from './read-shown.ts';
import { type Html, html } from './write-page.ts';

const OPERATORS_SHOWN = 200;

interface OperatorShown {
  person_id: string;
  name: string;
  created_at: string;
  managed: 'hand' | 'groups';
  /** Workspaces of which the person is a member. */
  workspaces: number;
  /** When the person ceased to be a member of a workspace; null where that never happened. */
  left_at: string | null;
}

export function addOperators(add: (method: 'get' | 'post', path: string, handle: Handle) => unknown): void {
  add('get', '/operators', async (handled) => {
    const rows = await reading(handled.ctx.db, (tx) =>
      tx.query<OperatorShown>(listOperators, [OPERATORS_SHOWN]),
    );
    const person = await findPersonHere(handled.ctx, handled.req);
    show(handled, {
      title: 'Operators',
      at: 'operators',
      body: operatorsPage(rows, handled.operator, person),
    });
  });
  // The token was shown, and the browser shows whose session it has: the two together make the operator.
  add('post', '/operators', async (handled) => {
    const { ctx, req, res, operator } = handled;
    await readForm(ctx, req, res);
    const person = await findPersonHere(ctx, req);
    if (person === null)
      throw new AppError(
        'validation_failed',
        'Nobody is signed in to the app in this browser. Sign in there first.',
      );
    await inTransaction(ctx.db, 'instance', async (tx) => {
      const [row] = await tx.query<{ added: boolean }>(addOperator, [person.id]);
      if (row?.added === true)
        await recordAction(tx, operator, {
          action: 'appoint',
          workspace: null,
          subject: person.name,
        });
    });
    // From now on this browser acts as the person.
    await endSession(ctx, req, res, COOKIE_PATH);
    await openSession(ctx, req, res, { path: COOKIE_PATH, personTokenHash: person.tokenHash });
    lead(handled, `${PATH}/operators`);
  });
  add('post', '/operators/:id/remove', async (handled) => {
    const { ctx, req, res, operator } = handled;
    await readForm(ctx, req, res);
    const id = requireId(handled.params.id);
    await inTransaction(ctx.db, 'instance', async (tx) => {
      const [removed] = await tx.query<{ name: string }>(removeOperator, [id]);
      if (removed !== undefined)
        await recordAction(tx, operator, { action: 'dismiss', workspace: null, subject: removed.name });
    });
    lead(handled, `${PATH}/operators`);
  });
}

function membershipOf({ workspaces, left_at: leftAt }: OperatorShown): Html {
  if (workspaces > 0) return html`${workspaces === 1 ? '1 workspace' : `${workspaces} workspaces`}`;
  if (leftAt === null) return html`no workspace`;
  return html`<strong>no workspace any more</strong>, since ${time(leftAt)}`;
}

function operatorsPage(rows: readonly OperatorShown[], operator: Actor, person: PersonHere | null): Html {
  const isToken = operator.id === OPERATOR.id;
  const self = isToken
    ? person === null
      ? html`<p>You have shown the operator token. To act under your name, sign in to the app in this browser, and come back to this page.</p>`
      : html`<form class="inline" method="post" action="/admin/operators">
<button>${person.isOperator ? `Continue as ${person.name}` : `Make ${person.name} an operator`}</button></form>`
    : html`<p>You act as ${operator.name}.</p>`;
  return html`<section>
<p>Operators open this console with their sign-in to the app, and actions and audit trails name them. The operator token is the spare key.
An operator need be no member of a workspace, and stays one when its workspaces have ended it: remove whoever has left. A person whom a group of the provider (<span class="mono">OIDC_OPERATOR_GROUP</span>) makes an operator becomes one again at its next sign-in, until the group loses it.</p>
${self}
${table(
  ['Name', 'Since', 'Made by', 'Member of', ''],
  rows.map((one) => [
    one.name,
    time(one.created_at),
    one.managed === 'hand' ? 'hand' : 'group of the provider',
    membershipOf(one),
    html`<form method="post" action="/admin/operators/${one.person_id}/remove"><button class="plain">Remove</button></form>`,
  ]),
  'No operators yet.',
)}</section>`;
}
