// `partbook doctor` where something else than the service answers: what a proxy or a sign-in page says is no "ready".
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { runCli } from './run-cli.ts';

test('a page that answers everything is not taken for the service', async () => {
  const page = createServer((_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Sign in</html>'),
  );
  await new Promise<void>((ready) => page.listen(0, '127.0.0.1', () => ready()));
  const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const env = { PARTBOOK_URL: url, PARTBOOK_WORKSPACE: 'w', PARTBOOK_API_KEY: 'k', HOME: projectFolder };
  const { out: said } = await runCli(['doctor'], { env });
  expect(said).toContain(`WRONG service    something else answers at ${url}`);
  expect(said).not.toContain('ready');
  await new Promise((closed) => page.close(closed));
});
