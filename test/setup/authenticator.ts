/** An authenticator that makes one passkey (ES256, attestation "none") and signs in with it, as the browser of a page at `origin` would send it. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

interface Ceremony {
  challenge: string;
  origin: string;
  rpId: string;
}

const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest();
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** CBOR heads: major type and a length below 65 536. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
const int = (value: number) => (value >= 0 ? head(0, value) : head(1, -1 - value));
const bytes = (value: Uint8Array) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (...entries: Buffer[]) => Buffer.concat([head(5, entries.length / 2), ...entries]);

export function makeAuthenticator() {
  const credentialId = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  let counter = 0;
  const clientData = (type: string, { challenge, origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const dataOf = (rpId: string, flags: number, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, rest]);
  };
  const credential = (response: object) => ({
    id: base64url(credentialId),
    rawId: base64url(credentialId),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });
  return {
    /** Lets the counter of signatures go back, as that of a copied authenticator. */
    rewind: () => {
      counter = 0;
    },
    register: (ceremony: Ceremony) => {
      const key = map(
        ...[int(1), int(2), int(3), int(-7), int(-1), int(1)],
        ...[int(-2), bytes(Buffer.from(x, 'base64url')), int(-3), bytes(Buffer.from(y, 'base64url'))],
      );
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, key]);
      const authData = dataOf(ceremony.rpId, USER_PRESENT_AND_VERIFIED | HAS_CREDENTIAL, attested);
      return credential({
        clientDataJSON: base64url(clientData('webauthn.create', ceremony)),
        attestationObject: base64url(
          map(text('fmt'), text('none'), text('attStmt'), map(), text('authData'), bytes(authData)),
        ),
        transports: ['internal'],
      });
    },
    signIn: (ceremony: Ceremony) => {
      const authData = dataOf(ceremony.rpId, USER_PRESENT_AND_VERIFIED);
      const data = clientData('webauthn.get', ceremony);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      return credential({
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
      });
    },
  };
}
