/** Asks the browser for passkeys. Pages that need none load nothing of this. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { PasskeyAnswer, PasskeyOptions } from './operations.ts';
import { call } from './request.ts';

/** Lets the user choose a passkey, and returns the answer for the service. */
export async function choosePasskey(): Promise<PasskeyAnswer> {
  const { attempt, options } = await call('beginPasskeySignIn', { body: {} });
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return { attempt, response: { ...(await inOurWords(startAuthentication({ optionsJSON }))) } };
}

/** Lets the user make a passkey by options of the service, and returns the answer for the service. */
export async function makePasskey({ attempt, options }: PasskeyOptions): Promise<PasskeyAnswer> {
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'];
  return { attempt, response: { ...(await inOurWords(startRegistration({ optionsJSON }))) } };
}

/** Browsers do not tell whether somebody cancelled, waited too long or has no passkey. */
async function inOurWords<T>(ceremony: Promise<T>): Promise<T> {
  try {
    return await ceremony;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (['NotAllowedError', 'AbortError'].includes(name))
      throw new Error('No passkey was chosen. Try again, or use another way.');
    if (name === 'InvalidStateError') throw new Error('This device has a passkey of yours already.');
    throw error;
  }
}
