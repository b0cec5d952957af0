// A table that is the body of a call: what is bounded while it is read.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  ImportDefinition,
  type ImportDefinitionInput,
} from '../../clients/readers/definition/import-definition.schema.ts';
import { detectFormat } from '../../clients/readers/detect-format.ts';
import { csvAsElements } from '../../src/imports/csv-as-elements.ts';
import { textSource } from './read-text.ts';

const root = { number: 'TOP' };

describe('the body of a call', () => {
  const columns = { number: 'No', guid: 'Guid' };
  const table = (line: string) => `No,Guid\n${line.repeat(150_000)}`;
  const piecesOf = async (body: string | Buffer, definition: ImportDefinitionInput = {}) => {
    const mapping = ImportDefinition.parse({ columns, root, ...definition });
    return Buffer.concat(await Array.fromAsync(csvAsElements([Buffer.from(body)], mapping))).toString();
  };
  const refusal = (body: string | Buffer) =>
    piecesOf(body).then(
      () => null,
      ({ code, errors }) => [code, errors[0].code],
    );

  /** How often others had their turn meanwhile. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await work().finally(() => {
      isOver = true;
    });
    return turns;
  }

  test('lines that no element comes from leave others their turn, and are told up to a bound', async () => {
    const turns = await turnsDuring(async () =>
      expect(await refusal(table('a,b\n'))).toEqual(['file_unreadable', 'too_many_unreadable']),
    );
    expect(turns).toBeGreaterThan(10);
    const ofNothing = await turnsDuring(async () => {
      expect(await piecesOf(table(',\n'))).toBe('');
    });
    expect(ofNothing).toBeGreaterThan(10);
  });

  test('is no file that is packed, whatever is in it', async () => {
    const text = 'No,Guid\na,\n';
    expect(await piecesOf(text)).toContain('"number":"a"');
    for (const body of [gzipSync(text), gzipSync(gzipSync(text)), Buffer.from('PK\u0003\u0004')])
      expect(await refusal(body)).toEqual(['file_unreadable', 'not_csv']);
    // Two letters make no archive.
    expect((await detectFormat(textSource('PK,Name\n1,x\n'))).format).toBe('csv');
  });
});
