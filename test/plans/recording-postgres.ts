/**
 * A PostgreSQL of its own that writes down the plan of every statement as it really ran: with its parameters, its
 * rows and the blocks that it read, those of threads and of functions among them (auto_explain, as JSON).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { migrate } from '../../src/db/migrate.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { databaseUrl } from '../setup/global.ts';

const SETTINGS = {
  shared_preload_libraries: 'auto_explain',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  // What the transaction has set for the planner.
  'auto_explain.log_settings': 'on',
  'auto_explain.log_level': 'log',
  // Parameters are seen in the conditions already; a chunk of a thousand entities is not to be written down.
  'auto_explain.log_parameter_max_length': '200',
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: 'log',
  log_filename: 'plans.log',
  log_rotation_size: '0',
  log_file_mode: '0644',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Analysed when the test says so, and not at a moment of its own.
  autovacuum: 'off',
  jit: 'off',
};
const PIECE_BYTES = 4 * 1024 * 1024;
const DATABASE = 'plans';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Join Filter'?: string;
  'Plan Rows': number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Index Searches'?: number;
  Plans?: PlanNode[];
}

export interface RecordedPlan {
  'Query Text': string;
  'Query Parameters'?: string;
  Settings?: Record<string, string>;
  Plan: PlanNode;
}

export interface RecordingPostgres {
  /** A superuser's, of a migrated database. */
  url: string;
  asSuperuser<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** From here on, in every session, plans are written down. */
  startRecording(): Promise<void>;
  /** What was since then, one at a time, so that gigabytes of them are never held; stops the recording first. */
  recorded(): AsyncGenerator<RecordedPlan>;
  stop(): Promise<void>;
}

export async function startRecordingPostgres(): Promise<RecordingPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partbook-plans-'));
  const log = pino({ level: 'error' });
  const server = await startEmbeddedPostgres({ dataDir, log, settings: SETTINGS });
  const url = databaseUrl(server.adminUrl, DATABASE);
  const asSuperuser = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const admin = new Client({ connectionString: server.adminUrl });
  await admin.connect();
  await admin.query(`create database ${DATABASE}`);
  await admin.end();
  await migrate(url, log);
  const record = (duration: number) =>
    asSuperuser(async (client) => {
      await client.query(`alter system set auto_explain.log_min_duration = ${duration}`);
      await client.query('select pg_reload_conf()');
    });
  let begin = 0;
  return {
    url,
    asSuperuser,
    startRecording: async () => {
      begin = await asSuperuser(async (client) => {
        const { rows } = await client.query<{ size: number }>(
          `select coalesce((pg_stat_file('log/plans.json', true)).size, 0)::float8 as size`,
        );
        return rows[0]?.size ?? 0;
      });
      await record(0);
    },
    recorded: async function* () {
      await record(-1);
      let rest = '';
      for (let offset = begin; ; offset += PIECE_BYTES) {
        const piece = await asSuperuser(async (client) => {
          const { rows } = await client.query<{ piece: Buffer }>(
            `select pg_read_binary_file('log/plans.json', $1, $2) as piece`,
            [offset, PIECE_BYTES],
          );
          return rows[0]?.piece ?? Buffer.alloc(0);
        });
        // A character can lie across two pieces; latin1 keeps its bytes together until its line is whole.
        const lines = (rest + piece.toString('latin1')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { message } = JSON.parse(Buffer.from(line, 'latin1').toString()) as { message?: string };
          const at = message?.startsWith('duration:') ? message.indexOf('plan:\n') : -1;
          if (message !== undefined && at >= 0) yield JSON.parse(message.slice(at + 6)) as RecordedPlan;
        }
        if (piece.length < PIECE_BYTES) return;
      }
    },
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
