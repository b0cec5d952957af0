/**
 * Another process of the service, configured by the environment: the tests race it and kill it, the bench
 * measures it. Prints its port as JSON, and ends when its input does.
 */
import { readConfig } from '../../src/config.ts';
import { openContext, openResources } from '../../src/context.ts';
import { startServer } from '../../src/http/server/serve.ts';
import { openLog } from '../../src/log.ts';

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
const server = await startServer(context);
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`);
process.stdin.resume().once('end', async () => {
  await server.close();
  await context.closeWeb();
  await resources.close();
  process.exit();
});
