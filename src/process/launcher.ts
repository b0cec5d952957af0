/**
 * Gives the process the V8 flags and the settings of the C library that the service needs, so that `node src/main.ts web` is all that
 * anybody types. Both are read only when a process starts, so the program replaces itself once, in place: process id, standard streams
 * and whoever waits for it stay the same.
 */

/**
 * - `v8-pool-size=0`: Node gives V8 one helper thread fewer than CPUs, beside the event loop (ADR 73).
 * - `max-semi-space-size=16`: a small young generation, in MiB; it makes up for the larger heap that V8 may keep (ADR 73).
 */
export const V8_FLAGS: readonly string[] = ['--v8-pool-size=0', '--max-semi-space-size=16'];

/**
 * - `MALLOC_ARENA_MAX`: memory that one thread frees is used by others, since all of them share two arenas (ADR 75).
 * - `MALLOC_MMAP_THRESHOLD_`: large buffers return to the system as soon as they are freed (ADR 75).
 */
const ALLOCATOR_SETTINGS = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

/** Holds the id of the process that was launched: its children inherit the variable, and are not launched by that. */
const LAUNCHED = 'PARTBOOK_LAUNCHED';

/**
 * Replaces the process, unless it was launched before. Flags and settings that are given go before those of the launcher. `compiledFolder`
 * keeps compiled code; Node must know it before it loads the first file, or it keeps its compiler in memory (18 MiB).
 *
 * Returns without an effect where a process cannot be replaced: on Windows, and if its parent talks to it over a channel, as `node --watch` does.
 */
export function launch(compiledFolder: string): void {
  const { execArgv, argv, execPath, pid } = process;
  const env = process.env;
  if (env[LAUNCHED] === String(pid)) return;
  if (process.execve === undefined || process.platform === 'win32' || process.channel !== undefined) return;
  if (env.WATCH_REPORT_DEPENDENCIES !== undefined) return;
  const environment = {
    ...ALLOCATOR_SETTINGS,
    NODE_COMPILE_CACHE: compiledFolder,
    ...env,
    [LAUNCHED]: String(pid),
  };
  process.execve(execPath, [execPath, ...V8_FLAGS, ...execArgv, ...argv.slice(1)], environment);
}
