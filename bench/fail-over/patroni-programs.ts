/**
 * What Patroni runs on, without anything installed: Patroni with its Python and etcd out of Debian's packages of this release, the
 * embedded PostgreSQL, and the three of PostgreSQL's programs that this one lacks.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findPostgresBinaries } from '../../src/embedded/postgres-binaries.ts';
import { findDebianPackages, findDebianProgram } from '../../test/setup/debian-program.ts';

/** Of PostgreSQL 18, which only newer releases of Debian have. */
const CLIENTS = [
  ['pg_basebackup', 'postgresql-client-18'],
  ['pg_isready', 'postgresql-client-18'],
  ['pg_controldata', 'postgresql-18'],
] as const;
const CACHE = '.cache';

export interface PatroniPrograms {
  patroni: { argv: readonly string[]; env: NodeJS.ProcessEnv };
  etcd: string;
  /** With all of PostgreSQL's programs that Patroni calls. */
  binDir: string;
  postgres: { path: string; env: NodeJS.ProcessEnv };
}

/** `folder` is where links and scripts may lie. Throws where they cannot be had. */
export async function findPatroniPrograms(folder: string): Promise<PatroniPrograms> {
  const problems: string[] = [];
  const problem = (why: string) => problems.push(why);
  const files = await findDebianPackages(
    { name: 'patroni', packages: ['patroni', 'etcd-server'] },
    CACHE,
    problem,
  );
  if (files === null) throw new Error(`There is no Patroni and no etcd: ${problems.join('; ')}`);
  const bin = join(files, 'usr', 'bin');
  const python = (await readdir(bin)).find((name) => /^python3\.\d+$/.test(name));
  if (python === undefined) throw new Error(`There is no Python in ${bin}`);

  const binDir = join(folder, 'bin');
  await mkdir(binDir, { recursive: true });
  const postgres = findPostgresBinaries(join(folder, 'postgres-libraries'));
  const { LD_LIBRARY_PATH: libraries = '' } = postgres.env;
  for (const name of ['postgres', 'initdb', 'pg_ctl'])
    await writeScript(
      join(binDir, name),
      `LD_LIBRARY_PATH='${libraries}' exec '${join(dirname(postgres.postgres), name)}' "$@"`,
    );
  for (const [name, from] of CLIENTS) {
    const command = await findDebianProgram(
      {
        package: from,
        name,
        folder: 'lib/postgresql/18/bin',
        versionArgument: '--version',
        versionMin: [18, 0],
      },
      CACHE,
      problem,
    );
    if (command === null) throw new Error(`There is no ${name}: ${problems.join('; ')}`);
    const words = command.map((word) => `'${word}'`).join(' ');
    await writeScript(join(binDir, name), `unset LD_LIBRARY_PATH; exec ${words} "$@"`);
  }
  return {
    patroni: {
      argv: [join(bin, python), join(bin, 'patroni')],
      env: {
        PATH: process.env.PATH,
        PYTHONHOME: join(files, 'usr'),
        PYTHONPATH: join(files, 'usr', 'lib', 'python3', 'dist-packages'),
        PYTHONDONTWRITEBYTECODE: '1',
        LD_LIBRARY_PATH: (await libraryFolders(files)).join(':'),
      },
    },
    etcd: join(bin, 'etcd'),
    binDir,
    postgres: { path: postgres.postgres, env: postgres.env },
  };
}

async function writeScript(path: string, line: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}

async function libraryFolders(files: string): Promise<string[]> {
  const parents = [join(files, 'usr', 'lib'), join(files, 'lib')].filter((folder) => existsSync(folder));
  const found = await Promise.all(
    parents.map(async (folder) => (await readdir(folder)).map((entry) => join(folder, entry))),
  );
  return found.flat().filter((folder) => folder.includes('-linux-'));
}
