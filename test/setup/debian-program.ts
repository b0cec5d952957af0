/**
 * A server program that tests need and the service does not: the one on PATH, or one unpacked into the cache folder from
 * Debian's packages, of this release or, where that is too old, of the testing suite. Nothing is installed and no script of
 * a package runs. A newer suite's program brings its own C library, so that it is started by that one's loader.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const APT_MS_MAX = 180_000;
const LIST_BYTES_MAX = 1024 * 1024;

export interface WantedProgram {
  /** Of the package. */
  package: string;
  /** Of the file, which lies in bin or sbin, or in this folder of `/usr`. */
  name: string;
  folder?: string;
  versionArgument: string;
  versionMin: readonly [number, number];
}

/** The command and its first arguments. */
export type ProgramCommand = readonly [string, ...string[]];

/** Null where none can be had here; `problem` is told why. */
export async function findDebianProgram(
  wanted: WantedProgram,
  cacheDir: string,
  problem: (why: string) => void,
): Promise<ProgramCommand | null> {
  for (const folder of `${process.env.PATH}${delimiter}/usr/sbin`.split(delimiter)) {
    const command: ProgramCommand = [join(folder, wanted.name)];
    if (existsSync(command[0]) && (await isUsable(command, wanted))) return command;
  }
  // Apt takes a relative path as one below its own folders.
  const target = resolve(cacheDir, `${wanted.name}-${process.arch}`);
  const kept = unpackedCommand(target, wanted.name);
  if (kept !== null && (await isUsable(kept, wanted))) return kept;
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return null;
  for (const suite of [releaseName(), 'testing']) {
    try {
      if (suite !== null && (await unpack(wanted, suite, target)))
        return unpackedCommand(target, wanted.name);
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      problem(`${wanted.package} of ${suite}: ${(stderr || message).trim()}`);
    }
  }
  return null;
}

export interface WantedLibrary {
  package: string;
  /** Of the file, wherever the package puts it. */
  file: string;
}

/** The path of a library that is loaded into other programs: of the system, or out of this release's package. */
export async function findDebianLibrary(
  wanted: WantedLibrary,
  cacheDir: string,
  problem: (why: string) => void,
): Promise<string | null> {
  const installed = await fileBelow('/usr/lib', wanted.file);
  if (installed !== null) return installed;
  const target = resolve(cacheDir, `${wanted.package}-${process.arch}`);
  const kept = join(target, wanted.file);
  if (existsSync(kept)) return kept;
  const suite = releaseName();
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get') || suite === null) return null;
  await mkdir(dirname(target), { recursive: true });
  const staging = await mkdtemp(`${target}.`);
  try {
    const found = await fileBelow(await download(wanted.package, suite, staging), wanted.file);
    if (found === null) throw new Error(`there is no ${wanted.file} in it`);
    await mkdir(target, { recursive: true });
    // By a name of its own first: two that start at once may race.
    await cp(found, join(staging, wanted.file), { dereference: true });
    await rename(join(staging, wanted.file), kept);
    return kept;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    problem(`${wanted.package} of ${suite}: ${(stderr || message).trim()}`);
    return null;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

export interface WantedPackages {
  /** Of the folder in the cache. */
  name: string;
  packages: readonly string[];
}

/**
 * The folder in which the packages lie as they would below `/`, with everything that they depend on but the C library: that of
 * this machine is of the same release. For programs that are more than one file.
 */
export async function findDebianPackages(
  wanted: WantedPackages,
  cacheDir: string,
  problem: (why: string) => void,
): Promise<string | null> {
  const target = resolve(cacheDir, `${wanted.name}-${process.arch}`);
  if (existsSync(target)) return target;
  const suite = releaseName();
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get') || suite === null) return null;
  await mkdir(dirname(target), { recursive: true });
  const staging = await mkdtemp(`${target}.`);
  try {
    const archives = await fetchArchives(wanted.packages, suite, staging);
    const files = join(staging, 'files');
    for (const archive of archives)
      if (!basename(archive).startsWith('libc6_')) await run('dpkg-deb', ['-x', archive, files]);
    await rename(files, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    return target;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    problem(`${wanted.packages.join(' and ')} of ${suite}: ${(stderr || message).trim()}`);
    return null;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function fileBelow(folder: string, name: string): Promise<string | null> {
  const { stdout } = await run('find', [folder, '-maxdepth', '6', '-name', name]).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  return stdout.split('\n').find((line) => line !== '') ?? null;
}

async function isUsable(command: ProgramCommand, wanted: WantedProgram): Promise<boolean> {
  const [file, ...args] = command;
  const { stdout } = await run(file, [...args, wanted.versionArgument]).catch(() => ({ stdout: '' }));
  const [, major, minor] = /\b(\d+)\.(\d+)/.exec(stdout) ?? [];
  const [majorMin, minorMin] = wanted.versionMin;
  return Number(major) > majorMin || (Number(major) === majorMin && Number(minor) >= minorMin);
}

function unpackedCommand(folder: string, name: string): ProgramCommand | null {
  const program = join(folder, name);
  if (!existsSync(program)) return null;
  return [join(folder, 'loader'), '--library-path', join(folder, 'libraries'), program];
}

function releaseName(): string | null {
  return /^VERSION_CODENAME=(\S+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? null;
}

/** False where the suite has it in a version that is too old. */
async function unpack(wanted: WantedProgram, suite: string, target: string): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true });
  // A folder of its own for each process, renamed into place at the end: two that start at once may race.
  const staging = await mkdtemp(`${target}.`);
  try {
    const files = await download(wanted.package, suite, staging);
    const libraries = await libraryFolders(files);
    const [loader] = await loadersIn(libraries);
    const program = ['bin', 'sbin', wanted.folder ?? '']
      .map((folder) => join(files, 'usr', folder, wanted.name))
      .find((file) => existsSync(file));
    if (loader === undefined || program === undefined) throw new Error('the packages lack what was expected');
    const started: ProgramCommand = [loader, '--library-path', libraries.join(':'), program];
    if (!(await isUsable(started, wanted))) return false;
    const kept = join(staging, 'kept');
    await mkdir(join(kept, 'libraries'), { recursive: true });
    await cp(loader, join(kept, 'loader'), { dereference: true });
    await cp(program, join(kept, wanted.name));
    const { stdout } = await run(started[0], [...started.slice(1, 3), '--list', program]);
    for (const [, file = ''] of stdout.matchAll(/=> (\S+) \(/g))
      await cp(file, join(kept, 'libraries', basename(file)), { dereference: true });
    await rm(target, { recursive: true, force: true });
    await rename(kept, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    return true;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Debian's folders for libraries are named after the machine; older releases have some of them outside of /usr. */
async function libraryFolders(files: string): Promise<string[]> {
  const parents = [join(files, 'usr', 'lib'), join(files, 'lib')].filter((folder) => existsSync(folder));
  const found = await Promise.all(
    parents.map(async (folder) => (await readdir(folder)).map((entry) => join(folder, entry))),
  );
  return found.flat().filter((folder) => folder.includes('-linux-'));
}

async function loadersIn(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder))
        .filter((file) => /^ld-linux.*\.so\.\d+$/.test(file))
        .map((file) => join(folder, file)),
    ),
  );
  return found.flat();
}

/** The package with everything that it depends on, its programs and libraries alone; resolves to their folder. */
async function download(name: string, suite: string, staging: string): Promise<string> {
  const files = join(staging, 'files');
  await mkdir(files, { recursive: true });
  const wanted = ['*/lib/*-linux-*/*.so*', '*/bin/*', '*/sbin/*'];
  for (const archive of await fetchArchives([name], suite, staging)) {
    // A package that has none of it makes tar complain.
    await run('sh', [
      '-c',
      `dpkg-deb --fsys-tarfile "$0" | tar -x -C "$1" --wildcards "$2" "$3" "$4" 2>/dev/null || true`,
      archive,
      files,
      ...wanted,
    ]);
  }
  return files;
}

/** The packages with everything that they depend on, as files below `staging`. */
async function fetchArchives(names: readonly string[], suite: string, staging: string): Promise<string[]> {
  const archives = join(staging, 'cache', 'archives');
  for (const folder of [join(staging, 'lists', 'partial'), join(archives, 'partial')])
    await mkdir(folder, { recursive: true });
  const { uri, keyring } = await archiveOfThisMachine();
  await writeFile(join(staging, 'sources.list'), `deb [signed-by=${keyring}] ${uri} ${suite} main\n`);
  // Of a system on which nothing is installed: every library is to come along.
  await writeFile(join(staging, 'status'), '');
  const settings = {
    'Dir::State::lists': join(staging, 'lists'),
    'Dir::State::status': join(staging, 'status'),
    'Dir::Cache': join(staging, 'cache'),
    'Dir::Etc::SourceList': join(staging, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'APT::Sandbox::User': '',
    'Debug::NoLocking': '1',
    'Acquire::Languages': 'none',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  const apt = (...args: string[]) => run('apt-get', [...options, ...args], { timeout: APT_MS_MAX });
  await apt('update', '-qq');
  await apt('install', '--download-only', '--yes', '-qq', '--no-install-recommends', ...names);
  const found = (await readdir(archives)).filter((entry) => entry.endsWith('.deb'));
  return found.map((entry) => join(archives, entry));
}

/** Where this machine has its packages from: the same archive has every suite. */
async function archiveOfThisMachine(): Promise<{ uri: string; keyring: string }> {
  const { stdout } = await run(
    'apt-get',
    ['indextargets', '--format', '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)', 'Created-By: Packages'],
    { maxBuffer: LIST_BYTES_MAX },
  );
  const lines = stdout.split('\n').map((line) => line.split(' '));
  const [uri] = lines.find((line) => line[1] === releaseName() && line[2] === 'main') ?? [];
  if (uri === undefined) throw new Error('apt knows no archive of this release');
  return { uri, keyring: '/usr/share/keyrings/debian-archive-keyring.gpg' };
}
