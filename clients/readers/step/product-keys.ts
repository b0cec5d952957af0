/** What tells the products of a STEP file apart: tools write part numbers, file names, or nothing into the id. */
import { FileFault } from '../findings.ts';

/** What tells products apart. Without it: the id where no two have the same, else id and name. */
export type StepKey = 'id' | 'name' | 'id+name';

export interface Product {
  number: number;
  id: string;
  name: string;
  description: string;
}

const notAnId = new Set([
  '',
  '(unsaved)',
  'the product name',
  'none',
  'unknown',
  'unnamed',
  'untitled',
  '-',
  '/null',
]);

/** Whether a text was meant as an id. */
export function isStepId(text: string): boolean {
  return !notAnId.has(text.toLowerCase());
}

/** The key of each product. Throws `key_not_unique`. */
export function keysOf(
  products: readonly Product[],
  wanted: StepKey | undefined,
): (product: Product) => string {
  const choices: Record<StepKey, (product: Product) => string> = {
    id: ({ id }) => (!isStepId(id) ? '' : id),
    'id+name': ({ id, name }) => [id, name].filter((part) => isStepId(part)).join(' '),
    name: ({ name }) => (!isStepId(name) ? '' : name),
  };
  const tried: StepKey[] = wanted === undefined ? ['id', 'id+name'] : [wanted];
  for (const name of tried) {
    const keys = products.map(choices[name]);
    if (keys.every((key) => key !== '') && new Set(keys).size === keys.length) return choices[name];
  }
  const choice = choices[tried.at(-1) as StepKey];
  const seen = new Map<string, Product>();
  for (const product of products) {
    const key = choice(product);
    const first = seen.get(key);
    if (key === '' || first !== undefined) {
      throw new FileFault(
        'key_not_unique',
        key === ''
          ? 'A product has no id. Choose what tells products apart: --key id, name or id+name.'
          : `Two products are called "${key}" (#${first?.number} and #${product.number}). Choose what tells products apart: --key id, name or id+name.`,
        { statement: `#${product.number}` },
      );
    }
    seen.set(key, product);
  }
  return choice;
}
