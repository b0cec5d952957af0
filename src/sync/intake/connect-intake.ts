/** The connections of whatever takes bodies in: the event loop of tiny ones, and the threads of all others. */
import { connectDb, type Db } from '../../db/connect.ts';
import type { WireOptions } from '../../db/wire/wire.ts';
import { onlyProbes } from './only-probes.ts';

export interface IntakeConnections {
  databaseUrl: string;
  poolMax: number;
  answerMsMax: number;
  wire: WireOptions;
}

/** Small batches take less time than their plans would. */
export function connectIntake({ databaseUrl, poolMax, answerMsMax, wire }: IntakeConnections): Promise<Db> {
  return connectDb({
    url: databaseUrl,
    applicationName: 'partbook intake',
    poolMax,
    answerMsMax,
    wire,
    preparesAll: true,
    settings: onlyProbes,
    log: { warn: () => {} },
  });
}
