// One grammar: what a call with a body says of a broken text is what a batch says of it, and JSON.parse agrees.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Slices } from '../../src/fairness/slices.ts';
import { locateJsonFault } from '../../src/json/locate-json-fault.ts';
import { InvalidJsonError } from '../../src/sync/intake/json/intake-errors.ts';
import { JsonSplitter } from '../../src/sync/intake/json/split-json.ts';

const RUNS = Number(process.env.JSON_RUNS ?? 2000);
const SEED = 20261122;

const locate = (bytes: Buffer) => locateJsonFault(bytes, 64, new Slices());

function faultOfSplitter(bytes: Buffer) {
  const splitter = new JsonSplitter({
    onElement: () => {},
    limits: { elementsMax: 1000, elementBytesMax: 1_000_000 },
  });
  try {
    splitter.push(bytes);
    splitter.end();
  } catch (error) {
    // A list is no document of a batch: that it is JSON is what counts here.
    if (!(error instanceof InvalidJsonError)) return null;
    const { message, line, column } = error;
    return { message, line, column };
  }
  return null;
}

/** Lists of anything, laid out in lines or not, with a byte exchanged, taken out or put in, or cut off. */
const broken = fc
  .tuple(
    fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 }),
    fc.constantFrom(0, 2),
    fc.nat(),
    fc.constantFrom(...'{}[]",:\\0-.eu \n\t', '\u0001', 'é', '🛞', '\u00ff'),
    fc.constantFrom('exchange', 'remove', 'insert', 'cut', 'none'),
  )
  .map(([value, indent, seed, text, change]) => {
    const whole = Buffer.from(JSON.stringify(value, null, indent));
    const at = seed % whole.length;
    const put = Buffer.from(text).subarray(0, text === 'é' && seed % 3 === 0 ? 1 : undefined);
    const [before, behind] = [whole.subarray(0, at), whole.subarray(at)];
    if (change === 'exchange') return Buffer.concat([before, put, behind.subarray(1)]);
    if (change === 'remove') return Buffer.concat([before, behind.subarray(1)]);
    if (change === 'insert') return Buffer.concat([before, put, behind]);
    return change === 'cut' ? before : whole;
  });

describe('a broken text', () => {
  test('is told alike by every call, and is one that JSON.parse refuses', async () => {
    let found = 0;
    for (const bytes of fc.sample(broken, { numRuns: RUNS, seed: SEED })) {
      const fault = await locate(bytes);
      const told = bytes.toString('latin1');
      expect(fault === null, told).toBe(isJson(bytes));
      expect(fault, told).toEqual(faultOfSplitter(bytes));
      if (fault !== null) found++;
    }
    expect(found).toBeGreaterThan(RUNS / 3);
  });

  test.each([
    ['[1,\n 2,]', 2, 4, 'Unexpected "]": expected a value'],
    ['["🛞", x]', 1, 7, 'Unexpected "x": expected a value'],
    ['\ufeff[x]', 1, 2, 'Unexpected "x": expected a value or "]"'],
    ['[1] 2', 1, 5, 'Unexpected "2": expected nothing after the end of the document'],
    ['', 1, 1, 'Unexpected end of the document where a value was expected'],
  ])('%j breaks at line %i, column %i', async (text, line, column, message) => {
    expect(await locate(Buffer.from(text))).toEqual({ message, line, column });
    expect(faultOfSplitter(Buffer.from(text))).toEqual({ message, line, column });
  });
});

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
