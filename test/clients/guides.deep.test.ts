// The guides: every shell block is run in order against the service, and what stands behind it is what it prints.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCodes } from '../../src/errors.ts';
import { ErrorCode, WarningCode } from '../../src/sync/batch/result-codes.schema.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { projectFolder } from './project-folder.ts';

const guides = readdirSync(join(projectFolder, 'docs/guides')).filter(
  (file) => file.endsWith('.md') && file !== 'README.md',
);

interface Block {
  language: string;
  text: string;
}

function blocksOf(guide: string): Block[] {
  const markdown = readFileSync(join(projectFolder, 'docs/guides', guide), 'utf8');
  return [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

/** `…` stands for anything, ends of lines and blanks at them for themselves. */
function asPattern(expected: string): RegExp {
  const parts = expected
    .trimEnd()
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}\\s*$`);
}

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  folder = mkdtempSync(join(tmpdir(), 'partbook-guides-'));
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin/partbook');
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' '${join(projectFolder, 'clients/cli/bin/partbook.js')}' "$@"\n`,
  );
  chmodSync(program, 0o755);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function shell(
  cwd: string,
  script: string,
  environment: Record<string, string>,
): Promise<{ code: number; printed: string }> {
  const state = join(cwd, '.state');
  const kept = `set -a; [ -f ${state} ] && . ${state}; set +a\n${script}\nset > /dev/null; export -p > ${state}\nfor name in API AUTH BATCH; do declare -p $name 2>/dev/null >> ${state} || true; done`;
  return new Promise((resolve) => {
    execFile('bash', ['-eo', 'pipefail', '-c', kept], { cwd, env: environment }, (error, out, said) =>
      resolve({
        code: error === null ? 0 : Number(error.code),
        printed: error === null ? out : `${out}${said}`,
      }),
    );
  });
}

describe('a guide', () => {
  test.each(guides)('%s does what it says', async (guide) => {
    const workspace = await makeDefaultWorkspace(server);
    const cwd = join(folder, guide.replace('.md', ''));
    mkdirSync(cwd);
    const environment = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HOME: cwd,
      PARTBOOK_URL: server.baseUrl,
      PARTBOOK_WORKSPACE: workspace.slug,
      PARTBOOK_API_KEY: workspace.key,
      API: `${server.baseUrl}/api/wid/${workspace.slug}`,
      AUTH: `Authorization: Bearer ${workspace.key}`,
      SAMPLES: join(projectFolder, 'docs/guides/samples'),
    };
    const blocks = blocksOf(guide);
    let runs = 0;
    for (const [at, { language, text }] of blocks.entries()) {
      if (language !== 'sh') continue;
      const { code, printed } = await shell(cwd, text, environment);
      expect(code, `${text}\n${printed}`).toBe(0);
      runs += 1;
      const next = blocks[at + 1];
      if (next?.language === '') expect(printed, text).toMatch(asPattern(next.text));
    }
    expect(runs).toBeGreaterThan(0);
  });

  test('says of every error what to do, and of nothing else', () => {
    const text = readFileSync(join(projectFolder, 'docs/guides/errors.md'), 'utf8');
    const [, every = '', single = ''] = text.split(/^## .*$/m);
    const codes = [...every.matchAll(/^\| `(\w+)` \| (\d+) \| ([^|]+) \| [^|]{5,} \|$/gm)];
    expect(codes.map(([, code, status, title]) => [code, Number(status), title])).toEqual(
      Object.entries(errorCodes).map(([code, [status, title]]) => [code, status, title]),
    );
    const named = [...single.matchAll(/^\|((?: ?`\w+`,?)+) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/\w+/g)].map(([name]) => name),
    );
    expect(named.toSorted()).toEqual([...ErrorCode.options, ...WarningCode.options].toSorted());
  });

  test('that is not run as a whole says which blocks are not', () => {
    const languages = guides.flatMap((guide) => blocksOf(guide).map(({ language }) => language));
    expect(new Set(languages)).toEqual(new Set(['sh', '', 'sh not run', 'ts', 'json']));
    expect(languages.filter((language) => language === 'sh not run')).toHaveLength(1);
    expect(languages.filter((language) => language === 'sh').length).toBeGreaterThan(15);
  });
});
