/** More sockets than a web takes, of clients that say nothing, or a little at a time. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Called } from './callers.ts';

const SILENT = 300;
const SLOW = 60;
const FLOOD = 300;
const DRIP_MS = 250;

/** Resolves when they are there; what it resolves to, when the service has closed every one of them. */
export async function floodWithSockets({ url, path, key }: Called): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const open = async (count: number, told: string, drip: string | null): Promise<void> => {
    const opened = Array.from({ length: count }, () => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => {});
      // What is said to it is read, so that the end is noticed.
      socket.resume();
      sockets.push(socket);
      socket.once('connect', () => socket.write(told));
      if (drip !== null) dripInto(socket, drip);
      return Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
    });
    await Promise.all(opened);
  };
  const head = `POST ${path}/stock/adjustments HTTP/1.1\r\nHost: ${hostname}\r\n`;
  const withBody = `${head}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`;
  await open(SLOW, head, 'X-Slow: 1\r\n');
  await open(SLOW, withBody, ' ');
  await open(SILENT, '', null);
  await open(FLOOD, '', null);
  return async () => {
    const closed = sockets.map((socket) => (socket.destroyed ? null : once(socket, 'close')));
    await Promise.all(closed);
  };
}

function dripInto(socket: Socket, drop: string): void {
  const timer = setInterval(() => socket.write(drop), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}
