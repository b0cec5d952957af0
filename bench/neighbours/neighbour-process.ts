/**
 * A neighbour in a process of its own, as clients are: what it does with its answers does not delay those of the quiet
 * workspace. Started with the neighbour's name and the system's address; it prepares what it needs and says so, begins when it
 * is told to, and ends with the process that started it.
 */
import { clientOf } from '../system.ts';
import { type NeighbourName, neighbours } from './neighbours.ts';

const [name, baseUrl, databaseUrl] = process.argv.slice(2) as [NeighbourName, string, string];
const { trouble } = await neighbours[name](clientOf({ baseUrl, databaseUrl }));
const leave = new AbortController();
process.on('disconnect', () => process.exit());
process.on('message', (told: 'begin' | 'leave') => {
  if (told === 'leave') leave.abort();
  else {
    void trouble(leave.signal).then(() => {
      process.disconnect();
    });
  }
});
process.send?.('ready');
