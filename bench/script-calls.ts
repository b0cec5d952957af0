/**
 * `npm run bench -- script-calls`: tests of a script over HTTP, by eight clients in one workspace and by eight in one each. What a run
 * costs beside the engine (caller, share of the threads, hand-over, answer) is the difference to `scripts`. BENCH_SECONDS and BENCH_ROUNDS
 * set how long.
 */
import { cpuBetween, cpuOfSystem } from './cpu-of-system.ts';
import { type LoadResult, load } from './stock/load.ts';
import { medianOf } from './sync-rates.ts';
import { startSystem } from './system.ts';

export const name = 'script-calls';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CLIENTS = 8;
/** Four times the best other system on the machine of the first comparison, which did as much in one workspace as in eight. */
const RUNS_PER_SECOND_GOAL = 240;
const BODY = JSON.stringify({ script: 'return 6 * 7;' });

interface Measured extends LoadResult {
  webMs: number;
  databaseMs: number;
}

export async function run(): Promise<unknown> {
  const system = await startSystem();
  try {
    const port = Number(new URL(system.baseUrl).port);
    const requests: Buffer[] = [];
    for (let client = 0; client < CLIENTS; client++) {
      const { slug, key } = await system.createWorkspace();
      requests.push(
        Buffer.from(
          `POST /api/wid/${slug}/automations/test HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`,
        ),
      );
    }
    const measure = async (workspaces: number, seconds: number): Promise<Measured> => {
      const before = cpuOfSystem(system);
      const result = await load({
        port,
        connections: CLIENTS,
        seconds,
        next: (client) => requests[client % workspaces] as Buffer,
      });
      const { web, postgres } = cpuBetween(before, cpuOfSystem(system));
      const strange = Object.keys(result.statuses).filter((status) => status !== '200');
      if (strange.length > 0) throw new Error(`Answers with ${strange.join(', ')}`);
      const ofOne = (spent: number) => (1000 * spent) / result.requests;
      return { ...result, webMs: ofOne(web), databaseMs: ofOne(postgres) };
    };
    const cases = [1, CLIENTS].map((workspaces) => ({ workspaces, rounds: [] as Measured[] }));
    // What happens once (threads, engines, connections) is no cost of a run.
    for (const { workspaces } of cases) await measure(workspaces, 1);
    for (let round = 0; round < ROUNDS; round++)
      for (const { workspaces, rounds } of cases) rounds.push(await measure(workspaces, SECONDS));
    const results = cases.map(({ workspaces, rounds }) => {
      const median = (figure: 'perSecond' | 'p50Ms' | 'p99Ms' | 'webMs' | 'databaseMs') =>
        medianOf(rounds.map((one) => one[figure]));
      const met = median('perSecond') >= RUNS_PER_SECOND_GOAL;
      console.log(
        `script over HTTP, ${CLIENTS} clients, ${workspaces} ${workspaces === 1 ? 'workspace ' : 'workspaces'}: ${median('perSecond').toFixed(0).padStart(5)}/s, p50 ${median('p50Ms').toFixed(1)}, p99 ${median('p99Ms').toFixed(1)} ms, web ${median('webMs').toFixed(2)}, database ${median('databaseMs').toFixed(2)} ms of CPU; at least ${RUNS_PER_SECOND_GOAL}/s: ${met ? 'holds' : 'FAILS'}`,
      );
      return { workspaces, rounds, met };
    });
    return { results, ok: results.every(({ met }) => met) };
  } finally {
    await system.close();
  }
}
