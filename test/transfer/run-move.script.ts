/** Moves a workspace in a process of its own and is killed at the step that it is told: no handler runs, nothing is given back. */
import { moveWorkspace } from '../../src/transfer/move/move-workspace.ts';

const { MOVE_FROM = '', MOVE_TO = '', MOVE_SLUG = '', MOVE_DIES_AT = '' } = process.env;
await moveWorkspace({ from: MOVE_FROM, to: MOVE_TO }, MOVE_SLUG, {
  movedTo: null,
  onStep: (step) => {
    if (step === MOVE_DIES_AT) process.kill(process.pid, 'SIGKILL');
  },
});
