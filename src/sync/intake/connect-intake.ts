/** The connections of whatever takes bodies in: the event loop of tiny ones, and the threads of all others. */
import { connectDb, type Db } from '../../db/connect.ts';
import { onlyProbes } from './only-probes.ts';

export interface IntakeConnections {
  databaseUrl: string;
  poolMax: number;
  answerMsMax: number;
}

/** Small batches take less time than their plans would. */
export function connectIntake({ databaseUrl, poolMax, answerMsMax }: IntakeConnections): Promise<Db> {
  return connectDb({
    url: databaseUrl,
    applicationName: 'partbook intake',
    poolMax,
    answerMsMax,
    preparesAll: true,
    settings: onlyProbes,
    log: { warn: () => {} },
  });
}
