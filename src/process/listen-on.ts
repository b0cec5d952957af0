/** Opens a port, and says in the words of the configuration why it cannot be opened. */
import type { Server } from 'node:http';

/** A sentence that names the variable and what to do. */
export class ListenError extends Error {
  override name = 'ListenError';
}

interface Place {
  port: number;
  host: string;
  /** The variables that say so. */
  variables: { port: string; host: string };
}

/** What the system says of a name that nobody knows, or of an address of elsewhere or of a kind that the machine does not have. */
const NO_ADDRESS: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EINVAL',
  'ENOTFOUND',
]);

/** Throws `ListenError` where the port is taken, not allowed, or the address is none of this machine. */
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
    if (code in reasons) throw new ListenError(`${variables.port}: ${reasons[code]}`);
    if (NO_ADDRESS.has(code))
      throw new ListenError(`${variables.host}: ${host} is no address of this machine`);
    throw error;
  }
}
