/**
 * `node deploy/haproxy/turn-workspace.ts CELL SLUG`: from now on HAProxy sends the calls of a workspace to that cell (cells.cfg). The
 * map on disk is written first, for the next start, then the one in memory. Done again it changes nothing.
 */
import { once } from 'node:events';
import { open, readFile, rename } from 'node:fs/promises';
import { connect } from 'node:net';

const ANSWER_MS_MAX = 10_000;
const ANSWER_BYTES_MAX = 65_536;

const { HAPROXY_SOCKET = '/run/haproxy/admin.sock', HAPROXY_CELLS = '/etc/haproxy/cells.map' } = process.env;
const [cell, slug, ...rest] = process.argv.slice(2);
// What would be more than one word to HAProxy is none of ours.
if (cell === undefined || slug === undefined || rest.length > 0 || ![cell, slug].every(isWord)) {
  process.stderr.write('Usage: node deploy/haproxy/turn-workspace.ts CELL SLUG\n');
  process.exit(2);
}
await writeMap(HAPROXY_CELLS, slug, cell);
await turn(slug, cell);

function isWord(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text);
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
