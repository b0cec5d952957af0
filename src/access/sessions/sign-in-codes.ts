/**
 * Codes that open a session once, from this machine: so that whoever starts the service with embedded servers is
 * in the demo workspace with one click. They are held in the memory of the process that made them.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface SignInCodes {
  /** A code that stands for that key. */
  make(key: string, minutes: number): string;
  /** The key behind a code, which is spent by it; null where it is unknown, spent or too old. */
  spend(code: string): string | null;
}

export function openSignInCodes(now: () => number = Date.now): SignInCodes {
  const codes = new Map<string, { key: string; until: number }>();
  return {
    make: (key, minutes) => {
      const code = randomBytes(16).toString('base64url');
      codes.set(code, { key, until: now() + minutes * 60_000 });
      return code;
    },
    spend: (code) => {
      const found = codes.get(code);
      codes.delete(code);
      return found !== undefined && found.until > now() ? found.key : null;
    },
  };
}

/** Whether the request was made on this machine, and by no proxy that speaks for another. */
export function comesFromThisMachine({
  socket,
  headers,
}: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const address = socket.remoteAddress ?? '';
  const isLoopback = address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => name in headers);
  return isLoopback && !isForwarded;
}
