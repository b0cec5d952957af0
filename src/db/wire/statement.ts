/** Statements as transactions send them. */
import { createHash } from 'node:crypto';

export interface Statement {
  /** A statement with a name is prepared once a connection; one without is planned each time. */
  name?: string | undefined;
  text: string;
  values: readonly unknown[];
}

const names = new Map<string, string>();

/** A statement that is prepared once a connection. Its text must be one of a few constants: all of them are kept. */
export function prepared(text: string, values: readonly unknown[]): Statement {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
  }
  return { name, text, values };
}
