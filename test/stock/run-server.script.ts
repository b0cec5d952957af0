/**
 * Another process of the service, configured by the environment: the tests race it and kill it, the bench
 * measures it. Prints its port as JSON, and ends when its input does.
 */

import { startWeb } from '../../src/api.ts';
import { readConfig } from '../../src/config.ts';
import { openContext, openResources } from '../../src/context.ts';
import { openLog } from '../../src/log.ts';
import { checkDeclared } from '../setup/check-answer.ts';

const config = readConfig(process.env);
const databaseUrl = config.DATABASE_URL as string;
const prefix = config.QUEUE_PREFIX;
const resources = await openResources(config, openLog(config, 'web'), {
  databaseUrl,
  queue:
    config.REDIS_URL === undefined
      ? { kind: 'postgres', url: databaseUrl, prefix }
      : { kind: 'redis', url: config.REDIS_URL, prefix },
});
const context = openContext(resources, config.OPERATOR_TOKEN as string);
// A check parses a whole answer in one turn of the event loop, so a server whose turns are measured goes without.
const server = await startWeb(
  context,
  process.env.CHECK_ANSWERS === 'false' ? {} : { inside: checkDeclared },
);
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`);
process.stdin.resume().once('end', async () => {
  await server.close();
  await context.closeWeb();
  await resources.close();
  process.exit();
});
