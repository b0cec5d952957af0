/** `partbook keys` and `workspaces`. A new key is written to standard output, once. */
import type { Command } from 'commander';
import { connect } from '../../typescript/connect.ts';
import type { ApiKey, Workspace } from '../../typescript/generated/types.ts';
import { listItems } from '../../typescript/list-items.ts';
import { type Area, areas, readAreas } from '../areas-option.ts';
import { UsageError } from '../exit-codes.ts';
import { shown } from '../output.ts';
import { readLater } from '../read-time.ts';
import { type GlobalFlags, interruption, openSession, outputOf, requireUuid } from '../session.ts';
import { findSettings } from '../settings.ts';
import { here } from '../surroundings.ts';

export function addAdministration(program: Command): void {
  addKeys(program);
  addWorkspaces(program);
}

function addKeys(program: Command): void {
  const keys = program.command('keys').description('list, create and revoke API keys');
  const list = keys
    .command('list', { isDefault: true })
    .description('list the keys')
    .action(async () => {
      const { partbook, output, signal } = openSession(list);
      await output.list<ApiKey>(
        listItems(partbook, 'GET /api-keys', {}, { signal }),
        {
          name: (one) => one.name,
          areas: (one) => one.areas.join(', '),
          prefix: (one) => one.prefix,
          'last used': (one) => one.lastUsedAt,
          expires: (one) => one.expiresAt,
          revoked: (one) => one.revokedAt,
          id: (one) => one.id,
        },
        'The workspace has no keys.',
      );
    });
  const create = keys
    .command('create <name>')
    .description('create a key, which is shown only once')
    .option('--areas <areas>', `what the key may do, with commas between: ${areas.join(', ')}`)
    .option(
      '--permission <level>',
      'a set of areas by its name: read, write (read, stock, procurement, engineering) or admin (all)',
    )
    .option(
      '--expires <time>',
      'when the key ends: a day (at its beginning), a time, or 90d for ninety days from now',
    )
    .action(async (name: string, { expires, ...allowed }: KeyFlags) => {
      const expiresAt = expires === undefined ? {} : { expiresAt: readLater('--expires', expires) };
      const { partbook, output, signal } = openSession(create);
      const body = { name, ...allowedBy(allowed), ...expiresAt };
      const made = await partbook('POST /api-keys', { body }, { signal });
      output.answer(made, () => made.key);
    });
  const revoke = keys
    .command('revoke <id>')
    .description('revoke a key at once')
    .action(async (id: string) => {
      requireUuid('key', id);
      const { partbook, output, signal } = openSession(revoke);
      await partbook('DELETE /api-keys/{id}', { id }, { signal });
      output.say(`${id} is revoked.`);
    });
}

interface KeyFlags {
  areas?: string;
  permission?: string;
  expires?: string;
}

function allowedBy({
  areas: named,
  permission,
}: KeyFlags): { areas: Area[] } | { permission: ApiKey['permission'] } {
  if ((named === undefined) === (permission === undefined)) {
    throw new UsageError('Say what the key may do with either --areas or --permission.');
  }
  if (named !== undefined) return { areas: readAreas(named) };
  if (permission === 'read' || permission === 'write' || permission === 'admin') return { permission };
  throw new UsageError(`--permission is read, write or admin, not "${shown(permission ?? '')}".`);
}

/** By the operator, whose token comes from the environment. */
function addWorkspaces(program: Command): void {
  const operator = (command: Command) => {
    const { url } = findSettings(command.optsWithGlobals<GlobalFlags>(), here().env, here().cwd);
    const key = here().env.PARTBOOK_OPERATOR_TOKEN;
    if (url === '' || key === undefined || key === '') {
      throw new UsageError("Workspaces are the operator's: set PARTBOOK_URL and PARTBOOK_OPERATOR_TOKEN.");
    }
    return { partbook: connect({ url, key }), output: outputOf(command), signal: interruption() };
  };
  const workspaces = program
    .command('workspaces')
    .description('list and create workspaces (for the operator)');
  const list = workspaces
    .command('list', { isDefault: true })
    .description('list the workspaces')
    .action(async () => {
      const { partbook, output, signal } = operator(list);
      await output.list<Workspace>(
        listItems(partbook, 'GET /api/workspaces', {}, { signal }),
        {
          slug: (one) => one.slug,
          name: (one) => one.name,
          id: (one) => one.id,
        },
        'There are no workspaces yet: "partbook workspaces create SLUG NAME" makes one.',
      );
    });
  const create = workspaces
    .command('create <slug> <name>')
    .description('create a workspace; its first key is shown only once')
    .action(async (slug: string, name: string) => {
      const { partbook, output, signal } = operator(create);
      const made = await partbook('POST /api/workspaces', { body: { slug, name } }, { signal });
      output.answer(made, () => made.apiKey.key);
    });
}
