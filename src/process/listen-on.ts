/** Opens a port. Where that fails, the error names the setting that gave the port or the address. */
import type { Server } from 'node:http';
import { StartError } from './start-error.ts';

interface Place {
  port: number;
  host: string;
  /** The names of the settings that gave them. */
  variables: { port: string; host: string };
}

/** Codes of the operating system for an unknown name, and for an address that the machine does not have. */
const NO_ADDRESS: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EINVAL',
  'ENOTFOUND',
]);

/** Throws `StartError` when the port is taken or not allowed, or the machine does not have the address. */
export async function listenOn(server: Server, { port, host, variables }: Place): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: `port ${port} is taken on ${host}: end what listens there, or choose another`,
      EACCES: `port ${port} may not be opened by this user: choose one above 1023`,
    };
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code in reasons) throw new StartError(`${variables.port}: ${reasons[code]}`);
    if (NO_ADDRESS.has(code))
      throw new StartError(`${variables.host}: ${host} is no address of this machine`);
    throw error;
  }
}
