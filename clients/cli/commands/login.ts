/** `partbook login` and `logout`: keeps a key for this user alone. The key comes by standard input, never as an argument. */
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { UsageError } from '../exit-codes.ts';
import { connectTo, type GlobalFlags, interruption, outputOf } from '../session.ts';
import { findSettings, readKept, writeKept } from '../settings.ts';
import { here } from '../surroundings.ts';

export function addLogin(program: Command): void {
  const login = program
    .command('login')
    .description('store address, workspace and key: partbook login --url https://… --workspace acme < key')
    .action(async () => {
      const output = outputOf(login);
      const flags = login.optsWithGlobals<GlobalFlags>();
      const { profile: name = 'default', ...rest } = flags;
      const known = findSettings(rest, here().env, here().cwd);
      const url = known.url || (await ask('Address of the service', 'https://'));
      const workspace = known.workspace || (await ask('Workspace', ''));
      const key = (await readKey()).trim();
      if (key === '') throw new UsageError('No key came by standard input.');
      const session = await connectTo({ url, workspace, key })(
        'GET /session',
        {},
        { signal: interruption() },
      );
      const kept = readKept(here().env);
      const profiles = { ...kept.profiles, [name]: { url, workspace, key } };
      const path = writeKept(here().env, { ...kept, current: name, profiles });
      output.answer(
        { profile: name, workspace, permission: session.permission, areas: session.areas },
        () => {
          return `Signed in to ${session.workspace.name} as "${session.keyName}" (${session.areas.join(', ')}); kept in ${path}`;
        },
      );
    });

  const logout = program
    .command('logout')
    .description('delete the stored address, workspace and key')
    .action(() => {
      const { profile: name = readKept(here().env).current ?? 'default' } =
        logout.optsWithGlobals<GlobalFlags>();
      const { profiles = {}, ...kept } = readKept(here().env);
      const { [name]: forgotten, ...others } = profiles;
      if (forgotten === undefined) throw new UsageError(`There is no profile "${name}".`);
      writeKept(here().env, { ...kept, profiles: others });
      outputOf(logout).say(`The profile ${name} is forgotten.`);
    });
}

async function readKey(): Promise<string> {
  if (here().stdin.isTTY !== true) return readAll(here().stdin);
  const prompts = await import('@clack/prompts');
  const answer = await prompts.password({ message: 'API key', output: here().stderr });
  return prompts.isCancel(answer) ? '' : answer;
}

async function ask(message: string, placeholder: string): Promise<string> {
  if (here().stdin.isTTY !== true)
    throw new UsageError(`Say it: --${message.startsWith('Work') ? 'workspace' : 'url'}.`);
  const prompts = await import('@clack/prompts');
  const answer = await prompts.text({ message, placeholder, output: here().stderr });
  if (prompts.isCancel(answer) || answer === undefined || answer === '')
    throw new UsageError(`${message} is needed.`);
  return answer;
}
