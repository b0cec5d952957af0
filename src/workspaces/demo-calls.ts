/** Calls of the service's own interface in the workspace of the demo. */
import type { Demo } from './ensure-demo.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the own interface, read by those who know them
export type Json = any;

export interface Calls {
  get(path: string): Promise<Json>;
  /** `name` makes the call the same one when it is repeated. */
  post(name: string, path: string, body: object): Promise<Json>;
  /** Makes the same call without an answer: when a person repeats a call in a later session, the service keeps the answer to itself. */
  once(name: string, path: string, body: object): Promise<void>;
  put(path: string, body: object): Promise<Json>;
  patch(path: string, body: object): Promise<Json>;
  upload(path: string, bytes: Buffer, type: string): Promise<Json>;
}

/** `caller` are the headers that say who calls. */
export function callsTo(address: string, { slug }: Demo, caller: Record<string, string>): Calls {
  const call = async (path: string, init: RequestInit, accepts?: string): Promise<Json> => {
    const answer = await fetch(`${address}/api/wid/${slug}${path}`, init);
    const text = await answer.text();
    if (!answer.ok && (accepts === undefined || JSON.parse(text).code !== accepts))
      throw new Error(`${init.method ?? 'GET'} ${path} was answered ${answer.status}: ${text.slice(0, 500)}`);
    return text === '' ? null : JSON.parse(text);
  };
  const asJson = { ...caller, 'Content-Type': 'application/json' };
  const post = (name: string, body: object): RequestInit => ({
    method: 'POST',
    headers: { ...asJson, 'Idempotency-Key': `demo-${Buffer.from(name).toString('base64url')}` },
    body: JSON.stringify(body),
  });
  return {
    get: (path) => call(path, { headers: caller }),
    post: (name, path, body) => call(path, post(name, body)),
    once: async (name, path, body) => {
      await call(path, post(name, body), 'idempotency_answer_sealed');
    },
    patch: (path, body) => call(path, { method: 'PATCH', headers: asJson, body: JSON.stringify(body) }),
    put: (path, body) => call(path, { method: 'PUT', headers: asJson, body: JSON.stringify(body) }),
    upload: (path, bytes, type) =>
      call(path, {
        method: 'PUT',
        headers: { ...caller, 'Content-Type': type },
        body: new Uint8Array(bytes),
      }),
  };
}
