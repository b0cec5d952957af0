/** `npm run pack:clients [FOLDER]`: compiles the packages to JavaScript, because Node takes no types off inside node_modules, and packs them. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = process.argv[2] ?? `${here}packed`;

mkdirSync(folder, { recursive: true });
for (const [project, name] of [
  ['tsconfig.build.json', 'cli'],
  ['typescript/tsconfig.build.json', 'typescript'],
] as const) {
  rmSync(`${here}${name}/dist`, { recursive: true, force: true });
  run('npx', ['--no-install', 'tsc', '-p', project]);
  copyFileSync(`${here}../LICENSE`, `${here}${name}/LICENSE`);
  const [packed] = JSON.parse(run('npm', ['pack', `./${name}`, '--json', '--pack-destination', folder]));
  console.log(`${folder}/${packed.filename}`);
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { cwd: here, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
