/**
 * Loaded before the service by `--import`: makes faults that nobody catches, which the service has none of to offer. SIGUSR2
 * makes one in the process, SIGWINCH one in each of its threads, and a call with `X-Fault` one in the midst of its work, after which it is
 * answered as if nothing had been.
 */
import { ServerResponse } from 'node:http';
import { isMainThread } from 'node:worker_threads';

const threads = new BroadcastChannel('faults');

/** As somebody makes one who forgets a catch. */
function miss(message: string): void {
  void Promise.reject(new Error(message));
}

if (isMainThread) {
  (threads as unknown as { unref(): void }).unref();
  process.on('SIGUSR2', () => miss('a fault of the test in the process'));
  process.on('SIGWINCH', () => threads.postMessage('now'));
  const writeHead = ServerResponse.prototype.writeHead;
  ServerResponse.prototype.writeHead = function write(this: ServerResponse, ...head: unknown[]) {
    if (this.req.headers['x-fault'] !== undefined) miss('a fault of the test in a call');
    return Reflect.apply(writeHead, this, head);
  } as typeof writeHead;
} else {
  threads.onmessage = () => miss('a fault of the test in a thread');
  (threads as unknown as { unref(): void }).unref();
}
