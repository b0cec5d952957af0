import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scriptDeclarations } from '../../web/automations/script-declarations.ts';

describe('the declarations that authors get', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'partbook-script-types-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Error codes and lines that the compiler gives for a script of that context type. */
  async function compile(contextTypeId: number, script: string): Promise<string[]> {
    const types = join(folder, `types-${contextTypeId}.d.ts`);
    const file = join(folder, `script-${contextTypeId}.ts`);
    await writeFile(
      types,
      scriptDeclarations(await readFile('src/automation/conductor/api.d.ts', 'utf8'), contextTypeId),
    );
    await writeFile(file, `(async () => {\n${script}\n})();\n`);
    const options = [
      '--noEmit',
      '--strict',
      '--ignoreConfig',
      '--target',
      'es2023',
      '--lib',
      'es2023',
      '--types',
      '',
      types,
      file,
    ];
    const { stdout } = await promisify(execFile)('node_modules/.bin/tsc', options).catch(
      (error: { stdout: string }) => error,
    );
    return [...stdout.matchAll(/(types|script)[^(]*\((\d+),\d+\): error (TS\d+)/g)].map(
      ([, where, line, code]) => `${where} ${Number(line) - 1} ${code}`,
    );
  }

  test('let a script through that is right', async () => {
    const script = `if (context.toState !== 'Released') return
const part = await api.getEntity(context.entityId)
const { items, nextCursor } = await api.findEntities({ category: part.category, q: 'bolt', limit: 10 })
for (const use of await api.getUses(part.id)) api.log(use.number, use.quantity * 2)
await api.setProperties('guid:' + part.E_Guid, { Mass: 1.5, Checked: true, Note: null })
if (items.length === 0 && nextCursor === null) await api.transition(part.id, 'Obsolete', { note: 'none' })
const [position] = await api.getPositions({ itemEntityId: part.id })
console.warn(position?.available ?? 0)
const made = await api.createEntity({ category: 'part', name: 'x', properties: { Mass: 1 } })
return made.number`;
    expect(await compile(1, script)).toEqual([]);
  });

  test('stop one that is wrong', async () => {
    const script = `context.toState
await api.getEntity(5)
await api.findEntities({ qq: 'x' })
await api.getPositions({})
await api.dropEntity('x')
process.exit()
context.changes.map((change) => change.property)`;
    const lines = (await compile(4, script)).map((line) => line.split(' ').slice(0, 2).join(' '));
    expect(lines).toEqual(['script 1', 'script 2', 'script 3', 'script 4', 'script 5', 'script 6']);
  });
});
