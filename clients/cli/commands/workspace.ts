/**
 * `partbook workspace`: whole workspaces in and out of an installation. That is the work of whoever runs the service, by the
 * logins of its databases, and stands in its own folder: this hands over to it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Ended, type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';

const COMMAND = 'src/transfer/commands/workspace.command.ts';

export function addWorkspace(program: Command): void {
  program
    .command('workspace [arguments...]')
    .description(
      'export, import, hold, resume, leave, move, cancel-move, forget: for the operator, run in the folder of the service',
    )
    .allowUnknownOption()
    .helpOption(false)
    .action(async (given: string[]) => {
      if (!isInstallation(process.cwd()))
        throw new UsageError(
          'This needs the databases of the service: call it in the folder of the installation (docs/scaling.md).',
        );
      const child = spawn(process.execPath, [join(process.cwd(), COMMAND), ...given], { stdio: 'inherit' });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== exitCodes.done) throw new Ended((code ?? exitCodes.failed) as ExitCode);
    });
}

function isInstallation(folder: string): boolean {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name === 'partbook-service';
  } catch {
    return false;
  }
}
