/** The address by which browsers know the service: what passkeys are bound to, and where links lead. */
import { isIP } from 'node:net';
import type { Request } from 'express';
import type { Config } from '../../config.ts';

export type Site = { origin: string; rpId: string } | { origin: string; rpId: null; whyNot: string };

/**
 * `PUBLIC_URL`; without it, the address of the request. Browsers make passkeys for names alone, over TLS or at localhost; a name that
 * only the request says is trusted at localhost alone.
 */
export function siteOf({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, req: Request): Site {
  const address = PUBLIC_URL ?? `${req.protocol}://${req.host ?? 'localhost'}`;
  const { origin, hostname, protocol } = URL.canParse(address)
    ? new URL(address)
    : new URL('http://localhost');
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const no = (whyNot: string) => ({ origin, rpId: null, whyNot }) as const;
  if (isLocal) return { origin, rpId: hostname };
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return no(
      'Browsers make passkeys for names, not for IP addresses. Use a password, or open the service by its name.',
    );
  if (protocol !== 'https:') return no('Browsers make passkeys only over HTTPS. Use a password.');
  if (PUBLIC_URL === undefined)
    return no('Passkeys need the setting PUBLIC_URL. Use a password, or ask the operator to set it.');
  return { origin, rpId: hostname };
}
