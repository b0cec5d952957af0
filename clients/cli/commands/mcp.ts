/** `partbook mcp`: a server for agents on standard input and output. The key comes from the environment or from login. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { makeServer } from '../../mcp/make-server.ts';
import { openSession } from '../session.ts';
import { here } from '../surroundings.ts';

export async function serveAgents(
  command: Command,
  { allowWrites = false }: { allowWrites?: boolean },
): Promise<void> {
  const { partbook, signal, output } = openSession(command);
  const { areas } = await partbook('GET /session', {}, { signal });
  const allowsWrites = allowWrites && areas.length > 1;
  if (allowWrites && !allowsWrites) output.say('The key may only read: agents get no tools that write.');
  const ended = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => ended.resolve(), { once: true });
  here().stdin.once('end', () => ended.resolve());
  here().stdin.once('close', () => ended.resolve());
  const handle = serveStdio(() => makeServer({ partbook, allowsWrites, areas, signal }));
  await ended.promise;
  await handle.close();
}
