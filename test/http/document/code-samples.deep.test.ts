// The TypeScript samples of the API reference compile against the client package.
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../../src/api.ts';
import { buildOpenApi } from '../../../src/http/document/build-openapi.ts';

const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(projectFolder, `.cache/samples-${process.pid}`);
beforeAll(() => mkdir(folder, { recursive: true }));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('every sample compiles', async () => {
  const { paths } = JSON.parse(JSON.stringify(buildOpenApi(routes))) as {
    paths: Record<string, Record<string, { operationId: string; 'x-codeSamples'?: { source: string }[] }>>;
  };
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const { source } of operation['x-codeSamples'] ?? []) {
      const code = source
        .replace('@partbook/client', '../../clients/typescript/main.ts')
        .replace(/^const (answer|response) = /m, 'export const $1 = ');
      await writeFile(join(folder, `${operation.operationId}.ts`), code);
    }
  }
  const settings = { extends: '../../clients/tsconfig.json', include: ['*.ts'], exclude: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = join(projectFolder, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});
