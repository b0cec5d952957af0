// A port that cannot be opened is named with the variable that says so.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listenOn } from '../../src/process/listen-on.ts';
import { StartError } from '../../src/process/start-error.ts';

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

const variables = { port: 'PORT', host: 'HOST' };

async function listen(port: number, host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  await listenOn(server, { port, host, variables });
  open.push(server);
  return (server.address() as AddressInfo).port;
}

test('one that is taken', async () => {
  const port = await listen(0);
  const refused = listen(port);
  await expect(refused).rejects.toBeInstanceOf(StartError);
  await expect(refused).rejects.toThrow(
    `PORT: port ${port} is taken on 127.0.0.1: end what listens there, or choose another`,
  );
});

test('an address of another machine', async () => {
  // Of a range for documentation (RFC 5737): nobody has it.
  await expect(listen(0, '192.0.2.1')).rejects.toThrow('HOST: 192.0.2.1 is no address of this machine');
});
