/** Finds what a scan names: an entity of the workspace, or the item on the label of a supplier. */
import type { Entity } from '../../client/operations.ts';
import { call } from '../../client/request.ts';
import { useReadPropertyDefinitions } from '../configuration.ts';
import { type LabelCode, readLabelCode } from './label-code.ts';
import { readScan } from './read-scan.ts';

export interface Scanned {
  entities: readonly Entity[];
  /** What the label of a supplier says; null for another code. */
  label: LabelCode | null;
  /** Why the label cannot be read. */
  fault: string | null;
  /** The number that was looked for. */
  number: string;
}

const NUMBER_CHARS_MAX = 255;
const FOUND_MAX = 10;
/** Properties that hold the number of a manufacturer or trade item. */
const identifying = /^(mpn|gtin|ean|manufacturer[ _-]?part[ _-]?(number|no))$/i;

export function useFindScanned(): (text: string) => Promise<Scanned> {
  const readDefinitions = useReadPropertyDefinitions();
  return async (text) => {
    const scan = readScan(text);
    const nothing = { entities: [], label: null, fault: null, number: text };
    if ('id' in scan) return { ...nothing, entities: [await call('getEntity', { id: scan.id })] };
    // A number of the workspace goes first, however much it looks like a label.
    const isNumber = scan.number.length <= NUMBER_CHARS_MAX && !/\p{Cc}/u.test(scan.number);
    const own = isNumber ? await withNumber(scan.number) : [];
    const code = own.length > 0 ? null : readLabelCode(text);
    if (code === null) return { ...nothing, entities: own };
    if ('fault' in code) return { ...nothing, fault: code.fault };
    const ofLabel = { ...nothing, label: code, number: code.numbers[0] ?? text };
    for (const number of code.numbers) {
      const entities = await withNumber(number);
      if (entities.length > 0) return { ...ofLabel, entities, number };
    }
    const keys = (await readDefinitions()).map(({ key }) => key).filter((key) => identifying.test(key));
    for (const number of code.numbers) {
      for (const key of keys) {
        const query = { where: [`${key}:eq:${number}`], limit: FOUND_MAX };
        const { items } = await call('listEntities', { query });
        if (items.length > 0) return { ...ofLabel, entities: items, number };
      }
    }
    return ofLabel;
  };
}

async function withNumber(number: string): Promise<readonly Entity[]> {
  return (await call('listEntities', { query: { number, limit: FOUND_MAX } })).items;
}

/** The label in words, so that people see what was read of it. */
export function labelText({ lot, serial, quantity, expiresOn, others }: LabelCode): string {
  const parts = [
    lot === null ? null : `lot ${lot}`,
    serial === null ? null : `serial number ${serial}`,
    quantity === null ? null : `quantity ${quantity}`,
    expiresOn === null ? null : `expires ${expiresOn}`,
    others.length === 0 ? null : `not used: ${others.map((one) => one.join(' ')).join(', ')}`,
  ].filter((part) => part !== null);
  return `Label: ${parts.length === 0 ? 'no lot and no quantity' : parts.join(', ')}.`;
}
