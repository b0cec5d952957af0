/**
 * `node deploy/haproxy/turn-workspace.ts CELL [SLUG]`: from now on HAProxy sends the calls of a workspace to that cell (cells.cfg). Without
 * a slug it waits for one on standard input, as `MOVE_TURN_COMMAND` is told it: it has been loaded when the moment comes. The map on
 * disk is written first, for the next start, then the one in memory. Done again it changes nothing.
 */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile, rename } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const ANSWER_MS_MAX = 10_000;
const TURN_LOOK_MS = 20;
const ANSWER_BYTES_MAX = 65_536;

const { HAPROXY_SOCKET = '/run/haproxy/admin.sock', HAPROXY_CELLS = '/etc/haproxy/cells.map' } = process.env;
const [cell, named, ...rest] = process.argv.slice(2);
if (cell === undefined || !isWord(cell) || rest.length > 0) {
  process.stderr.write('Usage: node deploy/haproxy/turn-workspace.ts CELL [SLUG]\n');
  process.exit(2);
}
// Whether HAProxy is there is said before anything depends on it.
const known = await ask(`get map ${HAPROXY_CELLS} ${cell}`);
if (!known.includes('found=')) throw new Error(`HAProxy has no such map: ${known}`);
const slug = named ?? (await readLine());
if (slug !== undefined) {
  // What would be more than one word to HAProxy is none of ours.
  if (!isWord(slug)) throw new Error(`${slug} is no slug`);
  const turns = await waitForTurn();
  await writeMap(HAPROXY_CELLS, slug, cell);
  await turn(slug, cell);
  turns.close();
}

/** Undefined where nobody says anything: there is nothing to turn then. */
async function readLine(): Promise<string | undefined> {
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  return undefined;
}

function isWord(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text);
}

/**
 * Of several workspaces that move at once one after the other is written into the map, or the last would undo the others. What says whose
 * turn it is has no place on disk (Linux knows such sockets), and goes with the process, however that ends.
 */
async function waitForTurn(): Promise<Server> {
  const name = `\0partbook-cells-${hash('sha256', HAPROXY_CELLS)}`;
  for (const until = performance.now() + ANSWER_MS_MAX; ; await delay(TURN_LOOK_MS)) {
    const server = createServer().listen(name);
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || performance.now() > until) throw error;
    }
  }
}

/** Whole or as before, whatever happens meanwhile. */
async function writeMap(file: string, key: string, value: string): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const others = lines.filter((line) => line.trim().split(/\s+/)[0] !== key);
  const partial = `${file}.partial`;
  const handle = await open(partial, 'w', 0o644);
  try {
    await handle.writeFile(`${[...others, `${key} ${value}`].join('\n')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, file);
}

async function turn(key: string, value: string): Promise<void> {
  const known = await ask(`get map ${HAPROXY_CELLS} ${key}`);
  const isKnown = /\bfound=yes\b/.test(known);
  const refusal = await ask(`${isKnown ? 'set' : 'add'} map ${HAPROXY_CELLS} ${key} ${value}`);
  const now = await ask(`get map ${HAPROXY_CELLS} ${key}`);
  if (!now.includes(`"${value}"`)) throw new Error(`HAProxy did not turn it: ${refusal} ${now}`);
}

/** One command and its answer; HAProxy closes when it has answered. */
async function ask(command: string): Promise<string> {
  const socket = connect(HAPROXY_SOCKET);
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error('HAProxy does not answer')));
  await once(socket, 'connect');
  // Not ended by us: HAProxy then might not answer any more.
  socket.write(`${command}\n`);
  let answer = '';
  for await (const piece of socket) {
    answer += String(piece);
    if (answer.length > ANSWER_BYTES_MAX) throw new Error('HAProxy says more than is expected');
  }
  return answer.trim();
}
