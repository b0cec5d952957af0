/**
 * Finds what tells the products of a STEP file apart. Tools write part numbers, file names, defaults or nothing into the id,
 * so every product gets a key in the end: its id, else its name, else a name within the file.
 */
import type { Findings } from '../findings.ts';
import { isDefaultName } from '../placeholders.ts';

/** The preferred key. Without one: the id where no two products share it, else id and name. */
export type StepKey = 'id' | 'name' | 'id+name';

export interface Product {
  number: number;
  id: string;
  name: string;
  description: string;
}

/** Whether a person has given a text as an id or name, as far as its form says. */
export function isStepId(text: string): boolean {
  return !isDefaultName(text);
}

export interface KeyScope {
  /** The name of the file without its ending: what has no name of its own is named within it. */
  file: string;
  /** The number for the one product that everything is in, where it has none of its own. */
  root: string | undefined;
  /** Numbers of products that are in no other: the assemblies among them, where there are any. */
  tops: ReadonlySet<number>;
}

/** The key of each product, by its number. Keys that had to be made are reported. */
export function keysOf(
  products: readonly Product[],
  wanted: StepKey | undefined,
  { file, root, tops }: KeyScope,
  findings: Findings,
): Map<number, string> {
  const own = (text: string) => (isStepId(withoutFolder(text)) ? withoutFolder(text) : '');
  const choices: Record<StepKey, (product: Product) => string> = {
    id: ({ id, name }) => own(id) || own(name),
    'id+name': ({ id, name }) => [...new Set([own(id), own(name)])].filter(Boolean).join(' '),
    name: ({ id, name }) => own(name) || own(id),
  };
  const isUnique = (choice: (product: Product) => string) => {
    const keys = products.map(choice).filter(Boolean);
    return new Set(keys).size === keys.length;
  };
  const choice = choices[wanted ?? (isUnique(choices.id) ? 'id' : 'id+name')];
  const counts = new Map<string, number>();
  for (const product of products) {
    const key = choice(product);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const keys = new Map<number, string>();
  const taken = new Set([...counts].flatMap(([key, count]) => (key !== '' && count === 1 ? key : [])));
  const named = (base: string) => {
    let key = base;
    for (let next = 2; taken.has(key); next++) key = `${base} ${next}`;
    taken.add(key);
    return key;
  };
  // With one top product the file is that product.
  const only = tops.size === 1 ? [...tops][0] : undefined;
  for (const product of products) {
    const { number } = product;
    const plain = choice(product);
    if (plain !== '' && counts.get(plain) === 1) {
      keys.set(number, plain);
      continue;
    }
    const base = plain === '' ? (number === only ? (root ?? file) : within(file, product)) : plain;
    const key = named(base);
    keys.set(number, key);
    const place = { statement: `#${number}` };
    const message =
      plain === ''
        ? `The product ${describe(product)} has neither number nor name of its own: it is called "${key}" after the file.`
        : `Several products are called "${plain}": this one is called "${key}", by its order in the file. --key id, name or id+name chooses what tells products apart.`;
    findings.add('warning', plain === '' ? 'name_made' : 'key_made', place, message, key);
  }
  return keys;
}

/** The last part of a path: a folder of one machine identifies nothing. */
export function withoutFolder(text: string): string {
  return /^(?:[A-Za-z]:[\\/]|\\\\|\/)/.test(text)
    ? text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
    : text;
}

function within(file: string, { id, name }: Product): string {
  return [file, name || id].filter(Boolean).join(' ');
}

function describe({ id, name, number }: Product): string {
  return id || name ? `"${id || name}"` : `#${number}`;
}
