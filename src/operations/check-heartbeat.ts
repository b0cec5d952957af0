/**
 * The health check of a worker's container: exits with 0 while a worker lives here and none is silent, otherwise
 * with 1 and a line that says which. With a process id as its argument it looks at that worker alone.
 */
import { readHeartbeats } from './heartbeat.ts';

const wanted = process.argv[2] === undefined ? null : Number(process.argv[2]);
const { living, silent } = readHeartbeats();
const silentOnes = silent.filter((pid) => wanted === null || pid === wanted);
const lives = living.some((pid) => wanted === null || pid === wanted);

if (silentOnes.length > 0) process.stderr.write(`silent: worker ${silentOnes.join(', ')}\n`);
else if (!lives) process.stderr.write('no worker lives here\n');
process.exit(lives && silentOnes.length === 0 ? 0 : 1);
