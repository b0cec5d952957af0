/** What a thread loads is paid for by each of its starts, and by each new process. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Prints the packages that a module brings along, each once. */
const PACKAGES = `
  import { registerHooks } from 'node:module';
  const found = new Set();
  registerHooks({
    load(url, context, next) {
      const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*node_modules)/.exec(url) ?? [];
      if (name !== undefined) found.add(name);
      return next(url, context);
    },
  });
  await import(process.argv[1]);
  console.log(JSON.stringify([...found]));
  process.exit();`;

async function packagesOf(file: string): Promise<string[]> {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  const asked = ['--input-type=module', '--eval', PACKAGES, '--', path];
  const { stdout } = await promisify(execFile)(process.execPath, asked);
  return JSON.parse(stdout) as string[];
}

test.for(['workers/sync.ts', 'workers/web.ts'])('%s does without the mapping', async (thread) => {
  const packages = await packagesOf(thread);
  expect(packages).toContain('pg');
  expect(packages.filter((name) => /mikro|kysely/.test(name))).toEqual([]);
});

test('and the mapping would be seen', async () => {
  expect(await packagesOf('src/db/connect-mapped.ts')).toEqual(
    expect.arrayContaining(['@mikro-orm/postgresql', 'kysely']),
  );
});
