/** `partbook watch DIR`: a folder that design tools export into. */
import type { Command } from 'commander';
import type { DefinitionFlags } from '../files/choose-definition.ts';
import { readSeconds } from '../read-time.ts';
import { openSession } from '../session.ts';
import { here, pathHere } from '../surroundings.ts';
import { watchFolder } from '../watch/watch-folder.ts';
import { statePath, WatchState } from '../watch/watch-state.ts';
import { addDefinitionOptions } from './sync.ts';

interface WatchFlags extends DefinitionFlags {
  settle: string;
  every: string;
  move: boolean;
  once?: boolean;
  exact?: boolean;
  state?: string;
}

export function addWatch(program: Command): void {
  const command = program
    .command('watch <folder>')
    .description(
      'send what is dropped into a folder, each content once; move it to done or failed with its results',
    )
    .option('--settle <seconds>', 'how long a file must not have changed', '30')
    .option('--every <seconds>', 'how often to look', '5')
    .option('--no-move', 'leave files where they are, for read-only shares')
    .option('--exact', 'remove children that are not in a file from the assemblies in it')
    .option('--once', 'exit when nothing is left to send')
    .option('--state <file>', 'where to remember what was sent');
  addDefinitionOptions(command).action(async (folder: string, flags: WatchFlags) => {
    const session = openSession(command);
    const { url, workspace } = session.settings;
    const state = WatchState.open(
      flags.state === undefined ? statePath(here().env, folder, url, workspace) : pathHere(flags.state),
    );
    const { settle, every, move, once = false, exact = false, ...definition } = flags;
    const options = {
      ...definition,
      folder: pathHere(folder),
      settleMs: readSeconds('--settle', settle, 0),
      everyMs: readSeconds('--every', every, 0.05),
      moves: move,
      once,
      exact,
    };
    session.output.say(`Watching ${folder}.`);
    await watchFolder(session, state, options);
  });
}
